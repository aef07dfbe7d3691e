//! Examples of a round in progress: the cards each viewer sees.

use croupier_cards::Card;
use croupier_rules::{
    Action, Actor, Banking, Catalog, Decision, House, Record, Round, Seat, View, Viewer,
};

use crate::notation::Example;

/// Plays an example as far as its decisions go, and returns what each viewer sees then.
pub(crate) fn tell(example: &Example, catalog: &Catalog) -> Result<Vec<String>, String> {
    let record = example.record(catalog)?;
    let read = Record::read(&record.to_string(), catalog).map_err(|error| error.to_string())?;
    let deck = record["deck"].as_array().into_iter().flatten();
    let deck: Vec<Card> =
        deck.filter_map(|card| card.as_str()).filter_map(|card| card.parse().ok()).collect();
    let round = played(read.house(), example, &deck)?;

    let seats = example
        .seats
        .iter()
        .map(|seat| (format!("seat {}", seat.number), Viewer::Seat(named(seat.number))));
    let bank =
        (read.house().banking() != Banking::House).then(|| ("banker".to_owned(), Viewer::Bank));
    let rail = ("rail".to_owned(), Viewer::Rail);
    let viewers = seats.chain(bank).chain([rail]);
    let lines = viewers.map(|(name, viewer)| {
        let seen = seen(&round.view(viewer));
        let seen = if seen.is_empty() { "nothing".to_owned() } else { seen.join(" · ") };
        format!("{name:<8}sees    {seen}")
    });
    Ok(lines.collect())
}

/// Returns the cards in a view, with their owners.
fn seen(view: &View) -> Vec<String> {
    let mut seen = Vec::new();
    for seat in &view.seats {
        seen.extend(seat.cards.map(|cards| format!("{} {cards}", seat.seat)));
    }
    seen.extend(view.dealer.map(|cards| format!("dealer {cards}")));
    if !view.community.is_empty() {
        let board: Vec<String> = view.community.iter().map(ToString::to_string).collect();
        seen.push(format!("board {}", board.join(" ")));
    }
    seen
}

fn played(house: &House, example: &Example, deck: &[Card]) -> Result<Round, String> {
    let mut round = example.after_no_more_bets(house)?;
    let apply = |round: &mut Round, action| {
        round.apply(action).map(|_| ()).map_err(|refusal| refusal.to_string())
    };
    for &card in deck {
        if round.next_card().is_some() {
            apply(&mut round, Action::Deal(card))?;
        }
    }
    let mut actions: Vec<_> =
        example.seats.iter().map(|seat| (seat, seat.actions.iter())).collect();
    // Street by street: each seat decides once before the next street opens.
    loop {
        let waiting: Vec<Seat> = round.to_decide().collect();
        let mut moved = false;
        for seat in waiting {
            let own = actions.iter_mut().find(|(text, _)| named(text.number) == seat);
            let Some((text, decisions)) = own else { continue };
            let Some(decision) = decisions.next() else { continue };
            let (by, decision) = (Actor::Player(text.player()), decision_of(decision)?);
            apply(&mut round, Action::Decide { seat, by, decision })?;
            moved = true;
        }
        if !moved {
            return Ok(round);
        }
    }
}

fn decision_of(text: &str) -> Result<Decision, String> {
    match text.strip_prefix("bet ").map(str::parse) {
        Some(Ok(times)) => Ok(Decision::Bet(times)),
        _ if text == "check" => Ok(Decision::Check),
        _ if text == "fold" => Ok(Decision::Fold),
        _ => Err(format!("{text:?} is not a decision")),
    }
}

fn named(seat: u32) -> Seat {
    Seat::new(seat).expect("a seat")
}
