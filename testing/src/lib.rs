//! What tests of several crates need beside them.

#![expect(
    clippy::disallowed_methods,
    reason = "it starts servers for tests, in folders of its own"
)]

mod cluster;
mod visitor;

pub use cluster::{Cluster, Durability};
pub use hyper::Method;
pub use visitor::{Reply, Told, Visitor, Watch, fresh_key};
