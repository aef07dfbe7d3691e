//! The program, run as a shell would run it.

use std::process::Command;

/// The output of a command, and its exit code.
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

/// Runs the program at the root of the repository, as pages do.
pub(crate) fn croupier(arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .args(arguments)
        .env_remove("COLUMNS")
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    Run { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}
