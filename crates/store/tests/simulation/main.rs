//! Whole evenings at whole tables, by seed: several nodes over one store; players who play, make
//! mistakes, leave and repeat themselves; clocks that jump; a store that fails; and an auditor that
//! knows only the requests and the answers.
//!
//! A failure prints its seed, how to reproduce it, and the shortest failing history found.

#[macro_use]
mod wire;

mod auditor;
mod chance;
mod faults;
mod history;
mod laws;
mod player;
mod reading;
mod saboteur;
mod world;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use auditor::{Finding, Kind};
use faults::lock;
use history::{Step, history, shrink};
use saboteur::Sabotage;
use world::{Ground, run};

/// How many rounds must be dealt and finished, unless `CROUPIER_ROUNDS` says otherwise.
const ROUNDS: u64 = 60_000;

/// How many steps a history has.
const STEPS: usize = 3000;

/// Returns a number from the environment.
#[expect(clippy::disallowed_methods, reason = "the environment says what to run")]
fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not \"{text}\"")))
}

/// A history that fails, made as short as it can be.
struct Failure {
    finding: Finding,
    steps: Vec<Step>,
    report: String,
}

/// Runs the history of a seed, and shortens it if it fails.
fn try_seed(
    ground: &Ground,
    seed: u64,
    bug: Option<Sabotage>,
) -> Result<BTreeMap<String, u64>, Box<Failure>> {
    let whole = history(seed, STEPS);
    let found = match run(ground, seed, &whole, bug, false) {
        Ok(rounds) => return Ok(rounds),
        Err((found, _)) => found,
    };
    let fails = |steps: &[Step]| {
        let ended = run(ground, seed, steps, bug, false);
        ended.is_err_and(|(finding, _)| finding.kind == found.kind)
    };
    let steps = shrink(&whole, fails);
    let Err((finding, story)) = run(ground, seed, &steps, bug, true) else {
        panic!("seed {seed} fails in one run but not in another: {found}");
    };
    let mut report = format!("seed {seed} fails: {finding}\n\nreproduce it with\n");
    let command = "cargo test --package croupier-store --test simulation evenings";
    writeln!(report, "    CROUPIER_SEED={seed} {command}\n").expect("text");
    writeln!(report, "{} of {} steps are enough:", steps.len(), whole.len()).expect("text");
    for line in &story {
        writeln!(report, "    {line}").expect("text");
    }
    Err(Box::new(Failure { finding, steps, report }))
}

/// Runs one seed after the other on every core, until enough rounds are finished.
#[expect(clippy::disallowed_methods, reason = "it uses all cores, and reports its time")]
#[test]
fn evenings_by_the_seed_add_up() {
    let ground = Ground::new();
    if let Some(seed) = from_environment("CROUPIER_SEED") {
        if let Err(failure) = try_seed(&ground, seed, None) {
            panic!("{}", failure.report);
        }
        return;
    }
    let wanted = from_environment("CROUPIER_ROUNDS").unwrap_or(ROUNDS);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let (by_house, failed) = (Mutex::new(BTreeMap::new()), Mutex::new(None));
    let started = std::time::Instant::now();
    let work = || {
        while done.load(Ordering::Relaxed) < wanted && lock(&failed).is_none() {
            match try_seed(&ground, next.fetch_add(1, Ordering::Relaxed), None) {
                Ok(rounds) => {
                    done.fetch_add(rounds.values().sum(), Ordering::Relaxed);
                    for (house, rounds) in rounds {
                        *lock(&by_house).entry(house).or_insert(0) += rounds;
                    }
                }
                Err(failure) => *lock(&failed) = Some(failure.report),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    if let Some(report) = lock(&failed).take() {
        panic!("{report}");
    }
    let (done, seeds) = (done.into_inner(), next.into_inner());
    let seconds = started.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "it is a rate")]
    let rate = done as f64 / seconds;
    let by_house = by_house.into_inner().expect("no thread has panicked");
    // Not with a macro, whose output is hidden when a test passes.
    let words = format!("{done} rounds from {seeds} seeds in {seconds:.0} s, {rate:.0} a second");
    writeln!(std::io::stderr(), "{words}: {by_house:?}").expect("a place to write to");
    assert!(done >= wanted, "{words}");
    if wanted >= ROUNDS {
        assert_eq!(by_house.len(), 9, "every house is played: {by_house:?}");
    }
}

/// Plants a bug, and checks that a short history shows it.
///
/// Tries one seed after the other, because not every evening has what the bug needs; on the seed
/// where it is found, nothing is wrong without it.
fn planted(bug: Sabotage, kind: Kind, needs: usize) {
    let ground = Ground::new();
    let found = (0..20)
        .find_map(|seed| try_seed(&ground, seed, Some(bug)).err().map(|failure| (seed, failure)));
    let (seed, failure) = found.expect("the auditor notices");
    let Failure { finding, steps, report } = *failure;
    assert_eq!(finding.kind, kind, "{report}");
    assert!(steps.len() <= needs, "{} steps are too many:\n{report}", steps.len());
    assert!(report.contains(&format!("CROUPIER_SEED={seed} ")), "{report}");
    let again = run(&ground, seed, &steps, Some(bug), false).expect_err("it fails again").0;
    assert_eq!(again, finding, "a history has the same result every time");
    if let Err((finding, _)) = run(&ground, seed, &steps, None, false) {
        panic!("the short history fails without the bug: {finding}");
    }
    if let Err(failure) = try_seed(&ground, seed, None) {
        panic!("without the bug: {}", failure.report);
    }
    let words = format!("{bug:?} is found with seed {seed} in {} steps: {finding}", steps.len());
    writeln!(std::io::stderr(), "{words}").expect("a place to write to");
}

#[test]
fn a_payoff_paid_twice_is_noticed() {
    planted(Sabotage::PaidTwice, Kind::TooMuch, 40);
}

#[test]
fn a_stake_kept_from_a_void_round_is_noticed() {
    planted(Sabotage::StakeKeptOnVoid, Kind::Settlement, 40);
}

#[test]
fn a_stake_kept_from_an_undealt_round_is_noticed() {
    planted(Sabotage::StakeKept, Kind::TooLittle, 40);
}

#[test]
fn a_bank_that_pays_more_than_was_posted_is_noticed() {
    planted(Sabotage::CoverageOverrun, Kind::Coverage, 60);
}

#[test]
fn a_payoff_to_another_player_is_noticed() {
    planted(Sabotage::PaidToAnother, Kind::Settlement, 40);
}

#[test]
fn a_deadline_that_is_not_stored_is_noticed() {
    planted(Sabotage::DeadlineForgotten, Kind::Overdue, 40);
}

#[test]
fn a_wake_up_that_is_swallowed_is_noticed() {
    planted(Sabotage::WakeUpSwallowed, Kind::Overdue, 40);
}

#[test]
fn a_wager_that_is_acknowledged_but_not_stored_is_noticed() {
    planted(Sabotage::WagerForgotten, Kind::Lost, 40);
}

#[test]
fn an_answer_that_is_not_stored_is_noticed() {
    planted(Sabotage::AnswerForgotten, Kind::Repetition, 40);
}

#[test]
fn a_deck_that_changes_in_a_crash_is_noticed() {
    planted(Sabotage::DeckChanged, Kind::Deck, 40);
}

#[test]
fn a_wager_that_grows_in_a_crash_is_noticed() {
    planted(Sabotage::WagerRaised, Kind::Wager, 40);
}
