//! A server for one test: the program, run as an operator would.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Limits that a client sending one request after another at full speed does not reach.
const LIMITS: &str = "[limits]\nrequests-per-second = 0\ncommands-per-second = 0\n\
                      guests-per-hour = 0\nchips-per-hour = 0\n\
                      public-tables-per-player = 0\nplayer-mib-per-hour = 0\n\
                      address-mib-per-hour = 0\n";

/// A server that ends with the test.
pub(crate) struct Serving {
    child: Child,
    /// The folder for the server's data, where a test may also put files.
    pub(crate) folder: PathBuf,
    /// Its address, such as `http://127.0.0.1:40123`.
    pub(crate) url: String,
}

impl Serving {
    /// Starts a server over an empty database, at any free port.
    pub(crate) fn start(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("croupier.toml"), LIMITS).expect("a configuration");
        let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(&folder)
            .env_remove("CROUPIER_DB")
            .env("CROUPIER_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        said.read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("Croupier deals at ").expect("its address").to_owned();
        Self { child, folder, url }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
