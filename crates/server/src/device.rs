//! Devices that a player has logged in from.
//!
//! A device proves nothing about a person: it only has a count of failed attempts of its own, so
//! that an attacker elsewhere cannot hold up the player. It is known by a secret, in a cookie or
//! sent along by a program, of which the store has the fingerprint.

use axum::http::{HeaderMap, HeaderValue};
use croupier_store::{Paper, Store, StoreError};
use croupier_table::Time;

use crate::chance;
use crate::problem::Problem;
use crate::room::Shared;
use crate::session::{self, fingerprint};

/// The drawer of devices, each by the fingerprint of its secret, with the player as its owner.
const DEVICES: &str = "devices";

/// How long a device is known after the last login from it: half a year.
const LASTS: i64 = 180 * 86_400_000;

/// How many devices of a player are known. The one that was used longest ago goes first.
const MOST: usize = 16;

/// After how many failures in a row a device is not known any more.
pub(crate) const FAILURES: u32 = 10;

/// Returns the secret of a device that a request brings: in the request itself, or in a cookie.
pub(crate) fn presented(
    room: &Shared,
    headers: &HeaderMap,
    given: Option<String>,
) -> Option<String> {
    given.or_else(|| session::cookie_of(headers, cookie_name(room)))
}

/// Returns the key of a device, if the player has logged in from it before.
pub(crate) async fn key_of(
    room: &Shared,
    player: Option<&str>,
    secret: Option<&str>,
) -> Result<Option<String>, Problem> {
    // It is looked up whether or not there is such a player, so that it takes as long.
    let Some(secret) = secret else { return Ok(None) };
    let found = find(room, secret).await?;
    Ok(found.filter(|paper| Some(&*paper.owner) == player).map(|paper| paper.key))
}

async fn find(room: &Shared, secret: &str) -> Result<Option<Paper>, Problem> {
    let paper = room.store().paper(DEVICES, &fingerprint(secret)).await?;
    Ok(paper.filter(|paper| paper.until.is_some_and(|until| until > room.now())))
}

/// Remembers the device that a player logs in from, and returns its secret: the one it has, or a
/// new one, of which this is the only copy.
pub(crate) async fn remember(
    room: &Shared,
    player: &str,
    secret: Option<&str>,
) -> Result<String, Problem> {
    let now = room.now();
    let until = Some(Time::from_millis(now.as_millis() + LASTS));
    if let Some(secret) = secret
        && let Some(paper) = find(room, secret).await?
        && paper.owner == player
    {
        match room.store().file(Paper { at: now, until, ..paper }).await {
            // Another login from it may have written the same.
            Ok(_) | Err(StoreError::Conflict) => return Ok(secret.to_owned()),
            Err(error) => return Err(error.into()),
        }
    }
    let secret = chance::secret();
    let paper = Paper {
        drawer: DEVICES.to_owned(),
        key: fingerprint(&secret),
        owner: player.to_owned(),
        at: now,
        until,
        text: String::new(),
        revision: 0,
    };
    room.store().file(paper).await?;
    trim(room, player).await?;
    Ok(secret)
}

/// Forgets the devices of a player that were used longest ago, if there are too many.
async fn trim(room: &Shared, player: &str) -> Result<(), Problem> {
    let mut known = all(room, player).await?;
    known.sort_by_key(|paper| std::cmp::Reverse(paper.at));
    for paper in known.iter().skip(MOST) {
        room.store().discard(DEVICES, &paper.key).await?;
    }
    Ok(())
}

/// Returns the devices of a player: a few more than there should be, after logins at one moment.
pub(crate) async fn all(room: &Shared, player: &str) -> Result<Vec<Paper>, Problem> {
    Ok(room.store().papers_of(DEVICES, player, "", 4 * MOST).await?)
}

/// Forgets a device.
pub(crate) async fn forget(room: &Shared, key: &str) -> Result<(), Problem> {
    room.store().discard(DEVICES, key).await?;
    Ok(())
}

/// Forgets all devices of a player.
pub(crate) async fn forget_all(room: &Shared, player: &str) -> Result<(), Problem> {
    room.store().discard_of(DEVICES, player).await?;
    Ok(())
}

fn cookie_name(room: &Shared) -> &'static str {
    if room.config.is_secure() { "__Host-croupier-device" } else { "croupier-device" }
}

/// Writes the cookie that keeps the secret of a device. It stays when its player logs out.
pub(crate) fn cookie(room: &Shared, secret: &str) -> HeaderValue {
    let (name, age) = (cookie_name(room), LASTS / 1_000);
    let secure = if room.config.is_secure() { "; Secure" } else { "" };
    let text = format!("{name}={secret}; Path=/; HttpOnly; SameSite=Strict{secure}; Max-Age={age}");
    let mut value = HeaderValue::try_from(text).expect("a cookie is plain");
    value.set_sensitive(true);
    value
}
