//! Commands under a key, and their answers: how a command that is repeated is carried out once.

use croupier_table::Hash;
use serde_json::Value;

use crate::error::StoreError;
use crate::limits::{check_text, unusable};

/// The most characters in a command's sender or key.
const MOST_CHARACTERS: usize = 200;

/// A command's key: its sender, and the sender's name for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandKey {
    /// The sender.
    pub sender: String,
    /// The sender's name for the command, used only once.
    pub key: String,
}

impl CommandKey {
    /// Checks that a command can have this key.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], with the problem.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        for (what, text) in [("sender", &self.sender), ("key", &self.key)] {
            if !(1..=MOST_CHARACTERS).contains(&text.chars().count()) {
                return unusable(format!(
                    "a command's {what} must have 1 to {MOST_CHARACTERS} characters"
                ));
            }
            if text.contains(char::is_control) {
                return unusable(format!("a command's {what} must not have control characters"));
            }
        }
        Ok(())
    }
}

/// A client's request under a key, whatever command it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its key.
    pub key: CommandKey,
    /// The fingerprint of its body.
    pub body: Hash,
}

impl Request {
    /// Returns the request with this key and this full content: the same key with other content is
    /// another request, which is refused.
    pub fn new(key: CommandKey, content: &Value) -> Self {
        Self { key, body: Hash::of(content.to_string().as_bytes()) }
    }

    /// Returns it with its answer.
    pub fn answered(self, answer: String) -> Answered {
        Answered { key: self.key, body: self.body, answer }
    }
}

/// A command and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The command's key.
    pub key: CommandKey,
    /// The fingerprint of its body.
    pub body: Hash,
    /// The answer.
    pub answer: String,
}

impl Answered {
    /// Checks that a command and its answer can be stored.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], with the problem.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        self.key.check()?;
        check_text("the answer to a command", &self.answer)
    }
}

/// The outcome of a successful write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is written now.
    Now,
    /// It was written before: the command is a repeat, and this was the answer.
    Repeated(String),
}
