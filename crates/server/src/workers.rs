//! Threads of their own for work that takes a core and memory for a while.
//!
//! There is a fixed number of them, and each keeps what it works with, so that a flood of work
//! costs neither more threads nor more memory. What waits is taken in turn from the addresses that
//! asked: an address that asks for much waits for itself.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::problem::{Code, Problem};

/// How many threads work.
const THREADS: usize = 2;

/// How much may wait in all, and how much of it from one address.
const WAITING: usize = 128;
const WAITING_FROM_ADDRESS: usize = 8;

/// A piece of work, which answers by itself.
type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// Threads that work, and what is waiting for them.
#[derive(Debug)]
pub(crate) struct Workers<T>(Arc<Desk<T>>);

struct Desk<T> {
    queue: Mutex<Queue<T>>,
    bell: Condvar,
}

impl<T> std::fmt::Debug for Desk<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Desk")
    }
}

/// What waits: for each address its work in order, and the addresses in turn.
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
    /// Adds a piece of work, if there is room for it.
    ///
    /// When all places are taken, an address that has more of them than the newcomer gives one up.
    fn push(&mut self, address: IpAddr, job: Job<T>) -> bool {
        let own =
            self.turns.iter().find(|(of, _)| *of == address).map_or(0, |(_, jobs)| jobs.len());
        if own >= WAITING_FROM_ADDRESS || self.waiting >= WAITING && !self.make_room(own) {
            return false;
        }
        match self.turns.iter_mut().find(|(of, _)| *of == address) {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.turns.push_back((address, VecDeque::from([job]))),
        }
        self.waiting += 1;
        true
    }

    /// Drops the last piece of work of the address that has the most, if that is more than another
    /// would have with one more than `own`.
    fn make_room(&mut self, own: usize) -> bool {
        let longest = self.turns.iter_mut().max_by_key(|(_, jobs)| jobs.len());
        let Some((_, jobs)) = longest.filter(|(_, jobs)| jobs.len() > own + 1) else {
            return false;
        };
        // Whoever waits for it learns that it was dropped.
        drop(jobs.pop_back());
        self.waiting -= 1;
        true
    }

    /// Takes the next piece of work. Its address is the last to have another turn.
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

impl<T> Desk<T> {
    fn queue(&self) -> MutexGuard<'_, Queue<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default + 'static> Workers<T> {
    /// Starts the threads. What they work with is made when there is something to do.
    #[expect(clippy::disallowed_methods, reason = "the work blocks, so it has threads of its own")]
    pub(crate) fn new(name: &str) -> Self {
        let desk = Arc::new(Desk { queue: Mutex::default(), bell: Condvar::new() });
        for _ in 0..THREADS {
            let at = Arc::clone(&desk);
            let started = thread::Builder::new().name(name.to_owned()).spawn(move || serve(&at));
            if let Err(error) = started {
                tracing::error!(%error, "a thread for passwords could not be started");
            }
        }
        Self(desk)
    }

    /// Does a piece of work for an address, when it is that address's turn.
    ///
    /// # Errors
    ///
    /// `busy`, when too much waits already, of this address or in all; `fault`, when it panics.
    pub(crate) async fn work<A: Send + 'static>(
        &self,
        address: IpAddr,
        work: impl FnOnce(&mut T) -> A + Send + 'static,
    ) -> Result<A, Problem> {
        let busy = || Problem::from(Code::Busy).retry_after(2);
        let (sender, receiver) = oneshot::channel();
        let job: Job<T> = Box::new(move |tools| {
            // The request may have been given up meanwhile.
            if !sender.is_closed() {
                let done = catch_unwind(AssertUnwindSafe(|| work(tools)));
                drop(sender.send(done));
            }
        });
        if !self.0.queue().push(address, job) {
            return Err(busy());
        }
        self.0.bell.notify_one();
        match receiver.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) => Err(Code::Fault.into()),
            Err(_) => Err(busy()),
        }
    }
}

impl<T> Drop for Workers<T> {
    fn drop(&mut self) {
        self.0.queue().is_closed = true;
        self.0.bell.notify_all();
    }
}

fn serve<T: Default>(desk: &Desk<T>) {
    let mut tools = T::default();
    loop {
        let mut queue = desk.queue();
        let job = loop {
            if queue.is_closed {
                return;
            }
            if let Some(job) = queue.pop() {
                break job;
            }
            queue = desk.bell.wait(queue).unwrap_or_else(PoisonError::into_inner);
        };
        drop(queue);
        job(&mut tools);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    /// Adds work that writes down which address it was for.
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
        for _ in 0..WAITING_FROM_ADDRESS {
            assert!(push(&mut queue, 1));
        }
        assert!(!push(&mut queue, 1), "its share is used up");
        assert!(push(&mut queue, 2) && push(&mut queue, 3) && push(&mut queue, 2));
        assert_eq!(drain(&mut queue), [1, 2, 3, 1, 2, 1, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn a_full_queue_takes_a_place_from_the_address_that_has_the_most() {
        let mut queue = Queue::default();
        let addresses = u8::try_from(WAITING / WAITING_FROM_ADDRESS).expect("few");
        for last in 0..addresses {
            for _ in 0..WAITING_FROM_ADDRESS {
                assert!(push(&mut queue, last));
            }
        }
        assert_eq!(queue.waiting, WAITING);
        assert!(push(&mut queue, 200));
        assert_eq!(queue.waiting, WAITING);
        let done = drain(&mut queue);
        assert_eq!(done.iter().position(|last| *last == 200), Some(usize::from(addresses)));
    }

    #[test]
    fn a_queue_that_all_share_alike_is_full() {
        let mut queue = Queue::default();
        for last in 0..u8::try_from(WAITING).expect("few") {
            assert!(push(&mut queue, last));
        }
        assert!(!push(&mut queue, 250), "the newcomer would have as much as any other");
    }

    #[tokio::test]
    async fn work_that_panics_ends_no_thread() {
        let workers = Workers::<Vec<u8>>::new("test");
        for _ in 0..2 * THREADS {
            let problem = workers.work(address(1), |_| panic!("this is what is tried")).await;
            let problem: Result<(), Problem> = problem;
            assert_eq!(problem.map_err(|problem| problem.code), Err("fault".to_owned()));
        }
        assert_eq!(workers.work(address(1), |_| 7).await, Ok(7));
    }
}
