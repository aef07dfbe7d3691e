//! Examples of many rounds: the next player to bank, and the next deck.

use croupier_rules::{Banked, Banking, Catalog, Seat, offers};

/// Reads the seated players and the past bankers, and returns the next offers of the bank and the
/// deck that is dealt.
pub(crate) fn tell(text: &str, catalog: &Catalog) -> Result<Vec<String>, String> {
    let (mut house, mut seated, mut banked) = (None, Vec::new(), Vec::new());
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').ok_or("a word and a value are needed")?;
        match word {
            "house" => house = Some(catalog.house(rest.trim()).map_err(|error| error.to_string())?),
            "seated" => seated = players(rest)?,
            "banked" => banked = players(rest)?,
            _ => return Err(format!("{word:?} is unknown")),
        }
    }
    let house = house.ok_or("no house is named")?;
    let Banking::PlayerDealer { max_consecutive, .. } = house.banking() else {
        return Err("the house banks".to_owned());
    };
    let history: Vec<Banked<'_>> =
        banked.iter().map(|&(seat, player)| Banked { seat, player }).collect();
    let offered = offers(&seated, &history, max_consecutive).into_iter().map(|seat| {
        let player = seated.iter().find(|(known, _)| *known == seat).map_or("", |found| found.1);
        format!("{} {player}", seat.number())
    });
    let offered = offered.collect::<Vec<_>>().join(", ");
    if offered.is_empty() {
        return Ok(vec!["offered to no player, so there is no round".to_owned()]);
    }
    let dealt = u64::try_from(history.len()).expect("a short history");
    Ok(vec![
        format!("offered {offered}"),
        format!("deck    {} of {}", house.deck_after(dealt), house.decks()),
    ])
}

/// Reads `2 ann, 5 bea`; a dash is an empty list.
fn players(text: &str) -> Result<Vec<(Seat, &str)>, String> {
    let text = text.trim();
    if text == "-" {
        return Ok(Vec::new());
    }
    let players = text.split(", ").map(|entry| {
        let (seat, name) = entry.split_once(' ')?;
        Some((Seat::new(seat.parse().ok()?)?, name))
    });
    players.collect::<Option<Vec<_>>>().ok_or_else(|| format!("{text:?} is not a list of players"))
}
