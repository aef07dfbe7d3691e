//! Helpers for the tests of several crates.

#![expect(clippy::disallowed_methods, reason = "it starts servers for tests, in its own folders")]

mod client;
mod cluster;

pub use client::{Client, Reply, StreamEvent, Watch, fresh_key};
pub use cluster::{Cluster, Durability};
pub use hyper::Method;
