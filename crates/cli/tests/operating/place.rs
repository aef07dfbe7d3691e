//! A server for one test, and commands next to it.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

/// Limits that no test reaches by itself: all requests come from one address.
const LIMITS: &str = "[limits]\nrequests-per-second = 0\ncommands-per-second = 0\n\
                      guests-per-hour = 0\nconnections-per-address = 0\n";

/// A process of `croupier serve` over an SQLite file. It ends with the test.
pub(crate) struct Place {
    process: Child,
    folder: PathBuf,
    /// Kept open: a process that prints to a closed pipe is interrupted.
    _said: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
}

impl Place {
    /// Starts a server over an empty database, after some shell commands.
    pub(crate) fn open(name: &str, before: &str, arguments: &[&str]) -> Self {
        Self::open_with(name, LIMITS, before, arguments)
    }

    /// Starts a server over an empty database, with a configuration.
    pub(crate) fn open_with(name: &str, limits: &str, before: &str, arguments: &[&str]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operating").join(name);
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("croupier.toml"), limits).expect("a configuration");
        let mut process = serve(&folder, before)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut said = BufReader::new(process.stdout.take().expect("a pipe"));
        said.read_line(&mut line).expect("it prints text");
        let address = line.trim_end().strip_prefix("Croupier deals at http://");
        let address = address.and_then(|address| address.parse().ok()).expect("its address");
        Self { process, folder, _said: said, address }
    }

    /// Starts an administrator's command on the same database.
    pub(crate) fn begin_admin(
        &self,
        task: &[&str],
        output: Stdio,
        password: Option<&str>,
    ) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.arg("admin").args(task).args(password.map(|_| "--password-stdin"));
        command.arg("--data").arg(&self.folder).env_clear().stdin(Stdio::piped());
        let mut child =
            command.stdout(Stdio::null()).stderr(output).spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        if let Some(password) = password {
            writeln!(stdin, "{password}").expect("it reads");
        }
        child
    }

    /// Runs an administrator's command on the same database.
    ///
    /// # Errors
    ///
    /// Its error output, if it fails.
    pub(crate) fn admin(&self, task: &[&str], password: Option<&str>) -> Result<(), String> {
        let child = self.begin_admin(task, Stdio::piped(), password);
        outcome(&child.wait_with_output().expect("it ends"))
    }

    /// Tries to start a second server over the same database.
    ///
    /// # Errors
    ///
    /// Its error output, if it fails.
    pub(crate) fn second(&self) -> Result<(), String> {
        outcome(&serve(&self.folder, "").output().expect("the program starts"))
    }

    /// Lets the server write files of any size.
    pub(crate) fn lift_limit(&self) {
        let mut lift = Command::new("prlimit");
        lift.args(["--fsize=unlimited", "--pid", &self.process.id().to_string()]);
        assert!(lift.status().expect("prlimit, of util-linux, runs").success());
    }

    /// Returns the server's memory in MiB, from a line of its status in `/proc`.
    pub(crate) fn memory(&self, line: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.expect("a status in /proc");
        let line = status.lines().find_map(|text| text.strip_prefix(line)).expect("a line");
        let kib: u64 = line.trim_matches([':', '\t', ' ', 'k', 'B']).parse().expect("a number");
        kib / 1024
    }

    /// Returns how much is stored, in KiB: the database and SQLite's files next to it.
    pub(crate) fn stored(&self) -> u64 {
        let files = std::fs::read_dir(&self.folder).expect("a folder").flatten();
        let sizes = files.filter_map(|file| file.metadata().ok()).map(|file| file.len());
        sizes.sum::<u64>() / 1024
    }

    /// Asks the server to stop, and checks that it stops cleanly.
    pub(crate) fn end(mut self) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().expect("kill");
        assert!(sent.success());
        assert!(self.process.wait().expect("it ends").success());
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // It may already have ended.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Returns a shell command that serves the data in a folder.
fn serve(folder: &Path, before: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{before} exec \"$0\" \"$@\""));
    command.arg(env!("CARGO_BIN_EXE_croupier")).args(["serve", "--listen", "127.0.0.1:0"]);
    command.arg("--data").arg(folder);
    // Settings for servers in the environment must not apply to this one.
    command.env_remove("CROUPIER_DB").env_remove("CROUPIER_CONFIG").stdin(Stdio::null());
    command
}

fn outcome(output: &Output) -> Result<(), String> {
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}
