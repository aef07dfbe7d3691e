//! `croupier serve`

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use croupier_rules::{Bank, Catalog, House};
use croupier_server::{Config, Limits, MetricsAccess, Server};
use croupier_store::Database;
use croupier_table::Clocks;
use serde::Deserialize;

use super::read_file;
use crate::failure::{Failure, complain};
use crate::output::Output;

/// The address a server listens on by default.
const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7878);

/// How long to wait for background tasks at shutdown.
const LEFT: Duration = Duration::from_secs(1);

/// Serve tables over HTTP
///
/// Without options, the server stores everything in one file in your data directory, and listens on
/// this machine only. Flags take precedence over the environment, and the environment over the
/// configuration file.
///
/// The server speaks plain HTTP. To open it to others, put a TLS proxy in front and set
/// --public-url to the address that people see. Without that, it does not listen on a public
/// address.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Place,

    /// The address to listen on [default: 127.0.0.1:7878]
    #[arg(long, value_name = "ADDRESS", env = "CROUPIER_LISTEN", value_parser = address)]
    listen: Option<SocketAddr>,

    /// The public URL, if a proxy is in front, as in `https://cards.example`
    #[arg(long, value_name = "URL", env = "CROUPIER_PUBLIC_URL")]
    public_url: Option<String>,

    /// A proxy trusted to report the client's address; repeat for several
    #[arg(long, value_name = "IP", env = "CROUPIER_PROXY", value_delimiter = ',')]
    proxy: Vec<IpAddr>,

    /// Access to /metrics: off, local or open [default: local]
    #[arg(long, value_name = "WHO", env = "CROUPIER_METRICS")]
    metrics: Option<Metrics>,

    /// The bonus pay table of all public player-banked tables: a card room has one [default:
    /// UTH-01]
    #[arg(long, value_name = "ID", env = "CROUPIER_CARD_ROOM_PAYTABLE")]
    card_room_paytable: Option<String>,

    /// The number of connections an address may have at a time; 0 for no limit [default: 128]
    #[arg(long, value_name = "COUNT", env = "CROUPIER_CONNECTIONS_PER_ADDRESS")]
    connections_per_address: Option<u32>,

    /// How much data to store before nothing new can start, as in 10GB or 500MiB; 0 for no limit
    /// [default: 0]
    #[arg(long, value_name = "BYTES", env = "CROUPIER_STORAGE_MAX", value_parser = bytes)]
    storage_max: Option<u64>,

    /// Listen on a public address without TLS in front: others on the network can read the traffic
    #[arg(long)]
    insecure: bool,
}

/// The location of a server's data and of its configuration.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// A configuration file [default: croupier.toml in the data directory, if it exists]
    #[arg(long, global = true, value_name = "FILE", env = "CROUPIER_CONFIG")]
    config: Option<PathBuf>,

    /// The directory for all stored data [default: the usual one on your platform]
    #[arg(long, global = true, value_name = "DIR", env = "CROUPIER_DATA")]
    data: Option<PathBuf>,

    /// The database: the path of an SQLite file, or a postgres:// address
    /// [default: croupier.db in the data directory]
    #[arg(
        long,
        global = true,
        value_name = "PATH|URL",
        env = "CROUPIER_DB",
        hide_env_values = true
    )]
    db: Option<String>,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "use an IP address and a port, as in 127.0.0.1:7878".to_owned())
}

/// Parses a number of bytes, with or without a unit.
fn bytes(text: &str) -> Result<u64, String> {
    let end = text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let power = |base: u64, unit: u8| match unit.to_ascii_uppercase() {
        b'K' => Some(base),
        b'M' => Some(base.pow(2)),
        b'G' => Some(base.pow(3)),
        b'T' => Some(base.pow(4)),
        _ => None,
    };
    let factor = match unit.trim().as_bytes() {
        [] | [b'B' | b'b'] => Some(1),
        [unit, b'B' | b'b'] => power(1_000, *unit),
        [unit, b'i' | b'I', b'B' | b'b'] => power(1_024, *unit),
        _ => None,
    };
    let bytes = number.parse::<u64>().ok().zip(factor);
    bytes.and_then(|(number, factor)| number.checked_mul(factor)).ok_or_else(|| {
        "use a number of bytes, as in 500MB, 10GB or 2TiB; 0 for no limit".to_owned()
    })
}

/// A number of bytes in a configuration file: a number, or a text with a unit.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Number(u64),
    Text(String),
}

impl Bytes {
    fn read(&self) -> Result<u64, Failure> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Text(text) => {
                bytes(text).map_err(|why| Failure::Usage(format!("storage-max: {why}")))
            }
        }
    }
}

/// Access to the metrics, as a word.
#[derive(Clone, Copy, Debug, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Metrics {
    Off,
    Local,
    Open,
}

impl From<Metrics> for MetricsAccess {
    fn from(word: Metrics) -> Self {
        match word {
            Metrics::Off => Self::Off,
            Metrics::Local => Self::Local,
            Metrics::Open => Self::Open,
        }
    }
}

/// The contents of a configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct File {
    listen: Option<SocketAddr>,
    db: Option<String>,
    public_url: Option<String>,
    proxies: Vec<IpAddr>,
    metrics: Option<Metrics>,
    card_room_paytable: Option<String>,
    storage_max: Option<Bytes>,
    limits: LimitsFile,
    clocks: ClocksFile,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct LimitsFile {
    requests_per_second: Option<u32>,
    commands_per_second: Option<u32>,
    guests_per_hour: Option<u32>,
    streams_per_address: Option<u32>,
    connections: Option<u32>,
    connections_per_address: Option<u32>,
    tables_per_player: Option<u32>,
    public_tables_per_player: Option<u32>,
    player_mib_per_hour: Option<u32>,
    address_mib_per_hour: Option<u32>,
    chips_per_hour: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct ClocksFile {
    offer: Option<u32>,
    betting: Option<u32>,
    reveal: Option<u32>,
    decision: Option<u32>,
    between: Option<u32>,
    empty: Option<u32>,
}

impl LimitsFile {
    fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            requests_per_second: self.requests_per_second.unwrap_or(usual.requests_per_second),
            commands_per_second: self.commands_per_second.unwrap_or(usual.commands_per_second),
            guests_per_hour: self.guests_per_hour.unwrap_or(usual.guests_per_hour),
            streams_per_address: self.streams_per_address.unwrap_or(usual.streams_per_address),
            connections: self.connections.unwrap_or(usual.connections),
            connections_per_address: self
                .connections_per_address
                .unwrap_or(usual.connections_per_address),
            tables_per_player: self.tables_per_player.unwrap_or(usual.tables_per_player),
            public_tables_per_player: self
                .public_tables_per_player
                .unwrap_or(usual.public_tables_per_player),
            player_mib_per_hour: self.player_mib_per_hour.unwrap_or(usual.player_mib_per_hour),
            address_mib_per_hour: self.address_mib_per_hour.unwrap_or(usual.address_mib_per_hour),
            chips_per_hour: self.chips_per_hour.unwrap_or(usual.chips_per_hour),
        }
    }
}

impl ClocksFile {
    fn clocks(&self) -> Clocks {
        let usual = Clocks::default();
        Clocks {
            offer: self.offer.unwrap_or(usual.offer),
            betting: self.betting.unwrap_or(usual.betting),
            reveal: self.reveal.unwrap_or(usual.reveal),
            decision: self.decision.unwrap_or(usual.decision),
            between: self.between.unwrap_or(usual.between),
            empty: self.empty.unwrap_or(usual.empty),
        }
    }
}

/// The database to use, and the contents of the configuration file.
pub(crate) struct Found {
    pub(crate) db: String,
    pub(crate) file: File,
}

impl Place {
    /// Finds the database and reads the configuration file. Creates the data directory if it is
    /// needed and doesn't exist.
    pub(crate) fn find(&self) -> Result<Found, Failure> {
        let data = self.data.clone().or_else(data_directory);
        let usual = data.as_ref().map(|data| data.join("croupier.toml"));
        let file = match (&self.config, usual) {
            (Some(path), _) => read_config(path)?,
            (None, Some(path)) if is_there(&path) => read_config(&path)?,
            (None, _) => File::default(),
        };
        if let Some(db) = self.db.clone().or_else(|| file.db.clone()) {
            return Ok(Found { db, file });
        }
        let data = data.ok_or_else(|| {
            let why = "no home directory found: use --data to choose where to store data";
            Failure::Usage(why.to_owned())
        })?;
        make_private(&data)?;
        let db = data.join("croupier.db").to_string_lossy().into_owned();
        Ok(Found { db, file })
    }
}

fn read_config(path: &Path) -> Result<File, Failure> {
    let name = path.display().to_string();
    toml::from_str(&read_file(&name)?)
        .map_err(|error| Failure::Usage(format!("{name}: {}", error.to_string().trim_end())))
}

#[expect(clippy::disallowed_methods, reason = "this is the shell that reads files")]
fn is_there(path: &Path) -> bool {
    path.exists()
}

/// Creates a directory that only its owner can read: the database holds seeds and passwords.
#[expect(clippy::disallowed_methods, reason = "this is the shell that creates files")]
fn make_private(directory: &Path) -> Result<(), Failure> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    if directory.exists() {
        return Ok(());
    }
    let name = directory.display();
    builder
        .create(directory)
        .map_err(|error| Failure::Answer(format!("{name} cannot be created: {error}")))
}

/// Returns the platform's directory for a program's data.
#[expect(clippy::disallowed_methods, reason = "this is the shell that reads the environment")]
fn data_directory() -> Option<PathBuf> {
    let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    // The directory that systemd created for the service.
    if let Some(state) = path("STATE_DIRECTORY") {
        return Some(PathBuf::from(state));
    }
    if cfg!(windows) {
        return path("APPDATA").map(|data| PathBuf::from(data).join("croupier"));
    }
    let home = path("HOME").map(PathBuf::from);
    if cfg!(target_os = "macos") {
        return Some(home?.join("Library/Application Support/croupier"));
    }
    let data = path("XDG_DATA_HOME").map(PathBuf::from).filter(|data| data.is_absolute());
    Some(data.or_else(|| Some(home?.join(".local/share")))?.join("croupier"))
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let Found { db, file } = args.place.find()?;
    let config = config(args, &file)?;
    if let Some(why) = refuse(&config, args.insecure) {
        return Err(Failure::Usage(why));
    }
    log();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Answer(error.to_string()))?;
    let served = runtime.block_on(serve(db, config, output));
    // Don't wait for a game that is being solved for a client that has left.
    runtime.shutdown_timeout(LEFT);
    served
}

fn config(args: &Args, file: &File) -> Result<Config, Failure> {
    let public_url = args.public_url.clone().or_else(|| file.public_url.clone());
    if let Some(url) = &public_url {
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let host = host.map(|host| host.trim_end_matches('/'));
        if host.is_none_or(|host| host.is_empty() || host.contains(['/', '?', '#', '@', ' '])) {
            let why = "--public-url: use the form https://cards.example, without a path";
            return Err(Failure::Usage(why.to_owned()));
        }
    }
    let clocks = file.clocks.clocks();
    if [clocks.offer, clocks.betting, clocks.decision].contains(&0) {
        let why = "[clocks] offer, betting and decision must be more than 0 milliseconds, or no \
                   player can act in time";
        return Err(Failure::Usage(why.to_owned()));
    }
    let mut proxies = args.proxy.clone();
    if proxies.is_empty() {
        proxies.clone_from(&file.proxies);
    }
    let mut limits = file.limits.limits();
    if let Some(most) = args.connections_per_address {
        limits.connections_per_address = most;
    }
    Ok(Config {
        listen: args.listen.or(file.listen).unwrap_or(LISTEN),
        public_url,
        proxies,
        metrics: args.metrics.or(file.metrics).map(Into::into).unwrap_or_default(),
        limits,
        clocks,
        card_room_paytable: card_room_paytable(args, file)?,
        storage_max: match (args.storage_max, &file.storage_max) {
            (Some(bytes), _) => bytes,
            (None, Some(bytes)) => bytes.read()?,
            (None, None) => Config::default().storage_max,
        },
        ..Config::default()
    })
}

/// Returns the bonus pay table of the card room, which must be one that a player-banked house
/// offers.
fn card_room_paytable(args: &Args, file: &File) -> Result<String, Failure> {
    let wanted = args.card_room_paytable.as_ref().or(file.card_room_paytable.as_ref());
    let Some(wanted) = wanted else { return Ok(Config::default().card_room_paytable) };
    let catalog = Catalog::shipped();
    let banked = catalog.houses().filter(|house| house.banking().by() == Bank::PlayerDealer);
    let known: Vec<&str> =
        banked.flat_map(House::bonus_paytables).map(|table| table.id()).collect();
    if known.contains(&&**wanted) {
        return Ok(wanted.clone());
    }
    let known = known.join(", ");
    Err(Failure::Usage(format!(
        "--card-room-paytable: \"{wanted}\" is unknown: use one of {known}"
    )))
}

/// Returns the reason not to start a server with this configuration.
fn refuse(config: &Config, insecure: bool) -> Option<String> {
    let secure = config.public_url.as_deref().is_some_and(|url| url.starts_with("https://"));
    if config.listen.ip().is_loopback() || secure || insecure {
        return None;
    }
    Some(format!(
        "{} is open to other machines, and others on the network can read plain HTTP.\n\
         Put a TLS proxy in front and set --public-url https://…, or listen on 127.0.0.1.\n\
         On your own network, use --insecure to serve it anyway.",
        config.listen
    ))
}

/// Logs to standard error. `CROUPIER_LOG` sets the level.
fn log() {
    let level = tracing_subscriber::EnvFilter::try_from_env("CROUPIER_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    tracing_subscriber::fmt()
        .with_env_filter(level)
        .with_target(false)
        .with_ansi(terminal)
        .with_writer(std::io::stderr)
        .init();
}

async fn serve(db: String, config: Config, output: &mut Output) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Answer(error.to_string());
    let store = Database::open(&db).await.map_err(|error| failed(&error))?;
    for warning in store.warnings() {
        complain(&format!("note: {warning}"));
    }
    let public = config.public_url.clone();
    let server = Server::start(store, config).await.map_err(|error| failed(&error))?;
    let address = format!("http://{}", server.address());
    let place = croupier_store::describe(&db).map_err(|error| failed(&error))?;
    output.print(&format!(
        "Croupier deals at {}\nData is stored in {place}. Play money only. Press Ctrl-C to stop.\n",
        public.as_deref().unwrap_or(&address)
    ))?;
    output.flush()?;
    wait().await;
    server.stop().await;
    output.print("Stopped.\n")
}

/// Waits for a signal to stop the server.
async fn wait() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminated) = signal(SignalKind::terminate()) else {
            let _ = interrupted.await;
            return;
        };
        tokio::select! {
            _ = interrupted => {}
            _ = terminated.recv() => {}
        }
    }
    #[cfg(not(unix))]
    let _ = interrupted.await;
}

#[cfg(test)]
mod tests {
    use croupier_server::{Config, Limits};
    use croupier_table::Clocks;

    use super::{File, LISTEN, bytes};

    const PAGE: &str = include_str!("../../../../docs/operating.md");

    #[test]
    fn bytes_are_written_with_a_unit_or_without() {
        let good = [
            ("0", 0),
            ("1024", 1_024),
            ("5b", 5),
            ("10GB", 10_000_000_000),
            ("10 gb", 10_000_000_000),
            ("2TiB", 2_199_023_255_552),
            ("500MiB", 524_288_000),
        ];
        for (text, number) in good {
            assert_eq!(bytes(text), Ok(number), "{text}");
        }
        for text in ["", "GB", "1.5GB", "-1", "10G", "10XB", "1e9", "99999999999TB", "10GBB"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_operating_page_lists_every_setting_with_its_default() {
        let blocks = PAGE.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
        let all = blocks.into_iter().find(|block| block.contains("[limits]")).expect("a block");
        let file: File = toml::from_str(all).expect("a configuration");
        assert_eq!(file.limits.limits(), Limits::default());
        assert_eq!(file.clocks.clocks(), Clocks::default());
        assert_eq!(file.listen, Some(LISTEN));
        assert_eq!(Config::default().listen, LISTEN);
        let storage_max = file.storage_max.as_ref().and_then(|bytes| bytes.read().ok());
        assert_eq!(storage_max, Some(Config::default().storage_max));
        assert_eq!(file.card_room_paytable, Some(Config::default().card_room_paytable));
        for limit in format!("{:?}", Limits::default()).split(['{', ',']).skip(1) {
            let name = limit.split(':').next().unwrap_or_default().trim().replace('_', "-");
            assert!(all.contains(&format!("\n{name} = ")), "{name} is missing");
        }
    }
}
