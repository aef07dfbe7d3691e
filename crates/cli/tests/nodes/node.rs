//! A process that serves tables.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use croupier_testing::{Client, Method};

/// The timeout for anything to happen, however busy the machine is.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(1);

/// Short clocks, so that rounds end soon, and no limits: all clients come from one address.
const SETTINGS: &str = "
[clocks]
offer = 2500
betting = 1500
reveal = 300
decision = 2000
between = 100
empty = 60000

[limits]
requests-per-second = 0
commands-per-second = 0
guests-per-hour = 0
streams-per-address = 0
connections = 0
connections-per-address = 0
tables-per-player = 0
public-tables-per-player = 0
player-mib-per-hour = 0
address-mib-per-hour = 0
chips-per-hour = 0
";

/// Creates an empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nodes").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder can be removed");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A process of `croupier serve`. It ends with the test.
pub(crate) struct Node {
    process: Child,
    /// Kept open: a process that prints to a closed pipe is interrupted.
    stdout: BufReader<ChildStdout>,
    log: PathBuf,
    pub(crate) address: SocketAddr,
    /// When it was started.
    pub(crate) since: Instant,
}

impl Node {
    /// Starts a process that stores data in a folder, or in a database if one is given, and waits
    /// until it prints the address it listens on.
    ///
    /// # Errors
    ///
    /// Its exit status and output, if it does not serve.
    pub(crate) fn start(data: &Path, db: Option<&str>) -> Result<Self, (ExitStatus, String)> {
        std::fs::create_dir_all(data).expect("a folder");
        std::fs::write(data.join("croupier.toml"), SETTINGS).expect("the folder can be written to");
        let since = Instant::now();
        let log = data.join("log");
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.arg("serve").arg("--data").arg(data).args(["--listen", "127.0.0.1:0"]);
        command.args(db.iter().flat_map(|db| ["--db", db]));
        // Settings for servers in the environment must not apply to this one.
        let mut process = command
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::options().create(true).append(true).open(&log).expect("a log"))
            .spawn()
            .expect("the program starts");
        let mut stdout = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it prints text");
        let address = line.trim_end().strip_prefix("Croupier deals at http://");
        let Some(address) = address.and_then(|address| address.parse().ok()) else {
            let status = process.wait().expect("it ends");
            return Err((status, std::fs::read_to_string(&log).unwrap_or_default()));
        };
        Ok(Self { process, stdout, log, address, since })
    }

    /// Returns its log.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Kills it: it gets no chance to clean up.
    pub(crate) fn kill(mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it is dead");
    }

    /// Asks it to stop.
    pub(crate) fn ask_to_end(&self) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().expect("kill");
        assert!(sent.success());
    }

    /// Waits until it has stopped, and returns its exit status and remaining output.
    pub(crate) async fn end(mut self) -> (ExitStatus, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("a child") {
                break status;
            }
            assert!(start.elapsed() < TIMEOUT, "it doesn't end:\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        let mut said = String::new();
        self.stdout.read_to_string(&mut said).expect("it prints text");
        (status, said)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // It may already be dead.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// The addresses of the nodes: `None` for a dead one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board(Arc<Mutex<Vec<Option<SocketAddr>>>>);

impl Board {
    fn set(&self, number: usize, address: Option<SocketAddr>) {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() <= number {
            places.resize(number + 1, None);
        }
        places[number] = address;
    }

    /// Returns the address of the first live node, counting from a given one.
    pub(crate) fn from(&self, number: usize) -> Option<SocketAddr> {
        let places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (0..places.len()).find_map(|step| places[(number + step) % places.len()])
    }

    /// Returns the addresses of all live nodes.
    pub(crate) fn all(&self) -> Vec<SocketAddr> {
        let places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        places.iter().copied().flatten().collect()
    }
}

/// Nodes over one database.
pub(crate) struct House {
    folder: PathBuf,
    /// The database, as each node reaches it.
    dbs: Vec<String>,
    nodes: Vec<Option<Node>>,
    pub(crate) board: Board,
}

impl House {
    /// Starts nodes over a database, all at the same time.
    pub(crate) fn open(name: &str, db: &str, nodes: usize) -> Self {
        Self::open_with(name, vec![db.to_owned(); nodes])
    }

    /// Starts one node for each address of a database.
    pub(crate) fn open_with(name: &str, dbs: Vec<String>) -> Self {
        let (folder, board) = (folder(name), Board::default());
        let nodes = dbs.iter().map(|_| None).collect();
        let mut house = Self { folder, dbs, nodes, board };
        let places: Vec<PathBuf> = (0..house.dbs.len()).map(|number| house.place(number)).collect();
        let started: Vec<Node> = std::thread::scope(|scope| {
            let starting = places.iter().zip(&house.dbs);
            let starting =
                starting.map(|(place, db)| scope.spawn(move || Node::start(place, Some(db))));
            let starting: Vec<_> = starting.collect();
            let ended = starting.into_iter().map(|node| node.join().expect("no panic"));
            ended.map(|node| node.unwrap_or_else(|(_, said)| panic!("{said}"))).collect()
        });
        for (number, node) in started.into_iter().enumerate() {
            house.board.set(number, Some(node.address));
            house.nodes[number] = Some(node);
        }
        house
    }

    fn place(&self, number: usize) -> PathBuf {
        self.folder.join(format!("node-{number}"))
    }

    /// Returns the address of a live node.
    pub(crate) fn address(&self, number: usize) -> SocketAddr {
        self.nodes[number].as_ref().expect("it lives").address
    }

    /// Kills a node.
    pub(crate) fn kill(&mut self, number: usize) {
        // A client that is about to look for a node may still be sent to this one.
        self.nodes[number].take().expect("it lives").kill();
        self.board.set(number, None);
    }

    /// Restarts a dead node, at another port.
    pub(crate) fn revive(&mut self, number: usize) {
        let place = self.place(number);
        let node = tokio::task::block_in_place(|| Node::start(&place, Some(&self.dbs[number])));
        let node = node.unwrap_or_else(|(_, said)| panic!("{said}"));
        self.board.set(number, Some(node.address));
        self.nodes[number] = Some(node);
    }

    /// Removes a node from the house.
    pub(crate) fn take(&mut self, number: usize) -> Node {
        self.board.set(number, None);
        self.nodes[number].take().expect("it lives")
    }

    /// Returns the status of each node's response.
    pub(crate) async fn statuses(&self, path: &str) -> Vec<u16> {
        let mut statuses = Vec::new();
        for address in self.board.all() {
            let answer = Client::new(address).send(Method::GET, path, &[], Vec::new()).await;
            statuses.push(answer.map_or(0, |answer| answer.status.as_u16()));
        }
        statuses
    }

    /// Stops all nodes cleanly, and audits the data they leave behind. Returns the path of a copy
    /// of it, with the totals of the audit.
    pub(crate) async fn close(mut self) -> (PathBuf, serde_json::Value) {
        for node in self.nodes.iter_mut().filter_map(Option::take) {
            node.ask_to_end();
            let log = node.log();
            let (status, _) = node.end().await;
            assert!(status.success(), "{status}:\n{log}");
        }
        let file = self.folder.join("copy.db");
        let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .args(["backup", "--json", "--db", &self.dbs[0]])
            .arg(&file)
            .output()
            .expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        (file, serde_json::from_slice(&output.stdout).expect("JSON"))
    }
}
