//! Passwords, and what is kept of them.

use std::net::IpAddr;
use std::sync::OnceLock;

use argon2::password_hash::phc::{Output, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use subtle::ConstantTimeEq;
use zxcvbn::{Score, zxcvbn};

use crate::problem::{Code, Problem};
use crate::workers::Workers;

/// How much memory a guess takes, in KiB, and how many passes: what OWASP asks for at least.
const MEMORY: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// How long a password is.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=256;

/// What a password is compared with if there is no such player, so that it takes as long.
static NOBODY: OnceLock<String> = OnceLock::new();

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY, PASSES, 1, None).expect("these parameters are allowed");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The memory that a worker hashes in. It is taken once and used for every password, so that a
/// flood of logins costs no more memory than two of them.
type Memory = Vec<Block>;

/// Works on passwords, a few at a time, in turn for the addresses they come from.
#[derive(Debug)]
pub(crate) struct Passwords(Workers<Memory>);

impl Passwords {
    pub(crate) fn new() -> Self {
        Self(Workers::new("croupier-password"))
    }

    /// Tells whether a password may be chosen. To find out how soon it would be guessed takes its
    /// time, too, if an attacker wants it to.
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
        self.0.work(address, move |_| check(&password, &name)).await?
    }

    /// Returns what is kept of a password.
    pub(crate) async fn hash(&self, address: IpAddr, password: &str) -> Result<String, Problem> {
        let password = password.to_owned();
        self.0.work(address, move |memory| hash(memory, &password)).await?.map_err(|error| {
            tracing::error!(%error, "a password could not be hashed");
            Code::Fault.into()
        })
    }

    /// Tells whether a password is the one that something was kept of. If there is nothing, it
    /// takes as long, and is not.
    pub(crate) async fn is(
        &self,
        address: IpAddr,
        password: &str,
        kept: Option<String>,
    ) -> Result<bool, Problem> {
        let password = password.to_owned();
        let work = move |memory: &mut Memory| {
            let nobody = NOBODY.get_or_init(|| hash(memory, "nobody has this").unwrap_or_default());
            let right = is(memory, &password, kept.as_ref().unwrap_or(nobody));
            right && kept.is_some()
        };
        self.0.work(address, work).await
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

/// Returns what is kept of a password, as a PHC string.
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

/// Tells whether a password is the one of a PHC string, whatever parameters that names.
fn is(memory: &mut Memory, password: &str, kept: &str) -> bool {
    let mut compare = || -> argon2::password_hash::Result<bool> {
        let kept = PasswordHash::new(kept)?;
        let (Some(salt), Some(expected)) = (&kept.salt, &kept.hash) else { return Ok(false) };
        let version = kept.version.map_or(Ok(Version::default()), Version::try_from)?;
        let algorithm = Algorithm::try_from(kept.algorithm.as_str())?;
        let hasher = Argon2::new(algorithm, version, Params::try_from(&kept)?);
        let mut out = [0; Output::MAX_LENGTH];
        let Some(out) = out.get_mut(..expected.len()) else { return Ok(false) };
        fill(memory, &hasher, password, salt, out)?;
        Ok(out.ct_eq(expected.as_ref()).into())
    };
    compare().unwrap_or_else(|error| {
        tracing::error!(%error, "what is kept of a password cannot be read");
        false
    })
}

/// Hashes a password in memory that is there already.
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
    fn hashes_are_those_of_the_library_and_the_memory_stays_the_same() {
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
        for kept in [&ours, &theirs, &small, &ours] {
            assert!(is(&mut memory, "a long walk", kept), "{kept}");
            assert!(!is(&mut memory, "a short walk", kept), "{kept}");
        }
        assert!(!is(&mut memory, "a long walk", "no hash at all"));
        assert_eq!((memory.as_ptr(), memory.len()), (place, 19 * 1024));
    }
}
