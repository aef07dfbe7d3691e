//! `croupier admin`

use croupier_server::{Office, Problem};
use croupier_store::Database;

use super::serve::Place;
use crate::failure::Failure;

/// Make operators, reset passwords, ban players: in the database itself
///
/// This is for what cannot be done over the network: the first operator, and a lost password. A
/// server may run meanwhile. It notices within a second whom it has to log out.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Place,

    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Make an operator, and print a password for him
    Operator {
        /// His name
        name: String,

        /// Read the password from the standard input instead of making one up
        #[arg(long)]
        password_stdin: bool,
    },
    /// Give a player or operator a new password, and log him out everywhere
    Password {
        /// His name
        name: String,

        /// Read the password from the standard input instead of making one up
        #[arg(long)]
        password_stdin: bool,
    },
    /// Log a player out for good
    Ban {
        /// His name, or the id of a guest
        name: String,

        /// Why
        reason: String,
    },
    /// Let a player play again
    Unban {
        /// His name, or the id of a guest
        name: String,
    },
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let db = args.place.find()?.db;
    // Before the database is opened: a person who types takes their time.
    let password = args.task.password()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Answer(error.to_string()))?;
    runtime.block_on(async {
        let store = Database::open_beside(&db).await;
        let store = store.map_err(|error| Failure::Answer(error.to_string()))?;
        let office = Office::open(store).await.map_err(failure)?;
        do_it(&office, &args.task, password).await
    })
}

fn failure(problem: Problem) -> Failure {
    Failure::Answer(problem.detail)
}

impl Task {
    /// Returns the password that it takes, if it takes one, and what is to be said about it.
    fn password(&self) -> Result<(String, String), Failure> {
        match self {
            Self::Operator { password_stdin, .. } | Self::Password { password_stdin, .. } => {
                password(*password_stdin)
            }
            Self::Ban { .. } | Self::Unban { .. } => Ok(Default::default()),
        }
    }
}

async fn do_it(
    office: &Office,
    task: &Task,
    (password, said): (String, String),
) -> Result<String, Failure> {
    match task {
        Task::Operator { name, .. } => {
            office.add_operator(name, &password).await.map_err(failure)?;
            Ok(format!("{name} is an operator now.\n{said}"))
        }
        Task::Password { name, .. } => {
            office.set_password(name, &password).await.map_err(failure)?;
            Ok(format!("{name} is logged out everywhere.\n{said}"))
        }
        Task::Ban { name, reason } => {
            office.ban(name, Some(reason)).await.map_err(failure)?;
            Ok(format!("{name} is banned.\n"))
        }
        Task::Unban { name } => {
            office.ban(name, None).await.map_err(failure)?;
            Ok(format!("{name} may play again.\n"))
        }
    }
}

/// Returns a password, and what is to be said about it.
#[expect(clippy::disallowed_methods, reason = "this is the shell that reads the standard input")]
fn password(stdin: bool) -> Result<(String, String), Failure> {
    if !stdin {
        let password = Office::made_up_password();
        let said = format!("The password, which is not shown again: {password}\n");
        return Ok((password, said));
    }
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    read.map_err(|error| Failure::Usage(format!("the password cannot be read: {error}")))?;
    Ok((line.trim_end_matches(['\r', '\n']).to_owned(), String::new()))
}
