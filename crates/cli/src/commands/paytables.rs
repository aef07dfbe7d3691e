//! `croupier paytables`

use std::fmt::Write;

use croupier_rules::{Catalog, PayRow, PayTable, PayTableBet};

use super::{json, paytable};
use crate::failure::Failure;

/// List the pay tables, show one, or check a file of your own
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A pay table's id, or a TOML file
    #[arg(value_name = "ID|FILE")]
    paytable: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let catalog = Catalog::shipped();
    match &args.paytable {
        Some(name) => {
            let table = paytable(&catalog, name)?;
            Ok(if args.json { json(&table) } else { show(&table) })
        }
        None if args.json => Ok(json(&catalog.paytables())),
        None => Ok(list(catalog.paytables())),
    }
}

fn list(tables: &[PayTable]) -> String {
    let mut text = format!("{:<10} {:<26} {:<12} PAYS\n", "ID", "GAME", "BET");
    for table in tables {
        let pays: Vec<String> =
            table.lines(table.game()).map(|(_, ratio)| ratio.to_string()).collect();
        let pays = pays.join(" ").replace(":1", "");
        let game = table.game().def().title;
        writeln!(text, "{:<10} {game:<26} {:<12} {pays}", table.id(), bet(table))
            .expect("a string");
    }
    text
}

/// Returns the wager's name on the felt.
fn bet(table: &PayTable) -> &'static str {
    match table.bet() {
        PayTableBet::Blind => "Blind",
        PayTableBet::Trips | PayTableBet::PairPlus => table.game().def().bonus,
    }
}

fn show(table: &PayTable) -> String {
    let mut text = format!("{} ({}), {}\n", table.title(), table.id(), table.game().def().title);
    let when = match table.bet() {
        PayTableBet::Blind => "Pays when the hand wins.",
        PayTableBet::Trips | PayTableBet::PairPlus => "Pays whether the hand wins or not.",
    };
    write!(text, "Source: {}\n{when}\n\n", table.source()).expect("a string");
    for PayRow { hand, pays } in table.rows(table.game()) {
        writeln!(text, "  {hand:<24}{pays:>10}").expect("a string");
    }
    for (number, (stronger, weaker)) in table.oddities(table.game()).into_iter().enumerate() {
        if number == 0 {
            text.push('\n');
        }
        writeln!(text, "Note: a {weaker} pays more than a {stronger}.").expect("a string");
    }
    text
}
