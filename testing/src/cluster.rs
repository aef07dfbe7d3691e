//! A PostgreSQL server just for tests.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The timeout of a PostgreSQL program, on a machine that is busy with other tests.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The superuser of the cluster, with this password where one is needed.
const USER: &str = "croupier";
const PASSWORD: &str = "chips";

/// Stops the server and removes its folder once the standard input is closed, which also happens
/// when the process that started it is killed.
const WATCH: &str = r#"cat > /dev/null; "$1" stop -D "$2/data" -m immediate -s; rm -rf "$2""#;

/// Whether committed data survives a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// It does, as with PostgreSQL's default settings.
    Full,
    /// It does not, which speeds up tests that crash nothing.
    None,
}

/// A PostgreSQL server in a temporary folder.
///
/// It stops when it is dropped, or when the process that started it ends, however that happens; the
/// folder is removed with it.
#[derive(Debug)]
pub struct Cluster {
    programs: PathBuf,
    folder: PathBuf,
    /// The user and group to run as, when the tests run as root: PostgreSQL refuses that.
    owner: Option<(u32, u32)>,
    port: u16,
    databases: AtomicU32,
    watch: Child,
    leash: Option<ChildStdin>,
}

impl Cluster {
    /// Returns the cluster that all tests of this process share. It is not durable.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(Durability::None))
    }

    /// Starts a cluster.
    ///
    /// # Panics
    ///
    /// When PostgreSQL is missing, with what to install, or when it does not start.
    pub fn start(durability: Durability) -> Self {
        let programs = programs();
        let folder = folder();
        let owner = owner(&folder);
        // The watch process starts first, so that nothing is left behind if the rest fails.
        let mut command = Command::new("sh");
        command.args(["-c", WATCH, "watch"]).arg(programs.join("pg_ctl")).arg(&folder);
        // It has its own process group: interrupting the tests must not interrupt the cleanup.
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let mut watch = prepared(command, &folder, owner).spawn().expect("sh starts");
        let leash = watch.stdin.take();
        let databases = AtomicU32::new(0);
        let mut cluster = Self { programs, folder, owner, port: 0, databases, watch, leash };
        cluster.initialise(durability);
        // Another process may take the port between the check that it is free and its use.
        for _ in 0..5 {
            cluster.port = free_port();
            if cluster.try_start().is_ok() {
                return cluster;
            }
        }
        panic!("PostgreSQL does not start:\n{}", cluster.log());
    }

    /// Returns the address of the default database.
    pub fn url(&self) -> String {
        self.url_of("postgres")
    }

    /// Creates a new, empty database, and returns its address.
    ///
    /// # Panics
    ///
    /// When that fails.
    pub fn fresh_database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let port = self.port.to_string();
        let mut command = Command::new(self.programs.join("createdb"));
        command.arg("--host").arg(&self.folder).args(["--port", &port, "--username", USER]);
        command.args(["--template", "template0", &name]);
        self.run(command).unwrap_or_else(|log| panic!("createdb failed:\n{log}"));
        self.url_of(&name)
    }

    /// Stops the server as a crash would: every connection breaks, and nothing more is written.
    ///
    /// # Panics
    ///
    /// When it does not stop.
    pub fn stop_hard(&self) {
        let mut command = Command::new(self.programs.join("pg_ctl"));
        command.args(["stop", "-m", "immediate", "-w", "-D"]).arg(self.folder.join("data"));
        self.run(command).unwrap_or_else(|log| panic!("PostgreSQL does not stop:\n{log}"));
    }

    /// Starts the server again, at the same address.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn start_again(&self) {
        self.try_start().unwrap_or_else(|log| panic!("PostgreSQL does not start again:\n{log}"));
    }

    fn url_of(&self, database: &str) -> String {
        format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{}/{database}", self.port)
    }

    fn initialise(&self, durability: Durability) {
        let password = self.folder.join("password");
        fs::write(&password, PASSWORD).expect("the folder can be written to");
        let mut command = Command::new(self.programs.join("initdb"));
        command.arg("--pgdata").arg(self.folder.join("data")).arg("--pwfile").arg(&password);
        command.args(["--username", USER, "--encoding", "UTF8", "--no-locale", "--no-sync"]);
        command.args(["--auth-local", "trust", "--auth-host", "password"]);
        self.run(command).unwrap_or_else(|log| panic!("initdb failed:\n{log}"));
        let mut settings = String::from("\nmax_connections = 500\nshared_buffers = 32MB\n");
        if durability == Durability::None {
            settings.push_str("fsync = off\nfull_page_writes = off\n");
        }
        let path = self.folder.join("data/postgresql.conf");
        let mut text = fs::read_to_string(&path).expect("initdb wrote its settings");
        text.push_str(&settings);
        fs::write(&path, text).expect("the settings can be written");
    }

    fn try_start(&self) -> Result<(), String> {
        let mut options = format!("-p {} -c listen_addresses=127.0.0.1", self.port);
        write!(options, " -c unix_socket_directories='{}'", self.folder.display())
            .expect("a string");
        let mut command = Command::new(self.programs.join("pg_ctl"));
        command.args(["start", "-w", "-t", "60", "-D"]).arg(self.folder.join("data"));
        command.arg("-l").arg(self.folder.join("server.log")).arg("-o").arg(options);
        self.run(command)
    }

    /// Runs a program to its end, or returns its output.
    fn run(&self, command: Command) -> Result<(), String> {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        // A file rather than a pipe: the server inherits it, and would hold a pipe open.
        let path = self.folder.join(format!("run-{run}.log"));
        let log = File::create(&path).expect("the folder can be written to");
        let mut command = prepared(command, &self.folder, self.owner);
        command.stdin(Stdio::null());
        command.stdout(log.try_clone().expect("a file")).stderr(log);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let printed = || fs::read_to_string(&path).unwrap_or_default();
        if wait(&mut child) { Ok(()) } else { Err(printed() + &self.log()) }
    }

    /// Returns the server's log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("server.log")).unwrap_or_default()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.leash.take());
        wait(&mut self.watch);
    }
}

/// Waits for a program to end; returns whether it did, with success.
fn wait(child: &mut Child) -> bool {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if start.elapsed() < TIMEOUT => thread::sleep(Duration::from_millis(5)),
            Ok(None) | Err(_) => {
                // It has timed out, and the result of killing it does not matter.
                let _ = child.kill();
                return false;
            }
        }
    }
}

/// Sets a command's folder and user, and clears PostgreSQL's environment variables.
fn prepared(mut command: Command, folder: &Path, owner: Option<(u32, u32)>) -> Command {
    command.current_dir(folder);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PG") {
            command.env_remove(name);
        }
    }
    if let Some((user, group)) = owner {
        command.uid(user).gid(group);
    }
    command
}

/// Finds PostgreSQL's programs. Debian keeps them outside the path.
fn programs() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).find(|folder| folder.join("initdb").is_file());
    // A link on the path may be for this program only: its neighbors are where it points to.
    let real = on_path.and_then(|folder| fs::canonicalize(folder.join("initdb")).ok());
    let linked = real.and_then(|program| program.parent().map(Path::to_path_buf));
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<(u32, PathBuf)> = versions
        .filter_map(|version| {
            let number = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        })
        .collect();
    debian.sort();
    let newest_last = debian.into_iter().map(|(_, folder)| folder);
    let mut all = newest_last.chain(linked);
    let complete = |folder: &PathBuf| {
        ["initdb", "pg_ctl", "postgres", "createdb"].iter().all(|name| folder.join(name).is_file())
    };
    all.rfind(complete).unwrap_or_else(|| {
        panic!(
            "PostgreSQL is missing: initdb, pg_ctl, postgres and createdb are neither on the \
             path nor in /usr/lib/postgresql. On Debian or Ubuntu: apt-get install postgresql"
        )
    })
}

/// Gives a folder that root made to the user that is to run the server instead, and returns that
/// user.
fn owner(folder: &Path) -> Option<(u32, u32)> {
    if fs::metadata(folder).expect("it was just created").uid() != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("the list of users can be read");
    let find = |wanted: &str| {
        users.lines().find_map(|line| {
            let fields: Vec<&str> = line.split(':').collect();
            match fields[..] {
                [name, _, user, group, ..] if name == wanted => {
                    Some((user.parse().ok()?, group.parse().ok()?))
                }
                _ => None,
            }
        })
    };
    let (user, group) = find("postgres").or_else(|| find("nobody")).expect("a user nobody");
    chown(folder, Some(user), Some(group)).expect("root may give folders away");
    Some((user, group))
}

/// Creates a private folder.
fn folder() -> PathBuf {
    static FOLDERS: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        // Short, because the path of a socket must not be long.
        let name = format!("croupier-pg-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        match fs::create_dir(&path) {
            Ok(()) => {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("our folder");
                return path;
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => panic!("{} cannot be created: {error}", path.display()),
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_stops_hard_starts_again_and_leaves_nothing_behind() {
        let cluster = Cluster::start(Durability::Full);
        let folder = cluster.folder.clone();
        assert_ne!(cluster.fresh_database(), cluster.fresh_database());
        cluster.stop_hard();
        cluster.start_again();
        assert!(cluster.fresh_database().ends_with("/test_2"));
        drop(cluster);
        assert!(!folder.exists());
    }
}
