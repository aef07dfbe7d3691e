//! A server with a door, and those who come to it: players, an operator, and whoever writes down
//! what is said behind it.

#![expect(clippy::disallowed_methods, reason = "an operator is added to a file of the test's own")]

mod ear;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};

use croupier_server::{Config, Limits, Office, Server};
use croupier_store::{Database, Memory, Sqlite, SqliteOptions};
use croupier_testing::{Cluster, Reply, Visitor};
use serde_json::{Map, Value, json};

pub(crate) use ear::Ear;

/// A password that may be chosen.
pub(crate) const PASSWORD: &str = "a long walk on a short pier";

/// A server for tests: on a free port, and without limits that a test would run into by itself.
pub(crate) fn config() -> Config {
    let limits = Limits {
        requests_per_second: 0,
        commands_per_second: 0,
        guests_per_hour: 0,
        connections_per_address: 0,
        public_tables_per_player: 0,
        player_mib_per_hour: 0,
        address_mib_per_hour: 0,
        ..Limits::default()
    };
    Config { listen: ([127, 0, 0, 1], 0).into(), limits, ..Config::default() }
}

/// Starts a server over an empty store.
pub(crate) async fn server(config: Config) -> Server {
    Ear::listen();
    Server::start(Database::Memory(Memory::default()), config).await.expect("a server")
}

/// Starts a server, and returns somebody who runs it beside it.
pub(crate) async fn staffed(config: Config) -> (Server, Visitor) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("door-{count}");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What is left of the last time.
    for end in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
    let open = async || {
        let store = Sqlite::open(&path, SqliteOptions::default()).expect("a database");
        Database::Sqlite(store)
    };
    staffed_over(config, open).await
}

/// The same over PostgreSQL.
pub(crate) async fn staffed_over_postgresql(config: Config) -> (Server, Visitor) {
    let url = Cluster::shared().fresh_database();
    staffed_over(config, async || Database::open(&url).await.expect("a database")).await
}

/// A database that is there when a server has stopped: a file, or one of PostgreSQL's.
pub(crate) struct Shelf(Option<std::path::PathBuf>, String);

impl Shelf {
    /// Returns an empty file.
    pub(crate) fn file(name: &str) -> Self {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        for end in ["", "-wal", "-shm", ".lock"] {
            let _ = std::fs::remove_file(format!("{}{end}", path.display()));
        }
        Self(Some(path), String::new())
    }

    /// Returns an empty database of PostgreSQL's.
    pub(crate) fn postgresql() -> Self {
        Self(None, Cluster::shared().fresh_database())
    }

    pub(crate) async fn open(&self) -> Database {
        let address = self.0.as_ref().map_or(self.1.clone(), |path| path.display().to_string());
        Database::open(&address).await.expect("a database")
    }

    /// Returns where the file is, if it is one.
    pub(crate) fn path(&self) -> Option<&std::path::Path> {
        self.0.as_deref()
    }

    /// Starts a server over it, with a person who runs it.
    pub(crate) async fn staffed(&self, config: Config) -> (Server, Visitor) {
        staffed_over(config, async || self.open().await).await
    }

    /// Starts a server over it that was staffed before.
    pub(crate) async fn again(&self, config: Config) -> (Server, Visitor) {
        let server = Server::start(self.open().await, config).await.expect("a server");
        let operator = log_in(server.address(), "olga").await;
        (server, operator)
    }
}

async fn staffed_over(config: Config, open: impl AsyncFn() -> Database) -> (Server, Visitor) {
    Ear::listen();
    let office = Office::open(open().await).await.expect("an office");
    office.add_operator("Olga", PASSWORD).await.expect("an operator");
    drop(office);
    let server = Server::start(open().await, config).await.expect("a server");
    let operator = log_in(server.address(), "olga").await;
    (server, operator)
}

/// Logs somebody in who has an account.
pub(crate) async fn log_in(address: SocketAddr, name: &str) -> Visitor {
    let mut visitor = Visitor::new(address);
    let wish = json!({"name": name, "password": PASSWORD, "bearer": true});
    let welcome = visitor.post("/api/sessions", &wish).await.good();
    visitor.token = welcome["token"].as_str().map(str::to_owned);
    visitor
}

/// Returns somebody new with an account.
pub(crate) async fn account(address: SocketAddr, name: &str) -> Visitor {
    let mut visitor = Visitor::guest(address).await;
    become_account(&mut visitor, name).await;
    visitor
}

/// Makes a guest an account.
pub(crate) async fn become_account(visitor: &mut Visitor, name: &str) -> Value {
    let wish = json!({"name": name, "password": PASSWORD, "bearer": true});
    let welcome = visitor.post("/api/me/account", &wish).await.good();
    visitor.token = welcome["token"].as_str().map(str::to_owned);
    welcome
}

/// Opens a table that is entered by a link and has no clocks, and returns its name and the
/// invitation.
pub(crate) async fn private_table(host: &Visitor, house: &str) -> (String, String) {
    let opening = json!({"house": house, "pace": "none"});
    let table = host.post("/api/tables", &opening).await.good();
    (text(&table["table"]), text(&table["invite"]))
}

/// Sits somebody down.
pub(crate) async fn join(player: &Visitor, table: &str, invite: &str, seat: u32) -> Reply {
    let path = format!("/api/tables/{table}/commands?invite={invite}");
    player.post(&path, &json!({"command": "join", "seat": seat})).await
}

/// Plays a round alone at a table without clocks, by the first decision that is offered.
pub(crate) async fn play_round(player: &Visitor, table: &str, seat: u32) {
    player.command(table, &json!({"command": "wager", "seat": seat, "ante": 500})).await.good();
    let mut done = player.command(table, &json!({"command": "deal"})).await.good();
    while let Some(decision) = done["state"]["round"]["hands"][0]["decisions"][0].as_str() {
        let decide = json!({"command": "decide", "seat": seat, "decision": decision});
        done = player.command(table, &decide).await.good();
    }
}

/// Returns a text that must be one.
#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// An endpoint, as the description of the interface has it.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) tag: String,
    pub(crate) operation: Map<String, Value>,
}

impl Endpoint {
    /// Returns the path with every variable part filled in with the same.
    pub(crate) fn filled(&self, with: &str) -> String {
        let parts = self.path.split('/');
        let fill = |part: &str| if part.starts_with('{') { with } else { part }.to_owned();
        parts.map(fill).collect::<Vec<_>>().join("/")
    }

    /// Tells whether it changes something.
    pub(crate) fn changes(&self) -> bool {
        self.method != "GET"
    }
}

/// Returns all endpoints that the description has.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let api: Value = serde_json::from_str(&croupier_server::openapi()).expect("JSON");
    let mut endpoints = Vec::new();
    for (path, methods) in api["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            endpoints.push(Endpoint {
                method: method.to_uppercase(),
                path: path.clone(),
                tag: text(&operation["tags"][0]),
                operation: operation.as_object().expect("an operation").clone(),
            });
        }
    }
    assert!(endpoints.len() > 40, "the description has lost something");
    endpoints
}
