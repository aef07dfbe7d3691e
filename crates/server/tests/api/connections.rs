//! Connections: each address has a limit, and none lasts without a request.

use std::time::Duration;

use croupier_server::{Config, Limits, Timeouts};
use croupier_testing::Client;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use crate::harness::{config, server};

const TIMEOUT: Duration = Duration::from_secs(20);

/// Reads until the other side closes, and returns the data.
async fn all_of(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    // A connection that is reset has ended, too.
    let _ = timeout(TIMEOUT, stream.read_to_end(&mut said)).await.expect("an end");
    String::from_utf8(said).expect("text")
}

/// Sends a request over a connection that stays open, and returns whether it is answered.
async fn is_served(stream: &mut TcpStream) -> bool {
    if stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.is_err() {
        return false;
    }
    let mut said = Vec::new();
    while !said.ends_with(b"\r\n\r\nok\n") {
        let read = timeout(TIMEOUT, stream.read_buf(&mut said)).await;
        if read.expect("an answer or an end").unwrap_or_default() == 0 {
            return false;
        }
    }
    said.starts_with(b"HTTP/1.1 200")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_connections_of_an_address_are_limited() {
    let limits = Limits { connections_per_address: 4, ..config().limits };
    let server = server(Config { limits, ..config() }).await;
    let mut open = Vec::new();
    for _ in 0..4 {
        let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
        assert!(is_served(&mut stream).await);
        open.push(stream);
    }
    for _ in 0..40 {
        let mut stream = TcpStream::connect(server.address()).await.expect("the system takes it");
        let said = all_of(&mut stream).await;
        assert!(said.starts_with("HTTP/1.1 503 ") && said.contains("\"busy\""), "{said:?}");
    }
    for stream in &mut open {
        assert!(is_served(stream).await, "existing connections still work");
    }
    drop(open.pop());
    let deadline = Instant::now() + TIMEOUT;
    let mut stream = loop {
        let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
        if is_served(&mut stream).await {
            break stream;
        }
        assert!(Instant::now() < deadline, "the slot is not released");
    };
    stream
        .write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        .await
        .expect("sent");
    let said = all_of(&mut stream).await;
    let refused = said.lines().find(|line| line.starts_with("croupier_connections_refused_total "));
    let refused = refused.and_then(|line| line.split(' ').nth(1)?.parse::<u32>().ok());
    assert!(refused.is_some_and(|refused| refused >= 40), "{refused:?}");
    drop((open, stream));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_and_a_server_without_the_limit_allow_any_number_of_connections() {
    let limits = Limits { connections_per_address: 2, ..config().limits };
    let proxied = Config { limits, proxies: vec![[127, 0, 0, 1].into()], ..config() };
    for config in [proxied, config()] {
        let server = server(config).await;
        let mut open = Vec::new();
        for _ in 0..20 {
            let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
            assert!(is_served(&mut stream).await);
            open.push(stream);
        }
        drop(open);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_without_a_request_is_closed() {
    let timeouts = Timeouts { request_head: Duration::from_millis(300), ..Timeouts::default() };
    let server = server(Config { timeouts, ..config() }).await;
    for begun in ["", "GET /hea", "GET /healthz HTTP/1.1\r\nhost: x\r\n"] {
        let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
        stream.write_all(begun.as_bytes()).await.expect("sent");
        let start = Instant::now();
        let said = all_of(&mut stream).await;
        assert!(start.elapsed() < TIMEOUT, "{begun:?}");
        assert!(!said.starts_with("HTTP/1.1 200"), "{said}");
    }
    // The same after a request.
    let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
    assert!(is_served(&mut stream).await);
    assert_eq!(all_of(&mut stream).await, "");
    assert_eq!(Client::new(server.address()).get("/healthz").await.status, 200);
    server.stop().await;
}
