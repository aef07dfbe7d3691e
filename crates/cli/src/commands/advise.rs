//! `croupier advise`

use std::fmt::Write;

use croupier_cards::{Card, parse_cards};
use croupier_odds::report::AdviceReport;
use croupier_odds::{Advice, AdviceError, Known, advise};
use croupier_rules::{Catalog, Decision, StreetName};

use super::{GameArgs, json, wrap};
use crate::failure::Failure;

/// Show the exact value of every choice in a spot, and which is best
///
/// Write cards as in "As Kd Th 2c". Without a board, it is the decision before the flop. Values are
/// in antes, for Ante, Blind and Play together; a fold is -2.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Your cards
    #[arg(long, value_name = "CARDS")]
    hand: String,

    /// The community cards turned up so far: none, three or five
    #[arg(long, value_name = "CARDS", default_value = "", hide_default_value = true)]
    board: String,

    /// Other cards you have seen
    #[arg(long, value_name = "CARDS", default_value = "", hide_default_value = true)]
    dead: String,

    /// The dealer's cards you have seen
    #[arg(long, value_name = "CARDS", default_value = "", hide_default_value = true)]
    dealer: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let terms = args.game.terms(&Catalog::shipped())?;
    let known = Known {
        hand: cards("--hand", &args.hand)?,
        board: cards("--board", &args.board)?,
        dead: cards("--dead", &args.dead)?,
        dealer: cards("--dealer", &args.dealer)?,
    };
    let advice = advise(&terms, &known).map_err(|error| {
        let option = match error {
            AdviceError::Hand { .. } => "--hand: ",
            AdviceError::Board { .. } => "--board: ",
            AdviceError::Dealer { .. } => "--dealer: ",
            AdviceError::TooFewLeft { .. } => "--dead: ",
            AdviceError::Repeated { .. } => "",
        };
        Failure::Usage(format!("{option}{error}"))
    })?;
    Ok(if args.json { json(&AdviceReport::from(&advice)) } else { show(&advice, &known) })
}

fn cards(option: &str, text: &str) -> Result<Vec<Card>, Failure> {
    parse_cards(text).map_err(|error| Failure::Usage(format!("{option}: {error}")))
}

fn show(advice: &Advice, known: &Known) -> String {
    let words =
        |cards: &[Card]| cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut text = match advice.street {
        StreetName::ThreeCards => words(&known.hand),
        street => {
            let on = format!("{} {} {}", words(&known.hand), street.title(), words(&known.board));
            on.trim_end().to_owned()
        }
    };
    for (name, cards) in [("the dealer has", &known.dealer), ("dead cards:", &known.dead)] {
        if !cards.is_empty() {
            write!(text, "; {name} {}", words(cards)).expect("a string");
        }
    }
    let mut text = wrap(&text, 80).join("\n");
    text.push_str("\n\n");
    for &(action, exact) in &advice.actions {
        let ev = exact.to_f64();
        let best = if action == advice.best { "best" } else { "" };
        let action = match action {
            Decision::Bet(times) => format!("bet {times}x"),
            action => action.to_string(),
        };
        let line = format!("  {action:<8} {ev:>+11.6}  {best:<4}  {exact}");
        writeln!(text, "{}", line.trim_end()).expect("a string");
    }
    text
}
