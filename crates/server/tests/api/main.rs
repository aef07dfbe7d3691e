//! The server through its door, as those outside know it: what it answers, what it refuses, and
//! what it does when many come at once.
//!
//! All of it is one program. Each would be linked with the whole server, and that takes longer than
//! to run it.

mod attack;
mod authorisation;
mod bad_input;
mod california;
mod chips;
mod codes;
mod concurrent;
mod connections;
mod damage;
mod departures;
mod door;
mod evening;
mod events;
mod logins;
mod once;
mod openapi;
mod paces;
mod page;
mod seeds;
mod stop;
mod storage;
mod tables;
mod takings;
mod undealt;
