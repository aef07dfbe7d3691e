//! The HTTP server for tables and stores.
//!
//! A [`Server`] answers requests over a database. Any number of servers can share a PostgreSQL
//! database, and none of them owns any state: the server that gets a request loads the table, runs
//! the command, and stores the result.

#![expect(unused_qualifications, reason = "the macros that describe endpoints qualify every name")]

mod analysis;
mod background;
mod clock;
mod config;
mod history;
mod http;
mod lobby;
mod operator;
mod people;
mod random;
mod server;
mod state;
mod storage;
mod tables;

pub use config::{Config, Limits, MetricsAccess, Timeouts};
pub use http::problem::{Code, Problem};
pub use operator::admin::Admin;
pub use server::{Server, ServerError, openapi};
