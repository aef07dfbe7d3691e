//! The lower half of an example: the engine's results, in the order in which they happened.

use croupier_rules::{
    Amount, Banking, Bet, Catalog, Decision, Event, FinishedRound, House, Outcome, Place, Record,
    RecordError, RoundResult, Seat, Settled, WagerResult,
};

use crate::notation::{self, Example};

/// Plays an example and returns the lines of its result.
pub(crate) fn tell(example: &Example, catalog: &Catalog) -> Result<Vec<String>, String> {
    let record = example.record(catalog)?.to_string();
    let record = match Record::read(&record, catalog) {
        Ok(record) => record,
        Err(error) => return Ok(vec![refused(&error)]),
    };
    let FinishedRound { events, result, .. } = match record.replay() {
        Ok(replayed) => replayed,
        Err(error) => return Ok(vec![refused(&error)]),
    };
    let mut lines = Vec::new();
    if example.deck.is_some() {
        lines.push(format!("{:<8}{}", "dealt", dealt(&events)));
    }
    for late in &example.late {
        lines.push(too_late(record.house(), example, late));
    }
    lines.extend(out_of_time(&events));
    lines.extend(settled(record.house(), &events));
    lines.push(format!("{:<8}{}", "net", nets(&result)));
    Ok(lines)
}

/// Returns why the round can't be played: a refusal by its code, another fault by its place.
fn refused(error: &RecordError) -> String {
    match error.refusal() {
        Some(refusal) => format!("refused: {}: {refusal}", refusal.code()),
        None => format!("error: {error}"),
    }
}

/// Returns where the cards went, with places in the order in which each got its first card.
fn dealt(events: &[Event]) -> String {
    let mut hands: Vec<(Place, Vec<String>)> = Vec::new();
    for event in events {
        let Event::Dealt { place, card } = event else { continue };
        match hands.iter_mut().find(|(known, _)| known == place) {
            Some((_, cards)) => cards.push(card.to_string()),
            None => hands.push((*place, vec![card.to_string()])),
        }
    }
    let hands = hands.into_iter().map(|(place, cards)| {
        let place = match place {
            Place::Seat(seat) => seat.to_string(),
            Place::Dealer => "dealer".to_owned(),
            Place::Community => "board".to_owned(),
        };
        format!("{place} {}", cards.join(" "))
    });
    hands.collect::<Vec<_>>().join(" · ")
}

/// Tries a wager after "no more bets", and returns the answer.
fn too_late(house: &House, example: &Example, late: &notation::Seat) -> String {
    let round = example.after_no_more_bets(house).expect("the record was played before");
    let answer = match round.refusal(&late.wager()) {
        Some(refusal) => format!("refused: {}: {refusal}", refusal.code()),
        None => "accepted".to_owned(),
    };
    format!("late    seat {} {answer}", late.number)
}

/// Returns the decisions that the table made for players.
fn out_of_time(events: &[Event]) -> impl Iterator<Item = String> {
    events.iter().filter_map(|event| match event {
        Event::Decided { seat, decision, by_table: true } => {
            let did = match decision {
                Decision::Check => "checks",
                Decision::Fold => "folds",
                Decision::Bet(_) => "bets",
            };
            Some(format!("seat {}  {did}, out of time", seat.number()))
        }
        _ => None,
    })
}

/// Returns the showdown and the results of the wagers. A seat's wagers share a line, as long as no
/// other seat comes between them.
fn settled(house: &House, events: &[Event]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open: Option<(Seat, String)> = None;
    let mut judged: Vec<(Seat, String)> = Vec::new();
    let mut dealer_shown = events.iter().any(|event| matches!(event, Event::Voided(_)));
    for event in events {
        if let Event::Settled { seat, bet, settled } = event {
            let told = wager(house, *bet, settled);
            match &mut open {
                Some((same, wagers)) if same == seat => wagers.extend([" · ", &told]),
                _ => {
                    lines.extend(open.take().map(|(_, wagers)| wagers));
                    // A seat's hand is listed with the first of its wagers.
                    let hand = judged.iter().position(|(known, _)| known == seat);
                    let hand = hand.map(|index| judged.remove(index).1);
                    let name = match &hand {
                        Some(_) => String::new(),
                        // Only folded seats are settled before the dealer's hand is turned.
                        None if judged.is_empty() && !dealer_shown => format!("{seat}  folded  "),
                        None => seat.to_string(),
                    };
                    lines.extend(hand);
                    open = Some((*seat, format!("{name:<8}{told}")));
                }
            }
            continue;
        }
        lines.extend(open.take().map(|(_, wagers)| wagers));
        match event {
            Event::DealerShown { shown, qualifies } => {
                dealer_shown = true;
                let but = if *qualifies { "" } else { ", does not qualify" };
                let best = words(&shown.best());
                lines.push(format!("dealer  shows   {best}  {}{but}", shown.strength));
            }
            Event::Judged { seat, outcome, shown } => {
                let did = match outcome {
                    Outcome::Win => "wins",
                    Outcome::Lose => "loses",
                    Outcome::Push => "ties",
                    Outcome::Fold => "had",
                    Outcome::Void => "void",
                };
                let (number, best) = (seat.number(), words(&shown.best()));
                let line = format!("seat {number}  {did:<8}{best}  {}", shown.strength);
                judged.push((*seat, line));
            }
            Event::Voided(reason) => lines.push(format!("void    {reason}")),
            _ => {}
        }
    }
    lines.extend(open.map(|(_, wagers)| wagers));
    lines
}

fn words(cards: &[croupier_cards::Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Returns the result of a wager in words.
fn wager(house: &House, bet: Bet, settled: &Settled) -> String {
    let Settled { staked, returned, result, uncovered } = *settled;
    let bet = match bet {
        Bet::Bonus => house.game().def().bonus.to_owned(),
        _ => bet.to_string(),
    };
    let minus = |one: Amount, other: Amount| one.minus(other).expect("small amounts");
    let short = match (uncovered, house.banking()) {
        (Amount::ZERO, _) => String::new(),
        (uncovered, Banking::House) => {
            let due = uncovered.plus(returned).and_then(|sum| sum.minus(staked));
            format!(" of {}, capped by the aggregate", due.expect("small amounts"))
        }
        (uncovered, Banking::PlayerDealer { .. }) => format!(", {uncovered} not covered"),
    };
    match result {
        WagerResult::Win => format!("{bet} wins {}{short}", minus(returned, staked)),
        WagerResult::Lose if returned == Amount::ZERO => format!("{bet} loses {staked}"),
        WagerResult::Lose => {
            format!("{bet} loses {}, {returned} returned", minus(staked, returned))
        }
        WagerResult::Push => format!("{bet} pushes"),
        WagerResult::Returned if uncovered == Amount::ZERO => {
            format!("{bet} returned, not covered")
        }
        WagerResult::Returned => format!("{bet} returned{short}"),
        WagerResult::Void => format!("{bet} returned"),
    }
}

fn nets(result: &RoundResult) -> String {
    let signed = |net: Amount| if net.is_positive() { format!("+{net}") } else { net.to_string() };
    let seats = result.seats.iter().map(|seat| format!("{} {}", seat.seat, signed(seat.net)));
    let bank = format!("bank {}", signed(result.bank.net));
    seats.chain([bank]).collect::<Vec<_>>().join(" · ")
}
