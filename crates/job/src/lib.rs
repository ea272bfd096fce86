#![doc = include_str!("../README.md")]

// Where it stands, and who runs it.
mod error;
pub mod limits;
mod list;
pub mod lock;
mod queue;
mod state;
// How it gets on, while somebody runs it.
mod progress;
pub mod socket;
// What it has done.
pub mod log;
pub mod tally;

pub use error::Error;
pub use list::{Summary, list};
pub use progress::Progress;
pub use queue::Queue;
pub use state::{Standing, State};
