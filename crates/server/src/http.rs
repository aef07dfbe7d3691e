//! HTTP itself, whatever a request is about: parsing, limits, errors, and the files of the page.

pub(crate) mod client_address;
pub(crate) mod connections;
pub(crate) mod cookies;
pub(crate) mod extract;
pub(crate) mod guard;
pub(crate) mod gzip;
pub(crate) mod health;
pub(crate) mod idempotency;
pub(crate) mod page;
pub(crate) mod problem;
pub(crate) mod rate_limits;
