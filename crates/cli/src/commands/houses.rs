//! `croupier houses`

use std::fmt::Write;

use croupier_rules::{Banking, Catalog, House};

use super::{bad_file, catalog_with, is_file, json, read_file};
use crate::failure::Failure;

/// List the games with their house rules, show one, or check a file of your own
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of a house (a game with its house rules), or a TOML file
    #[arg(value_name = "ID|FILE")]
    house: Option<String>,

    /// A pay table of your own that the house uses; repeat for several
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
        return catalog.read_own_house(&read_file(name)?).map_err(|faults| bad_file(name, &faults));
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

/// Formats a house the way its placard would.
fn show(house: &House) -> String {
    let mut text = format!("{} ({})\nSource: {}\n\n", house.title(), house.id(), house.source());
    for (name, line) in house.placard() {
        writeln!(text, "{name:<11}{line}").expect("a string");
    }
    text.push('\n');
    text.push_str(&paytables(house));
    text
}

/// Formats all pay tables of a house side by side.
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
    let hands = house.game().def().hands;
    let mut named = 0;
    for &hand in hands.iter().rev() {
        if tables.iter().all(|table| table.pays(hand).is_none()) {
            continue;
        }
        named += 1;
        write!(text, "{:<16}", hand.name()).expect("a string");
        for table in &tables {
            let otherwise = || table.bet().otherwise().to_owned();
            let pays = table.pays(hand).map_or_else(otherwise, |pays| format!("{pays:#}"));
            write!(text, "{pays:>10}").expect("a string");
        }
        text.push('\n');
    }
    if named < hands.len() {
        write!(text, "{:<16}", "other").expect("a string");
        for table in &tables {
            write!(text, "{:>10}", table.bet().otherwise()).expect("a string");
        }
        text.push('\n');
    }
    text
}
