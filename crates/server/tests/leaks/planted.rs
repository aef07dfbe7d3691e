//! Leaks that are planted in real messages, to check that each is found.

use croupier_cards::Card;
use croupier_table::to_hex;
use serde_json::{Value, json};

use crate::received::{Leak, Received};
use crate::truth::{Round, Truth};

/// A message with a planted leak, and the finding it should cause.
pub(crate) struct PlantedLeak {
    pub(crate) name: &'static str,
    pub(crate) received: Received,
    pub(crate) leak: Leak,
}

/// Finds a response that shows a round with cards out, hidden from its reader, with more of the
/// board to come if there is a board.
pub(crate) fn spot<'a>(
    received: &'a [Received],
    truth: &'a Truth,
) -> Option<(&'a Received, &'a Round)> {
    received.iter().find_map(|received| {
        let json: Value = serde_json::from_slice(&received.body).ok()?;
        let version = json["state"]["version"].as_u64()?;
        let round = truth.open_at(version)?;
        let sight = round.sight(version, received.who.as_deref());
        let (own, seats) = (!sight.seats.is_empty(), round.seats.len());
        let to_come = round.board.is_empty() || sight.board.len() == 3;
        let hands = json["state"]["round"]["hands"].as_array()?;
        let offers = hands.iter().any(|hand| hand["decisions"].is_array());
        (own && offers && seats > 1 && to_come).then_some((received, round))
    })
}

/// Plants leaks of all kinds in a response, one in each copy.
pub(crate) fn all(received: &Received, round: &Round) -> Vec<PlantedLeak> {
    let mut planted = cards(received, round);
    planted.extend(seeds(received, round));
    planted.extend(hints(received, round));
    planted
}

fn edited(received: &Received, edit: impl FnOnce(&mut Value)) -> Received {
    let mut json = serde_json::from_slice(&received.body).expect("JSON");
    edit(&mut json);
    Received { body: json.to_string().into_bytes(), ..received.clone() }
}

fn with_text(received: &Received, text: &str) -> Received {
    edited(received, |json| json["state"]["title"] = Value::from(text))
}

/// Returns the index of another seat's hand in a response.
fn other(received: &Received, round: &Round) -> (usize, Card) {
    let own = |dealt: &&crate::truth::Dealt| Some(&*dealt.player) != received.who.as_deref();
    let dealt = round.seats.iter().find(own).expect("another player");
    let json: Value = serde_json::from_slice(&received.body).expect("JSON");
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

fn cards(received: &Received, round: &Round) -> Vec<PlantedLeak> {
    let (place, held) = other(received, round);
    let dealer = round.dealer[0];
    let mut planted = vec![
        (
            "another hand",
            held,
            edited(received, |json| {
                json["state"]["round"]["hands"][place]["cards"] = json!([held.to_string()]);
            }),
        ),
        (
            "the dealer's card",
            dealer,
            edited(received, |json| {
                json["events"] = json!([{"event": "dealt", "up": dealer.to_string()}]);
            }),
        ),
        (
            "a card in small letters",
            dealer,
            with_text(received, &dealer.to_string().to_lowercase()),
        ),
        (
            "a card in a sentence",
            dealer,
            with_text(received, &format!("that is {dealer}, it seems")),
        ),
        ("a card with a symbol", dealer, with_text(received, &format!("it is{}!", glyph(dealer)))),
        (
            "a card as a name",
            dealer,
            edited(received, |json| {
                json["state"][dealer.to_string()] = Value::from(true);
            }),
        ),
        (
            "the deck run together",
            dealer,
            with_text(received, &{
                let deck: String = round.deck.iter().map(ToString::to_string).collect();
                format!("deck={deck}")
            }),
        ),
        ("a card in broken JSON", dealer, {
            let mut broken = received.clone();
            broken.body.extend(format!(",[\"{dealer}\"").into_bytes());
            broken
        }),
        ("a card in a header", dealer, {
            let fields = format!("{{\"x-dealer\": \"{dealer}\"}}");
            Received { head: fields.into_bytes(), ..received.clone() }
        }),
    ];
    if let Some(&next) = round.board.get(3) {
        planted.push((
            "the next card",
            next,
            edited(received, |json| {
                let board = json["state"]["round"]["community"].as_array_mut().expect("a board");
                board.push(Value::from(next.to_string()));
            }),
        ));
    }
    let plant = |(name, card, received)| PlantedLeak { name, received, leak: Leak::Card(card) };
    planted.into_iter().map(plant).collect()
}

/// Encodes bytes in base64, without padding.
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

fn seeds(received: &Received, round: &Round) -> Vec<PlantedLeak> {
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
        texts.push(("the seed in URL-safe base64", base64(&shifted, ADDRESS)));
        texts.push(("the seed after a letter", format!("v{}", base64(&shifted, ADDRESS))));
    }
    let mut planted: Vec<_> =
        texts.into_iter().map(|(name, text)| (name, with_text(received, &text))).collect();
    planted
        .push(("the seed as numbers", edited(received, |json| json["state"]["x"] = json!(seed))));
    let mut raw = received.clone();
    raw.body.extend(seed);
    planted.push(("the raw seed", raw));
    let fields = format!("{{\"etag\": \"{}\"}}", to_hex(seed)).into_bytes();
    planted.push(("the seed in a header", Received { head: fields, ..received.clone() }));
    let leak = Leak::Seed(round.number);
    planted
        .into_iter()
        .map(|(name, received)| PlantedLeak { name, received, leak: leak.clone() })
        .collect()
}

fn hints(received: &Received, round: &Round) -> Vec<PlantedLeak> {
    let (place, _) = other(received, round);
    let numbers: Vec<usize> = round.deck[..3].iter().map(|card| card.index()).collect();
    let hint = |text: String| Leak::Hint(text);
    let record = edited(received, |json| json["record"] = round.record.clone());
    let decisions = edited(received, |json| {
        json["state"]["round"]["hands"][place]["decisions"] = json!(["bet 1", "fold"]);
    });
    let another = edited(received, |json| {
        json["state"]["round"]["hands"][place]["name"] = json!("pair of kings");
    });
    let early = edited(received, |json| {
        let hands = json["state"]["round"]["hands"].as_array_mut().expect("hands");
        let own = hands.iter_mut().find(|hand| hand["name"].is_string()).expect("an own hand");
        own["name"] = json!("a royal, with a pair of cards to come");
    });
    let choices = edited(received, |json| {
        json["state"]["round"]["hands"][place]["choices"] = json!([]);
    });
    let indices = edited(received, |json| json["state"]["x"] = json!(numbers));
    let word = edited(received, |json| json["state"]["x"] = json!("full-house"));
    let field = edited(received, |json| json["state"]["qualifies"] = json!(true));
    let telling = edited(received, |json| json["telling"] = round.telling.clone());
    let words = edited(received, |json| json["state"]["x"] = json!("a pair of kings"));
    let text = Value::from(numbers).to_string();
    vec![
        PlantedLeak { name: "the record", received: record, leak: Leak::Record(round.number) },
        PlantedLeak {
            name: "the round in words",
            received: telling,
            leak: hint("steps".to_owned()),
        },
        PlantedLeak {
            name: "a hand in words",
            received: words,
            leak: hint("x: a pair of kings".to_owned()),
        },
        PlantedLeak { name: "the allowed decisions", received: decisions, leak: Leak::Decisions },
        PlantedLeak { name: "the allowed choices", received: choices, leak: Leak::Decisions },
        PlantedLeak {
            name: "the name of another hand",
            received: another,
            leak: hint("name: pair of kings".to_owned()),
        },
        PlantedLeak {
            name: "a name from cards that are face down",
            received: early,
            leak: hint("name: a royal, with a pair of cards to come".to_owned()),
        },
        PlantedLeak {
            name: "numbers of cards",
            received: indices,
            leak: hint(format!("x: {text}")),
        },
        PlantedLeak {
            name: "the name of a hand",
            received: word,
            leak: hint("x: full-house".to_owned()),
        },
        PlantedLeak {
            name: "the dealer's hand",
            received: field,
            leak: hint("qualifies".to_owned()),
        },
    ]
}
