//! The configuration of a server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use croupier_table::Clocks;

/// The configuration of a server. The defaults are for one machine and the people who use it.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The URL that people use, such as `https://cards.example`, if there is a proxy in front.
    pub public_url: Option<String>,
    /// The proxies that are trusted to report the client's address.
    pub proxies: Vec<IpAddr>,
    /// Access to the metrics.
    pub metrics: MetricsAccess,
    /// The limits on clients and players.
    pub limits: Limits,
    /// The clocks of public tables.
    pub clocks: Clocks,
    /// How long a table waits for the only person there, in milliseconds: no clock runs for a
    /// person who plays alone. With `None`, the clocks run for one person too, and bots think one
    /// after the other.
    pub own_pace: Option<u32>,
    /// The bonus pay table of all public tables that players bank: a card room has only one.
    pub card_room_paytable: String,
    /// Timeouts, lifetimes and intervals.
    pub timeouts: Timeouts,
    /// The number of stored bytes at which nothing new may begin; 0 means no limit.
    pub storage_max: u64,
}

/// Timeouts, lifetimes and intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// The timeout for the head of a request, which is also how long a connection stays open
    /// between two requests.
    pub request_head: Duration,
    /// The timeout for the body of a request.
    pub request_body: Duration,
    /// The timeout from the first byte of a request to the first byte of its response.
    pub response: Duration,
    /// The interval at which an idle stream sends a keepalive, and at which it checks that its
    /// viewer is still logged in.
    pub keepalive: Duration,
    /// The lifetime of an account's session without a request, and in total.
    pub session: (Duration, Duration),
    /// The same for a guest, whose chips are lost with the session.
    pub guest_session: (Duration, Duration),
    /// The interval at which a node deletes expired data.
    pub cleanup_interval: Duration,
    /// The interval at which a node measures the storage used.
    pub measure_interval: Duration,
    /// How long an unplayed table is kept: closed, without a round or a transfer. After the same
    /// time a table without clocks is closed if it has no player and never dealt a round.
    pub unplayed: Duration,
}

const DAY: Duration = Duration::from_hours(24);

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            request_head: Duration::from_mins(1),
            request_body: Duration::from_secs(20),
            response: Duration::from_secs(30),
            keepalive: Duration::from_secs(15),
            session: (Duration::from_mins(30), DAY),
            guest_session: (30 * DAY, 400 * DAY),
            cleanup_interval: Duration::from_secs(30),
            measure_interval: Duration::from_secs(10),
            unplayed: Duration::from_hours(1),
        }
    }
}

/// The clients that may read the metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MetricsAccess {
    /// No clients.
    Off,
    /// Clients on the same machine, not through a proxy.
    #[default]
    Local,
    /// All clients.
    Open,
}

/// Limits on clients and players. Zero means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests per second from one address, on average.
    pub requests_per_second: u32,
    /// Commands per second from one player, on average.
    pub commands_per_second: u32,
    /// Guests per hour from one address.
    pub guests_per_hour: u32,
    /// Concurrent event streams from one address.
    pub streams_per_address: u32,
    /// Concurrent connections from all addresses.
    pub connections: u32,
    /// Concurrent connections from one address that is not a trusted proxy.
    pub connections_per_address: u32,
    /// Open tables per host.
    pub tables_per_player: u32,
    /// Open public tables per host.
    pub public_tables_per_player: u32,
    /// The storage that one player may use per hour, in units of 1,048,576 bytes; at most a quarter
    /// of it at once.
    pub player_mib_per_hour: u32,
    /// The same for all requests from one address.
    pub address_mib_per_hour: u32,
    /// Times per hour that a player may get fresh chips.
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
            // One for each stream, and one more for the requests of each stream's client. A browser
            // opens at most six, and a household or a classroom shares an address.
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
            own_pace: Some(600_000),
            card_room_paytable: "UTH-01".to_owned(),
            timeouts: Timeouts::default(),
            storage_max: 0,
        }
    }
}

impl Config {
    /// Tells whether people reach the server over TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
    }
}
