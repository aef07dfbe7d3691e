//! Ultimate Texas Hold'em: count, do not visit.

mod boards;
mod flops;
mod kinds;
mod outcomes;
mod policy;
mod solution;
pub(crate) mod spot;
pub(crate) mod stakes;
mod sweep;

pub use solution::{HOLDEM_DEALS, Holdem};
