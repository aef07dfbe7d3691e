//! The server, as a separate process.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The number of kernel ticks per second.
const TICKS: f64 = 100.0;

/// A running server.
pub(crate) struct Node {
    process: Child,
    pub(crate) address: SocketAddr,
    database: String,
    folder: PathBuf,
}

impl Node {
    /// Starts the server that was built, over a database or its own file, without limits.
    pub(crate) fn start(database: Option<&str>) -> Self {
        let folder = std::env::temp_dir().join(format!("croupier-load-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let config = folder.join("load.toml");
        let unlimited = ["requests-per-second", "commands-per-second", "guests-per-hour"]
            .into_iter()
            .chain(["streams-per-address", "connections", "connections-per-address"])
            .chain(["tables-per-player", "public-tables-per-player", "chips-per-hour"])
            .chain(["player-mib-per-hour", "address-mib-per-hour"])
            .map(|limit| format!("{limit} = 0\n"));
        let limits = unlimited.collect::<String>();
        fs::write(&config, format!("[limits]\n{limits}")).expect("a configuration");
        let file = folder.join("croupier.db").display().to_string();
        let database = database.map_or(file, str::to_owned);
        let mut process = Command::new(program())
            .args(["serve", "--listen", "127.0.0.1:0", "--config"])
            .arg(&config)
            .env("CROUPIER_DB", &database)
            .env("CROUPIER_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .expect("run `cargo build --release` first");
        let output = process.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("its address");
        let address = line.trim().rsplit("http://").next().and_then(|text| text.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}"));
        Self { process, address, database, folder }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Returns its memory in megabytes.
    pub(crate) fn memory(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid())).expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u32>().ok());
        f64::from(kilobytes.expect("its memory")) / 1024.0
    }

    /// Stops the server, audits its data, and returns the number of stored command responses.
    pub(crate) fn stop_and_audit(mut self) -> u64 {
        let stopped = Command::new("kill").arg(self.pid().to_string()).status();
        assert!(stopped.expect("kill").success(), "it can be stopped");
        assert!(self.process.wait().expect("its end").success(), "it stops cleanly");
        let copy = self.folder.join("copy.db");
        let audited = Command::new(program())
            .args(["backup", "--json"])
            .arg(&copy)
            .env("CROUPIER_DB", &self.database)
            .output()
            .expect("an audit");
        let said = String::from_utf8_lossy(&audited.stdout).into_owned();
        let wrong = String::from_utf8_lossy(&audited.stderr).into_owned();
        assert!(audited.status.success(), "{wrong}");
        let answers = said.lines().find_map(|line| line.trim().strip_prefix("\"commands\":"));
        let answers = answers.and_then(|rest| rest.trim().trim_end_matches(',').parse().ok());
        answers.unwrap_or_else(|| panic!("no commands in {said}"))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Returns the path of the program: the one in `CROUPIER_PROGRAM`, or the one next to the folder of
/// this one.
fn program() -> PathBuf {
    if let Some(other) = std::env::var_os("CROUPIER_PROGRAM") {
        return other.into();
    }
    let own = std::env::current_exe().expect("a path");
    let folder = own.parent().and_then(|examples| examples.parent()).expect("a folder");
    folder.join("croupier")
}

/// Returns how many seconds of a core a process has used.
pub(crate) fn cpu_seconds(pid: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("Linux");
    let after = stat.rsplit(") ").next().expect("its fields");
    let field = |number: usize| {
        after.split(' ').nth(number).and_then(|field| field.parse::<u32>().ok()).expect("a number")
    };
    f64::from(field(11) + field(12)) / TICKS
}
