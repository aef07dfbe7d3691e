//! `croupier odds`

use std::fmt::Write;
use std::num::NonZero;
use std::thread;
use std::time::Instant;

use croupier_odds::report::OddsReport;
use croupier_odds::{BonusSheet, Fraction, Holdem, MainSheet, Terms, ThreeCard};
use croupier_rules::{Catalog, Decision, Game, Outcome, PayTable, PayTableBet};

use super::{GameArgs, given, json, raises, thousands, warn_of_oddities, wrap};
use crate::failure::Failure;

/// Show the PAR sheet of a game: house edge, risk and every outcome, exact for any pay table
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// The pay table of the bonus [default: the game's first]
    #[arg(long, value_name = "ID|FILE")]
    bonus: Option<String>,

    /// The number of solver threads [default: one per core, up to eight]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Print all outcomes, hand by hand
    #[arg(long)]
    full: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The complete result.
struct Sheet {
    terms: Terms,
    bonus_table: PayTable,
    main: MainSheet,
    bonus: BonusSheet,
    seconds: f64,
}

#[expect(clippy::disallowed_methods, reason = "the shell reads the clock")]
pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let start = Instant::now();
    let catalog = Catalog::shipped();
    let terms = args.game.terms(&catalog)?;
    let game = terms.game();
    let bonus_table = given(&catalog, args.bonus.as_deref().unwrap_or(Terms::usual_bonus(game)))?;
    let bet = PayTableBet::bonus_of(game);
    if bonus_table.bet() != bet {
        let (id, other) = (bonus_table.id(), bonus_table.bet().id());
        let message = format!("--bonus: {id} is a pay table for {other}, not for {}", bet.id());
        return Err(Failure::Usage(message));
    }
    warn_of_oddities(&bonus_table, game);
    let outcomes = match game {
        Game::Uth => Holdem::solve(terms.clone(), args.threads.unwrap_or_else(threads)).outcomes(),
        Game::Utcp => ThreeCard::solve(terms.clone()).outcomes(),
    };
    let main = MainSheet::new(&terms, outcomes);
    let bonus = BonusSheet::new(game, &bonus_table, &main)
        .map_err(|error| Failure::Usage(format!("--bonus: {error}")))?;
    let seconds = start.elapsed().as_secs_f64();
    let sheet = Sheet { terms, bonus_table, main, bonus, seconds };
    Ok(if args.json { json(&sheet.report()) } else { sheet.show(args.full) })
}

/// Returns the number of threads to use.
pub(crate) fn threads() -> NonZero<usize> {
    let most = NonZero::new(8).expect("eight");
    thread::available_parallelism().map_or(NonZero::<usize>::MIN, |many| many.min(most))
}

impl Sheet {
    fn report(&self) -> OddsReport {
        OddsReport::new(&self.terms, &self.bonus_table, &self.main, &self.bonus, self.seconds)
    }

    fn show(&self, full: bool) -> String {
        let mut text = self.title();
        self.show_main(&mut text);
        self.show_outcomes(&mut text);
        self.show_winners(&mut text);
        self.show_bonus(&mut text);
        self.show_distribution(&mut text);
        if full {
            self.show_all(&mut text);
        }
        text
    }

    fn title(&self) -> String {
        let def = self.terms.game().def();
        let qualifying = if self.terms.qualifying() { "" } else { ", the dealer always qualifies" };
        let (blind, bonus) = (self.terms.blind().id(), self.bonus_table.id());
        let raises = raises(&self.terms);
        let terms = format!("Blind {blind}, {} {bonus}, raise {raises}{qualifying}.", def.bonus);
        let counted =
            format!("{} deals, all counted, in {:.2} s.", thousands(self.main.deals), self.seconds);
        format!("{}\n{}\n{counted}\n\n", def.title, wrap(&terms, 80).join("\n"))
    }

    fn show_main(&self, text: &mut String) {
        let main = &self.main;
        let percent = |fraction: Fraction| 100.0 * fraction.to_f64();
        let [ante, blind, play] = main.bets.map(Fraction::to_f64);
        let mut line = |name: &str, value: String, note: String| {
            let text_line = format!("  {name:<20}{value:>14}  {note}");
            writeln!(text, "{}", text_line.trim_end()).expect("a string");
        };
        line("House edge", format!("{:.6} %", percent(main.edge())), "of the ante".to_owned());
        // On its own line and without a column for a figure: it may have forty digits.
        line("  exactly", main.edge().to_string(), String::new());
        line(
            "Element of risk",
            format!("{:.6} %", percent(main.element_of_risk)),
            "of the amount wagered".to_owned(),
        );
        line("Average wager", format!("{:.6}  ", main.average_wager.to_f64()), "antes".to_owned());
        line(
            "Standard deviation",
            format!("{:.6}  ", main.standard_deviation()),
            "antes a round".to_owned(),
        );
        for (name, won) in
            [("Won on the Ante", ante), ("  on the Blind", blind), ("  on Play", play)]
        {
            line(name, format!("{won:+.6}  "), "antes".to_owned());
        }
        text.push('\n');
    }

    fn show_outcomes(&self, text: &mut String) {
        let main = &self.main;
        let columns = [
            (Outcome::Win, Some(true), "win"),
            (Outcome::Win, Some(false), "win*"),
            (Outcome::Push, None, "tie"),
            (Outcome::Lose, Some(true), "lose"),
            (Outcome::Lose, Some(false), "lose*"),
        ];
        text.push_str("How rounds end, in percent of all deals (* the dealer doesn't qualify)\n");
        write!(text, "  {:<8}", "").expect("a string");
        for (_, _, title) in columns {
            write!(text, "{title:>11}").expect("a string");
        }
        text.push_str("        all\n");
        for &(action, share) in &main.frequency {
            let name = match action {
                Decision::Bet(times) => format!("bet {times}x"),
                action => action.to_string(),
            };
            write!(text, "  {name:<8}").expect("a string");
            for (result, qualifies, _) in columns {
                let fits = |outcome: &&croupier_odds::Outcome| {
                    outcome.action == action
                        && outcome.result == result
                        && qualifies.is_none_or(|qualifies| qualifies == outcome.dealer_qualifies)
                };
                let deals: i128 = main.outcomes.iter().filter(fits).map(|o| o.deals).sum();
                let share = Fraction::new(deals, main.deals).to_f64();
                let cell =
                    if deals == 0 { "-".to_owned() } else { format!("{:.4}", 100.0 * share) };
                write!(text, "{cell:>11}").expect("a string");
            }
            writeln!(text, "{:>11.4}", 100.0 * share.to_f64()).expect("a string");
        }
        text.push('\n');
    }

    fn show_winners(&self, text: &mut String) {
        let main = &self.main;
        let game = self.terms.game();
        text.push_str("Winning hands, and what the Blind pays them\n");
        for &hand in game.def().hands.iter().rev() {
            let wins = main.outcomes.iter();
            let wins =
                wins.filter(|outcome| outcome.hand == hand && outcome.result == Outcome::Win);
            let deals: i128 = wins.map(|outcome| outcome.deals).sum();
            let pays = self.terms.blind().pays(hand);
            let pays = pays.map_or_else(|| "push".to_owned(), |ratio| format!("{ratio:#}"));
            let share = Fraction::new(deals, main.deals).to_f64();
            let (name, deals) = (hand.name(), thousands(deals));
            writeln!(text, "  {name:<18}{pays:>10}{deals:>24}{:>13.6} %", 100.0 * share)
                .expect("a string");
        }
        text.push('\n');
    }

    fn show_bonus(&self, text: &mut String) {
        let bonus = &self.bonus;
        let def = self.terms.game().def();
        let percent = |fraction: Fraction| 100.0 * fraction.to_f64();
        writeln!(text, "{} {}", def.bonus, self.bonus_table.id()).expect("a string");
        let mut line = |name: &str, value: String, note: &str| {
            writeln!(text, "  {name:<20}{value:>14}  {note}").expect("a string");
        };
        line("House edge", format!("{:.6} %", percent(bonus.edge())), &bonus.edge().to_string());
        line("Pays", format!("{:.6} %", percent(bonus.hit_frequency)), "of all rounds");
        line("Standard deviation", format!("{:.6}  ", bonus.standard_deviation()), "times the bet");
        let together = bonus.standard_deviation_together(&self.main);
        line("  with the ante", format!("{together:.6}  "), "antes, for a bonus of one ante");
        let correlation = bonus.correlation(&self.main);
        let correlation = correlation.map_or_else(|| "-".to_owned(), |it| format!("{it:.6}"));
        line("  correlation", format!("{correlation}  "), "between the two");
        text.push('\n');
    }

    fn show_distribution(&self, text: &mut String) {
        text.push_str("Net result of a round, in antes, and how often (percent)\n");
        let cells: Vec<String> = self
            .main
            .distribution
            .iter()
            .map(|(net, deals)| {
                let share = 100.0 * Fraction::new(*deals, self.main.deals).to_f64();
                format!("{:>8} {share:>9.5}", signed(*net))
            })
            .collect();
        let rows = cells.len().div_ceil(4);
        for row in 0..rows {
            let line: Vec<&str> = (0..4)
                .filter_map(|column| cells.get(column * rows + row))
                .map(String::as_str)
                .collect();
            writeln!(text, "{}", line.join(" ").trim_end()).expect("a string");
        }
    }

    fn show_all(&self, text: &mut String) {
        text.push_str("\nAll outcomes\n");
        writeln!(
            text,
            "  {:<10}{:<6}{:<12}{:<17}{:>22}{:>9}",
            "ACTION", "ENDS", "DEALER", "HAND", "DEALS", "NET"
        )
        .expect("a string");
        for outcome in &self.main.outcomes {
            let dealer = if outcome.dealer_qualifies { "qualifies" } else { "does not" };
            writeln!(
                text,
                "  {:<10}{:<6}{dealer:<12}{:<17}{:>22}{:>9}",
                outcome.action.to_string(),
                outcome.result.id(),
                outcome.hand.id(),
                thousands(outcome.deals),
                signed(outcome.net())
            )
            .expect("a string");
        }
    }
}

/// Formats a net result with its sign, and zero without one: in eight characters, with as many
/// digits as fit.
fn signed(net: Fraction) -> String {
    if net == Fraction::ZERO {
        return "0".to_owned();
    }
    let net = net.to_f64();
    let candidates = [format!("{net:+}"), format!("{net:+.3}"), format!("{net:+.0}")];
    let shortest = candidates.into_iter().find(|text| text.len() <= 8);
    shortest.unwrap_or_else(|| format!("{net:+.1e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_result_has_eight_characters_at_most() {
        for (numerator, denominator, text) in [
            (0, 1, "0"),
            (-2, 1, "-2"),
            (7, 2, "+3.5"),
            (8, 7, "+1.143"),
            (80_001, 7, "+11429"),
            (10_000_002, 1, "+1.0e7"),
            (9_999_999, 1, "+9999999"),
            (-1, 9_999_991, "-0.000"),
        ] {
            assert_eq!(signed(Fraction::new(numerator, denominator)), text);
        }
    }
}
