//! Devices that a player has logged in from.
//!
//! A device proves nothing about a person: it only has its own count of failed attempts, so that an
//! attacker elsewhere cannot delay the player. It is identified by a secret, in a cookie or sent
//! along by a program. The store has only the fingerprint of the secret.

use axum::http::{HeaderMap, HeaderValue};
use croupier_store::{Collection, Document, StoreError, Text};
use croupier_table::Time;

use crate::http::cookies;
use crate::http::problem::Problem;
use crate::people::session::fingerprint;
use crate::random;
use crate::state::AppState;

/// The collection of devices, keyed by the fingerprint of the secret and owned by the player.
const DEVICES: Collection<Text> = Collection::new("devices");

/// How long a device is known after the last login from it: half a year.
const LIFETIME: i64 = 180 * 86_400_000;

/// The number of devices remembered for a player. The least recently used is forgotten first.
const MAX_DEVICES: usize = 16;

/// The number of failures in a row after which a device is forgotten.
pub(super) const MAX_FAILURES: u32 = 10;

/// Returns the device secret that a request presents, in its body or in a cookie.
pub(crate) fn presented(
    state: &AppState,
    headers: &HeaderMap,
    given: Option<String>,
) -> Option<String> {
    given.or_else(|| cookies::value(headers, cookie_name(state)))
}

/// Returns the key of a device, if the player has logged in from it before.
pub(crate) async fn key_of(
    state: &AppState,
    player: Option<&str>,
    secret: Option<&str>,
) -> Result<Option<String>, Problem> {
    // The lookup happens whether or not the player exists, so that it takes the same time.
    let Some(secret) = secret else { return Ok(None) };
    let found = find(state, secret).await?;
    Ok(found.filter(|device| Some(&*device.owner) == player).map(|device| device.key))
}

async fn find(state: &AppState, secret: &str) -> Result<Option<Document<Text>>, Problem> {
    let device = DEVICES.get(state.store(), &fingerprint(secret)).await?;
    Ok(device.filter(|device| device.until.is_some_and(|until| until > state.now())))
}

/// Remembers the device that a player logs in from, and returns its secret: the one it has, or a
/// new one, which is not stored anywhere else.
pub(crate) async fn remember(
    state: &AppState,
    player: &str,
    secret: Option<&str>,
) -> Result<String, Problem> {
    let now = state.now();
    let until = Time::from_millis(now.as_millis() + LIFETIME);
    if let Some(secret) = secret
        && let Some(mut device) = find(state, secret).await?
        && device.owner == player
    {
        (device.at, device.until) = (now, Some(until));
        match DEVICES.put(state.store(), device).await {
            // Another login from the same device may have written the same.
            Ok(_) | Err(StoreError::Conflict) => return Ok(secret.to_owned()),
            Err(error) => return Err(error.into()),
        }
    }
    let secret = random::secret();
    let device = Document::plain(fingerprint(&secret), now, "").owned_by(player).expiring(until);
    DEVICES.put(state.store(), device).await?;
    trim(state, player).await?;
    Ok(secret)
}

/// Forgets the least recently used devices of a player, if there are too many.
async fn trim(state: &AppState, player: &str) -> Result<(), Problem> {
    let mut known = all(state, player).await?;
    known.sort_by_key(|device| std::cmp::Reverse(device.at));
    for device in known.iter().skip(MAX_DEVICES) {
        DEVICES.delete(state.store(), &device.key).await?;
    }
    Ok(())
}

/// Returns the devices of a player. Concurrent logins may leave a few more than the limit.
pub(crate) async fn all(state: &AppState, player: &str) -> Result<Vec<Document<Text>>, Problem> {
    Ok(DEVICES.documents_of(state.store(), player, "", 4 * MAX_DEVICES).await?)
}

/// Forgets a device.
pub(crate) async fn forget(state: &AppState, key: &str) -> Result<(), Problem> {
    DEVICES.delete(state.store(), key).await?;
    Ok(())
}

/// Forgets all devices of a player.
pub(crate) async fn forget_all(state: &AppState, player: &str) -> Result<(), Problem> {
    DEVICES.delete_of(state.store(), player).await?;
    Ok(())
}

fn cookie_name(state: &AppState) -> &'static str {
    if state.config.is_secure() { "__Host-croupier-device" } else { "croupier-device" }
}

/// Returns the cookie with the secret of a device. It remains when the player logs out.
pub(crate) fn cookie(state: &AppState, secret: &str) -> HeaderValue {
    let (name, age) = (cookie_name(state), LIFETIME / 1_000);
    let secure = if state.config.is_secure() { "; Secure" } else { "" };
    let text = format!("{name}={secret}; Path=/; HttpOnly; SameSite=Strict{secure}; Max-Age={age}");
    let mut value = HeaderValue::try_from(text).expect("a cookie is plain");
    value.set_sensitive(true);
    value
}
