//! Tables for many people: the HTTP shell over tables and stores.
//!
//! A [`Server`] answers requests over a database. On PostgreSQL any number of them share one, and
//! none owns anything: a table is loaded, asked, and stored by whichever is asked.

#![expect(unused_qualifications, reason = "what describes endpoints qualifies every name")]

mod analysis;
mod bots;
mod card_room;
mod chance;
mod clock;
mod config;
mod extract;
mod guard;
mod gzip;
mod health;
mod history;
mod hub;
mod lobby;
mod login;
mod office;
mod operator;
mod page;
mod password;
mod people;
mod problem;
mod report;
mod room;
mod server;
mod session;
mod stream;
mod tables;
mod wake;

pub use config::{Config, Limits, MetricsAccess, Times};
pub use office::Office;
pub use problem::{Code, Problem};
pub use server::{Server, ServerError, openapi};
