//! Helpers for the tests of several crates.

#![expect(clippy::disallowed_methods, reason = "it starts servers for tests, in its own folders")]
#![expect(clippy::missing_panics_doc, reason = "a fixture that cannot work fails its test")]

mod client;
mod cluster;
mod json_schema;
pub mod literal;
pub mod players;
mod random;

pub use client::{Client, Reply, StreamEvent, Watch, fresh_key};
pub use cluster::{Cluster, Durability};
pub use hyper::Method;
pub use json_schema::{record_schema, schema_faults};
pub use random::Random;
