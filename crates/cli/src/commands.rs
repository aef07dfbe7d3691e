//! The commands, one file each.

mod admin;
mod advise;
mod backup;
mod chart;
mod cost;
mod generate;
mod houses;
mod odds;
mod paytables;
mod replay;
mod restore;
mod rng;
mod serve;
mod verify;

use std::path::Path;

use croupier_odds::{Terms, TermsError};
use croupier_rules::{Catalog, Faults, Game, PayTable, multiples_of_ante};
use serde::Serialize;

pub(crate) use self::odds::threads;
use crate::failure::{Failure, complain};
use crate::output::Output;

/// The program's commands.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Odds(odds::Args),
    Advise(advise::Args),
    Chart(chart::Args),
    Cost(cost::Args),
    Houses(houses::Args),
    Paytables(paytables::Args),
    Replay(replay::Args),
    Verify(verify::Args),
    Rng(rng::Args),
    Serve(serve::Args),
    Admin(admin::Args),
    Backup(backup::Args),
    Restore(restore::Args),
    Generate(generate::Args),
}

impl Command {
    /// Runs the command and prints its output.
    pub(crate) fn run(self, output: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Odds(args) => output.print(&odds::run(&args)?),
            Self::Advise(args) => output.print(&advise::run(&args)?),
            Self::Chart(args) => chart::run(&args, output),
            Self::Cost(args) => output.print(&cost::run(&args)?),
            Self::Houses(args) => output.print(&houses::run(&args)?),
            Self::Paytables(args) => output.print(&paytables::run(&args)?),
            Self::Replay(args) => replay::run(&args, output),
            Self::Verify(args) => verify::run(&args, output),
            Self::Rng(args) => rng::run(&args, output),
            Self::Serve(args) => serve::run(&args, output),
            Self::Admin(args) => output.print(&admin::run(&args)?),
            Self::Backup(args) => output.print(&backup::run(&args)?),
            Self::Restore(args) => output.print(&restore::run(&args)?),
            Self::Generate(args) => generate::run(&args, output),
        }
    }
}

/// Tells whether an argument names a file rather than something built in.
fn is_file(argument: &str) -> bool {
    argument.contains(['/', '\\', '.'])
}

#[expect(clippy::disallowed_methods, reason = "this is the shell that reads files")]
fn read_file(path: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("{path} cannot be read: {error}")))
}

/// Lists what is wrong with a file, one fault per line.
fn bad_file(path: &str, faults: &Faults) -> Failure {
    let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    let lines: Vec<String> =
        faults.all().iter().map(|fault| format!("  {name}, {fault}")).collect();
    let count = match lines.len() {
        1 => "one fault".to_owned(),
        faults => format!("{faults} faults"),
    };
    Failure::Answer(format!("{path} has {count}:\n{}", lines.join("\n")))
}

/// The game to use, and its terms.
#[derive(Debug, clap::Args)]
struct GameArgs {
    /// The game: uth (Ultimate Texas Hold'em) or utcp (Ultimate Three Card Poker)
    #[arg(value_parser = game)]
    game: Game,

    /// The pay table of the Blind [default: the one in the game's rules]
    #[arg(long, value_name = "ID|FILE")]
    blind: Option<String>,

    /// The raises allowed before the flop, or with a pair in utcp, as multiples of the Ante
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = raise)]
    raise: Option<Vec<u32>>,

    /// Drop the qualifying rule: the dealer always qualifies
    #[arg(long)]
    no_qualify: bool,
}

impl GameArgs {
    fn terms(&self, catalog: &Catalog) -> Result<Terms, Failure> {
        let usual = Terms::usual_blind(self.game);
        let blind = given(catalog, self.blind.as_deref().unwrap_or(usual))?;
        let usage = |option: &str, error: &TermsError| Failure::Usage(format!("{option}: {error}"));
        let mut terms = Terms::new(self.game, blind).map_err(|error| usage("--blind", &error))?;
        if let Some(raises) = &self.raise {
            let changed = terms.with_raises(raises.clone());
            terms = changed.map_err(|error| usage("--raise", &error))?;
        }
        warn_of_oddities(terms.blind(), self.game);
        Ok(if self.no_qualify { terms.without_qualifying() } else { terms })
    }
}

fn game(name: &str) -> Result<Game, String> {
    let found = Game::ALL.iter().find(|game| game.id() == name.to_ascii_lowercase());
    found.copied().ok_or_else(|| "use uth or utcp".to_owned())
}

fn raise(text: &str) -> Result<u32, String> {
    let raise = text.trim().parse().ok().filter(|&raise| raise > 0);
    raise.ok_or_else(|| "use multiples of the Ante, as in 3,4".to_owned())
}

/// Prints a note where a pay table pays a stronger hand less than a weaker one. It is solved
/// anyway.
fn warn_of_oddities(table: &PayTable, game: Game) {
    for (stronger, weaker) in table.oddities(game) {
        complain(&format!("note: {} pays a {weaker} more than a {stronger}", table.id()));
    }
}

/// Breaks text at spaces into lines of at most `width` characters.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Describes the raises allowed before the flop, or with a pair.
fn raises(terms: &Terms) -> String {
    match terms.raises() {
        // A full list would not fit on the line.
        [first, _, _, _, .., last] => format!("{first}x to {last}x, as allowed"),
        few => multiples_of_ante(few),
    }
}

/// Writes a number with a comma between thousands.
pub(crate) fn thousands(number: i128) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// Returns a pay table by its id, or from a file that must meet a table's requirements.
fn paytable(catalog: &Catalog, name: &str) -> Result<PayTable, Failure> {
    if is_file(name) {
        return PayTable::from_own_toml(&read_file(name)?)
            .map_err(|faults| bad_file(name, &faults));
    }
    catalog.paytable(name).cloned().map_err(|unknown| Failure::Usage(unknown.to_string()))
}

/// Returns a pay table to solve, whatever it pays. One with faults is a usage error, not a failed
/// answer.
fn given(catalog: &Catalog, name: &str) -> Result<PayTable, Failure> {
    if !is_file(name) {
        return paytable(catalog, name);
    }
    let text = read_file(name)?;
    PayTable::from_toml(&text).map_err(|faults| match bad_file(name, &faults) {
        Failure::Answer(message) => Failure::Usage(message),
        failure => failure,
    })
}

/// Returns the built-in catalog plus pay tables from files.
fn catalog_with(files: &[String]) -> Result<Catalog, Failure> {
    let mut catalog = Catalog::shipped();
    for file in files {
        let table = PayTable::from_toml(&read_file(file)?);
        let table = table.map_err(|faults| bad_file(file, &faults))?;
        let added = catalog.add_paytable(table);
        added.map_err(|known| Failure::Usage(format!("--paytable {file}: {known}")))?;
    }
    Ok(catalog)
}

/// Serializes plain data as JSON that people can read, too.
fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data");
    text.push('\n');
    text
}
