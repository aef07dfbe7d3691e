//! Computes the expected result of a round from its record, with the second reading of the rule
//! documents.

use std::collections::BTreeMap;

use serde_json::Value;

use croupier_testing::literal::{self, Card, Player, Terms};

/// A round's result, in cents: by seat and bet, the stake and the amount returned.
pub(crate) type Returns = BTreeMap<(u32, &'static str), (i64, i64)>;

/// The house of a table, as serialized.
#[derive(Clone, Debug)]
pub(crate) struct WrittenHouse {
    pub(crate) house: Value,
    pub(crate) bonus: String,
}

impl WrittenHouse {
    fn term(&self, name: &str) -> &str {
        self.house[name].as_str().expect("a text")
    }

    pub(crate) fn id(&self) -> &str {
        self.term("id")
    }

    pub(crate) fn max_consecutive(&self) -> Option<u64> {
        self.house["banking"]["max_consecutive"].as_u64()
    }

    /// Returns whether collections use up a bank's wager, too.
    pub(crate) fn covers_action(&self) -> bool {
        self.house["banking"]["coverage"] == "action"
    }

    pub(crate) fn decks(&self) -> u64 {
        self.house["decks"].as_u64().expect("a number")
    }

    /// Settles a record from its deck and its decisions alone.
    pub(crate) fn settle(&self, record: &Value) -> Returns {
        let mut players = players(record);
        let all_back = |player: &Player| {
            let stakes = [("ante", player.ante), ("blind", player.ante), ("bonus", player.bonus)];
            let play = [("play", player.play * player.ante)];
            let made = stakes.into_iter().chain(play).filter(|(_, stake)| *stake > 0);
            made.map(|(bet, stake)| ((player.seat, bet), (stake, stake))).collect::<Vec<_>>()
        };
        let mut returns: Returns = players.iter().flat_map(all_back).collect();
        if !record["void"].is_null() {
            return returns;
        }
        let (board, dealer) = self.deal(record, &mut players);
        let banker = &record["banker"];
        let action = self.covers_action();
        let terms = Terms {
            three: self.term("game") == "utcp",
            qualifying: self.house["qualifying"] == true,
            order: self.term("payoff_order").to_owned(),
            banker: (!banker.is_null())
                .then(|| (seat_number(&banker["seat"]), cents(&banker["wager"]), action)),
            payout_max: self.house["limits"]["round_payout_max"].as_i64(),
            blind: self.term("blind_paytable").to_owned(),
            bonus: self.bonus.clone(),
        };
        for (place, (returned, ..)) in literal::settle(&terms, &board, &dealer, &players) {
            if let Some(wager) = returns.get_mut(&place) {
                wager.1 = returned;
            }
        }
        returns
    }

    /// Deals the seats their cards, and returns the board and the dealer's cards.
    fn deal(&self, record: &Value, players: &mut [Player]) -> (Vec<Card>, Vec<Card>) {
        let deck = record["deck"].as_array().expect("a list of cards");
        let mut deck = deck.iter().map(|card| card_of(card.as_str().expect("a card")));
        let each = if self.term("deal") == "threes" { 3 } else { 2 };
        assert!(["pairs", "threes"].contains(&self.term("deal")), "other deals are not simulated");
        for player in players {
            player.cards = deck.by_ref().take(each).collect();
        }
        let dealer = deck.by_ref().take(each).collect();
        let board = if each == 3 { Vec::new() } else { deck.take(5).collect() };
        (board, dealer)
    }
}

fn players(record: &Value) -> Vec<Player> {
    let seats = record["seats"].as_array().expect("a list of seats");
    let play = |seat: &Value| {
        let actions = seat["actions"].as_array().expect("a list of decisions");
        let times = actions.iter().filter_map(|action| action.as_str()?.strip_prefix("bet "));
        times.map(|times| times.parse::<i64>().expect("a number")).sum()
    };
    let player = |seat: &Value| Player {
        seat: seat_number(&seat["seat"]),
        cards: Vec::new(),
        ante: cents(&seat["ante"]),
        bonus: seat["bonus"].as_i64().unwrap_or(0),
        play: play(seat),
    };
    seats.iter().map(player).collect()
}

pub(crate) fn cents(value: &Value) -> i64 {
    value.as_i64().expect("an amount")
}

pub(crate) fn seat_number(value: &Value) -> u32 {
    value.as_u64().and_then(|number| u32::try_from(number).ok()).expect("a seat")
}

fn card_of(text: &str) -> Card {
    let place = |letters: &str, letter: Option<char>| {
        let place = letter.and_then(|letter| letters.find(letter)).expect("a card");
        u8::try_from(place).expect("a small number")
    };
    let mut letters = text.chars();
    let rank = place("23456789TJQKA", letters.next()) + 2;
    (rank, place("cdhs", letters.next()))
}
