//! What time it is on this machine.

use std::time::{SystemTime, UNIX_EPOCH};

use croupier_table::Time;

/// Returns the time by the system's clock: what a store says that only one machine uses.
#[expect(clippy::disallowed_methods, reason = "a store says what time it is")]
pub(crate) fn system_time() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
