//! How a server is set up.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use croupier_table::Clocks;

/// How a server is set up. The defaults are for one machine and whoever sits at it.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The address that people reach it under, as `https://cards.example`, if there is a proxy in
    /// front of it.
    pub public_url: Option<String>,
    /// The proxies that are believed when they say whom a request comes from.
    pub proxies: Vec<IpAddr>,
    /// Who may read the metrics.
    pub metrics: MetricsAccess,
    /// What it does at most.
    pub limits: Limits,
    /// The clocks of public tables.
    pub clocks: Clocks,
    /// The bonus pay table of all public tables that players bank: a card room has one.
    pub card_room_paytable: String,
    /// How long things may take, and last.
    pub times: Times,
    /// How many bytes may be stored in all before nothing new begins; 0 if there is no limit.
    pub storage_max: u64,
}

/// How long things may take, and last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// How long a client may take to send the head of a request. It is also how long a connection
    /// stays open between two requests.
    pub head: Duration,
    /// How long a client may take to send the body.
    pub body: Duration,
    /// How long a request may take from its first byte to the first byte of the answer.
    pub answer: Duration,
    /// How often a stream that has nothing to tell shows that it is alive, and how often it is
    /// looked whether its viewer is still logged in.
    pub alive: Duration,
    /// How long a session of an account lasts without a request, and how long in all.
    pub session: (Duration, Duration),
    /// The same for a guest, whose chips are gone with the session.
    pub guest_session: (Duration, Duration),
    /// How often a node throws away what has run out.
    pub tidy: Duration,
    /// How often a node measures what is stored.
    pub measure: Duration,
    /// How long a table is kept that came to nothing: closed, without a round or a transfer. After
    /// the same time a table without clocks is closed if no player sits there and none was dealt.
    pub unplayed: Duration,
}

const DAY: Duration = Duration::from_hours(24);

impl Default for Times {
    fn default() -> Self {
        Self {
            head: Duration::from_mins(1),
            body: Duration::from_secs(20),
            answer: Duration::from_secs(30),
            alive: Duration::from_secs(15),
            session: (Duration::from_mins(30), DAY),
            guest_session: (30 * DAY, 400 * DAY),
            tidy: Duration::from_secs(30),
            measure: Duration::from_secs(10),
            unplayed: Duration::from_hours(1),
        }
    }
}

/// Who may read the metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MetricsAccess {
    /// Nobody.
    Off,
    /// Whoever asks from the same machine, and not through a proxy.
    #[default]
    Local,
    /// Everybody.
    Open,
}

/// What a server does at most. Zero means that there is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests from one address in a second, on average.
    pub requests_per_second: u32,
    /// Commands of one player in a second, on average.
    pub commands_per_second: u32,
    /// Guests from one address in an hour.
    pub guests_per_hour: u32,
    /// Event streams from one address at a time.
    pub streams_per_address: u32,
    /// Connections at a time, from all addresses.
    pub connections: u32,
    /// Connections at a time from one address that is no proxy of ours.
    pub connections_per_address: u32,
    /// Tables that one player may have opened at a time.
    pub tables_per_player: u32,
    /// How many of those may be public.
    pub public_tables_per_player: u32,
    /// What one player may have stored in an hour, in units of 1,048,576 bytes; a quarter of it at
    /// once.
    pub player_mib_per_hour: u32,
    /// The same for all that comes from one address.
    pub address_mib_per_hour: u32,
    /// Times in an hour that a player is given fresh chips.
    pub chips_per_hour: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests_per_second: 500,
            commands_per_second: 100,
            guests_per_hour: 120,
            streams_per_address: 64,
            connections: 20_000,
            // As many as there may be streams, and one more for the requests of each. A browser has
            // six at most, and a household or a classroom shares an address.
            connections_per_address: 128,
            tables_per_player: 8,
            public_tables_per_player: 4,
            player_mib_per_hour: 64,
            address_mib_per_hour: 256,
            chips_per_hour: 6,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7878)),
            public_url: None,
            proxies: Vec::new(),
            metrics: MetricsAccess::default(),
            limits: Limits::default(),
            clocks: Clocks::default(),
            card_room_paytable: "UTH-01".to_owned(),
            times: Times::default(),
            storage_max: 0,
        }
    }
}

impl Config {
    /// Tells whether people reach the server through TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
    }
}
