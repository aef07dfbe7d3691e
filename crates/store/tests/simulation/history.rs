//! What happens in a simulation, as a list of steps from which any may be left out.
//!
//! A step is a few raw choices. What they come to depends on how things are when it is its turn, so
//! that a history with holes in it is a history still: that is what makes it possible to look for
//! the shortest one that fails.

use crate::chance::Random;

/// What kind of thing happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whose turn it is at a table does something sensible, or lets his time run out.
    Play,
    /// Somebody sends something that should be refused.
    Wrong,
    /// Somebody sends the same command again, with the same key.
    Repeat,
    /// Somebody sends another command with a key that was used.
    Reuse,
    /// A node looks for tables whose time has come.
    Wake,
    /// Some seconds pass.
    Pass,
    /// All clocks are set forward or back, by hours.
    Jump,
    /// The operator does something.
    Operate,
    /// A node loses its memory.
    Crash,
    /// A node's clock is set wrong.
    Skew,
    /// The store has no room for a while.
    Fill,
    /// Somebody who does not know what became of his command asks again.
    AskAgain,
    /// A player buys chips.
    Buy,
    /// The auditor compares balances.
    Audit,
    /// All nodes look after what is due, with nothing in their way: then nothing must be overdue.
    Patience,
}

/// How often each kind comes, in a thousand.
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
    (Kind::Patience, 4),
];

/// A step of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) kind: Kind,
    /// At which table.
    pub(crate) table: usize,
    /// Through which node.
    pub(crate) node: usize,
    /// Everything else comes from these.
    pub(crate) dice: u64,
}

/// How many nodes there are in the evening of a seed: two or three.
pub(crate) const fn nodes(seed: u64) -> usize {
    if seed.is_multiple_of(3) { 3 } else { 2 }
}

/// How many tables are open at a time.
pub(crate) const TABLES: usize = 4;

/// Makes a history from a seed.
pub(crate) fn history(seed: u64, length: usize) -> Vec<Step> {
    let mut random = Random::new(seed);
    let (mut table, mut node) = (0, 0);
    let step = |_| {
        // A table is looked after for a while, mostly by one node; meanwhile the clocks of the
        // others run out.
        if random.chance(20) {
            table = random.below(TABLES);
            node = random.below(nodes(seed));
        }
        let mut roll = random.below(1000);
        let kind = WEIGHTS.iter().find_map(|&(kind, weight)| match roll.checked_sub(weight) {
            Some(rest) => {
                roll = rest;
                None
            }
            None => Some(kind),
        });
        let elsewhere = random.chance(60);
        let node = if elsewhere { random.below(nodes(seed)) } else { node };
        Step { kind: kind.unwrap_or(Kind::Play), table, node, dice: random.next() }
    };
    (0..length).map(step).collect()
}

/// How often a history is tried with something left out, at most.
const TRIES: usize = 3000;

/// Leaves out of a history whatever it fails without.
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
        // Single steps are gone through until none can be spared.
        size = if size > 1 { size.div_ceil(2) } else { usize::from(steps.len() < before) };
    }
    steps
}

#[test]
fn shrinking_leaves_only_what_matters() {
    let steps = history(7, 500);
    let (one, other) = (steps[123], steps[456]);
    let fails = |steps: &[Step]| steps.contains(&one) && steps.contains(&other);
    assert_eq!(shrink(&steps, fails), [one, other]);
}
