//! A server can be stopped, whatever its clients do.

use std::time::Duration;

use croupier_server::{Config, Limits, Server};
use croupier_store::{Database, Memory};
use croupier_testing::Client;
use tokio::net::TcpStream;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_no_free_connections_can_be_stopped() {
    let limits = Limits { connections: 2, ..Limits::default() };
    let listen = ([127, 0, 0, 1], 0).into();
    let config = Config { listen, limits, ..Config::default() };
    let server = Server::start(Database::Memory(Memory::default()), config).await;
    let server = server.expect("a server");
    // One client keeps its connection for another request, one never sends anything, one waits for
    // a slot.
    let guest = Client::guest(server.address()).await;
    let _silent = TcpStream::connect(server.address()).await.expect("a slot");
    let _waits = TcpStream::connect(server.address()).await.expect("the system takes it");
    tokio::time::sleep(Duration::from_millis(100)).await;
    let stopped = tokio::time::timeout(Duration::from_secs(5), server.stop()).await;
    stopped.expect("it stops");
    drop(guest);
}
