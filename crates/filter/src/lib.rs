#![doc = include_str!("../README.md")]

// What is asked, and what is answered.
mod chain;
mod facts;
// What is built in.
mod builtins;
mod glob;
mod language;
mod lists;
mod status;
// What users bring along.
mod module;
// What can be wrong, and how much is allowed.
mod error;
mod limits;

pub use builtins::{Builtins, Languages, Lists, Range};
pub use chain::{Chain, Filter, Judgement};
pub use error::Error;
pub use facts::Facts;
pub use limits::Limits;
pub use module::{INTERFACE, Level, Log, Module};
