//! Passwords, and what is kept of them.

use std::sync::LazyLock;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

use crate::problem::{Code, Problem};

/// How much memory a guess takes, in KiB, and how many passes: what OWASP asks for at least.
const MEMORY: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// How many are worked on at a time: each takes the memory above, and most of a core.
const AT_A_TIME: usize = 2;

/// How many may wait for that. Who comes later is asked to try again.
const QUEUE: usize = 64;

/// How long a password is.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=256;

/// What a password is compared with if there is no such player, so that it takes as long.
static NOBODY: LazyLock<String> = LazyLock::new(|| {
    let hash = argon2().hash_password(b"nobody has this password");
    hash.map(|hash| hash.to_string()).unwrap_or_default()
});

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY, PASSES, 1, None).expect("these parameters are allowed");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Works on passwords, a few at a time.
#[derive(Debug)]
pub(crate) struct Passwords {
    workers: Semaphore,
    queue: Semaphore,
}

impl Passwords {
    pub(crate) fn new() -> Self {
        Self { workers: Semaphore::new(AT_A_TIME), queue: Semaphore::new(QUEUE) }
    }

    /// Tells whether a password may be chosen. To find out how soon it would be guessed takes its
    /// time, too, if somebody wants it to.
    pub(crate) async fn check(&self, password: &str, name: &str) -> Result<(), Problem> {
        if !LENGTH.contains(&password.chars().count()) {
            return Err(Code::BadPassword.into());
        }
        let (password, name) = (password.to_owned(), name.to_owned());
        self.work(move || check(&password, &name)).await?
    }

    /// Returns what is kept of a password.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, Problem> {
        let password = password.to_owned();
        self.work(move || {
            let hash = argon2().hash_password(password.as_bytes());
            hash.map(|hash| hash.to_string()).map_err(|error| {
                tracing::error!(%error, "a password could not be hashed");
                Problem::from(Code::Fault)
            })
        })
        .await?
    }

    /// Tells whether a password is the one that something was kept of. If there is nothing, it
    /// takes as long, and is not.
    pub(crate) async fn is(&self, password: &str, kept: Option<String>) -> Result<bool, Problem> {
        let password = password.to_owned();
        self.work(move || {
            let known = kept.is_some();
            let kept = kept.unwrap_or_else(|| NOBODY.clone());
            let right = PasswordHash::new(&kept)
                .is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok());
            right && known
        })
        .await
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let busy = || Problem::from(Code::Busy).retry_after(2);
        let _place = self.queue.try_acquire().map_err(|_| busy())?;
        let _worker = self.workers.acquire().await.map_err(|_| busy())?;
        tokio::task::spawn_blocking(work).await.map_err(|_| Code::Fault.into())
    }
}

/// Tells whether a password would be guessed soon. There are no rules about what it is made of.
fn check(password: &str, name: &str) -> Result<(), Problem> {
    // Lists of leaked passwords, names, rows of keys, dates, and the player's own name.
    if zxcvbn(password, &[name, "croupier"]).score() < Score::Two {
        let words = "this password would be guessed soon: take a longer one, or several words";
        return Err(Problem::new(Code::BadPassword, words));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn common_and_short_passwords_are_refused() {
        for bad in ["short", "password", "Password123", "qwertyuiop", "aaaaaaaaaaaa", "harrison1"] {
            assert!(check(bad, "Harrison").is_err(), "{bad}");
        }
        for good in ["correct horse battery staple", "xK3-vv9-tably", "ананас и кот"] {
            assert!(check(good, "Harrison").is_ok(), "{good}");
        }
    }
}
