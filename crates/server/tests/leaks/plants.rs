//! Leaks that are planted in what somebody was really told, to see that each is found.

use croupier_cards::Card;
use croupier_table::to_hex;
use serde_json::{Value, json};

use crate::heard::{Heard, Leak};
use crate::truth::{Round, Truth};

/// Something that was told with a leak in it, and what should be said of it.
pub(crate) struct Plant {
    pub(crate) name: &'static str,
    pub(crate) heard: Heard,
    pub(crate) leak: Leak,
}

/// Finds an answer that shows a round with cards out, hidden from its reader, with more of the
/// board to come if there is a board.
pub(crate) fn spot<'a>(heard: &'a [Heard], truth: &'a Truth) -> Option<(&'a Heard, &'a Round)> {
    heard.iter().find_map(|heard| {
        let json: Value = serde_json::from_slice(&heard.body).ok()?;
        let version = json["state"]["version"].as_u64()?;
        let round = truth.open_at(version)?;
        let sight = round.sight(version, heard.who.as_deref());
        let (own, seats) = (!sight.seats.is_empty(), round.seats.len());
        let to_come = round.board.is_empty() || sight.board.len() == 3;
        let hands = json["state"]["round"]["hands"].as_array()?;
        let offers = hands.iter().any(|hand| hand["decisions"].is_array());
        (own && offers && seats > 1 && to_come).then_some((heard, round))
    })
}

/// Plants leaks of all kinds in an answer, one in each copy.
pub(crate) fn all(heard: &Heard, round: &Round) -> Vec<Plant> {
    let mut plants = cards(heard, round);
    plants.extend(seeds(heard, round));
    plants.extend(hints(heard, round));
    plants
}

fn edited(heard: &Heard, edit: impl FnOnce(&mut Value)) -> Heard {
    let mut json = serde_json::from_slice(&heard.body).expect("JSON");
    edit(&mut json);
    Heard { body: json.to_string().into_bytes(), ..heard.clone() }
}

fn with_text(heard: &Heard, text: &str) -> Heard {
    edited(heard, |json| json["state"]["title"] = Value::from(text))
}

/// Returns the place of another seat's hand in an answer.
fn other(heard: &Heard, round: &Round) -> (usize, Card) {
    let own = |dealt: &&crate::truth::Dealt| Some(&*dealt.player) != heard.who.as_deref();
    let dealt = round.seats.iter().find(own).expect("somebody else");
    let json: Value = serde_json::from_slice(&heard.body).expect("JSON");
    let hands = json["state"]["round"]["hands"].as_array().expect("hands");
    let place = hands.iter().position(|hand| hand["seat"] == dealt.seat).expect("a hand");
    (place, dealt.hole[0])
}

fn glyph(card: Card) -> String {
    let text = card.to_string();
    let suit = match &text[1..] {
        "c" => '♣',
        "d" => '♦',
        "h" => '♥',
        _ => '♠',
    };
    format!("{}{suit}", &text[..1])
}

fn cards(heard: &Heard, round: &Round) -> Vec<Plant> {
    let (place, held) = other(heard, round);
    let dealer = round.dealer[0];
    let mut plants = vec![
        (
            "another hand",
            held,
            edited(heard, |json| {
                json["state"]["round"]["hands"][place]["cards"] = json!([held.to_string()]);
            }),
        ),
        (
            "the dealer's card",
            dealer,
            edited(heard, |json| {
                json["events"] = json!([{"event": "dealt", "up": dealer.to_string()}]);
            }),
        ),
        ("a card in small letters", dealer, with_text(heard, &dealer.to_string().to_lowercase())),
        ("a card in a sentence", dealer, with_text(heard, &format!("he has {dealer}, it seems"))),
        ("a card with a symbol", dealer, with_text(heard, &format!("he has{}!", glyph(dealer)))),
        (
            "a card as a name",
            dealer,
            edited(heard, |json| {
                json["state"][dealer.to_string()] = Value::from(true);
            }),
        ),
        (
            "the deck run together",
            dealer,
            with_text(heard, &{
                let deck: String = round.deck.iter().map(ToString::to_string).collect();
                format!("deck={deck}")
            }),
        ),
        ("a card in broken JSON", dealer, {
            let mut broken = heard.clone();
            broken.body.extend(format!(",[\"{dealer}\"").into_bytes());
            broken
        }),
        ("a card in a header", dealer, {
            let fields = format!("{{\"x-dealer\": \"{dealer}\"}}");
            Heard { head: fields.into_bytes(), ..heard.clone() }
        }),
    ];
    if let Some(&next) = round.board.get(3) {
        plants.push((
            "the next card",
            next,
            edited(heard, |json| {
                let board = json["state"]["round"]["community"].as_array_mut().expect("a board");
                board.push(Value::from(next.to_string()));
            }),
        ));
    }
    let plant = |(name, card, heard)| Plant { name, heard, leak: Leak::Card(card) };
    plants.into_iter().map(plant).collect()
}

/// Writes bytes in base64, without padding.
fn base64(bytes: &[u8], letters: &[u8; 64]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut bits: u32 = 0;
        for place in 0..3 {
            bits = bits << 8 | u32::from(group.get(place).copied().unwrap_or_default());
        }
        for place in 0..=group.len() {
            let letter = bits >> (18 - 6 * place) & 63;
            text.push(char::from(letters[letter as usize]));
        }
    }
    text
}

fn seeds(heard: &Heard, round: &Round) -> Vec<Plant> {
    const USUAL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const ADDRESS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let seed = &round.seed;
    let mut texts = vec![
        ("the seed", to_hex(seed)),
        ("the seed in capitals", to_hex(seed).to_uppercase()),
        ("half of the seed", to_hex(&seed[16..])),
        ("the seed after a digit", format!("7{}", to_hex(seed))),
    ];
    for before in 0..3 {
        let shifted = [&vec![7; before][..], seed].concat();
        texts.push(("the seed in base64", base64(&shifted, USUAL)));
        texts.push(("the seed in padded base64", format!("{}==", base64(&shifted, USUAL))));
        texts.push(("the seed in base64 for addresses", base64(&shifted, ADDRESS)));
        texts.push(("the seed after a letter", format!("v{}", base64(&shifted, ADDRESS))));
    }
    let mut plants: Vec<_> =
        texts.into_iter().map(|(name, text)| (name, with_text(heard, &text))).collect();
    plants.push(("the seed as numbers", edited(heard, |json| json["state"]["x"] = json!(seed))));
    let mut raw = heard.clone();
    raw.body.extend(seed);
    plants.push(("the seed as it is", raw));
    let fields = format!("{{\"etag\": \"{}\"}}", to_hex(seed)).into_bytes();
    plants.push(("the seed in a header", Heard { head: fields, ..heard.clone() }));
    let leak = Leak::Seed(round.number);
    plants.into_iter().map(|(name, heard)| Plant { name, heard, leak: leak.clone() }).collect()
}

fn hints(heard: &Heard, round: &Round) -> Vec<Plant> {
    let (place, _) = other(heard, round);
    let numbers: Vec<usize> = round.deck[..3].iter().map(|card| card.index()).collect();
    let hint = |text: String| Leak::Hint(text);
    let record = edited(heard, |json| json["record"] = round.record.clone());
    let decisions = edited(heard, |json| {
        json["state"]["round"]["hands"][place]["decisions"] = json!(["bet 1", "fold"]);
    });
    let indices = edited(heard, |json| json["state"]["x"] = json!(numbers));
    let word = edited(heard, |json| json["state"]["x"] = json!("full-house"));
    let field = edited(heard, |json| json["state"]["qualifies"] = json!(true));
    let telling = edited(heard, |json| json["telling"] = round.telling.clone());
    let words = edited(heard, |json| json["state"]["x"] = json!("a pair of kings"));
    let text = Value::from(numbers).to_string();
    vec![
        Plant { name: "the record", heard: record, leak: Leak::Record(round.number) },
        Plant { name: "the round in words", heard: telling, leak: hint("steps".to_owned()) },
        Plant {
            name: "a hand in words",
            heard: words,
            leak: hint("x: a pair of kings".to_owned()),
        },
        Plant { name: "what may be decided", heard: decisions, leak: Leak::Decisions },
        Plant { name: "numbers of cards", heard: indices, leak: hint(format!("x: {text}")) },
        Plant { name: "the name of a hand", heard: word, leak: hint("x: full-house".to_owned()) },
        Plant { name: "what the dealer has", heard: field, leak: hint("qualifies".to_owned()) },
    ]
}
