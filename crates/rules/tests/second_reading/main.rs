//! A hundred thousand random rounds, settled by the engine and by a second implementation of the
//! documents that shares no code with it. A failure prints the round's number, which is its seed.

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_rules::{
    Action, Actor, Amount, Bet, Catalog, Decision, Event, House, Place, Round, Seat,
};
use croupier_testing::Random;
use croupier_testing::literal::{self, Card, Player, Terms, Went};

const ROUNDS: u64 = 100_000;

/// Boards that lead to rare outcomes: royals, both hands on the board, ties, wheels, quads.
const BOARDS: [&str; 8] = [
    "Ah Kh Qh Jh Th",
    "Ah Kh Qh Jh 2c",
    "5c 4d 3h 2s Kc",
    "9c 9d 9h 9s Ac",
    "Kc Kd Kh 4s 4d",
    "9s 8s 7s 6s 5s",
    "As Kd Qh Jc 9d",
    "Tc Td 7h 7s 2c",
];

/// Returns the shipped houses, and some that differ from them in a clause or two: both coverages,
/// all orders of payoff, all deals, payout maximums, and with and without the qualifying rule.
fn houses(catalog: &Catalog) -> Vec<House> {
    let mut houses: Vec<House> = catalog.houses().cloned().collect();
    let (left, low) = ("\"left-of-banker\"", "\"lowest-seat-first\"");
    let high = "\"highest-seat-first\"";
    let maximum = |cents: u32| format!("bonus_max = 10000\nround_payout_max = {cents}");
    let banked = ("by = \"house\"", "by = \"player-dealer\"\nmax_consecutive = 2");
    let changes: &[(&str, &[(&str, &str)])] = &[
        ("uth-california", &[("\"action\"", "\"payoffs\"")]),
        ("uth-california", &[("\"action\"", "\"payoffs\""), (left, low)]),
        ("uth-california", &[(left, low)]),
        ("uth-california", &[(left, high)]),
        ("uth-california", &[("qualifying = true", "qualifying = false")]),
        ("uth-california", &[("\"by-seat\"", "\"first-pass\"")]),
        ("uth-standard", &[("\"pairs\"", "\"singles\"")]),
        ("uth-standard", &[("\"pairs\"", "\"board-first\"")]),
        ("uth-standard", &[(high, low)]),
        ("uth-standard", &[("qualifying = true", "qualifying = false")]),
        ("utcp-standard", &[("qualifying = true", "qualifying = false")]),
        ("utcp-standard", &[banked, (high, left)]),
        ("utcp-standard", &[banked, ("\"first-pass\"", "\"by-seat\"")]),
        ("uth-washington", &[("bonus_max = 10000", &maximum(80_000))]),
        ("uth-washington", &[("bonus_max = 10000", &maximum(123_457)), (high, low)]),
        ("utcp-standard", &[("bonus_max = 10000", &maximum(60_001))]),
    ];
    for (id, changes) in changes {
        let mut text = toml::to_string(&**catalog.house(id).expect("a house")).expect("plain data");
        for (from, to) in *changes {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        houses.push(catalog.read_house(&text).expect("a good house"));
    }
    houses
}

fn plain(card: croupier_cards::Card) -> Card {
    (card.rank() as u8 + 2, card.suit() as u8)
}

/// Returns where the cards go by a literal reading: seats by number, `0` the dealer, `9` the board.
fn dealing(deal: &str, seats: &[u32]) -> Vec<u32> {
    let all: Vec<u32> = seats.iter().copied().chain([0]).collect();
    let each =
        |times: usize| -> Vec<u32> { all.iter().flat_map(|&seat| vec![seat; times]).collect() };
    match deal {
        "pairs" => [each(2), vec![9; 5]].concat(),
        "singles" => [all.clone(), all, vec![9; 5]].concat(),
        "board-first" => [vec![9; 5], each(2)].concat(),
        "threes" => each(3),
        _ => panic!("no document has the deal {deal}"),
    }
}

/// Shuffles a deck, occasionally with a board that leads to rare hands.
fn cards_by_place(random: &mut Random, places: &[u32]) -> Vec<croupier_cards::Card> {
    let mut pack = croupier_cards::Card::ALL.to_vec();
    for at in (1..pack.len()).rev() {
        pack.swap(at, random.below(at + 1));
    }
    if places.contains(&9) && random.chance(30, 100) {
        let board = croupier_cards::parse_cards(random.pick(&BOARDS)).expect("cards");
        let board_places = (0..places.len()).filter(|&at| places[at] == 9);
        for (at, card) in board_places.zip(board) {
            let now = pack.iter().position(|&other| other == card).expect("a whole pack");
            pack.swap(at, now);
        }
    }
    pack.truncate(places.len());
    pack
}

/// A random round in progress, in the engine and in the second implementation.
struct Game {
    number: u64,
    random: Random,
    /// The house in serialized form, the only form that the second implementation uses.
    terms: serde_json::Value,
    bonus: String,
    round: Round,
    players: Vec<Player>,
    /// The player who banks: their seat, the posted wager, and whether collecting uses it up too.
    bank: Option<(u32, i64, bool)>,
    board: Vec<Card>,
    dealer: Vec<Card>,
}

fn named(seat: u32) -> Seat {
    Seat::new(seat).expect("a seat")
}

impl Game {
    fn new(number: u64, houses: &[House]) -> Self {
        let mut random = Random::new(number);
        let house = &houses[random.below(houses.len())];
        let bonus = &house.bonus_paytables()[random.below(house.bonus_paytables().len())];
        Self {
            number,
            random,
            terms: serde_json::to_value(house).expect("plain data"),
            bonus: bonus.id().to_owned(),
            round: Round::new(Arc::new(house.clone()), Some(bonus.clone())),
            players: Vec::new(),
            bank: None,
            board: Vec::new(),
            dealer: Vec::new(),
        }
    }

    fn term(&self, name: &str) -> &str {
        self.terms[name].as_str().expect("a text")
    }

    fn three_cards(&self) -> bool {
        self.term("game") == "utcp"
    }

    fn apply(&mut self, action: Action) -> Vec<Event> {
        let number = self.number;
        let applied = self.round.apply(action);
        applied.unwrap_or_else(|refusal| panic!("round {number}: {refusal}")).to_vec()
    }

    fn stake(&mut self) -> i64 {
        self.random.pick(&[500, 1_000, 1_500, 2_500, 3_500, 5_000, 7_500, 10_000])
    }

    fn bet(&mut self) {
        let seats = u32::try_from(self.terms["seats"].as_u64().expect("a number")).expect("small");
        let mut seats: Vec<u32> = (1..=seats).filter(|_| self.random.chance(50, 100)).collect();
        if seats.len() < 2 {
            seats = vec![1, 2];
        }
        if self.terms["banking"]["by"] == "player-dealer" {
            let seat = seats.remove(self.random.below(seats.len()));
            let posted = self.random.pick(&[1, 700, 2_500, 10_000, 200_000]);
            let (player, wager) = ("bank".to_owned(), Amount::cents(posted));
            self.apply(Action::Bank { seat: named(seat), player, wager });
            self.bank = Some((seat, posted, self.terms["banking"]["coverage"] == "action"));
        }
        for seat in seats {
            let (ante, bonus) = (self.stake(), self.stake());
            let bonus = if self.random.chance(60, 100) { bonus } else { 0 };
            self.apply(Action::Wager {
                seat: named(seat),
                player: format!("player {seat}"),
                ante: Amount::cents(ante),
                blind: Amount::cents(ante),
                bonus: Amount::cents(bonus),
            });
            self.players.push(Player { seat, cards: Vec::new(), ante, bonus, play: 0 });
        }
        self.apply(Action::NoMoreBets);
    }

    fn deal(&mut self) {
        let seats: Vec<u32> = self.players.iter().map(|player| player.seat).collect();
        let places = dealing(self.term("deal"), &seats);
        let cards = cards_by_place(&mut self.random, &places);
        for (place, card) in places.into_iter().zip(cards) {
            let expected = match place {
                0 => Place::Dealer,
                9 => Place::Community,
                seat => Place::Seat(named(seat)),
            };
            let events = self.apply(Action::Deal(card));
            assert_eq!(events, [Event::Dealt { place: expected, card }], "round {}", self.number);
            match self.players.iter_mut().find(|player| player.seat == place) {
                Some(player) => player.cards.push(plain(card)),
                None if place == 0 => self.dealer.push(plain(card)),
                None => self.board.push(plain(card)),
            }
        }
        assert_eq!(self.round.next_card(), None, "round {}", self.number);
    }

    /// Plays the streets of the documents: large bets early, or small bets late.
    fn decide(&mut self) {
        let streets: &[(&[i64], bool)] = if self.three_cards() {
            &[(&[1], true)]
        } else {
            &[(&[3, 4], false), (&[2], false), (&[1], true)]
        };
        for &(multiples, last) in streets {
            for at in 0..self.players.len() {
                if self.players[at].play == 0 {
                    self.decide_one(at, multiples, last);
                }
            }
        }
    }

    fn decide_one(&mut self, at: usize, multiples: &[i64], last: bool) {
        let player = &mut self.players[at];
        let paired = player.cards.len() == 3
            && literal::name(&literal::best(&player.cards), true) != "high-card";
        let multiples: &[i64] = if paired { &[1, 2, 3] } else { multiples };
        let decision = if self.random.chance(if last { 70 } else { 25 }, 100) {
            player.play = self.random.pick(multiples);
            Decision::Bet(u32::try_from(player.play).expect("a multiple"))
        } else if last {
            Decision::Fold
        } else {
            Decision::Check
        };
        let (seat, by) = (named(player.seat), Actor::Player(format!("player {}", player.seat)));
        let decisions = self.round.decisions(seat);
        assert!(decisions.contains(&decision), "round {}: {decision:?}", self.number);
        assert_eq!(decisions.len(), multiples.len() + 1, "round {}", self.number);
        self.apply(Action::Decide { seat, by, decision });
    }

    /// Compares the engine's settlement with the second implementation's.
    fn compare(&self) {
        let terms = Terms {
            three: self.three_cards(),
            qualifying: self.terms["qualifying"] == true,
            order: self.term("payoff_order").to_owned(),
            banker: self.bank,
            payout_max: self.terms["limits"]["round_payout_max"].as_i64(),
            blind: self.term("blind_paytable").to_owned(),
            bonus: self.bonus.clone(),
        };
        let expected = literal::settle(&terms, &self.board, &self.dealer, &self.players);
        let number = self.number;
        let settlement = self.round.settlement();
        let settlement = settlement.unwrap_or_else(|| panic!("round {number} did not end"));
        let (mut found, mut net) = (BTreeMap::new(), 0);
        for seat in &settlement.seats {
            for &bet in Bet::ALL {
                let Some(wager) = seat.wagers[bet] else { continue };
                let returned = wager.returned.as_cents();
                net += wager.staked.as_cents() - returned;
                let went: Went = (returned, wager.result.id(), wager.uncovered.as_cents());
                found.insert((seat.seat.number(), bet.id()), went);
            }
        }
        assert_eq!(found, expected, "round {number}");
        assert_eq!(settlement.bank_net.as_cents(), net, "round {number}");
        if let Some((_, posted, action)) = self.bank {
            assert!(net >= -posted, "round {number} pays more than was posted");
            assert!(!action || net <= posted, "round {number} collects more than was posted");
        }
    }
}

#[test]
fn a_hundred_thousand_rounds_end_as_the_documents_say() {
    let houses = houses(&Catalog::shipped());
    for number in 0..ROUNDS {
        let mut game = Game::new(number, &houses);
        game.bet();
        game.deal();
        game.decide();
        game.compare();
    }
}
