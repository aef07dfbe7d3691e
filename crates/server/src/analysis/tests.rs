//! The endpoints, called as a client calls them.

mod schema;

use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::FromRef;
use axum::http::{HeaderMap, Request, StatusCode, header};
use croupier_cards::parse_cards;
use croupier_odds::report::{AdviceReport, ChartReport, CostReport, OddsReport};
use croupier_odds::{BonusSheet, Holdem, Known, MainSheet, Strategy, Terms, ThreeCard, advise};
use croupier_rules::{Catalog, Game, Narration, Record};
use serde::Serialize;
use serde_json::{Value, json};
use tower::ServiceExt;

use self::schema::Description;
use super::{GAMES_WAITING, Solver, router};

const ROUNDS: &str = include_str!("../../../cli/tests/rounds.jsonl");
const EXPORTED: &str = include_str!("../../../../docs/exported.jsonl");

#[derive(Clone)]
struct Shop(Arc<Solver>);

impl FromRef<Shop> for Arc<Solver> {
    fn from_ref(shop: &Shop) -> Self {
        Self::clone(&shop.0)
    }
}

/// A client of a server with only these endpoints, with their description.
#[derive(Clone)]
struct Client {
    solver: Arc<Solver>,
    router: Router,
    description: Arc<Description>,
}

impl Client {
    fn new() -> Self {
        let solver = Arc::new(Solver::with_threads(Arc::new(Catalog::shipped()), 1));
        let (router, api) = router::<Shop>().split_for_parts();
        let description = Arc::new(Description(serde_json::to_value(api).expect("plain data")));
        let router = router.with_state(Shop(Arc::clone(&solver)));
        Self { solver, router, description }
    }

    async fn send(&self, request: Request<Body>) -> (StatusCode, HeaderMap, Value) {
        let response = self.router.clone().oneshot(request).await.expect("an answer");
        let (status, headers) = (response.status(), response.headers().clone());
        let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        (status, headers, serde_json::from_slice(&body).expect("JSON"))
    }

    /// Sends a request, and checks the response against the description.
    async fn ask(&self, method: &str, path: &str, body: Option<&str>) -> (StatusCode, Value) {
        let request = Request::builder().method(method).uri(path);
        let request = match body {
            Some(body) => request
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_owned())),
            None => request.body(Body::empty()),
        };
        let (status, headers, answer) = self.send(request.expect("a request")).await;
        let kind = headers[header::CONTENT_TYPE].to_str().expect("plain letters");
        let path = path.split('?').next().expect("a path");
        self.description.check(method, path, status.as_u16(), kind, &answer);
        (status, answer)
    }

    async fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask("GET", path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, Some(&body.to_string())).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    /// Sends a request that is refused, and returns the code and the text of the problem.
    async fn refused(&self, method: &str, path: &str, body: Option<&str>) -> (String, String) {
        let (status, problem) = self.ask(method, path, body).await;
        assert_eq!(problem["status"], status.as_u16(), "{problem}");
        assert!(status.is_client_error(), "{problem}");
        let text = |field: &str| problem[field].as_str().expect("a text").to_owned();
        (text("code"), format!("{} {}", text("detail"), problem["faults"]))
    }
}

#[tokio::test]
async fn long_responses_are_compressed_for_clients_that_accept_gzip() {
    let client = Client::new();
    let ask = |path: &str, encoding: &str| {
        let request = Request::builder().uri(path).header(header::ACCEPT_ENCODING, encoding);
        request.body(Body::empty()).expect("a request")
    };
    let (_, _, plain) = client.send(ask("/api/houses", "identity")).await;
    let response = client.router.clone().oneshot(ask("/api/houses", "br, gzip")).await;
    let response = response.expect("an answer");
    assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
    let short = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    assert!(short.len() * 2 < plain.to_string().len(), "{} bytes", short.len());
    let long: Value =
        serde_json::from_reader(flate2::read::GzDecoder::new(&short[..])).expect("JSON");
    assert_eq!(long, plain);
    // Short responses and errors are not compressed.
    let (_, headers, _) = client.send(ask("/api/paytables/UTH", "gzip")).await;
    assert!(!headers.contains_key(header::CONTENT_ENCODING));
    let (status, headers, _) = client.send(ask("/api/houses/nowhere", "gzip")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(!headers.contains_key(header::CONTENT_ENCODING));
}

fn usual(game: Game) -> Terms {
    let blind = Terms::usual_blind(game);
    Terms::new(game, Catalog::shipped().paytable(blind).expect("a table").clone()).expect("terms")
}

fn holdem() -> Holdem {
    Holdem::solve(usual(Game::Uth), NonZero::new(2).expect("two"))
}

/// Returns the JSON that a command prints, without the time it took.
fn printed(value: &impl Serialize) -> Value {
    // Parsed from text as a client does, so that floats are rounded alike.
    let text = serde_json::to_string(value).expect("plain data");
    timeless(serde_json::from_str(&text).expect("JSON"))
}

fn timeless(mut answer: Value) -> Value {
    if let Some(fields) = answer.as_object_mut()
        && let Some(seconds) = fields.shift_remove("seconds")
    {
        assert!(seconds.as_f64().is_some_and(|seconds| seconds >= 0.0));
    }
    answer
}

#[tokio::test]
async fn houses_and_pay_tables_are_those_of_the_catalog() {
    let (client, catalog) = (Client::new(), Catalog::shipped());
    assert_eq!(client.get("/api/houses").await, printed(&catalog.houses().collect::<Vec<_>>()));
    assert_eq!(client.get("/api/paytables").await, printed(&catalog.paytables()));
    for house in catalog.houses() {
        let page = client.get(&format!("/api/houses/{}", house.id())).await;
        for (field, value) in printed(house).as_object().expect("an object") {
            assert_eq!(page[field], *value, "{field}");
        }
        assert_eq!(page["paytables"][0], printed(house.blind_paytable()));
        assert_eq!(
            page["paytables"].as_array().map(Vec::len),
            Some(1 + house.bonus_paytables().len())
        );
        let placard = house.placard();
        let line = page["placard"].as_array().and_then(|lines| lines.last()).expect("a line");
        let (name, text) = placard.last().expect("a line");
        assert_eq!(*line, json!({"name": name, "text": text}));
    }
    for table in catalog.paytables() {
        let page = client.get(&format!("/api/paytables/{}", table.id())).await;
        assert_eq!(page, printed(table));
    }
    let strategies = client.get("/api/strategies").await;
    assert_eq!(strategies.as_array().map(Vec::len), Some(Strategy::SHIPPED.len()));
    assert_eq!(strategies[0]["text"], Strategy::SHIPPED[0].1);
}

#[tokio::test]
async fn odds_are_what_the_solver_finds() {
    let (client, catalog) = (Client::new(), Catalog::shipped());
    let answer = client.post("/api/odds", &json!({"game": "uth"})).await;
    let edge = answer["main"]["edge"].as_f64().expect("a number");
    assert_eq!(format!("{:.5}", 100.0 * edge), "2.18497");
    let (terms, solved) = (usual(Game::Uth), holdem());
    let main = MainSheet::new(&terms, solved.outcomes());
    let table = catalog.paytable("UTH-01").expect("a table");
    let bonus = BonusSheet::new(Game::Uth, table, &main).expect("a sheet");
    assert_eq!(timeless(answer), printed(&OddsReport::new(&terms, table, &main, &bonus, 0.0)));

    let standard = client.post("/api/odds", &json!({"house": "uth-standard"})).await;
    assert_eq!(standard["main"]["edge"].as_f64(), Some(edge));
    let mine = json!({
        "game": "utcp",
        "bonus": {"id": "MINE", "title": "mine", "source": "me", "bet": "pair-plus",
            "pays": {"high-card": "1:3", "pair": "1:3", "flush": "1:3", "straight": "1:3",
                "three-of-a-kind": "1:3", "straight-flush": "1:3", "mini-royal": "1:3"}},
    });
    let answer = client.post("/api/odds", &mine).await;
    assert_eq!(answer["main"]["ev"], json!({"numerator": "-690084", "denominator": "12724075"}));
    assert_eq!(answer["bonus"], "MINE");
    assert_eq!(answer["bonus_bet"]["standard_deviation"], 0.0, "it always pays the same");
    assert_eq!(answer["bonus_bet"]["with_main"]["correlation"], Value::Null);
}

#[tokio::test]
async fn advice_is_what_the_solver_finds() {
    let client = Client::new();
    for (game, hand, board, dead, dealer) in [
        (Game::Uth, "Ad Jh", "", "", ""),
        (Game::Uth, "Ad Jh", "", "Kc 2s", "3d"),
        (Game::Uth, "Ad Jh", "4s 5h 6d", "", ""),
        (Game::Uth, "Ad Jh", "4s 5h 6d 8c 9d", "", ""),
        (Game::Utcp, "Ad Jh 2c", "", "Kc", "As Ks"),
    ] {
        let known = Known {
            hand: parse_cards(hand).expect("cards"),
            board: parse_cards(board).expect("cards"),
            dead: parse_cards(dead).expect("cards"),
            dealer: parse_cards(dealer).expect("cards"),
        };
        let found = advise(&usual(game), &known).expect("a spot");
        let ask = json!({"game": game.id(), "hand": hand, "board": board, "dead": dead,
            "dealer": dealer});
        let answer = client.post("/api/advise", &ask).await;
        assert_eq!(answer, printed(&AdviceReport::from(&found)), "{ask}");
    }
    // Five spots are cached, and the same spot in other suits is the first of them.
    let same = json!({"house": "uth-standard", "hand": "jc as"});
    assert_eq!(client.post("/api/advise", &same).await["best"], "bet 4");
    assert_eq!(client.solver.answers.len(), 5);
    let fewer = json!({"game": "uth", "hand": "Ad Jh", "raises": [3], "qualifying": false});
    assert_eq!(client.post("/api/advise", &fewer).await["best"], "bet 3");
}

#[tokio::test]
async fn charts_and_costs_are_what_the_solver_finds() {
    let client = Client::new();
    let solved = holdem();
    assert_eq!(client.get("/api/charts/uth").await, printed(&ChartReport::holdem(&solved)));
    let three = ThreeCard::solve(usual(Game::Utcp));
    assert_eq!(client.get("/api/charts/utcp").await, printed(&ChartReport::three_card(&three)));
    let chart = client.get("/api/charts/utcp?raises=1,2&qualifying=false&blind=UTCP").await;
    assert_eq!([&chart["raises"], &chart["qualifying"]], [&json!([1, 2]), &json!(false)]);

    let short = Strategy::shipped("short").expect("a strategy");
    let cost = solved.cost(&short).expect("it can be played");
    let expected = printed(&CostReport::new(&short, solved.terms(), &cost, 0.0));
    let by_id = client.post("/api/cost", &json!({"strategy": "short"})).await;
    assert_eq!(timeless(by_id), expected);
    let text = Strategy::SHIPPED[2].1;
    let own = client.post("/api/cost", &json!({"strategy": text, "house": "utcp-standard"})).await;
    assert_eq!([&own["strategy"], &own["cost"]], [&json!("utcp-short"), &json!(0.0)]);
}

#[tokio::test]
async fn rounds_are_replayed_told_and_verified() -> Result<(), Box<dyn std::error::Error>> {
    let (client, catalog) = (Client::new(), Catalog::shipped());
    let round = ROUNDS.lines().next().expect("a round");
    let record = Record::read(round, &catalog).expect("a record");
    let result = record.replay().expect("a round").result;
    let (status, answer) = client.ask("POST", "/api/replay", Some(round)).await;
    assert_eq!(status, StatusCode::OK);
    let printed: Value = serde_json::from_str(&record.with_result(&result)).expect("JSON");
    assert_eq!(answer, printed);
    assert_eq!(client.post("/api/replay", &answer).await, answer);

    let told = client.post("/api/tell", &answer).await;
    assert_eq!(told, serde_json::to_value(Narration::of(&record)?)?);
    assert_eq!(told["call"], "The dealer has a pair of kings.");
    for round in EXPORTED.lines() {
        let (status, told) = client.ask("POST", "/api/tell", Some(round)).await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }

    let exported = EXPORTED.lines().next().expect("a round");
    let (_, verdict) = client.ask("POST", "/api/verify", Some(exported)).await;
    assert_eq!([&verdict["verified"], &verdict["unrevealed"]], [&json!(true), &json!([])]);
    let mut forged: Value = serde_json::from_str(exported).expect("JSON");
    forged["seats"][0]["player"] = json!("mallory");
    let verdict = client.post("/api/verify", &forged).await;
    assert_eq!([&verdict["verified"], &verdict["field"]], [&json!(false), &json!("journal_hash")]);
    let verdict = client.post("/api/verify", &json!({})).await;
    assert_eq!(verdict["verified"], false);
    Ok(())
}

#[tokio::test]
async fn an_invalid_question_is_a_problem_with_its_code() {
    let client = Client::new();
    let too_many: Vec<u32> = (1..=11).collect();
    let rules = "[[river]]\nouts-at-most = 0\nthen = \"bet 1\"\n".repeat(33);
    let endless = format!(
        "id = \"x\"\ntitle = \"x\"\nsource = \"x\"\ngame = \"uth\"\nbefore-flop = \"best\"\n\
         flop = \"best\"\n{rules}"
    );
    let faulty = json!({"id": "X", "bet": "blind", "pays": {"flsh": "1:0"}});
    let sevens = json!({"id": "X", "title": "x", "source": "x", "bet": "blind",
        "pays": {"flush": "1:9999991", "straight": "1:9999973"}});
    for (path, body, code, words) in [
        ("/api/odds", json!([]), "malformed", "a JSON object"),
        ("/api/odds", json!(["uth", null, null, null, null, null]), "malformed", "a JSON object"),
        ("/api/odds", json!({"game": "bridge"}), "malformed", "bridge"),
        ("/api/odds", json!({"game": "uth", "colour": "red"}), "malformed", "colour"),
        ("/api/odds", json!({"game": "uth", "blind": 7}), "malformed", "a pay table is an id"),
        ("/api/odds", json!({}), "bad-terms", "name a game"),
        ("/api/odds", json!({"game": "uth", "house": "utcp-standard"}), "bad-terms", "utcp"),
        ("/api/odds", json!({"house": "mine"}), "no-such-house", "write one of"),
        ("/api/odds", json!({"game": "uth", "blind": "X"}), "no-such-house", "write one of"),
        ("/api/odds", json!({"game": "uth", "blind": "UTH-01"}), "bad-terms", "not for blind"),
        ("/api/odds", json!({"game": "uth", "bonus": "UTH"}), "bad-terms", "not for trips"),
        ("/api/odds", json!({"game": "uth", "blind": faulty}), "bad-terms", "title: it is missing"),
        ("/api/odds", json!({"game": "uth", "blind": sevens}), "bad-terms", "too fine"),
        ("/api/odds", json!({"game": "uth", "raises": []}), "bad-terms", "raises: "),
        ("/api/odds", json!({"game": "uth", "raises": [2.5]}), "malformed", "2.5 is not"),
        ("/api/odds", json!({"game": "uth", "raises": [-1]}), "malformed", "-1 is not"),
        ("/api/odds", json!({"game": "uth", "raises": too_many}), "bad-terms", "at most 10"),
        ("/api/advise", json!({"game": "uth"}), "malformed", "hand"),
        ("/api/advise", json!({"game": "uth", "hand": "As"}), "bad-spot", "2 cards"),
        ("/api/advise", json!({"game": "uth", "hand": "As Xx"}), "bad-spot", "hand: \"Xx\""),
        ("/api/advise", json!({"game": "uth", "hand": "As Ks", "dead": "As"}), "bad-spot", "also"),
        ("/api/advise", json!({"game": "uth", "hand": " ".repeat(257)}), "bad-spot", "256"),
        ("/api/cost", json!({"strategy": "long"}), "no-such-house", "short, croupier"),
        ("/api/cost", json!({"strategy": "id = 7"}), "bad-terms", "strategy: "),
        ("/api/cost", json!({"strategy": "\n".repeat(16_385)}), "bad-terms", "16384"),
        ("/api/cost", json!({"strategy": endless}), "bad-terms", "32 rules"),
        ("/api/cost", json!({"strategy": "utcp-short", "raises": [1]}), "bad-terms", "bets 3x"),
        ("/api/replay", json!({"format": "x"}), "bad-record", ""),
        ("/api/replay", json!([]), "malformed", "a JSON object"),
        ("/api/tell", json!({"format": "x"}), "bad-record", ""),
        ("/api/verify", json!("round"), "malformed", "a JSON object"),
    ] {
        let found = client.refused("POST", path, Some(&body.to_string())).await;
        assert_eq!(found.0, code, "{path} {body}: {}", found.1);
        assert!(found.1.contains(words), "{path} {body}: {}", found.1);
    }
    for (path, code) in [
        ("/api/houses/none", "no-such-house"),
        ("/api/paytables/none", "no-such-house"),
        ("/api/paytables/%ff", "bad-parameter"),
        ("/api/charts/bridge", "bad-parameter"),
        ("/api/charts/uth?raises=x", "bad-parameter"),
        ("/api/charts/uth?raises=+3", "bad-parameter"),
        ("/api/charts/uth?colour=red", "bad-parameter"),
        ("/api/charts/uth?house=utcp-standard", "bad-terms"),
        ("/api/charts/uth?raises=0", "bad-terms"),
    ] {
        assert_eq!(client.refused("GET", path, None).await.0, code, "{path}");
    }
    let plain = Request::post("/api/odds").body(Body::from("{}")).expect("a request");
    assert_eq!(client.send(plain).await.2["code"], "not-json");
    assert_eq!(client.refused("POST", "/api/odds", Some("{")).await.0, "malformed");
}

#[tokio::test]
async fn identical_questions_at_once_share_one_answer() {
    let client = Client::new();
    let asked = (0..8).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { client.post("/api/odds", &json!({"game": "uth"})).await })
    });
    let mut answers = Vec::new();
    for answer in asked.collect::<Vec<_>>() {
        answers.push(answer.await.expect("an answer"));
    }
    // Each report says how long it took, so equal reports are one report.
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(client.solver.answers.len(), 1);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test measures time")]
async fn a_repeated_question_is_answered_from_the_cache() {
    let client = Client::new();
    let first = client.post("/api/odds", &json!({"game": "uth"})).await;
    let start = Instant::now();
    let spelt = json!({"qualifying": true, "raises": [4, 3.0], "blind": "UTH",
        "house": "uth-standard", "bonus": "UTH-01"});
    assert_eq!(client.post("/api/odds", &spelt).await, first);
    assert!(start.elapsed() < Duration::from_millis(100), "it took {:?}", start.elapsed());
}

#[tokio::test]
async fn a_question_is_answered_after_its_client_gives_up() {
    let client = Client::new();
    let asking = client.get("/api/charts/uth");
    let waited = tokio::time::timeout(Duration::from_millis(5), asking).await;
    assert!(waited.is_err(), "a game takes longer");
    for _ in 0..600 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        if client.solver.answers.len() == 1 {
            return;
        }
    }
    panic!("the question was dropped");
}

#[tokio::test]
async fn a_question_is_refused_as_busy_when_the_queue_is_full() {
    let client = Client::new();
    let places = u32::try_from(1 + GAMES_WAITING).expect("a few");
    let all = client.solver.games.capacity.clone().try_acquire_many_owned(places).expect("room");
    let ask = Request::post("/api/odds").header(header::CONTENT_TYPE, "application/json");
    let ask = ask.body(Body::from(r#"{"game": "utcp"}"#)).expect("a request");
    let (status, headers, problem) = client.send(ask).await;
    assert_eq!((status.as_u16(), &problem["code"]), (503, &json!("busy")));
    assert_eq!(headers[header::RETRY_AFTER], "2");
    // A player who is about to decide does not wait for games to be solved.
    client.post("/api/advise", &json!({"game": "utcp", "hand": "As Kd 2c"})).await;
    drop(all);
    client.post("/api/odds", &json!({"game": "utcp"})).await;
}
