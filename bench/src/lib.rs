//! What Croupier's speed is measured by.
//!
//! Each measurement is a bench of its own, runs beside what one would use instead, and checks its
//! answers: none can be fast by being wrong. `docs/performance.md` keeps the figures.
//!
//! ```text
//! cargo bench --package croupier-bench --bench evaluators
//! ```
//!
//! The tests of this package ask the same peers for a second opinion on who wins.
