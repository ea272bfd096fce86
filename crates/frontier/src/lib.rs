#![doc = include_str!("../README.md")]

// What goes in and comes out.
mod counts;
mod error;
mod settings;
mod wish;
// The frontier itself.
mod frontier;

pub use counts::Counts;
pub use error::Error;
pub use frontier::{Frontier, Queued};
pub use settings::Settings;
pub use wish::{End, Id, Offered, Settled, Turn, Wish};
