//! The rules of the card room as a whole, which hold for all its tables.
//!
//! Where players bank, the state approves one bonus pay table for the whole room, and the house
//! never banks. So all public tables of that kind pay by the same table, and a bot of the room
//! banks only at a private table that was opened for practice. A private table may pay by another,
//! and says so.

use std::time::Duration;

use croupier_rules::{Bank, Banking, Edition, House};
use croupier_store::{Store, StoreError};
use croupier_table::{Command, Table, Terms};

use crate::config::Config;
use crate::problem::{Code, Problem};
use crate::room::{Room, Shared};
use crate::tables::{self, OPEN, OPEN_BY_LINK};

/// How many public tables are read at a time.
const PAGE: usize = 100;

/// How long it is until public tables are looked through again, and how long if they could not be.
const AGAIN: Duration = Duration::from_hours(1);
const SOON: Duration = Duration::from_mins(1);

/// Returns the bonus pay table of the room, where the house is one that players bank and offers it.
pub(crate) fn bonus_for<'a>(config: &'a Config, house: &House) -> Option<&'a str> {
    let room = config.card_room_paytable.as_str();
    let offered = house.bonus_paytables().iter().any(|table| table.id() == room);
    (is_player_banked(house) && offered).then_some(room)
}

/// Refuses terms that a public table may not have.
pub(crate) fn check_public(room: &Shared, terms: &Terms) -> Result<(), Problem> {
    let wrong = |words: String| Err(Problem::new(Code::BadTerms, words));
    let (house, usual) = (terms.house(), &room.config.card_room_paytable);
    let names = [house.id(), house.title(), house.source()];
    if tables::is_own(room, house) && !names.into_iter().all(str::is_ascii) {
        return wrong(
            "a house of your own at a public table has an id, a title and a source of plain \
             letters, A to Z: others could be taken for another house's"
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
    let Some(other) = other_bonus(&room.config, terms) else { return Ok(()) };
    let rule = format!(
        "this card room pays by {usual} at all public tables that players bank, and not by {other}"
    );
    wrong(match bonus_for(&room.config, house) {
        Some(_) => format!("{rule}: leave the bonus out, or open a private table"),
        None => {
            format!("{rule}: the house must offer {usual} or no bonus, or open a private table")
        }
    })
}

/// Returns the bonus pay table of a table that players bank, if it is not that of the room.
fn other_bonus<'a>(config: &Config, terms: &'a Terms) -> Option<&'a str> {
    let bonus = terms.bonus().map(|bonus| bonus.id())?;
    (is_player_banked(terms.house()) && bonus != config.card_room_paytable).then_some(bonus)
}

/// Returns the room's bonus pay table for a table that pays by another.
pub(crate) fn differs_from<'a>(config: &'a Config, terms: &Terms) -> Option<&'a str> {
    other_bonus(config, terms).map(|_| &*config.card_room_paytable)
}

/// Returns what the placard of a table says beside its house's rules.
pub(crate) fn notes(room: &Shared, terms: &Terms) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    if tables::is_own(room, terms.house()) {
        notes.push(("House", "the host's own, and not one of Croupier's".to_owned()));
    }
    if let Some(chips) = terms.practice_chips() {
        let words = format!("{chips} in practice chips with every seat; they stay at this table");
        notes.push(("Chips", words));
    }
    if terms.bots_may_bank() {
        notes.push(("Practice", "a bot of the room may bank at this table".to_owned()));
    }
    if let Some(other) = other_bonus(&room.config, terms) {
        let name = terms.house().game().def().bonus;
        let usual = &room.config.card_room_paytable;
        notes.push(("Practice", format!("{name} pays by {other}; the card room's is {usual}")));
    }
    notes
}

/// Closes tables that could not be opened today: public ones of an earlier edition of the rules or
/// that pay by another table than the room does now, and any that would pay out chips of accounts
/// under a player's own terms. Each plays its round to the end.
///
/// It looks again from time to time: another node may have been set up otherwise, and the database
/// may have been away.
pub(crate) async fn retire(room: Room) {
    loop {
        let pause = match retire_all(&room).await {
            Ok(()) => AGAIN,
            Err(error) => {
                tracing::error!(%error, "public tables cannot be looked through");
                SOON
            }
        };
        tokio::select! {
            () = room.stopping.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

async fn retire_all(room: &Shared) -> Result<(), StoreError> {
    for drawer in [OPEN, OPEN_BY_LINK] {
        retire_in(room, drawer).await?;
    }
    Ok(())
}

async fn retire_in(room: &Shared, drawer: &str) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let page = room.store().papers(drawer, &after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.key);
        for paper in page {
            if room.stopping.is_cancelled() {
                return Ok(());
            }
            // A table that cannot be read is for an operator to look at.
            let Ok(table) = room.table(&paper.key).await else { continue };
            let Some(reason) = reason_to_close(room, &table, drawer == OPEN) else { continue };
            let command = Command::Close { reason: reason.to_owned(), alone: None };
            match room.floor.command(&paper.key, command, None, room.now()).await {
                Ok(_) => tracing::info!(table = paper.key, reason, "a table closes"),
                Err(error) => tracing::warn!(table = paper.key, %error, "a table does not close"),
            }
        }
    }
}

/// Returns why a table may not go on, if it may not.
fn reason_to_close(room: &Shared, table: &Table, public: bool) -> Option<&'static str> {
    let terms = table.terms();
    if table.is_closed() || table.is_closing() {
        None
    } else if !terms.are_shipped() && terms.practice_chips().is_none() {
        Some("own terms are played with practice chips now: open it again")
    } else if !public {
        None
    } else if terms.house().edition() < Edition::CURRENT {
        Some("the rules have changed: open another table")
    } else {
        check_public(room, terms).is_err().then_some("the card room has other terms now")
    }
}

fn is_player_banked(house: &House) -> bool {
    house.banking().by() == Bank::PlayerDealer
}
