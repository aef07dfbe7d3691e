//! Ultimate Texas Hold'em: count, do not visit.

mod boards;
mod flops;
pub(crate) mod kinds;
mod outcomes;
pub(crate) mod policy;
mod solution;
pub(crate) mod spot;
pub(crate) mod stakes;
pub(crate) mod sweep;

pub use solution::{HOLDEM_DEALS, Holdem};
