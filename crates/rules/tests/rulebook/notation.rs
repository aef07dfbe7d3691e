//! Parses the upper half of an example and turns it into a round record.
//!
//! A line has a keyword and then plain values: cards, amounts with a dollar sign, decisions with
//! commas between them. The page `docs/rulebook/README.md` explains it to readers.

use std::sync::Arc;

use croupier_cards::{Card, Deck, parse_cards};
use croupier_rules::{Action, Amount, Catalog, FORMAT, House, Round};
use serde_json::{Value, json};

/// A round in the notation of the rulebook.
#[derive(Debug, Default)]
pub(crate) struct Example {
    house: String,
    /// Fields that differ from the shipped house.
    terms: Vec<(String, Value)>,
    /// Fields of the record that are copied unchanged.
    fields: Vec<(&'static str, Value)>,
    board: Vec<Card>,
    dealer: Vec<Card>,
    /// The first cards of the deck, if the example doesn't assign cards to hands.
    pub(crate) deck: Option<Vec<Card>>,
    bank: Option<Bank>,
    pub(crate) seats: Vec<Seat>,
    /// The wagers that seats try to make after "no more bets".
    pub(crate) late: Vec<Seat>,
}

/// The player who banks.
#[derive(Debug)]
struct Bank {
    seat: u32,
    wager: Amount,
    player: Option<String>,
}

/// A seat with its cards, wagers and decisions.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    pub(crate) number: u32,
    player: Option<String>,
    cards: Vec<Card>,
    ante: Amount,
    blind: Option<Amount>,
    bonus: Amount,
    pub(crate) actions: Vec<String>,
    by_table: Vec<usize>,
}

impl Example {
    /// Reads the upper half of an example.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut example = Self::default();
        for line in text.lines() {
            example.line(line).map_err(|message| format!("{line:?}: {message}"))?;
        }
        if example.house.is_empty() { Err("no house is named".to_owned()) } else { Ok(example) }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.trim().split_once(' ').ok_or("a word and a value are needed")?;
        let rest = rest.trim();
        match word {
            "house" => rest.clone_into(&mut self.house),
            "with" => {
                let (path, value) = rest.split_once(' ').ok_or("a field and a value are needed")?;
                self.terms.push((path.to_owned(), term(value.trim())?));
            }
            "deal" => self.fields.push(("deal", rest.into())),
            "trips" | "pair-plus" => self.fields.push(("bonus_paytable", rest.into())),
            "void" => self.fields.push(("void", rest.into())),
            "board" => self.board = cards(rest)?,
            "dealer" => self.dealer = cards(rest)?,
            "deck" => self.deck = Some(cards(rest)?),
            "bank" => self.bank = Some(read_bank(rest)?),
            "seat" => self.seats.push(read_seat(rest)?),
            "late" => {
                let seat = rest.strip_prefix("seat").ok_or("only a seat can be late")?;
                self.late.push(read_seat(seat.trim())?);
            }
            _ => return Err(format!("{word:?} is unknown")),
        }
        Ok(())
    }

    /// Returns the example as a record, with a whole deck in the order of the deal.
    pub(crate) fn record(&self, catalog: &Catalog) -> Result<Value, String> {
        let house = catalog.house(&self.house).map_err(|unknown| unknown.to_string())?;
        let mut house = serde_json::to_value(&**house).expect("plain data");
        for (path, value) in &self.terms {
            let pointer = format!("/{}", path.replace('.', "/"));
            let (parent, field) = pointer.rsplit_once('/').expect("it starts with a slash");
            let parent = house.pointer_mut(parent).ok_or_else(|| format!("no field {path}"))?;
            parent[field] = value.clone();
        }
        let deal = self.fields.iter().find(|(name, _)| *name == "deal").map(|(_, value)| value);
        let deal = deal.unwrap_or(&house["deal"]).as_str().expect("a word").to_owned();
        let seats: Vec<Value> = self.seats.iter().map(Seat::record).collect();
        let mut record = json!({
            "format": FORMAT, "deck": self.whole_deck(&deal)?, "house": house, "seats": seats,
        });
        for (name, value) in &self.fields {
            record[*name] = value.clone();
        }
        if let Some(bank) = &self.bank {
            record["banker"] = json!({"seat": bank.seat, "wager": bank.wager});
            if let Some(player) = &bank.player {
                record["banker"]["player"] = player.as_str().into();
            }
        }
        Ok(record)
    }

    /// Opens a round with the wagers of the example, and closes betting.
    pub(crate) fn after_no_more_bets(&self, house: &House) -> Result<Round, String> {
        let bank = self.bank.iter().map(|bank| Action::Bank {
            seat: table_seat(bank.seat),
            player: bank.player.clone().unwrap_or_else(|| format!("player {}", bank.seat)),
            wager: bank.wager,
        });
        let bonus = house.bonus_paytables().first().cloned();
        let mut round = Round::new(Arc::new(house.clone()), bonus);
        for action in bank.chain(self.seats.iter().map(Seat::wager)).chain([Action::NoMoreBets]) {
            round.apply(action).map_err(|refusal| refusal.to_string())?;
        }
        Ok(round)
    }

    /// Puts every named card where the deal takes it from, and fills up with the rest of the pack.
    fn whole_deck(&self, deal: &str) -> Result<Vec<String>, String> {
        let mut seats: Vec<&Seat> = self.seats.iter().collect();
        seats.sort_by_key(|seat| seat.number);
        let mut hands: Vec<&[Card]> = seats.iter().map(|seat| &seat.cards[..]).collect();
        hands.push(&self.dealer);
        let board = (0..5).map(|index| self.board.get(index).copied());
        let each = |range: std::ops::Range<usize>| -> Vec<Option<Card>> {
            let of = |hand: &&[Card]| range.clone().map(|at| hand.get(at).copied()).collect();
            hands.iter().flat_map::<Vec<_>, _>(of).collect()
        };
        let places: Vec<Option<Card>> = match (&self.deck, deal) {
            (Some(first), _) => first.iter().copied().map(Some).collect(),
            (None, "pairs") => each(0..2).into_iter().chain(board).collect(),
            (None, "singles") => each(0..1).into_iter().chain(each(1..2)).chain(board).collect(),
            (None, "board-first") => board.chain(each(0..2)).collect(),
            (None, "threes") => each(0..3),
            (None, _) => return Err(format!("{deal:?} is not a deal")),
        };
        let named: Vec<Card> = places.iter().copied().flatten().collect();
        let mut others = Deck::FRESH.cards().iter().copied().filter(|card| !named.contains(card));
        let dealt: Vec<Card> =
            places.into_iter().filter_map(|card| card.or_else(|| others.next())).collect();
        Ok(dealt.into_iter().chain(others).map(|card| card.to_string()).collect())
    }
}

impl Seat {
    /// Returns the seat's wager, as an action.
    pub(crate) fn wager(&self) -> Action {
        Action::Wager {
            seat: table_seat(self.number),
            player: self.player(),
            ante: self.ante,
            blind: self.blind.unwrap_or(self.ante),
            bonus: self.bonus,
        }
    }

    /// Returns the player's name, or one that no other player has.
    pub(crate) fn player(&self) -> String {
        self.player.clone().unwrap_or_else(|| format!("player {}", self.number))
    }

    fn record(&self) -> Value {
        let mut record = json!({
            "seat": self.number, "ante": self.ante, "bonus": self.bonus,
            "actions": self.actions, "by_table": self.by_table,
        });
        if let Some(player) = &self.player {
            record["player"] = player.as_str().into();
        }
        if let Some(blind) = self.blind {
            record["blind"] = json!(blind);
        }
        record
    }
}

fn table_seat(number: u32) -> croupier_rules::Seat {
    croupier_rules::Seat::new(number).expect("a seat")
}

fn cards(text: &str) -> Result<Vec<Card>, String> {
    parse_cards(text).map_err(|error| error.to_string())
}

/// Reads an amount in dollars, with or without cents.
fn amount(text: &str) -> Result<Amount, String> {
    let wrong = || format!("{text:?} is not an amount: write $5 or $7.50");
    let dollars = text.strip_prefix('$').ok_or_else(wrong)?.replace(',', "");
    let (whole, cents) = dollars.split_once('.').unwrap_or((&dollars, "00"));
    if cents.len() != 2 {
        return Err(wrong());
    }
    format!("{whole}{cents}").parse().map(Amount::cents).map_err(|_| wrong())
}

/// Reads the value of a house's field: an amount, a number, a list, or a word.
fn term(text: &str) -> Result<Value, String> {
    if text.starts_with('$') {
        return amount(text).map(|amount| json!(amount));
    }
    Ok(serde_json::from_str(text).unwrap_or_else(|_| text.into()))
}

/// Reads the number of a seat, and the player's name in parentheses if it has one.
fn seat_and_player(text: &str) -> Result<(u32, Option<String>, &str), String> {
    let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
    let number = number.parse().map_err(|_| format!("{number:?} is not a seat"))?;
    let rest = rest.trim();
    match rest.strip_prefix('(').and_then(|name| name.split_once(')')) {
        Some((name, rest)) => Ok((number, Some(name.to_owned()), rest.trim())),
        None => Ok((number, None, rest)),
    }
}

/// Reads `seat 3 (bea) $50`.
fn read_bank(text: &str) -> Result<Bank, String> {
    let text = text.strip_prefix("seat").ok_or("only a seat can bank")?;
    let (seat, player, rest) = seat_and_player(text.trim())?;
    Ok(Bank { seat, player, wager: amount(rest)? })
}

/// Reads `1 (ann)  As Ac  ante $10  bonus $5  check, check, bet 1`, of which only the number is
/// required.
fn read_seat(text: &str) -> Result<Seat, String> {
    let (number, player, rest) = seat_and_player(text)?;
    let mut seat = Seat { number, player, ..Seat::default() };
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next_if(|word| word.parse::<Card>().is_ok()) {
        seat.cards.extend(cards(word)?);
    }
    while let Some(bet) = words.next_if(|word| ["ante", "blind", "bonus"].contains(word)) {
        let stake = amount(words.next().unwrap_or_default())?;
        match bet {
            "ante" => seat.ante = stake,
            "blind" => seat.blind = Some(stake),
            _ => seat.bonus = stake,
        }
    }
    let actions = words.collect::<Vec<_>>().join(" ");
    for (index, action) in actions.split(", ").filter(|action| !action.is_empty()).enumerate() {
        let by_table = action.strip_suffix(" by table");
        seat.actions.push(by_table.unwrap_or(action).to_owned());
        if by_table.is_some() {
            seat.by_table.push(index);
        }
    }
    Ok(seat)
}
