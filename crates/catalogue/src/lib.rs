#![doc = include_str!("../README.md")]

mod error;
mod moment;
mod schema;
// One kind of row each.
mod audit;
mod copy;
mod event;
mod file;
mod replica;
// The database, for reading and for changing.
mod catalogue;
mod change;
mod log;

pub use audit::{Audit, AuditKind, AuditState};
pub use catalogue::Catalogue;
pub use change::Change;
pub use copy::{Copy, Moved, State, Tally};
pub use error::Error;
pub use event::{Event, Happened, Hash};
pub use file::{File, Sums};
pub use log::Verified;
pub use replica::{Kind, Replica};
