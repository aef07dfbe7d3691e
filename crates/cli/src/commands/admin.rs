//! `croupier admin`

use croupier_server::{Admin, Problem};
use croupier_store::Database;

use super::serve::Place;
use crate::failure::Failure;

/// Create operators, reset passwords and ban players, directly in the database
///
/// Use it for what the API can't do: create the first operator, and replace a lost password. The
/// server may be running. It logs out the players concerned within a second.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Place,

    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Create an operator and print a password for them
    Operator {
        /// The operator's name
        name: String,

        /// Read the password from standard input instead of making one up
        #[arg(long)]
        password_stdin: bool,
    },
    /// Give a player or operator a new password, and log them out everywhere
    Password {
        /// The name of the player or operator
        name: String,

        /// Read the password from standard input instead of making one up
        #[arg(long)]
        password_stdin: bool,
    },
    /// Ban a player: log them out for good
    Ban {
        /// The player's name, or the id of a guest
        name: String,

        /// The reason
        reason: String,
    },
    /// Let a player play again
    Unban {
        /// The player's name, or the id of a guest
        name: String,
    },
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let db = args.place.find()?.db;
    // Before the database is opened, because a person takes time to type.
    let password = args.task.password()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Answer(error.to_string()))?;
    runtime.block_on(async {
        let store = Database::open_as_guest(&db).await;
        let store = store.map_err(|error| Failure::Answer(error.to_string()))?;
        let admin = Admin::open(store).await.map_err(failure)?;
        run_task(&admin, &args.task, password).await
    })
}

fn failure(problem: Problem) -> Failure {
    Failure::Answer(problem.detail)
}

impl Task {
    /// Returns the password for this task, if it takes one, and the line to print about it.
    fn password(&self) -> Result<(String, String), Failure> {
        match self {
            Self::Operator { password_stdin, .. } | Self::Password { password_stdin, .. } => {
                password(*password_stdin)
            }
            Self::Ban { .. } | Self::Unban { .. } => Ok(Default::default()),
        }
    }
}

async fn run_task(
    admin: &Admin,
    task: &Task,
    (password, said): (String, String),
) -> Result<String, Failure> {
    match task {
        Task::Operator { name, .. } => {
            admin.add_operator(name, &password).await.map_err(failure)?;
            Ok(format!("{name} is now an operator.\n{said}"))
        }
        Task::Password { name, .. } => {
            admin.set_password(name, &password).await.map_err(failure)?;
            Ok(format!("{name} is logged out everywhere.\n{said}"))
        }
        Task::Ban { name, reason } => {
            admin.ban(name, Some(reason)).await.map_err(failure)?;
            Ok(format!("{name} is banned.\n"))
        }
        Task::Unban { name } => {
            admin.ban(name, None).await.map_err(failure)?;
            Ok(format!("{name} may play again.\n"))
        }
    }
}

/// Returns a password and the line to print about it.
#[expect(clippy::disallowed_methods, reason = "this is the shell that reads standard input")]
fn password(stdin: bool) -> Result<(String, String), Failure> {
    if !stdin {
        let password = Admin::generated_password();
        let said = format!("Password (not shown again): {password}\n");
        return Ok((password, said));
    }
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    read.map_err(|error| Failure::Usage(format!("the password cannot be read: {error}")))?;
    Ok((line.trim_end_matches(['\r', '\n']).to_owned(), String::new()))
}
