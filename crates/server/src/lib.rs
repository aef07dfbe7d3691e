//! Tables for many people: the HTTP shell over tables and stores.
//!
//! A [`Server`] answers requests over a database. On PostgreSQL any number of them share one, and
//! none owns anything: a table is loaded, asked, and stored by whichever is asked.

#![expect(unused_qualifications, reason = "what describes endpoints qualifies every name")]

mod analysis;
mod attempts;
mod bots;
mod card_room;
mod chance;
mod clock;
mod config;
mod connections;
mod departure;
mod device;
mod extract;
mod guard;
mod gzip;
mod health;
mod history;
mod hub;
mod lobby;
mod login;
mod office;
mod once;
mod operator;
mod page;
mod password;
mod people;
mod pricing;
mod problem;
mod pulse;
mod report;
mod room;
mod sample;
mod server;
mod session;
mod slots;
mod storage;
mod stream;
mod tables;
mod trouble;
mod unplayed;
mod wake;
mod workers;

pub use config::{Config, Limits, MetricsAccess, Times};
pub use office::Office;
pub use problem::{Code, Problem};
pub use server::{Server, ServerError, openapi};
