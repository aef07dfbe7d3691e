//! The test harness: a server, its clients (players and an operator), and a capture of the server's
//! log.

#![expect(clippy::disallowed_methods, reason = "an operator is added to the test's own file")]

mod log_capture;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};

use croupier_server::{Admin, Config, Limits, Server};
use croupier_store::{Database, Memory, Sqlite, SqliteOptions};
use croupier_testing::{Client, Cluster, Reply};
use serde_json::{Map, Value, json};

pub(crate) use log_capture::LogCapture;

/// An acceptable password.
pub(crate) const PASSWORD: &str = "a long walk on a short pier";

/// A configuration for tests: on a free port, and without limits that a test would run into by
/// accident.
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
    LogCapture::start();
    Server::start(Database::Memory(Memory::default()), config).await.expect("a server")
}

/// Starts a server, and returns it with an operator.
pub(crate) async fn staffed(config: Config) -> (Server, Client) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("harness-{count}");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Files of an earlier run.
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
pub(crate) async fn staffed_over_postgresql(config: Config) -> (Server, Client) {
    let url = Cluster::shared().fresh_database();
    staffed_over(config, async || Database::open(&url).await.expect("a database")).await
}

/// A database that outlives its server: a file, or a PostgreSQL database.
pub(crate) struct TestDatabase(Option<std::path::PathBuf>, String);

impl TestDatabase {
    /// Returns an empty file.
    pub(crate) fn file(name: &str) -> Self {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        for end in ["", "-wal", "-shm", ".lock"] {
            let _ = std::fs::remove_file(format!("{}{end}", path.display()));
        }
        Self(Some(path), String::new())
    }

    /// Returns an empty PostgreSQL database.
    pub(crate) fn postgresql() -> Self {
        Self(None, Cluster::shared().fresh_database())
    }

    pub(crate) async fn open(&self) -> Database {
        let address = self.0.as_ref().map_or(self.1.clone(), |path| path.display().to_string());
        Database::open(&address).await.expect("a database")
    }

    /// Returns the path of the file, if it is one.
    pub(crate) fn path(&self) -> Option<&std::path::Path> {
        self.0.as_deref()
    }

    /// Starts a server over it, and returns it with an operator.
    pub(crate) async fn staffed(&self, config: Config) -> (Server, Client) {
        staffed_over(config, async || self.open().await).await
    }

    /// Restarts a server over it that already has an operator.
    pub(crate) async fn again(&self, config: Config) -> (Server, Client) {
        let server = Server::start(self.open().await, config).await.expect("a server");
        let operator = log_in(server.address(), "olga").await;
        (server, operator)
    }
}

async fn staffed_over(config: Config, open: impl AsyncFn() -> Database) -> (Server, Client) {
    LogCapture::start();
    let admin = Admin::open(open().await).await.expect("an admin");
    admin.add_operator("Olga", PASSWORD).await.expect("an operator");
    drop(admin);
    let server = Server::start(open().await, config).await.expect("a server");
    let operator = log_in(server.address(), "olga").await;
    (server, operator)
}

/// Logs in to an account.
pub(crate) async fn log_in(address: SocketAddr, name: &str) -> Client {
    let mut visitor = Client::new(address);
    let wish = json!({"name": name, "password": PASSWORD, "bearer": true});
    let welcome = visitor.post("/api/sessions", &wish).await.good();
    visitor.token = welcome["token"].as_str().map(str::to_owned);
    visitor
}

/// Returns a new player with an account.
pub(crate) async fn account(address: SocketAddr, name: &str) -> Client {
    let mut visitor = Client::guest(address).await;
    become_account(&mut visitor, name).await;
    visitor
}

/// Turns a guest into an account.
pub(crate) async fn become_account(visitor: &mut Client, name: &str) -> Value {
    let wish = json!({"name": name, "password": PASSWORD, "bearer": true});
    let welcome = visitor.post("/api/me/account", &wish).await.good();
    visitor.token = welcome["token"].as_str().map(str::to_owned);
    welcome
}

/// Opens a private table without clocks, and returns its name and the invitation.
pub(crate) async fn private_table(host: &Client, house: &str) -> (String, String) {
    let opening = json!({"house": house, "pace": "none"});
    let table = host.post("/api/tables", &opening).await.good();
    (text(&table["table"]), text(&table["invite"]))
}

/// Seats a player.
pub(crate) async fn join(player: &Client, table: &str, invite: &str, seat: u32) -> Reply {
    let path = format!("/api/tables/{table}/commands?invite={invite}");
    player.post(&path, &json!({"command": "join", "seat": seat})).await
}

/// Plays a round alone at a table without clocks, with the first decision that is offered.
pub(crate) async fn play_round(player: &Client, table: &str, seat: u32) {
    player.command(table, &json!({"command": "wager", "seat": seat, "ante": 500})).await.good();
    let mut done = player.command(table, &json!({"command": "deal"})).await.good();
    while let Some(decision) = done["state"]["round"]["hands"][0]["decisions"][0].as_str() {
        let decide = json!({"command": "decide", "seat": seat, "decision": decision});
        done = player.command(table, &decide).await.good();
    }
}

/// Returns a JSON string.
#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_owned()
}

/// An endpoint in the OpenAPI description.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) tag: String,
    pub(crate) operation: Map<String, Value>,
}

impl Endpoint {
    /// Returns the path with every parameter replaced by the same value.
    pub(crate) fn filled(&self, with: &str) -> String {
        let parts = self.path.split('/');
        let fill = |part: &str| if part.starts_with('{') { with } else { part }.to_owned();
        parts.map(fill).collect::<Vec<_>>().join("/")
    }

    /// Returns whether it changes something.
    pub(crate) fn changes(&self) -> bool {
        self.method != "GET"
    }
}

/// Returns all endpoints in the description.
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
