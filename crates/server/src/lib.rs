//! Tables for many people: the HTTP shell over tables and stores.

mod analysis;
mod extract;
mod problem;

pub use problem::{Code, Problem};
