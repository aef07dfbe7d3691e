//! The server through its door, as those outside know it: what it answers, what it refuses, and
//! what it does when many come at once.
//!
//! All of it is one program. Each would be linked with the whole server, and that takes longer than
//! to run it.

mod authorisation;
mod bad_input;
mod california;
mod codes;
mod concurrent;
mod door;
mod evening;
mod openapi;
mod page;
mod stop;
mod tables;
