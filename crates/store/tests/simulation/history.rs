//! The course of a simulation, as a list of steps from which any may be left out.
//!
//! A step is a few raw choices. Their meaning depends on the state when the step runs, so a history
//! with gaps is still a history. That makes it possible to search for the shortest one that fails.

use croupier_testing::Random;

/// The kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The player whose turn it is acts sensibly, or lets their time run out.
    Play,
    /// A player sends a command that should be refused.
    Wrong,
    /// A player sends the same command again, with the same key.
    Repeat,
    /// A player sends another command with a used key.
    Reuse,
    /// A node looks for tables whose deadline has passed.
    Wake,
    /// Some seconds pass.
    Pass,
    /// All clocks are set forward or back, by hours.
    Jump,
    /// The operator does something.
    Operate,
    /// A node restarts and loses its caches.
    Crash,
    /// A node's clock is set wrong.
    Skew,
    /// The store is out of space for a while.
    Fill,
    /// A player who does not know the outcome of a command retries it.
    AskAgain,
    /// A player buys chips.
    Buy,
    /// The auditor compares balances.
    Audit,
    /// All nodes handle their timeouts without faults: then nothing may be overdue.
    CatchUp,
}

/// How often each kind occurs, in a thousand.
const WEIGHTS: [(Kind, usize); 15] = [
    (Kind::Play, 840),
    (Kind::Wrong, 30),
    (Kind::Repeat, 20),
    (Kind::Reuse, 8),
    (Kind::Wake, 30),
    (Kind::Pass, 20),
    (Kind::Jump, 2),
    (Kind::Operate, 10),
    (Kind::Crash, 1),
    (Kind::Skew, 3),
    (Kind::Fill, 2),
    (Kind::AskAgain, 11),
    (Kind::Buy, 5),
    (Kind::Audit, 14),
    (Kind::CatchUp, 4),
];

/// A step of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) kind: Kind,
    /// The table.
    pub(crate) table: usize,
    /// The node.
    pub(crate) node: usize,
    /// The source of everything else.
    pub(crate) dice: u64,
}

/// Returns the number of nodes for a seed: two or three.
pub(crate) const fn nodes(seed: u64) -> usize {
    if seed.is_multiple_of(3) { 3 } else { 2 }
}

/// The number of tables that are open at a time.
pub(crate) const TABLES: usize = 4;

/// Makes a history from a seed.
pub(crate) fn history(seed: u64, length: usize) -> Vec<Step> {
    let mut random = Random::new(seed);
    let (mut table, mut node) = (0, 0);
    let step = |_| {
        // One table is played for a while, mostly through one node; meanwhile the clocks of the
        // others run out.
        if random.chance(20, 1000) {
            table = random.below(TABLES);
            node = random.below(nodes(seed));
        }
        let mut roll = random.below(1000_usize);
        let kind = WEIGHTS.iter().find_map(|&(kind, weight)| match roll.checked_sub(weight) {
            Some(rest) => {
                roll = rest;
                None
            }
            None => Some(kind),
        });
        let elsewhere = random.chance(60, 1000);
        let node = if elsewhere { random.below(nodes(seed)) } else { node };
        Step { kind: kind.unwrap_or(Kind::Play), table, node, dice: random.number() }
    };
    (0..length).map(step).collect()
}

/// The most attempts to shorten a history.
const TRIES: usize = 3000;

/// Removes steps from a history for as long as it still fails.
pub(crate) fn shrink(history: &[Step], fails: impl Fn(&[Step]) -> bool) -> Vec<Step> {
    let mut steps = history.to_vec();
    let mut tries = 0;
    let mut size = steps.len().div_ceil(2);
    while size > 0 && tries < TRIES {
        let mut start = 0;
        let before = steps.len();
        while start < steps.len() && tries < TRIES {
            let end = (start + size).min(steps.len());
            let without = [&steps[..start], &steps[end..]].concat();
            tries += 1;
            if fails(&without) {
                steps = without;
            } else {
                start = end;
            }
        }
        // Single steps are tried until none can be removed.
        size = if size > 1 { size.div_ceil(2) } else { usize::from(steps.len() < before) };
    }
    steps
}

#[test]
fn shrinking_keeps_only_the_steps_that_matter() {
    let steps = history(7, 500);
    let (one, other) = (steps[123], steps[456]);
    let fails = |steps: &[Step]| steps.contains(&one) && steps.contains(&other);
    assert_eq!(shrink(&steps, fails), [one, other]);
}
