//! Measurements of Croupier's speed.
//!
//! Each measurement is a separate bench, runs next to its alternatives, and checks its answers:
//! none can be fast by being wrong. `docs/performance.md` keeps the figures.
//!
//! ```text
//! cargo bench --package croupier-bench --bench evaluators
//! ```
//!
//! The tests of this package use the same peers for a second opinion on who wins.
