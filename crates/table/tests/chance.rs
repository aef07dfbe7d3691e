//! Thousands of random commands, valid and invalid: the books are always right, the journal always
//! gives the same table, and every round can be verified.

mod felt;

use croupier_cards::Card;
use croupier_rules::{Amount, Decision, Seat, Viewer};
use croupier_table::{
    Clocks, Command, Entry, Event, Hash, Seed, Stage, TermsCache, Time, replay, seat_commitment,
    to_hex,
};

use self::felt::{
    CLOCKS, Felt, close, commit, deal, decide, decline, join, leave, pause, resume, reveal, seat,
    sit_in, sit_out, take_bank, terms, void, wager, withdraw,
};

const STEPS: u32 = 4_000;

const PLAYERS: [&str; 9] = ["ann", "bea", "cy", "dee", "eve", "flo", "gus", "hal", "ida"];

/// A fast deterministic generator (xorshift64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end)).expect("below the end")
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(u32::try_from(list.len()).expect("a short list")) as usize]
    }
}

/// Returns the seed of a seat, which is the same for all its commands in a round.
fn seat_seed(round: u64, number: u32) -> Vec<u8> {
    vec![u8::try_from(round % 251).expect("a byte"), u8::try_from(number).expect("a byte")]
}

/// Returns mostly a player at the table, and sometimes a random player and seat.
fn who(dice: &mut Dice, felt: &Felt) -> (u32, String) {
    let seats = felt.table.seats();
    if seats.is_empty() || dice.below(12) == 0 {
        return (1 + dice.below(8), dice.one_of(&PLAYERS).to_owned());
    }
    let seated = &seats[dice.below(u32::try_from(seats.len()).expect("few")) as usize];
    (seated.seat.number(), seated.player.clone())
}

/// Returns a sensible command of a player at the table.
fn sensible(dice: &mut Dice, felt: &Felt) -> Option<Command> {
    let stage = felt.table.stage()?;
    let open = felt.table.round()?;
    let seats: Vec<Seat> = match stage {
        Stage::Offering => felt.table.offered().into_iter().collect(),
        Stage::Betting => felt.table.seats().iter().map(|seated| seated.seat).collect(),
        Stage::Revealing => felt.table.to_reveal(),
        Stage::Deciding => open.to_decide().collect(),
    };
    let chosen = dice.one_of(Some(&seats).filter(|seats| !seats.is_empty())?);
    let seated = felt.table.seats().iter().find(|seated| seated.seat == chosen)?;
    let (number, player) = (chosen.number(), &*seated.player);
    Some(match stage {
        Stage::Offering if dice.below(4) == 0 => decline(number, player),
        Stage::Offering => take_bank(number, player, dice.one_of(&[300, 700, 3_000, 20_000])),
        Stage::Betting if dice.below(6) == 0 => deal(player),
        Stage::Betting => wager(number, player, 500, dice.one_of(&[0, 500])),
        Stage::Revealing => {
            reveal(number, player, &to_hex(&seat_seed(felt.table.round_number(), number)))
        }
        Stage::Deciding => decide(number, player, dice.one_of(&open.decisions(chosen))),
    })
}

fn command(dice: &mut Dice, felt: &Felt) -> Command {
    if dice.below(2) == 0
        && let Some(command) = sensible(dice, felt)
    {
        return command;
    }
    let (number, player) = who(dice, felt);
    let (player, round) = (&*player, felt.table.round_number());
    let seed = seat_seed(round, number);
    let decisions = felt.table.round().map(|open| open.decisions(seat(number)));
    match dice.below(100) {
        0..14 => join(1 + dice.below(8), dice.one_of(&PLAYERS)),
        14..16 => leave(number, player),
        16..18 => sit_out(number, player),
        18..24 => sit_in(number, player),
        24..34 => take_bank(number, player, dice.one_of(&[1, 499, 700, 3_000, 20_000, i64::MAX])),
        34..36 => decline(number, player),
        36..40 => commit(number, player, seat_commitment("t1", round, seat(number), &seed)),
        40..41 => commit(number, player, Hash::of(b"nothing")),
        41..48 => reveal(number, player, &to_hex(&seed)),
        48..68 => {
            let ante = dice.one_of(&[500, 500, 1_000, 10_000, 0, 501, -500, i64::MAX]);
            wager(number, player, ante, dice.one_of(&[0, 0, 500, 1_000, 1, i64::MIN]))
        }
        68..71 => withdraw(number, player),
        71..90 => match decisions {
            Some(known) if !known.is_empty() => decide(number, player, dice.one_of(&known)),
            _ => decide(number, player, Decision::Bet(dice.below(6))),
        },
        90..95 => deal(player),
        95 => void("chance"),
        96 => pause("chance"),
        97..99 => resume(),
        _ if dice.below(20) == 0 => close("chance"),
        _ => Command::OpenRound { seed: Seed::from_bytes([3; 32]) },
    }
}

/// Lets a random time pass, sometimes backwards.
fn pass_time(dice: &mut Dice, felt: &mut Felt) {
    match dice.below(100) {
        0 => felt.now = Time::from_millis(felt.now.as_millis() - i64::from(dice.below(50))),
        1 => felt.now = felt.now.after(1_000_000),
        2..25 => felt.now = felt.now.after(dice.below(12)),
        _ => return,
    }
    felt.wait(0);
}

fn open(house: &str, clocks: Option<Clocks>) -> Felt {
    let mut felt = Felt::on(terms(house, clocks)).replaying_every(400);
    for (player, chips) in PLAYERS.iter().zip([1_000_000, 2_000, 500_000].into_iter().cycle()) {
        felt.issue_only(player, chips);
    }
    felt
}

/// Asserts that the last checkpoint and the entries after it give the same table.
fn assert_checkpoint(felt: &Felt) {
    let is_checkpoint =
        |entry: &Entry| matches!(Event::read(&entry.body), Ok(Event::Checkpoint(_)));
    let Some(place) = felt.journal.iter().rposition(is_checkpoint) else { return };
    let mut entries = vec![felt.journal[0].clone()];
    entries.extend_from_slice(&felt.journal[place..]);
    let table = replay("t1", &entries, &mut TermsCache::default()).expect("a good journal");
    assert_eq!(table, felt.table);
}

/// Asserts that a view has no card that the player may not see, and no secret.
fn assert_views(felt: &Felt) {
    let Some(round) = felt.table.round() else { return };
    let seed = felt.journal.iter().rev().find_map(|entry| match Event::read(&entry.body) {
        Ok(Event::RoundOpened { seed, .. }) => Some(seed.reveal()),
        _ => None,
    });
    let seed = seed.expect("the round was opened");
    for player in PLAYERS.map(Some).into_iter().chain([None]) {
        let mut open = round.view(Viewer::Rail).community;
        for seated in felt.table.seats().iter().filter(|seated| Some(&*seated.player) == player) {
            let view = round.view(Viewer::Seat(seated.seat));
            let own = view.seats.iter().filter(|hand| hand.seat == seated.seat);
            open.extend(own.filter_map(|hand| hand.cards).flatten());
        }
        let sent = serde_json::to_string(&felt.table.view(player)).expect("plain data");
        assert!(!sent.contains(&seed), "{player:?} is sent the seed");
        for card in Card::ALL.into_iter().filter(|card| !open.contains(card)) {
            assert!(!sent.contains(&format!("\"{card}\"")), "{player:?} sees {card}: {sent}");
        }
        let shown = |card: &&Card| sent.contains(&format!("\"{card}\""));
        assert_eq!(open.iter().filter(shown).count(), open.len(), "{player:?} sees their own");
    }
}

/// Plays at a house, and returns how many rounds were dealt.
fn play(house: &str, clocks: Option<Clocks>, start: u64) -> usize {
    let mut dice = Dice(start);
    let (mut felt, mut rounds, mut taken) = (open(house, clocks), 0, 0);
    for _ in 0..STEPS {
        if felt.table.is_closed() {
            rounds += finish(&felt);
            felt = open(house, clocks);
        }
        let command = command(&mut dice, &felt);
        let before = felt.table.clone();
        match felt.try_to(command) {
            Ok(_) => taken += 1,
            Err(refusal) => assert_eq!(felt.table, before, "{refusal}"),
        }
        assert_views(&felt);
        pass_time(&mut dice, &mut felt);
    }
    assert!(taken > STEPS / 5, "{house}: only {taken} commands were taken");
    rounds + finish(&felt)
}

fn finish(felt: &Felt) -> usize {
    felt.assert_journal();
    assert_checkpoint(felt);
    let dealt = felt.assert_records();
    assert_eq!(dealt, felt.played.len());
    for played in &felt.played {
        let total: i64 = played.seats.iter().map(|seat| seat.net.as_cents()).sum();
        let banked = played.seats.iter().any(|seat| seat.banked);
        assert!(!banked || total == 0, "{played:?}");
        assert!(played.seats.iter().all(|seat| seat.staked > Amount::ZERO), "{played:?}");
    }
    dealt
}

#[test]
fn chance_at_a_washington_table() {
    assert!(play("uth-washington", Some(CLOCKS), 0x5eed_0001) > 50);
    assert!(play("uth-washington", None, 0x5eed_0002) > 50);
}

#[test]
fn chance_at_a_standard_table() {
    assert!(play("uth-standard", Some(CLOCKS), 0x5eed_0003) > 50);
    assert!(play("uth-standard", None, 0x5eed_0004) > 50);
}

#[test]
fn chance_at_a_california_table() {
    assert!(play("uth-california", Some(CLOCKS), 0x5eed_0005) > 20);
    assert!(play("uth-california", None, 0x5eed_0006) > 20);
}

#[test]
fn chance_at_a_three_card_table() {
    assert!(play("utcp-standard", Some(CLOCKS), 0x5eed_0007) > 50);
    assert!(play("utcp-standard", None, 0x5eed_0008) > 50);
}
