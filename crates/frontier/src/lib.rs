#![doc = include_str!("../README.md")]

// What goes in and comes out.
mod counts;
mod error;
mod settings;
mod wish;
// The frontier itself.
mod change;
mod checkpoint;
mod forgetting;
mod frontier;
mod opening;
mod queued;
// What it has in memory.
mod fingerprint;
mod lately;
mod pending;
mod queues;
mod sieve;
// What it has on disk.
mod disk;
mod key;
mod ledger;
mod record;
mod value;

pub use counts::Counts;
pub use error::Error;
pub use frontier::Frontier;
pub use queued::{Postponed, Queued};
pub use settings::Settings;
pub use wish::{End, Hosts, Id, Offered, Settled, Turn, Wish};
