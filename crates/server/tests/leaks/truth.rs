//! The whole truth about a table, which is secret until it is over: its journal. Also what each
//! viewer may see at each moment, by the public rules and without the code under test.

use std::collections::BTreeMap;

use croupier_cards::{Card, CardSet, Five, Three};
use croupier_rules::{Catalog, Decision, Narration, Record};
use croupier_store::Journals;
use croupier_table::{Event, from_hex};
use serde_json::Value;

use crate::search::Seeds;

/// Everything that happened at a table.
#[derive(Debug)]
pub(crate) struct Truth {
    pub(crate) table: String,
    pub(crate) rounds: Vec<Round>,
    /// The seeds of all rounds.
    pub(crate) seeds: Seeds,
}

/// A round, whether or not it was dealt.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) number: u64,
    pub(crate) seed: [u8; 32],
    /// The versions of the journal when it was opened, dealt and over.
    opened: u64,
    dealt: Option<u64>,
    pub(crate) over: u64,
    /// The decisions, each with the version of the journal and the seat.
    decided: Vec<(u64, u64, Decision)>,
    /// The seats with their players and cards, in order.
    pub(crate) seats: Vec<Dealt>,
    pub(crate) dealer: Vec<Card>,
    pub(crate) board: Vec<Card>,
    pub(crate) deck: Vec<Card>,
    pub(crate) record: Value,
    /// The round in words.
    pub(crate) telling: Value,
}

/// A seat and its cards.
#[derive(Clone, Debug)]
pub(crate) struct Dealt {
    pub(crate) seat: u64,
    pub(crate) player: String,
    pub(crate) hole: Vec<Card>,
}

/// The part of an open round that a viewer may see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    /// The cards that the viewer may see.
    pub(crate) cards: CardSet,
    /// The community cards among them.
    pub(crate) board: Vec<Card>,
    /// The viewer's own seats.
    pub(crate) seats: Vec<u64>,
    /// The cards of each of these seats.
    hands: Vec<Vec<Card>>,
}

impl Sight {
    /// Names the hand of one of the viewer's own seats, with the cards that they may see.
    pub(crate) fn named(&self, seat: Option<u64>) -> Option<String> {
        let place = self.seats.iter().position(|own| Some(*own) == seat)?;
        Some(named(&self.hands[place], &self.board))
    }
}

/// Names a hand, as a player would.
pub(crate) fn named(hole: &[Card], board: &[Card]) -> String {
    let cards = [hole, board].concat();
    let set: CardSet = cards.iter().copied().collect();
    match *cards {
        [one, other] if one.rank() == other.rank() => format!("pair of {}", one.rank().plural()),
        [one, other] => format!("{} high", one.rank().max(other.rank()).name()),
        [_, _, _] => Three::of(set).to_string(),
        _ => Five::of(set).to_string(),
    }
}

impl Truth {
    /// Reads the journal of a closed table.
    pub(crate) async fn read(store: &impl Journals, table: &str) -> Self {
        let (mut rounds, mut seeds, mut from) = (BTreeMap::new(), Seeds::default(), 1);
        loop {
            let page = store.journal(table, from, 1_000).await.expect("a journal");
            let Some(last) = page.last() else { break };
            from = last.version + 1;
            for entry in page {
                let event = Event::read(&entry.body).expect("an event");
                tell(&mut rounds, &mut seeds, entry.version, &event);
            }
        }
        let rounds: Vec<Round> = rounds.into_values().collect();
        assert!(rounds.iter().all(|round| round.over < u64::MAX), "{table} is not over");
        Self { table: table.to_owned(), rounds, seeds }
    }

    /// Returns the round that is open at a version of the journal.
    pub(crate) fn open_at(&self, version: u64) -> Option<&Round> {
        self.rounds.iter().find(|round| round.opened <= version && version < round.over)
    }

    /// Returns whether a round is over at a version. A round that was never opened is not.
    pub(crate) fn is_over(&self, number: u64, version: u64) -> bool {
        self.rounds.iter().any(|round| round.number == number && round.over <= version)
    }

    /// Returns how many rounds were dealt.
    pub(crate) fn dealt(&self) -> usize {
        self.rounds.iter().filter(|round| round.dealt.is_some()).count()
    }
}

fn tell(rounds: &mut BTreeMap<u64, Round>, seeds: &mut Seeds, version: u64, event: &Event) {
    if let Event::RoundOpened { round: number, seed, .. } = event {
        let bytes = from_hex(&seed.reveal()).expect("digits");
        let seed: [u8; 32] = bytes.try_into().expect("32 bytes");
        seeds.add(&seed, *number);
        rounds.insert(*number, Round::new(*number, seed, version));
        return;
    }
    let Some(mut last) = rounds.last_entry() else { return };
    let round = last.get_mut();
    match event {
        Event::Dealt => round.dealt = Some(version),
        Event::Decided { seat, decision, .. } => {
            round.decided.push((version, u64::from(seat.number()), *decision));
        }
        Event::RoundOver { record } => {
            round.over = version;
            round.read(serde_json::from_str(&record.0).expect("a record"));
        }
        Event::RoundUndealt { .. } => round.over = version,
        _ => {}
    }
}

impl Round {
    fn new(number: u64, seed: [u8; 32], opened: u64) -> Self {
        let (decided, seats, board, deck) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (dealt, over, dealer) = (None, u64::MAX, Vec::new());
        let (record, telling) = (Value::Null, Value::Null);
        Self {
            number,
            seed,
            opened,
            dealt,
            over,
            decided,
            seats,
            dealer,
            board,
            deck,
            record,
            telling,
        }
    }

    /// Reads the cards dealt: hands by seat, the dealer's last, then the board. All four houses
    /// deal in this order.
    fn read(&mut self, record: Value) {
        let card = |value: &Value| value.as_str().and_then(|text| text.parse().ok());
        let cards = |value: &Value| -> Vec<Card> {
            value.as_array().into_iter().flatten().filter_map(card).collect()
        };
        self.deck = cards(&record["deck"]);
        assert_eq!(self.deck.len(), 52, "{record}");
        let is_holdem = record["house"].as_str().is_some_and(|house| house.starts_with("uth-"));
        let (hole, board) = if is_holdem { (2, 5) } else { (3, 0) };
        let mut hands = self.deck.chunks_exact(hole);
        for seat in record["seats"].as_array().into_iter().flatten() {
            self.seats.push(Dealt {
                seat: seat["seat"].as_u64().expect("a seat"),
                player: seat["player"].as_str().expect("a player").to_owned(),
                hole: hands.next().expect("a hand").to_vec(),
            });
        }
        self.dealer = hands.next().expect("a hand").to_vec();
        let dealt = (self.seats.len() + 1) * hole;
        self.board = self.deck[dealt..dealt + board].to_vec();
        for (seat, told) in
            self.seats.iter().zip(record["result"]["seats"].as_array().into_iter().flatten())
        {
            if told["cards"].is_array() {
                assert_eq!(cards(&told["cards"]), seat.hole, "{record}");
            }
        }
        let read = Record::read(&record.to_string(), &Catalog::shipped()).expect("a record");
        let telling = Narration::of(&read).expect("a round");
        self.telling = serde_json::to_value(telling).expect("plain data");
        self.record = record;
    }

    /// Returns what a player may see of this round at a version at which it is open; a viewer who
    /// only watches has no name.
    pub(crate) fn sight(&self, version: u64, player: Option<&str>) -> Sight {
        if self.dealt.is_none_or(|dealt| dealt > version) {
            return Sight::default();
        }
        let own = self.seats.iter().filter(|dealt| Some(&*dealt.player) == player);
        let mut sight = Sight::default();
        for dealt in own {
            sight.seats.push(dealt.seat);
            sight.hands.push(dealt.hole.clone());
            sight.cards = dealt.hole.iter().copied().fold(sight.cards, with);
        }
        sight.board = self.board[..self.turned(version)].to_vec();
        sight.cards = sight.board.iter().copied().fold(sight.cards, with);
        sight
    }

    /// Returns how many community cards are turned: given by how often every hand that is neither
    /// bet nor folded has checked.
    fn turned(&self, version: u64) -> usize {
        if self.board.is_empty() {
            return 0;
        }
        let street = |dealt: &Dealt| {
            let of_seat =
                |decided: &&(u64, u64, Decision)| decided.0 <= version && decided.1 == dealt.seat;
            let decisions = self.decided.iter().filter(of_seat);
            let (mut checks, mut done) = (0, false);
            for (_, _, decision) in decisions {
                checks += 1;
                done |= *decision != Decision::Check;
            }
            (!done).then_some(checks)
        };
        let street: usize = self.seats.iter().filter_map(street).min().unwrap_or(usize::MAX);
        // Once no player is left to decide, the round is over at the same version, unless it is
        // stopped: turned cards stay turned.
        match street {
            0 => 0,
            1 => 3,
            _ => 5,
        }
    }
}

fn with(mut set: CardSet, card: Card) -> CardSet {
    set.insert(card);
    set
}
