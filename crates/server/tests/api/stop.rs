//! A server that stops, whoever would keep it from stopping.

use std::time::Duration;

use croupier_server::{Config, Limits, Server};
use croupier_store::{Database, Memory};
use croupier_testing::Visitor;
use tokio::net::TcpStream;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_stops_although_all_its_places_are_taken() {
    let limits = Limits { connections: 2, ..Limits::default() };
    let listen = ([127, 0, 0, 1], 0).into();
    let config = Config { listen, limits, ..Config::default() };
    let server = Server::start(Database::Memory(Memory::default()), config).await;
    let server = server.expect("a server");
    // One keeps its connection for another request, one never says a word, one waits for a place.
    let guest = Visitor::guest(server.address()).await;
    let _silent = TcpStream::connect(server.address()).await.expect("a place");
    let _waits = TcpStream::connect(server.address()).await.expect("the system takes it");
    tokio::time::sleep(Duration::from_millis(100)).await;
    let stopped = tokio::time::timeout(Duration::from_secs(5), server.stop()).await;
    stopped.expect("it stops");
    drop(guest);
}
