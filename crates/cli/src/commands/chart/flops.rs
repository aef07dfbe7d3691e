//! All flops with all hole cards, for programs.

use std::fmt::Write;
use std::io::{self, IsTerminal, Write as _};
use std::time::{Duration, Instant};

use croupier_cards::{Canonical, flops_with_holes};
use croupier_odds::{Fraction, Holdem};
use croupier_rules::Game;

use crate::failure::Failure;

/// The number of lines.
const LINES: usize = 1_286_792;

/// The number of turns and rivers with dealer hands that follow a flop and a hole.
const DEALS_OF_A_FLOP: i128 = 1_081 * 990;

/// Passes the table to `each`, line by line.
///
/// # Errors
///
/// When `each` fails to write a line.
pub(super) fn write(
    solved: &Holdem,
    mut each: impl FnMut(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let denominator = DEALS_OF_A_FLOP * parts(solved);
    let over = |value: Fraction| value.numerator() * (denominator / value.denominator());
    each("flop,hole,multiplicity,check,bet,denominator,best\n")?;
    let mut progress = Progress::new();
    let mut line = String::with_capacity(80);
    for (number, form) in flops_with_holes().enumerate() {
        let Canonical { cards: [flop, hole], multiplicity, .. } = form;
        let mut cards = hole.into_iter();
        let two = [(); 2].map(|()| cards.next().expect("a hole is two cards"));
        let [check, bet] = solved.on_flop(two, flop).map(over);
        let choice = if bet > check { "bet 2" } else { "check" };
        line.clear();
        writeln!(line, "{flop},{hole},{multiplicity},{check},{bet},{denominator},{choice}")
            .expect("a string");
        each(&line)?;
        if number % 4_096 == 0 {
            progress.show(number);
        }
    }
    progress.clear();
    Ok(())
}

/// Returns how many parts to split an ante into, so that every Blind payoff is a whole number.
fn parts(solved: &Holdem) -> i128 {
    let lines = solved.terms().blind().lines(Game::Uth);
    lines.fold(1, |parts, (_, ratio)| {
        let per = i128::from(ratio.per());
        let (mut divisor, mut rest) = (parts, per);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        parts / divisor * per
    })
}

/// Tells whether to show progress to a user who has waited this long.
fn is_shown(terminal: bool, waited: Duration) -> bool {
    terminal && waited > Duration::from_secs(1)
}

/// The progress, on standard error.
struct Progress {
    start: Instant,
    terminal: bool,
    shown: bool,
}

impl Progress {
    #[expect(clippy::disallowed_methods, reason = "the shell reads the clock")]
    fn new() -> Self {
        Self { start: Instant::now(), terminal: io::stderr().is_terminal(), shown: false }
    }

    #[expect(clippy::disallowed_methods, reason = "the shell reads the clock")]
    fn show(&mut self, number: usize) {
        if is_shown(self.terminal, self.start.elapsed()) {
            self.shown = true;
            // A failure to show progress makes no difference to the answer.
            let _ = write!(io::stderr(), "\rFlops: {} %", 100 * number / LINES);
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r            \r");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_shown_on_a_terminal_and_after_a_second() {
        assert!(is_shown(true, Duration::from_millis(1_001)));
        assert!(!is_shown(true, Duration::from_millis(999)));
        assert!(!is_shown(false, Duration::from_secs(9)));
    }
}
