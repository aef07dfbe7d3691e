//! Invalid input, and its results: a problem that says what is wrong, or a closed connection. The
//! server continues as if nothing had happened.

use std::net::SocketAddr;
use std::time::Duration;

use croupier_server::{Config, Limits, Server, Timeouts};
use croupier_testing::{Client, Reply};
use hyper::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::harness::{
    LogCapture, config, endpoints, join, private_table, server, staffed, staffed_over_postgresql,
};

/// The maximum duration of anything before the test fails.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Asserts that a response is a success or a well-formed problem, and returns its code.
#[track_caller]
fn proper(reply: &Reply) -> String {
    let said = String::from_utf8_lossy(&reply.body).into_owned();
    assert!(reply.status.as_u16() < 500, "{}: {said}", reply.status);
    if reply.status.is_success() {
        return String::new();
    }
    assert_eq!(reply.headers["content-type"], "application/problem+json", "{said}");
    let problem = reply.json();
    assert_eq!(problem["status"], reply.status.as_u16(), "{said}");
    assert!(problem["detail"].as_str().is_some_and(|words| !words.is_empty()), "{said}");
    let known = croupier_server::Code::ALL.iter().find(|code| code.name() == reply.code());
    if let Some(code) = known {
        assert_eq!(code.status(), reply.status, "{said}");
    } else {
        assert_eq!(reply.status, 409, "a table refuses: {said}");
    }
    assert!(!said.contains("panicked") && !said.contains("src/"), "{said}");
    reply.code()
}

/// Asserts that the server is still running, and that nothing broke in it.
async fn goes_on(server: Server) {
    assert_eq!(Client::new(server.address()).get("/healthz").await.status, 200);
    let guest = Client::guest(server.address()).await;
    guest.get("/api/me").await.good();
    LogCapture::assert_no_errors();
    timeout(TIMEOUT, server.stop()).await.expect("it stops");
}

/// Sends raw bytes, and returns everything that comes back until the connection is closed.
async fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    // The server may have hung up already.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let read = timeout(TIMEOUT, stream.read_to_end(&mut answer)).await;
    let _ = read.expect("an end");
    String::from_utf8_lossy(&answer).into_owned()
}

async fn send(visitor: &Client, method: &str, path: &str, kind: &str, body: &[u8]) -> Reply {
    let method = Method::from_bytes(method.as_bytes()).expect("a method");
    let headers = [("content-type", kind)];
    let headers = if kind.is_empty() { &headers[..0] } else { &headers[..] };
    visitor.send(method, path, headers, body.to_vec()).await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_bodies_are_refused_everywhere() {
    let (server, operator) = staffed(config()).await;
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let deep_object = format!("{}1{}", "{\"then\":".repeat(5_000), "}".repeat(5_000));
    let wide = format!("{{{}\"a\":1}}", "\"a\":1,".repeat(5_000));
    let bodies: [&[u8]; 18] = [
        b"",
        b"{",
        b"{}}",
        b"null",
        b"true",
        b"7",
        b"\"text\"",
        b"[]",
        b"[1, 2]",
        b"{\"command\": 7, \"name\": [], \"house\": 1e400}",
        b"{\"a\": \"\xff\xfe\"}",
        b"\xef\xbb\xbf{}",
        b"{\"a\": \"\\ud800\"}",
        b"\x00",
        b"{\"command\": \"nothing\", \"seat\": 1}",
        deep.as_bytes(),
        deep_object.as_bytes(),
        wide.as_bytes(),
    ];
    let mut tried = 0;
    for endpoint in endpoints().iter().filter(|endpoint| endpoint.changes()) {
        let takes_a_body = endpoint.operation.contains_key("requestBody");
        let path = endpoint.filled("k7m2xq4w9p3c");
        // The session must not end with the first request that succeeds.
        let guest = Client::guest(server.address()).await;
        let sender = if endpoint.tag == "operator" { &operator } else { &guest };
        for body in bodies {
            let reply = send(sender, &endpoint.method, &path, "application/json", body).await;
            let code = proper(&reply);
            // A body that is not a round is reported as not verified, with a success status.
            let judged = endpoint.path == "/api/verify" && body.starts_with(b"{");
            if takes_a_body && !judged {
                let said = String::from_utf8_lossy(body);
                assert!(!code.is_empty(), "{} accepts {said}", endpoint.path);
            }
            tried += 1;
        }
        if takes_a_body {
            for kind in ["", "text/plain", "application/x-www-form-urlencoded", "application"] {
                let reply = send(sender, &endpoint.method, &path, kind, b"{}").await;
                assert_eq!(proper(&reply), "not-json", "{} as {kind}", endpoint.path);
            }
        }
    }
    assert!(tried > 300, "{tried}");
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn giant_bodies_are_refused_with_a_length_and_without() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    let spaces = vec![b' '; 1_500_000];
    for endpoint in endpoints().iter().filter(|endpoint| {
        endpoint.operation.contains_key("requestBody") && endpoint.tag != "operator"
    }) {
        let path = endpoint.filled("k7m2xq4w9p3c");
        let method = Method::from_bytes(endpoint.method.as_bytes()).expect("a method");
        let headers = [("content-type", "application/json")];
        // The response may come before the body is sent, and the connection may close then.
        if let Ok(reply) = guest.send(method, &path, &headers, spaces.clone()).await {
            assert_eq!(proper(&reply), "too-large", "{path}");
        }
    }
    let head = "POST /api/guests HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    let mut chunked = format!("{head}transfer-encoding: chunked\r\n\r\n").into_bytes();
    for _ in 0..100 {
        chunked.extend(b"4000\r\n");
        chunked.extend(vec![b' '; 0x4000]);
        chunked.extend(b"\r\n");
    }
    let answer = raw(server.address(), &chunked).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413 "), "{answer}");
    // A body that only claims to be large is refused before it is sent.
    let lie = format!("{head}content-length: 9999999999\r\n\r\n");
    let answer = raw(server.address(), lie.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("too-large"), "{answer}");
    // A body of exactly the maximum size is accepted.
    let mut body = b"{\"bearer\": true}".to_vec();
    body.resize(64 * 1024, b' ');
    send(&guest, "POST", "/api/guests", "application/json", &body).await.good();
    body.push(b' ');
    let reply = send(&guest, "POST", "/api/guests", "application/json", &body).await;
    assert_eq!(proper(&reply), "too-large");
    assert_eq!(reply.headers["connection"], "close", "the rest of the body is not read");
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn out_of_range_numbers_and_words_are_refused() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    let (table, invite) = private_table(&guest, "uth-standard").await;
    join(&guest, &table, &invite, 1).await.good();
    let path = format!("/api/tables/{table}/commands");
    for seat in
        ["-1", "0", "9", "1.5", "4294967297", "1e99", "\"1\"", "null", "99999999999999999999"]
    {
        let body = format!("{{\"command\": \"join\", \"seat\": {seat}}}");
        let reply = send(&guest, "POST", &path, "application/json", body.as_bytes()).await;
        let code = proper(&reply);
        let right = if seat == "9" { "no-such-seat" } else { "malformed" };
        assert!(code == right || code == "malformed", "{seat}: {code}");
    }
    for ante in
        ["-500", "0", "9223372036854775807", "9223372036854775808", "1e308", "-0", "\"500\"", "[]"]
    {
        for bet in ["ante", "bonus", "blind"] {
            let body = match bet {
                "ante" => format!("{{\"command\":\"wager\",\"seat\":1,\"ante\":{ante}}}"),
                bet => {
                    format!("{{\"command\":\"wager\",\"seat\":1,\"ante\":500,\"{bet}\":{ante}}}")
                }
            };
            let reply = send(&guest, "POST", &path, "application/json", body.as_bytes()).await;
            let code = proper(&reply);
            let nothing = bet == "bonus" && (ante == "0" || ante == "-0");
            assert_eq!(code.is_empty(), nothing, "{body}: {code}");
        }
    }
    for decision in ["raise", "bet", "bet 0", "bet 1000", "bet -1", "bet 18446744073709551616", ""]
    {
        let wish = json!({"command": "decide", "seat": 1, "decision": decision});
        assert!(!proper(&guest.post(&path, &wish).await).is_empty(), "{decision}");
    }
    for (round, turn) in [(u64::MAX, json!(0)), (0, json!(u64::MAX)), (1, json!(-1))] {
        let then = json!({"command": "deal"});
        let wish = json!({"command": "expecting", "round": round, "turn": turn, "then": then});
        let code = proper(&guest.post(&path, &wish).await);
        assert!(["moved-on", "malformed"].contains(&&*code), "{round} {turn}: {code}");
    }
    let mut nested = json!({"command": "deal"});
    for _ in 0..50 {
        nested = json!({"command": "expecting", "round": 1, "then": nested});
    }
    assert_eq!(proper(&guest.post(&path, &nested).await), "moved-on");
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_have_visible_characters() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    let (table, _) = private_table(&guest, "uth-standard").await;
    let path = format!("/api/tables/{table}/commands");
    let join = json!({"command": "join", "seat": 1}).to_string();
    let long = "k".repeat(201);
    for key in ["", "a b", "a\tb", "\u{e4}", &long] {
        for (path, body) in [(&*path, &*join), ("/api/tables", "{\"house\": \"uth-standard\"}")] {
            let headers = [("content-type", "application/json"), ("idempotency-key", key)];
            let sent = guest.send(Method::POST, path, &headers, body.into()).await;
            assert_eq!(proper(&sent.expect("an answer")), "bad-key", "{key:?}");
        }
    }
    let longest = "~".repeat(200);
    let headers = [("content-type", "application/json"), ("idempotency-key", &*longest)];
    for repeated in [false, true] {
        let sent = guest.send(Method::POST, &path, &headers, join.clone().into_bytes()).await;
        assert_eq!(sent.expect("an answer").good()["repeated"], repeated);
    }
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_twice_with_one_key_opens_one_table() {
    let limits = Limits { tables_per_player: 1, ..config().limits };
    let server = server(Config { limits, ..config() }).await;
    let guest = Client::guest(server.address()).await;
    let open = |body: Value| {
        let guest = guest.clone();
        async move {
            let headers = [("content-type", "application/json"), ("idempotency-key", "one")];
            let body = body.to_string().into_bytes();
            guest.send(Method::POST, "/api/tables", &headers, body).await.expect("an answer")
        }
    };
    let wish = json!({"house": "uth-standard", "title": "ours"});
    let first = open(wish.clone()).await.good();
    assert_eq!(open(wish).await.good()["table"], first["table"]);
    for other in [
        json!({"house": "uth-standard", "title": "theirs"}),
        json!({"house": "uth-standard", "title": "ours", "public": true}),
        json!({"house": "utcp-standard", "title": "ours"}),
    ] {
        assert_eq!(proper(&open(other).await), "key-reused");
    }
    let another = guest.post("/api/tables", &json!({"house": "uth-standard"})).await;
    assert_eq!(proper(&another), "too-many-tables");
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_addresses_get_a_problem() {
    let (server, operator) = staffed(config()).await;
    lead_nowhere(server, operator).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_addresses_get_a_problem_over_postgresql() {
    let (server, operator) = staffed_over_postgresql(config()).await;
    lead_nowhere(server, operator).await;
}

async fn lead_nowhere(server: Server, operator: Client) {
    let guest = Client::guest(server.address()).await;
    let long = "a".repeat(3_000);
    let odd = [
        "%00",
        "..",
        "%2e%2e",
        "%2F..%2F",
        "a%20b",
        "%ff",
        "%C3%A4",
        "-1",
        "0",
        "a%00b",
        "'--",
        "%F0%9F%82%A1",
        "18446744073709551615",
        "18446744073709551616",
        "~",
        "{table}",
        &long,
    ];
    for endpoint in endpoints().iter().filter(|endpoint| endpoint.path.contains('{')) {
        for part in odd {
            let path = endpoint.filled(part);
            for sender in [&guest, &operator] {
                let body = json!({"command": "join", "seat": 1});
                let body = if endpoint.tag == "operator" { json!({"reason": "x"}) } else { body };
                let method = Method::from_bytes(endpoint.method.as_bytes()).expect("a method");
                let reply = sender.send_json(method, &path, &body).await;
                proper(&reply);
            }
        }
    }
    for path in ["/api", "/api/", "/api/me/", "//api/me", "/api/../api/me", "/API/ME", "/api/me%00"]
    {
        assert_eq!(proper(&guest.get(path).await), "no-such-endpoint", "{path}");
    }
    let queries = ["x=1", "before=x", "before=1.%00.1.1", "before=1.t.99999999999999999999.1"];
    for query in queries {
        let reply = guest.get(&format!("/api/me/rounds?{query}")).await;
        assert!(["bad-parameter", ""].contains(&&*proper(&reply)), "{query}");
    }
    for query in ["after=%00", "after=%ff", "house=%00", "house=&house=", "x", "&&&", "after=~"] {
        proper(&guest.get(&format!("/api/tables?{query}")).await);
        proper(&operator.get(&format!("/api/operator/tables?{query}")).await);
    }
    for query in [
        "from=-9223372036854775808&to=9223372036854775807",
        "from=9223372036854775807",
        "from=9223372036854775808",
        "format=xml",
        "to=-1&format=csv",
    ] {
        for report in ["takings", "events", "in-play"] {
            proper(&operator.get(&format!("/api/operator/reports/{report}?{query}")).await);
        }
    }
    let unknown = guest.get("/api/tables?nonsense=1").await;
    assert_eq!(proper(&unknown), "bad-parameter");
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_impossible_version_is_accepted_or_refused() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    let (table, invite) = private_table(&guest, "uth-standard").await;
    let path = format!("/api/tables/{table}/events");
    for id in ["", "x", "-1", "1.0", "18446744073709551616", "1 1", "\u{e4}"] {
        let reply = guest.send(Method::GET, &path, &[("last-event-id", id)], Vec::new()).await;
        assert_eq!(proper(&reply.expect("an answer")), "bad-parameter", "{id}");
    }
    join(&guest, &table, &invite, 1).await.good();
    // While a viewer is connected, the latest events are kept.
    let _first = guest.watch(&path, None).await.expect("news");
    for seen in [0, 1, 1_000, u64::MAX] {
        let mut watch = guest.watch(&path, Some(seen)).await.expect("news");
        let told = timeout(TIMEOUT, watch.next()).await.expect("news").expect("news");
        assert_eq!(told.data["state"]["table"], *table, "{seen}");
        // And the stream continues from there.
        let out = if seen % 2 == 0 { "sit-out" } else { "sit-in" };
        guest.command(&table, &json!({"command": out, "seat": 1})).await.good();
        let next = timeout(TIMEOUT, watch.next()).await.expect("news").expect("news");
        assert!(next.version > told.version);
    }
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_site_cannot_change_anything() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    let own = format!("http://{}", server.address());
    let json = ("content-type", "application/json");
    let mut tried = 0;
    for endpoint in endpoints().iter().filter(|endpoint| endpoint.changes()) {
        let path = endpoint.filled("k7m2xq4w9p3c");
        for header in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("origin", ""),
            ("origin", "\u{e4}"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-fetch-site", "x"),
        ] {
            let method = Method::from_bytes(endpoint.method.as_bytes()).expect("a method");
            let sent = guest.send(method, &path, &[json, header], b"{}".to_vec()).await;
            assert_eq!(proper(&sent.expect("an answer")), "wrong-origin", "{path} {header:?}");
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
    // A browser that sends the cookie also sends the origin.
    let stranger = Client::new(server.address());
    let cookie = format!("croupier={}", guest.token.as_deref().expect("a token"));
    let browser = [json, ("cookie", &*cookie), ("user-agent", "Mozilla/5.0")];
    let sent = stranger.send(Method::POST, "/api/me/chips", &browser, Vec::new()).await;
    assert_eq!(proper(&sent.expect("an answer")), "wrong-origin");
    let with_origin = [&browser[..], &[("origin", &*own), ("sec-fetch-site", "same-origin")]];
    let with_origin = with_origin.concat();
    let sent = stranger.send(Method::POST, "/api/me/chips", &with_origin, Vec::new()).await;
    assert_eq!(proper(&sent.expect("an answer")), "chips-left");
    // No CORS headers are sent to other sites either.
    let sent = guest.send(Method::GET, "/api/me", &[("origin", "https://evil.example")], vec![]);
    let reply = sent.await.expect("an answer");
    assert!(!reply.headers.contains_key("access-control-allow-origin"));
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unsupported_methods_are_refused_with_the_supported_ones() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    let all = endpoints();
    for endpoint in &all {
        let path = endpoint.filled("1");
        let methods: Vec<_> =
            all.iter().filter(|it| it.path == endpoint.path).map(|it| &*it.method).collect();
        let unsupported = ["PATCH", "OPTIONS", "TRACE", "BREW"];
        for method in unsupported.into_iter().filter(|method| !methods.contains(method)) {
            let reply = send(&guest, method, &path, "", b"").await;
            assert_eq!(proper(&reply), "wrong-method", "{method} {path}");
            let allow = reply.headers["allow"].to_str().expect("methods").to_owned();
            for known in &methods {
                assert!(allow.split(',').any(|one| one == *known), "{path}: {allow}");
            }
        }
        if endpoint.method == "GET" {
            let head = guest.send(Method::HEAD, &path, &[], Vec::new()).await.expect("an answer");
            assert!(head.body.is_empty());
            assert!(head.status.as_u16() < 500);
        }
    }
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_methods_are_counted_as_one() {
    let server = server(config()).await;
    let visitor = Client::new(server.address());
    for number in 0..20 {
        let method = format!("MADEUP{number}");
        proper(&send(&visitor, &method, "/api/tables", "text/plain", b"").await);
    }
    let metrics = visitor.get("/metrics").await;
    let metrics = String::from_utf8(metrics.body).expect("text");
    assert!(metrics.contains("method=\"other\""), "{metrics}");
    assert!(!metrics.contains("MADEUP"), "{metrics}");
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_throttled_and_then_forgiven() {
    let limits = Limits { requests_per_second: 5, ..config().limits };
    let server = server(Config { limits, ..config() }).await;
    let stranger = Client::new(server.address());
    let mut refused = None;
    for _ in 0..200 {
        let reply = stranger.get("/api/houses").await;
        if reply.status == 429 {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.expect("a limit");
    assert_eq!(proper(&refused), "too-many-requests");
    let wait: u64 = refused.headers["retry-after"].to_str().expect("a number").parse().expect("it");
    assert_eq!(refused.json()["retry_after"], wait);
    assert!((1..=5).contains(&wait), "{wait}");
    tokio::time::sleep(Duration::from_secs(wait + 2)).await;
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_and_streams_are_limited() {
    let limits = Limits { guests_per_hour: 3, streams_per_address: 2, ..config().limits };
    let server = server(Config { limits, ..config() }).await;
    let guest = Client::guest(server.address()).await;
    let (table, _) = private_table(&guest, "uth-standard").await;
    let path = format!("/api/tables/{table}/events");
    let first = guest.watch(&path, None).await.expect("news");
    let _second = guest.watch(&path, None).await.expect("news");
    let third = guest.get(&path).await;
    assert_eq!(proper(&third), "too-many-streams");
    assert!(third.headers.contains_key("retry-after"));
    // A refused request and a HEAD request do not take a slot.
    guest.send(Method::HEAD, &path, &[], Vec::new()).await.expect("an answer");
    drop(first);
    let again = async {
        while guest.watch(&path, None).await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(TIMEOUT, again).await.expect("a slot is free again");
    Client::guest(server.address()).await;
    Client::guest(server.address()).await;
    let fourth = Client::new(server.address()).post("/api/guests", &json!({})).await;
    assert_eq!(proper(&fourth), "too-many-requests");
    LogCapture::assert_no_errors();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_clients_time_out() {
    let (head, body) = (Duration::from_millis(500), Duration::from_millis(300));
    let timeouts = Timeouts { request_head: head, request_body: body, ..Timeouts::default() };
    let server = server(Config { timeouts, ..config() }).await;
    let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
    let drip = async {
        for byte in b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ".iter().chain(&[b'y'; 10_000]) {
            if stream.write_all(&[*byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the server waits for it");
    };
    timeout(TIMEOUT, drip).await.expect("the connection is closed");
    // A body that never arrives.
    let head = "POST /api/guests HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    let half = format!("{head}content-length: 16\r\n\r\n{{\"bea");
    let answer = raw(server.address(), half.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("too-slow"), "{answer}");
    // A client that connects and sends nothing.
    assert_eq!(raw(server.address(), b"").await, "");
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_that_never_reads_does_not_delay_others() {
    let server = server(config()).await;
    let ann = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    let path = format!("/api/tables/{table}/events");
    let mut idle = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
        let request = format!("GET {path}?invite={invite} HTTP/1.1\r\nhost: x\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        idle.push(stream);
    }
    let mut watch = ann.watch(&path, None).await.expect("news");
    // Each change is a few kilobytes for each viewer: more than all buffers on the way hold.
    for change in 0..600 {
        let ante = 500 * (1 + change % 20);
        let wager = json!({"command": "wager", "seat": 1, "ante": ante});
        let done = timeout(TIMEOUT, ann.command(&table, &wager)).await.expect("in time").good();
        let version = done["version"].as_u64().expect("a version");
        let told = async { while watch.next().await.expect("news").version < version {} };
        timeout(TIMEOUT, told).await.expect("a viewer that reads gets the news at once");
    }
    // The system's buffers limit the data that waits for them, and they receive it when they read
    // again.
    let mut late = idle.pop().expect("a viewer");
    let mut buffer = vec![0; 1 << 20];
    let read = timeout(TIMEOUT, late.read(&mut buffer)).await.expect("something").expect("read");
    assert!(String::from_utf8_lossy(&buffer[..read]).starts_with("HTTP/1.1 200 OK"));
    drop((idle, late));
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_http_gets_a_short_response_or_none() {
    let server = server(config()).await;
    let head = "POST /api/guests HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    let smuggled = format!("{head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{{}}");
    let lengths = format!("{head}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}");
    let chunk = format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\n");
    let negative = format!("{head}content-length: -1\r\n\r\n");
    let long = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(70_000));
    let field = format!("GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "a".repeat(300_000));
    let fields = format!("GET / HTTP/1.1\r\nhost: x\r\n{}\r\n", "x: y\r\n".repeat(200));
    let garbage: Vec<&[u8]> = vec![
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\x00\x00\x00\x00\r\n\r\n",
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET  / HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost x\r\n\r\n",
        b"GET / HTTP/1.1\r\n host: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\na\x00b: c\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        smuggled.as_bytes(),
        lengths.as_bytes(),
        chunk.as_bytes(),
        negative.as_bytes(),
        long.as_bytes(),
        field.as_bytes(),
        fields.as_bytes(),
    ];
    for bytes in garbage {
        let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
        let _ = stream.write_all(bytes).await;
        let _ = stream.shutdown().await;
        let mut answer = Vec::new();
        let _ = timeout(TIMEOUT, stream.read_to_end(&mut answer)).await.expect("an end");
        let answer = String::from_utf8_lossy(&answer);
        let sent = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]);
        let fine = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
        assert!(fine, "{sent:?}: {answer}");
    }
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_and_unusual_requests_are_answered() {
    let server = server(config()).await;
    let address = server.address();
    let old = raw(address, b"GET /healthz HTTP/1.0\r\n\r\n").await;
    assert!(old.starts_with("HTTP/1.0 200 OK") && old.ends_with("ok\n"), "{old}");
    for hosts in ["", "host: a\r\nhost: b\r\n"] {
        let request = format!("GET /healthz HTTP/1.1\r\n{hosts}connection: close\r\n\r\n");
        let answer = raw(address, request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("malformed"), "{answer}");
    }
    // Pipelined requests are answered in order, and data after the last one is refused.
    let one = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let answer = raw(address, format!("{one}{one}{one}\x01\x02\r\n\r\n").as_bytes()).await;
    assert_eq!(answer.matches("HTTP/1.1 200 OK").count(), 3, "{answer}");
    assert!(!answer.contains("HTTP/1.1 5"), "{answer}");
    // A body on an endpoint that does not expect one changes nothing.
    let body =
        "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 5\r\n\r\n{{{{{";
    assert!(raw(address, body.as_bytes()).await.starts_with("HTTP/1.1 200 OK"));
    let guest = Client::guest(address).await;
    let reply =
        send(&guest, "POST", "/api/me/chips", "application/json", b"{\"amount\": 1e9}").await;
    assert_eq!(proper(&reply), "chips-left");
    // The absolute form of the URL, as proxies get it.
    let whole = "GET http://x/healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    assert!(raw(address, whole.as_bytes()).await.starts_with("HTTP/1.1 200 OK"));
    let star = "OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    assert!(raw(address, star.as_bytes()).await.starts_with("HTTP/1.1 4"));
    let tunnel = "CONNECT x:80 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    assert!(raw(address, tunnel.as_bytes()).await.starts_with("HTTP/1.1 4"));
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_hangs_up_midway_leaves_nothing_behind() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    let (table, _) = private_table(&guest, "uth-standard").await;
    let token = guest.token.clone().expect("a token");
    let body = json!({"command": "join", "seat": 1}).to_string();
    let whole = format!(
        "POST /api/tables/{table}/commands HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    for length in (0..whole.len()).step_by(7) {
        let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
        stream.write_all(&whole.as_bytes()[..length]).await.expect("sent");
        if length % 2 == 0 {
            // Reset, instead of an orderly close.
            stream.set_zero_linger().expect("a socket");
        }
    }
    let state = guest.get(&format!("/api/tables/{table}")).await.good();
    assert_eq!(state["seats"], json!([]), "half a command has no effect");
    // A client that closes its sending side has hung up: a response is allowed but not required.
    let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
    stream.write_all(whole.as_bytes()).await.expect("sent");
    stream.shutdown().await.expect("half open");
    let mut answer = Vec::new();
    let _ = timeout(TIMEOUT, stream.read_to_end(&mut answer)).await.expect("an end");
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 200 OK"));
    guest.get(&format!("/api/tables/{table}")).await.good();
    goes_on(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_server_accepts_connections_later_and_can_be_stopped() {
    let limits = Limits { connections: 3, ..config().limits };
    let timeouts = Timeouts { request_head: Duration::from_mins(5), ..Timeouts::default() };
    let server = server(Config { limits, timeouts, ..config() }).await;
    let mut idle = Vec::new();
    for _ in 0..3 {
        idle.push(TcpStream::connect(server.address()).await.expect("a connection"));
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let late = tokio::spawn({
        let address = server.address();
        async move { Client::new(address).get("/healthz").await.status }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!late.is_finished(), "there is no room");
    idle.pop();
    assert_eq!(timeout(TIMEOUT, late).await.expect("in time").expect("an answer"), 200);
    idle.push(TcpStream::connect(server.address()).await.expect("a connection"));
    LogCapture::assert_no_errors();
    timeout(TIMEOUT, server.stop()).await.expect("it stops");
}
