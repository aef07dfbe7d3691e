//! Passwords and their hashes.

use std::net::IpAddr;
use std::sync::OnceLock;

use argon2::password_hash::phc::{Output, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use subtle::ConstantTimeEq;
use zxcvbn::{Score, zxcvbn};

use crate::http::problem::{Code, Problem};
use crate::people::hashing::HashingThreads;

/// The memory in KiB and the number of passes of one hash: the minimum that OWASP recommends.
const MEMORY: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// The allowed length of a password.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=256;

/// The hash that a password is compared with if there is no such player, so that the check takes as
/// long.
static DUMMY: OnceLock<String> = OnceLock::new();

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY, PASSES, 1, None).expect("these parameters are allowed");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The memory that a thread hashes in. It is allocated once and reused for every password, so that
/// a flood of logins costs no more memory than two of them.
type Memory = Vec<Block>;

/// Hashes passwords on a few threads, which take addresses in turn.
#[derive(Debug)]
pub(crate) struct Passwords(HashingThreads<Memory>);

impl Passwords {
    pub(crate) fn new() -> Self {
        Self(HashingThreads::new("croupier-password"))
    }

    /// Checks whether a password is acceptable. Estimating its strength also takes time, if an
    /// attacker wants it to.
    pub(crate) async fn check(
        &self,
        address: IpAddr,
        password: &str,
        name: &str,
    ) -> Result<(), Problem> {
        if !LENGTH.contains(&password.chars().count()) {
            return Err(Code::BadPassword.into());
        }
        let (password, name) = (password.to_owned(), name.to_owned());
        self.0.run(address, move |_| check(&password, &name)).await?
    }

    /// Returns the hash of a password.
    pub(crate) async fn hash(&self, address: IpAddr, password: &str) -> Result<String, Problem> {
        let password = password.to_owned();
        self.0.run(address, move |memory| hash(memory, &password)).await?.map_err(|error| {
            tracing::error!(%error, "a password could not be hashed");
            Code::Internal.into()
        })
    }

    /// Checks a password against a hash. Without a hash the check takes as long, and fails.
    pub(crate) async fn matches(
        &self,
        address: IpAddr,
        password: &str,
        stored: Option<String>,
    ) -> Result<bool, Problem> {
        let password = password.to_owned();
        let work = move |memory: &mut Memory| {
            let dummy = DUMMY.get_or_init(|| hash(memory, "no such player").unwrap_or_default());
            let right = matches(memory, &password, stored.as_ref().unwrap_or(dummy));
            right && stored.is_some()
        };
        self.0.run(address, work).await
    }
}

/// Checks that a password is not easy to guess. There are no rules about its characters.
fn check(password: &str, name: &str) -> Result<(), Problem> {
    // Lists of leaked passwords, names, rows of keys, dates, and the player's own name.
    if zxcvbn(password, &[name, "croupier"]).score() < Score::Two {
        let words = "this password is too easy to guess: use a longer one, or several words";
        return Err(Problem::new(Code::BadPassword, words));
    }
    Ok(())
}

/// Returns the hash of a password, as a PHC string.
fn hash(memory: &mut Memory, password: &str) -> argon2::password_hash::Result<String> {
    let (hasher, salt) = (argon2(), Salt::generate());
    let mut out = [0; Params::DEFAULT_OUTPUT_LEN];
    fill(memory, &hasher, password, &salt, &mut out)?;
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: hasher.params().try_into()?,
        salt: Some(salt),
        hash: Some(Output::new(&out)?),
    };
    Ok(hash.to_string())
}

/// Checks a password against a PHC string, with the parameters in that string.
fn matches(memory: &mut Memory, password: &str, stored: &str) -> bool {
    let mut compare = || -> argon2::password_hash::Result<bool> {
        let stored = PasswordHash::new(stored)?;
        let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else { return Ok(false) };
        let version = stored.version.map_or(Ok(Version::default()), Version::try_from)?;
        let algorithm = Algorithm::try_from(stored.algorithm.as_str())?;
        let hasher = Argon2::new(algorithm, version, Params::try_from(&stored)?);
        let mut out = [0; Output::MAX_LENGTH];
        let Some(out) = out.get_mut(..expected.len()) else { return Ok(false) };
        fill(memory, &hasher, password, salt, out)?;
        Ok(out.ct_eq(expected.as_ref()).into())
    };
    compare().unwrap_or_else(|error| {
        tracing::error!(%error, "a stored password hash cannot be read");
        false
    })
}

/// Hashes a password in preallocated memory.
fn fill(
    memory: &mut Memory,
    hasher: &Argon2<'_>,
    password: &str,
    salt: &[u8],
    out: &mut [u8],
) -> argon2::Result<()> {
    let blocks = hasher.params().block_count();
    if memory.len() < blocks {
        memory.resize(blocks, Block::default());
    }
    hasher.hash_password_into_with_memory(password.as_bytes(), salt, out, memory)
}

#[cfg(test)]
mod tests {
    use argon2::{PasswordHasher, PasswordVerifier};

    use super::*;

    #[test]
    fn common_and_short_passwords_are_refused() {
        for bad in ["short", "password", "Password123", "qwertyuiop", "aaaaaaaaaaaa", "harrison1"] {
            assert!(check(bad, "Harrison").is_err(), "{bad}");
        }
        for good in ["correct horse battery staple", "xK3-vv9-tably", "ананас и кот"] {
            assert!(check(good, "Harrison").is_ok(), "{good}");
        }
    }

    #[test]
    fn hashes_match_the_library_and_the_memory_is_reused() {
        let mut memory = Memory::new();
        let ours = hash(&mut memory, "a long walk").expect("a hash");
        assert!(ours.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{ours}");
        let place = memory.as_ptr();
        let read = PasswordHash::new(&ours).expect("a PHC string");
        assert!(argon2().verify_password(b"a long walk", &read).is_ok());
        let theirs = argon2().hash_password(b"a long walk").expect("a hash").to_string();
        let small = Params::new(64, 1, 1, None).expect("allowed");
        let small = Argon2::new(Algorithm::Argon2i, Version::V0x10, small);
        let small = small.hash_password(b"a long walk").expect("a hash").to_string();
        for stored in [&ours, &theirs, &small, &ours] {
            assert!(matches(&mut memory, "a long walk", stored), "{stored}");
            assert!(!matches(&mut memory, "a short walk", stored), "{stored}");
        }
        assert!(!matches(&mut memory, "a long walk", "no hash at all"));
        assert_eq!((memory.as_ptr(), memory.len()), (place, 19 * 1024));
    }
}
