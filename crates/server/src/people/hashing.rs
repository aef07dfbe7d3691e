//! Dedicated threads for password hashing, which occupies a core and memory for a while.
//!
//! The number of threads is fixed, and each reuses its memory, so that a flood of work costs
//! neither more threads nor more memory. Queued jobs are taken from the addresses in turn: an
//! address that asks for a lot waits behind itself.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::http::problem::{Code, Problem};

/// The number of threads.
const THREADS: usize = 2;

/// The maximum number of queued jobs in total, and from one address.
const MAX_WAITING: usize = 128;
const MAX_WAITING_PER_ADDRESS: usize = 8;

/// A job, which sends its own response.
type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// Threads with memory of type `T` each, and their queue.
#[derive(Debug)]
pub(crate) struct HashingThreads<T>(Arc<SharedQueue<T>>);

struct SharedQueue<T> {
    queue: Mutex<Queue<T>>,
    /// Signaled when a job is added, or the queue closes.
    added: Condvar,
}

impl<T> std::fmt::Debug for SharedQueue<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedQueue")
    }
}

/// The queue: the jobs of each address in order, and the addresses in turn.
struct Queue<T> {
    turns: VecDeque<(IpAddr, VecDeque<Job<T>>)>,
    waiting: usize,
    is_closed: bool,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { turns: VecDeque::new(), waiting: 0, is_closed: false }
    }
}

impl<T> Queue<T> {
    /// Adds a job, if there is room for it.
    ///
    /// When the queue is full, an address that has more jobs in it than the newcomer gives one up.
    fn push(&mut self, address: IpAddr, job: Job<T>) -> bool {
        let own =
            self.turns.iter().find(|(of, _)| *of == address).map_or(0, |(_, jobs)| jobs.len());
        if own >= MAX_WAITING_PER_ADDRESS || self.waiting >= MAX_WAITING && !self.make_room(own) {
            return false;
        }
        match self.turns.iter_mut().find(|(of, _)| *of == address) {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.turns.push_back((address, VecDeque::from([job]))),
        }
        self.waiting += 1;
        true
    }

    /// Drops the last job of the address with the most jobs, if that is more than `own` plus one.
    fn make_room(&mut self, own: usize) -> bool {
        let longest = self.turns.iter_mut().max_by_key(|(_, jobs)| jobs.len());
        let Some((_, jobs)) = longest.filter(|(_, jobs)| jobs.len() > own + 1) else {
            return false;
        };
        // The caller that waits for it learns that it was dropped.
        drop(jobs.pop_back());
        self.waiting -= 1;
        true
    }

    /// Takes the next job. Its address moves to the end of the line.
    fn pop(&mut self) -> Option<Job<T>> {
        let (address, mut jobs) = self.turns.pop_front()?;
        let job = jobs.pop_front();
        if !jobs.is_empty() {
            self.turns.push_back((address, jobs));
        }
        self.waiting -= usize::from(job.is_some());
        job
    }
}

impl<T> SharedQueue<T> {
    fn queue(&self) -> MutexGuard<'_, Queue<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default + 'static> HashingThreads<T> {
    /// Starts the threads. Their state is created when the first job arrives.
    #[expect(clippy::disallowed_methods, reason = "the work blocks, so it has threads of its own")]
    pub(crate) fn new(name: &str) -> Self {
        let shared = Arc::new(SharedQueue { queue: Mutex::default(), added: Condvar::new() });
        for _ in 0..THREADS {
            let queue = Arc::clone(&shared);
            let started =
                thread::Builder::new().name(name.to_owned()).spawn(move || run_jobs(&queue));
            if let Err(error) = started {
                tracing::error!(%error, "a thread for passwords could not be started");
            }
        }
        Self(shared)
    }

    /// Runs a job for an address, when it is that address's turn.
    ///
    /// # Errors
    ///
    /// `busy` when too many jobs are queued, for this address or in total; `fault` when the job
    /// panics.
    pub(crate) async fn run<A: Send + 'static>(
        &self,
        address: IpAddr,
        work: impl FnOnce(&mut T) -> A + Send + 'static,
    ) -> Result<A, Problem> {
        let busy = || Problem::from(Code::Busy).retry_after(2);
        let (sender, receiver) = oneshot::channel();
        let job: Job<T> = Box::new(move |memory| {
            // The request may have been dropped in the meantime.
            if !sender.is_closed() {
                let done = catch_unwind(AssertUnwindSafe(|| work(memory)));
                drop(sender.send(done));
            }
        });
        if !self.0.queue().push(address, job) {
            return Err(busy());
        }
        self.0.added.notify_one();
        match receiver.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) => Err(Code::Internal.into()),
            Err(_) => Err(busy()),
        }
    }
}

impl<T> Drop for HashingThreads<T> {
    fn drop(&mut self) {
        self.0.queue().is_closed = true;
        self.0.added.notify_all();
    }
}

fn run_jobs<T: Default>(shared: &SharedQueue<T>) {
    let mut memory = T::default();
    loop {
        let mut queue = shared.queue();
        let job = loop {
            if queue.is_closed {
                return;
            }
            if let Some(job) = queue.pop() {
                break job;
            }
            queue = shared.added.wait(queue).unwrap_or_else(PoisonError::into_inner);
        };
        drop(queue);
        job(&mut memory);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    /// Adds a job that records which address it was for.
    fn push(queue: &mut Queue<Vec<u8>>, last: u8) -> bool {
        queue.push(address(last), Box::new(move |done| done.push(last)))
    }

    fn drain(queue: &mut Queue<Vec<u8>>) -> Vec<u8> {
        let mut done = Vec::new();
        while let Some(job) = queue.pop() {
            job(&mut done);
        }
        assert_eq!(queue.waiting, 0);
        done
    }

    #[test]
    fn addresses_take_turns_and_none_has_more_than_its_share() {
        let mut queue = Queue::default();
        for _ in 0..MAX_WAITING_PER_ADDRESS {
            assert!(push(&mut queue, 1));
        }
        assert!(!push(&mut queue, 1), "its share is used up");
        assert!(push(&mut queue, 2) && push(&mut queue, 3) && push(&mut queue, 2));
        assert_eq!(drain(&mut queue), [1, 2, 3, 1, 2, 1, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn a_full_queue_takes_a_place_from_the_address_that_has_the_most() {
        let mut queue = Queue::default();
        let addresses = u8::try_from(MAX_WAITING / MAX_WAITING_PER_ADDRESS).expect("few");
        for last in 0..addresses {
            for _ in 0..MAX_WAITING_PER_ADDRESS {
                assert!(push(&mut queue, last));
            }
        }
        assert_eq!(queue.waiting, MAX_WAITING);
        assert!(push(&mut queue, 200));
        assert_eq!(queue.waiting, MAX_WAITING);
        let done = drain(&mut queue);
        assert_eq!(done.iter().position(|last| *last == 200), Some(usize::from(addresses)));
    }

    #[test]
    fn a_queue_with_equal_shares_is_full() {
        let mut queue = Queue::default();
        for last in 0..u8::try_from(MAX_WAITING).expect("few") {
            assert!(push(&mut queue, last));
        }
        assert!(!push(&mut queue, 250), "the newcomer would have as many as any other");
    }

    #[tokio::test]
    async fn a_job_that_panics_does_not_end_its_thread() {
        let threads = HashingThreads::<Vec<u8>>::new("test");
        for _ in 0..2 * THREADS {
            let problem = threads.run(address(1), |_| panic!("a deliberate panic")).await;
            let problem: Result<(), Problem> = problem;
            assert_eq!(problem.map_err(|problem| problem.code), Err("fault".to_owned()));
        }
        assert_eq!(threads.run(address(1), |_| 7).await, Ok(7));
    }
}
