//! `croupier cost`

use std::fmt::Write;
use std::num::NonZero;
use std::time::Instant;

use croupier_odds::report::CostReport;
use croupier_odds::{Cost, Fraction, Holdem, Strategy, ThreeCard, street_key};
use croupier_rules::{Catalog, Game};

use super::odds::threads;
use super::{GameArgs, is_file, read_file, thousands, wrap};
use crate::failure::Failure;

/// Show the exact cost of a human strategy, and of each of its rules
///
/// A rule costs the difference between the value of the best choice and the value of its own, each
/// time it decides. The costs of the rules add up to the cost of the strategy.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// A strategy: short, croupier, utcp-short, or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    strategy: String,

    /// The number of solver threads [default: one per core, up to eight]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[expect(clippy::disallowed_methods, reason = "the shell reads the clock")]
pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let start = Instant::now();
    let terms = args.game.terms(&Catalog::shipped())?;
    let strategy = strategy(&args.strategy)?;
    let cost = match terms.game() {
        Game::Uth => {
            Holdem::solve(terms.clone(), args.threads.unwrap_or_else(threads)).cost(&strategy)
        }
        Game::Utcp => ThreeCard::solve(terms.clone()).cost(&strategy),
    };
    let cost = cost.map_err(|error| Failure::Usage(format!("--strategy: {error}")))?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(if args.json {
        super::json(&CostReport::new(&strategy, &terms, &cost, seconds))
    } else {
        show(&strategy, &cost, seconds)
    })
}

/// Returns a strategy by its name, or from a file.
fn strategy(name: &str) -> Result<Strategy, Failure> {
    if is_file(name) {
        return Strategy::from_toml(&read_file(name)?)
            .map_err(|error| Failure::Usage(format!("{name}: {error}")));
    }
    let unknown = || {
        let known: Vec<&str> = Strategy::SHIPPED.iter().map(|(id, _)| *id).collect();
        let known = known.join(", ");
        Failure::Usage(format!("unknown strategy \"{name}\": use one of {known}, or a file"))
    };
    Strategy::shipped(name).ok_or_else(unknown)
}

fn show(strategy: &Strategy, cost: &Cost, seconds: f64) -> String {
    let percent = |fraction: Fraction| format!("{:.6} %", 100.0 * fraction.to_f64());
    let title = strategy.game().def().title;
    let head = [
        format!("{} ({}), {title}", strategy.title(), strategy.id()),
        format!("Source: {}", strategy.source()),
        format!("{} deals, all counted, in {seconds:.2} s.", thousands(cost.sheet.deals)),
    ];
    let mut text = String::new();
    for line in head.iter().flat_map(|line| wrap(line, 80)) {
        writeln!(text, "{line}").expect("a string");
    }
    text.push('\n');
    let edge = cost.sheet.edge();
    let best = edge - cost.cost;
    let mut line = |name: &str, value: Fraction, note: &str| {
        let line = format!("  {name:<22}{:>12}  {note}", percent(value));
        writeln!(text, "{}", line.trim_end()).expect("a string");
    };
    line("House edge", edge, "of the ante");
    line("With the best play", best, "");
    line("The strategy costs", cost.cost, &format!("exactly {}", cost.cost));
    let header = ("STREET", "RULE", "DECIDES", "COSTS");
    writeln!(text, "\n  {:<12}{:<38}{:>11}{:>13}", header.0, header.1, header.2, header.3)
        .expect("a string");
    for rule in &cost.rules {
        let decides = format!("{:.4} %", 100.0 * rule.frequency.to_f64());
        let costs = percent(rule.cost);
        let mut lines = wrap(&rule.name, 37).into_iter();
        let first = lines.next().unwrap_or_default();
        writeln!(text, "  {:<12}{first:<38}{decides:>11}{costs:>13}", street_key(rule.street))
            .expect("a string");
        for line in lines {
            writeln!(text, "  {:<12}{line}", "").expect("a string");
        }
    }
    text
}
