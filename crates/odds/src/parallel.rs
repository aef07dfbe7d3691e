//! Work distributed among threads.
//!
//! Every thread takes the next task when it finishes the last one, and keeps its own sums. The sums
//! are integers, so the answer does not depend on which thread did what.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Tasks for several threads, each taken once.
pub(crate) struct Queue<'a, T> {
    tasks: &'a [T],
    next: AtomicUsize,
}

impl<'a, T> Queue<'a, T> {
    pub(crate) const fn new(tasks: &'a [T]) -> Self {
        Self { tasks, next: AtomicUsize::new(0) }
    }

    /// Returns the next task and its number, until there is none.
    pub(crate) fn next(&self) -> Option<(usize, &'a T)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.tasks.get(number).map(|task| (number, task))
    }
}

/// More would only take memory.
const MOST_THREADS: usize = 64;

/// Runs the work on a number of threads at once, including this one, and returns the result of
/// each.
#[expect(clippy::disallowed_methods, reason = "threads that all end here change no answer")]
pub(crate) fn on_threads<R: Send>(
    threads: NonZero<usize>,
    work: impl Fn() -> R + Sync,
) -> impl Iterator<Item = R> {
    let work = &work;
    let results = thread::scope(|scope| {
        let others: Vec<_> =
            (1..threads.get().min(MOST_THREADS)).map(|_| scope.spawn(work)).collect();
        let mut results = vec![work()];
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.into_iter()
}

/// Applies a function to every task, and returns the results in the order of the tasks.
pub(crate) fn map<T: Sync, R: Send>(
    threads: NonZero<usize>,
    tasks: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let queue = Queue::new(tasks);
    let parts = on_threads(threads, || {
        let mut done = Vec::new();
        while let Some((number, task)) = queue.next() {
            done.push((number, work(task)));
        }
        done
    });
    let mut done: Vec<(usize, R)> = parts.flatten().collect();
    done.sort_unstable_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Fills existing slots, each thread a part of them. For large results this saves the memory that
/// collecting them would take.
#[expect(clippy::disallowed_methods, reason = "threads that all end here change no answer")]
pub(crate) fn fill<T: Send>(
    threads: NonZero<usize>,
    places: &mut [T],
    work: impl Fn(usize, &mut T) + Sync,
) {
    let size = places.len().div_ceil(threads.get().min(MOST_THREADS)).max(1);
    let work = &work;
    thread::scope(|scope| {
        for (part, places) in places.chunks_mut(size).enumerate() {
            scope.spawn(move || {
                for (number, place) in places.iter_mut().enumerate() {
                    work(part * size + number, place);
                }
            });
        }
    });
}
