//! The players at a table: they mostly do what they may, and sometimes what they may not.

use croupier_rules::{Action, Amount, Banking, Decision, Seat, Viewer};
use croupier_table::{
    Command, OperatorCommand, PlayerCommand, SeatedPlayer, Stage, Table, seat_commitment, to_hex,
};

use croupier_testing::Random;

/// The number of players.
pub(crate) const PEOPLE: usize = 9;

pub(crate) fn person(number: usize) -> String {
    format!("p{}", number % PEOPLE)
}

/// A player's intention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mind {
    Send(Command),
    /// To wait until the table acts, or to do nothing at all.
    Wait,
}

const STAKES: [i64; 6] = [500, 500, 1_000, 1_500, 2_500, 10_000];

/// Decides what happens next at a table with more or less sensible players.
pub(crate) fn next(table: &Table, random: &mut Random) -> Mind {
    let least = match table.terms().house().banking() {
        Banking::House => 1,
        Banking::PlayerDealer { .. } => 2,
    };
    let people = table.seats().len();
    if people < least || (people < 5 && random.chance(6, 1000)) {
        return Mind::Send(join(table, random));
    }
    if random.chance(8, 1000) {
        let sitter = &table.seats()[random.below(people)];
        let (seat, player) = (sitter.seat, sitter.player.clone());
        return Mind::Send(match random.below(3) {
            0 | 1 => PlayerCommand::Leave { seat }.by(player),
            _ => PlayerCommand::SitOut { seat }.by(player),
        });
    }
    if let Some(sitter) = table.seats().iter().find(|sitter| sitter.out)
        && random.chance(300, 1000)
    {
        return Mind::Send(PlayerCommand::SitIn { seat: sitter.seat }.by(sitter.player.clone()));
    }
    match table.stage() {
        None if table.paused().is_some() => Mind::Send(OperatorCommand::Resume {}.into()),
        None => Mind::Wait,
        Some(Stage::Offering) => offered(table, random),
        Some(Stage::Betting) => betting(table, random),
        Some(Stage::Revealing) => revealing(table, random),
        Some(Stage::Deciding) => deciding(table, random),
    }
}

fn join(table: &Table, random: &mut Random) -> Command {
    let seats = table.terms().house().seats();
    let free = |number: &u32| table.seats().iter().all(|sitter| sitter.seat.number() != *number);
    let free: Vec<u32> = (1..=seats).filter(free).collect();
    let seat = seat(random.pick(&free));
    let most = table.terms().house().seats_per_player() as usize;
    let may = |player: &String| {
        table.seats().iter().filter(|sitter| sitter.player == *player).count() < most
    };
    let first = random.below(PEOPLE);
    let player = (first..first + PEOPLE).map(person).find(may).unwrap_or_else(|| person(first));
    PlayerCommand::Join { seat }.by(player)
}

pub(crate) fn seat(number: u32) -> Seat {
    Seat::new(number).expect("a seat")
}

fn name_at(table: &Table, seat: Seat) -> String {
    let sitter = table.seats().iter().find(|sitter| sitter.seat == seat);
    sitter.map_or_else(|| person(0), |sitter| sitter.player.clone())
}

fn offered(table: &Table, random: &mut Random) -> Mind {
    let Some(seat) = table.offered() else { return Mind::Wait };
    let player = name_at(table, seat);
    match random.below(100) {
        0..80 => Mind::Send(PlayerCommand::TakeBank { seat, wager: post(random) }.by(player)),
        80..92 => Mind::Send(PlayerCommand::DeclineBank { seat }.by(player)),
        _ => Mind::Wait,
    }
}

fn post(random: &mut Random) -> Amount {
    Amount::cents(random.pick(&[1, 700, 2_500, 5_000, 20_000, 50_000]))
}

/// Returns the seats with a wager, and the banker's.
fn in_round(table: &Table) -> (Vec<Seat>, Option<Seat>) {
    let Some(round) = table.round() else { return Default::default() };
    let seats = round.view(Viewer::Rail).seats.iter().map(|seat| seat.seat).collect();
    // No other seat could post a bank now.
    let banks = |sitter: &&SeatedPlayer| {
        let (seat, player) = (sitter.seat, sitter.player.clone());
        round.refusal(&Action::Bank { seat, player, wager: Amount::cents(1) }).is_none()
    };
    (seats, table.seats().iter().find(banks).map(|sitter| sitter.seat))
}

fn betting(table: &Table, random: &mut Random) -> Mind {
    let (wagered, banker) = in_round(table);
    let has = |seat: Seat| wagered.contains(&seat) || banker == Some(seat);
    let mut waited = table.seats().iter().filter(|who| !who.out && !who.leaving);
    let Some(sitter) = waited.find(|sitter| !has(sitter.seat)) else {
        return bets_are_in(table, &wagered, banker, random);
    };
    let (seat, player) = (sitter.seat, sitter.player.clone());
    match random.below(100) {
        0..82 => Mind::Send(wager(seat, player, random)),
        82..86 => Mind::Send(commit(table, seat, player)),
        86..88 => Mind::Send(PlayerCommand::SitOut { seat }.by(player)),
        88..93 if !wagered.is_empty() => change(table, random.pick(&wagered), random),
        93..96 if banker.is_some() => {
            let seat = banker.unwrap_or(seat);
            let player = name_at(table, seat);
            Mind::Send(PlayerCommand::TakeBank { seat, wager: post(random) }.by(player))
        }
        _ => Mind::Wait,
    }
}

/// Asks for the cards: all seats have wagered, and the table has no clock.
fn bets_are_in(table: &Table, wagered: &[Seat], banker: Option<Seat>, random: &mut Random) -> Mind {
    let Some(&seat) = wagered.first() else { return Mind::Wait };
    match (random.below(100), banker) {
        (0..85, _) => Mind::Send(PlayerCommand::Deal {}.by(name_at(table, seat))),
        (85..90, Some(seat)) => {
            let player = name_at(table, seat);
            Mind::Send(PlayerCommand::TakeBank { seat, wager: post(random) }.by(player))
        }
        _ => change(table, random.pick(wagered), random),
    }
}

fn change(table: &Table, seat: Seat, random: &mut Random) -> Mind {
    let player = name_at(table, seat);
    Mind::Send(match random.below(3) {
        0 => PlayerCommand::Withdraw { seat }.by(player),
        1 => wager(seat, player, random),
        _ => commit(table, seat, player),
    })
}

fn wager(seat: Seat, player: String, random: &mut Random) -> Command {
    let bonus = if random.chance(400, 1000) { random.pick(&STAKES) } else { 0 };
    let (ante, bonus) = (Amount::cents(random.pick(&STAKES)), Amount::cents(bonus));
    PlayerCommand::Wager { seat, ante, blind: None, bonus }.by(player)
}

/// Returns a seat's seed, which is derived from its use, so that it can be revealed later.
fn seed(table: &Table, seat: Seat) -> Vec<u8> {
    format!("{}/{}/{}", table.name(), table.round_number(), seat.number()).into_bytes()
}

fn commit(table: &Table, seat: Seat, player: String) -> Command {
    let seed = seed(table, seat);
    let commitment = seat_commitment(table.name(), table.round_number(), seat, &seed);
    PlayerCommand::CommitSeed { seat, commitment }.by(player)
}

fn revealing(table: &Table, random: &mut Random) -> Mind {
    let Some(&seat) = table.to_reveal().first() else { return Mind::Wait };
    let player = name_at(table, seat);
    match random.below(100) {
        0..75 => {
            let seed = to_hex(&seed(table, seat));
            Mind::Send(PlayerCommand::RevealSeed { seat, seed }.by(player))
        }
        75..85 => {
            Mind::Send(PlayerCommand::RevealSeed { seat, seed: "00ff".to_owned() }.by(player))
        }
        85..88 if table.terms().clocks().is_none() => Mind::Send(PlayerCommand::Deal {}.by(player)),
        88..92 => Mind::Send(PlayerCommand::GiveUpSeed { seat }.by(player)),
        _ => Mind::Wait,
    }
}

fn deciding(table: &Table, random: &mut Random) -> Mind {
    let Some(round) = table.round() else { return Mind::Wait };
    let seats: Vec<Seat> = round.to_decide().collect();
    if seats.is_empty() || random.chance(15, 1000) {
        return Mind::Wait;
    }
    let seat = random.pick(&seats);
    let decisions = round.decisions(seat);
    // Bets cost chips and end the round soon; both lead to more rounds.
    let decision = if random.chance(650, 1000) { decisions.last() } else { decisions.first() };
    let decision = match decision {
        Some(&decision) if random.chance(800, 1000) => decision,
        _ if decisions.is_empty() => Decision::Fold,
        _ => random.pick(&decisions),
    };
    Mind::Send(PlayerCommand::Decide { seat, decision }.by(name_at(table, seat)))
}

/// Makes up a command that is wrong, or is sent at the wrong time.
pub(crate) fn wrong(table: &Table, random: &mut Random) -> Command {
    let seat = match table.seats() {
        seats if seats.is_empty() || random.chance(200, 1000) => {
            seat(random.pick(&[1, 2, 3, 4, 5, 6, 7, 8]))
        }
        seats => seats[random.below(seats.len())].seat,
    };
    let player =
        if random.chance(300, 1000) { person(random.below(PEOPLE)) } else { name_at(table, seat) };
    let amounts = [-500, 0, 1, 499, 501, 750, 10_500, 1_000_000, i64::MAX, i64::MIN];
    let mut amount = || Amount::cents(random.pick(&amounts));
    let (ante, bonus, other) = (amount(), amount(), amount());
    let good = Amount::cents(500);
    match random.below(14) {
        0 => PlayerCommand::Wager { seat, ante, blind: None, bonus: Amount::ZERO }.by(player),
        1 => PlayerCommand::Wager { seat, ante: good, blind: None, bonus }.by(player),
        2 => PlayerCommand::Wager { seat, ante: good, blind: Some(other), bonus: Amount::ZERO }
            .by(player),
        3 => PlayerCommand::Wager { seat, ante: good, blind: None, bonus: good }.by(player),
        4 => PlayerCommand::TakeBank { seat, wager: other }.by(player),
        5 => PlayerCommand::TakeBank { seat, wager: good }.by(player),
        6 => PlayerCommand::Withdraw { seat }.by(player),
        7 => {
            let decision = random.pick(&[Decision::Check, Decision::Fold, Decision::Bet(4)]);
            PlayerCommand::Decide { seat, decision }.by(player)
        }
        8 => PlayerCommand::Decide { seat, decision: Decision::Bet(u32::MAX) }.by(player),
        9 => PlayerCommand::Join { seat }.by(player),
        10 => PlayerCommand::RevealSeed { seat, seed: "not a seed".to_owned() }.by(player),
        11 => PlayerCommand::Deal {}.by(player),
        12 => PlayerCommand::SitIn { seat }.by(player),
        _ => PlayerCommand::DeclineBank { seat }.by(player),
    }
}

/// Makes up an operator's command.
pub(crate) fn operate(random: &mut Random) -> Command {
    let reason = "the operator says so".to_owned();
    match random.below(100) {
        0..50 => OperatorCommand::Void { reason }.into(),
        50..70 => OperatorCommand::Pause { reason }.into(),
        70..85 => OperatorCommand::Resume {}.into(),
        _ => OperatorCommand::Close { reason, alone: None }.into(),
    }
}
