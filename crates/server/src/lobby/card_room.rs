//! The rules of the card room as a whole, which apply to all its tables.
//!
//! Where players bank, the state approves one bonus pay table for the whole room, and the house
//! never banks. So all public tables of that kind use the same pay table, and one of the room's
//! bots banks only at a private table that was opened for practice. A private table may use another
//! pay table, and says so.

use croupier_rules::{Bank, Banking, House};
use croupier_store::{Collection, Text};
use croupier_table::Terms;

use crate::config::Config;
use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// The collection of houses that the operator has closed, with the reasons.
pub(crate) const CLOSED_HOUSES: Collection<Text> = Collection::new("closed-houses");

/// Refuses to open or enter a table of a house that the operator has closed.
pub(crate) async fn check_house_open(state: &AppState, house: &str) -> Result<(), Problem> {
    match CLOSED_HOUSES.get(state.store(), house).await? {
        None => Ok(()),
        Some(closed) => {
            Err(Problem::new(Code::HouseClosed, format!("this house is closed: {}", closed.text())))
        }
    }
}

/// Returns the card room's bonus pay table, if players bank at this house and it offers the table.
pub(crate) fn bonus_for<'a>(config: &'a Config, house: &House) -> Option<&'a str> {
    let usual = config.card_room_paytable.as_str();
    let offered = house.bonus_paytables().iter().any(|table| table.id() == usual);
    (is_player_banked(house) && offered).then_some(usual)
}

/// Refuses terms that a public table may not have.
pub(crate) fn check_public(state: &AppState, terms: &Terms) -> Result<(), Problem> {
    let wrong = |detail: String| Err(Problem::new(Code::BadTerms, detail));
    let (house, usual) = (terms.house(), &state.config.card_room_paytable);
    let names = [house.id(), house.title(), house.source()];
    if is_own_house(state, house) && !names.into_iter().all(str::is_ascii) {
        return wrong(
            "at a public table, the id, title and source of your own house use plain letters, A \
             to Z: other letters could make it look like another house"
                .to_owned(),
        );
    }
    if terms.practice_bank() {
        return wrong(
            "a practice bank is for private tables: at a public table the house never banks"
                .to_owned(),
        );
    }
    if let Banking::PlayerDealer { max_consecutive: 3.., .. } = house.banking() {
        return wrong(
            "at a public table no player banks more than two hands in a row: write \
             max_consecutive = 2, or open a private table"
                .to_owned(),
        );
    }
    let Some(other) = other_bonus(&state.config, terms) else { return Ok(()) };
    let rule =
        format!("this card room uses {usual} at all public tables that players bank, not {other}");
    wrong(match bonus_for(&state.config, house) {
        Some(_) => format!("{rule}: leave the bonus out, or open a private table"),
        None => {
            format!("{rule}: the house must offer {usual} or no bonus, or open a private table")
        }
    })
}

/// Returns the bonus pay table of a table that players bank, if it is not the card room's.
fn other_bonus<'a>(config: &Config, terms: &'a Terms) -> Option<&'a str> {
    let bonus = terms.bonus().map(|bonus| bonus.id())?;
    (is_player_banked(terms.house()) && bonus != config.card_room_paytable).then_some(bonus)
}

/// Returns the card room's bonus pay table, if the table uses another.
pub(crate) fn differs_from<'a>(config: &'a Config, terms: &Terms) -> Option<&'a str> {
    other_bonus(config, terms).map(|_| &*config.card_room_paytable)
}

/// Returns the lines of a table's placard that are not rules of its house.
pub(crate) fn notes(state: &AppState, terms: &Terms) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    if is_own_house(state, terms.house()) {
        notes.push(("House", "the host's own, not one of Croupier's".to_owned()));
    }
    if let Some(chips) = terms.practice_chips() {
        let detail = format!("every seat gets {chips} in practice chips; they stay at this table");
        notes.push(("Chips", detail));
    }
    if terms.bots_may_bank() {
        notes.push(("Practice", "a bot may bank at this table".to_owned()));
    }
    if let Some(other) = other_bonus(&state.config, terms) {
        let name = terms.house().game().def().bonus;
        let usual = &state.config.card_room_paytable;
        notes.push(("Practice", format!("{name} pays by {other}; the card room uses {usual}")));
    }
    notes
}

/// Returns whether a house is a player's own: it differs from the shipped house with this id, if
/// any.
pub(crate) fn is_own_house(state: &AppState, house: &House) -> bool {
    let shipped = state.solver.catalog().house_of(house.id(), house.edition());
    shipped.map_or(true, |shipped| *shipped != *house)
}

fn is_player_banked(house: &House) -> bool {
    house.banking().by() == Bank::PlayerDealer
}
