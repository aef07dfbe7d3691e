//! `croupier houses`

use std::fmt::Write;

use croupier_rules::{
    Amount, AnteRefund, Banking, Catalog, Coverage, Deal, Game, House, Pass, PayoffOrder, Raises,
};

use super::{bad_file, catalog_with, is_file, json, read_file};
use crate::failure::Failure;

/// List the houses, show one, or check a file of your own
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A house's id, or a TOML file
    #[arg(value_name = "ID|FILE")]
    house: Option<String>,

    /// A pay table of your own that the house uses; may be given several times
    #[arg(long, value_name = "FILE")]
    paytable: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let catalog = catalog_with(&args.paytable)?;
    match &args.house {
        Some(name) => {
            let house = house(&catalog, name)?;
            Ok(if args.json { json(&house) } else { show(&house) })
        }
        None if args.json => Ok(json(&catalog.houses().collect::<Vec<_>>())),
        None => Ok(list(catalog.houses())),
    }
}

fn house(catalog: &Catalog, name: &str) -> Result<House, Failure> {
    if is_file(name) {
        return catalog.read_house(&read_file(name)?).map_err(|faults| bad_file(name, &faults));
    }
    let house = catalog.house(name);
    house.map(|house| House::clone(house)).map_err(|unknown| Failure::Usage(unknown.to_string()))
}

fn list<'a>(houses: impl Iterator<Item = &'a House>) -> String {
    let mut text = format!("{:<16} {:<35} {:<14} SEATS\n", "ID", "TITLE", "BANKED BY");
    for house in houses {
        let bank = bank(house);
        writeln!(text, "{:<16} {:<35} {bank:<14} {:>5}", house.id(), house.title(), house.seats())
            .expect("a string");
    }
    text
}

const fn bank(house: &House) -> &'static str {
    match house.banking() {
        Banking::House => "house",
        Banking::PlayerDealer { .. } => "player/dealer",
    }
}

/// Shows a house the way its placard would.
fn show(house: &House) -> String {
    let mut text = format!("{} ({})\nSource: {}\n\n", house.title(), house.id(), house.source());
    for (name, line) in placard(house) {
        writeln!(text, "{name:<11}{line}").expect("a string");
    }
    text.push('\n');
    text.push_str(&paytables(house));
    text
}

/// Returns the lines of the placard, each with its name.
fn placard(house: &House) -> Vec<(&'static str, String)> {
    let limits = house.limits();
    let range =
        |least: Amount, most: Amount| format!("{least} to {most}, in steps of {}", limits.unit);
    let mut lines = vec![("Bank", bank_line(house)), ("Seats", seats_line(house))];
    lines.push((
        "Ante",
        format!("{}; the Blind is equal to it", range(limits.ante_min, limits.ante_max)),
    ));
    lines.push(("Play", play_line(house)));
    let bonus = house.game().def().bonus;
    lines.push((
        bonus,
        match house.bonus_paytables() {
            [] => "none".to_owned(),
            _ => range(limits.bonus_min, limits.bonus_max),
        },
    ));
    if let Some(most) = limits.single_wager_max {
        lines.push(("Wager", format!("{most} at most, of any kind")));
    }
    if let Some(most) = limits.round_payout_max {
        lines.push(("Payout", format!("{most} at most in one round")));
    }
    lines.push(("Dealer", dealer_line(house)));
    lines.push(("Deal", deal_line(house)));
    lines.push(("Payoffs", payoffs_line(house)));
    lines.push(("Cards", "all are open once the round is settled, folded hands too".to_owned()));
    lines
}

fn bank_line(house: &House) -> String {
    match house.banking() {
        Banking::House => "the house".to_owned(),
        Banking::PlayerDealer { coverage, max_consecutive } => {
            let limited = match coverage {
                Coverage::Payoffs => "pays",
                Coverage::Action => "pays and wins",
            };
            let turns = format!("a player/dealer, {max_consecutive} rounds in a row");
            format!("{turns}; {limited} as far as his wager goes")
        }
    }
}

fn seats_line(house: &House) -> String {
    let each = match house.seats_per_player() {
        1 => "one".to_owned(),
        seats => format!("up to {seats}"),
    };
    format!(
        "{}, {each} to a player, who may wager on {} at most",
        house.seats(),
        match house.games_per_player() {
            1 => "one game".to_owned(),
            games => format!("{games} games"),
        }
    )
}

fn play_line(house: &House) -> String {
    let times = |multiples: &[u32]| {
        let multiples: Vec<String> =
            multiples.iter().map(|multiple| format!("{multiple}x")).collect();
        multiples.join(" or ")
    };
    let streets = house.game().def().streets.iter().map(|street| {
        let bet = match (street.raises, house.game()) {
            (Raises::Fixed(multiples), _) => times(multiples),
            (Raises::House { .. }, Game::Uth) => times(house.raises()),
            (Raises::House { .. }, Game::Utcp) if house.raises() == [1] => {
                return "1x, or fold".to_owned();
            }
            (Raises::House { from }, Game::Utcp) => {
                return format!(
                    "1x, or with a {from} or better {}; else fold",
                    times(house.raises())
                );
            }
        };
        let otherwise = if street.pass == Pass::Fold { ", or fold" } else { "" };
        format!("{bet} {}{otherwise}", street.name)
    });
    streets.collect::<Vec<_>>().join(", ")
}

fn dealer_line(house: &House) -> String {
    if !house.qualifying() {
        return "always qualifies".to_owned();
    }
    let needs = match house.game() {
        Game::Uth => "a pair",
        Game::Utcp => "a queen",
    };
    let when = match house.ante_refund() {
        AnteRefund::FirstPass => "all Antes go back first",
        AnteRefund::BySeat => "the Ante goes back",
    };
    format!("needs {needs} to qualify, or {when}")
}

fn deal_line(house: &House) -> String {
    let deal = match house.deal() {
        Deal::Pairs => "two cards to each, then the board",
        Deal::Singles => "one card to each, then another, then the board",
        Deal::BoardFirst => "the board, then two cards to each",
        Deal::Threes => "three cards to each",
    };
    let decks = if house.decks() == 1 { "one deck" } else { "two decks in turns" };
    format!("{deal}; {decks}")
}

fn payoffs_line(house: &House) -> String {
    match house.payoff_order() {
        PayoffOrder::HighestSeatFirst => "from the highest seat down",
        PayoffOrder::LowestSeatFirst => "from the lowest seat up",
        PayoffOrder::LeftOfBanker => "clockwise from the player/dealer's left",
    }
    .to_owned()
}

/// Shows all pay tables of a house side by side.
fn paytables(house: &House) -> String {
    let bonuses = house.bonus_paytables().iter().map(|table| &**table);
    let tables: Vec<_> = std::iter::once(house.blind_paytable()).chain(bonuses).collect();
    let bonus = house.game().def().bonus;
    let mut text = format!("{:<16}{:>10}", "", "Blind");
    for _ in house.bonus_paytables() {
        write!(text, "{bonus:>10}").expect("a string");
    }
    write!(text, "\n{:<16}", "").expect("a string");
    for table in &tables {
        write!(text, "{:>10}", table.id()).expect("a string");
    }
    text.push('\n');
    for &hand in house.game().def().hands.iter().rev() {
        if tables.iter().all(|table| table.pays(hand).is_none()) {
            continue;
        }
        write!(text, "{:<16}", hand.name()).expect("a string");
        for table in &tables {
            let pays = table.pays(hand).map_or_else(|| "–".to_owned(), |pays| format!("{pays:#}"));
            write!(text, "{pays:>10}").expect("a string");
        }
        text.push('\n');
    }
    text
}
