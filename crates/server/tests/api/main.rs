//! The server over HTTP, as clients know it: its responses, its refusals, and its behavior under
//! simultaneous requests.
//!
//! All tests are one program. Separate programs would each link the whole server, which takes
//! longer than running the tests.

mod attack;
mod authorization;
mod bad_input;
mod bots;
mod california;
mod chips;
mod codes;
mod concurrent;
mod connections;
mod damage;
mod deletions;
mod evening;
mod events;
mod harness;
mod idempotency;
mod logins;
mod names;
mod openapi;
mod paces;
mod page;
mod seeds;
mod stop;
mod storage;
mod tables;
mod takings;
mod undealt;
