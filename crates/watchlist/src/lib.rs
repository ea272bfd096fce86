#![doc = include_str!("../README.md")]

// What a list holds.
mod entry;
mod list;
mod pace;
// Which kind of list it is.
mod detect;
// How each kind is read and written.
pub mod changedetection;
pub mod distill;
pub mod jsonl;
pub mod opml;
pub mod table;
pub mod url_list;
pub mod urlwatch;
// What several of them need.
mod decode;
mod draft;
mod jq;
mod json;
mod yaml;
// What can be wrong, and how much is taken.
mod error;
mod limits;

pub use decode::decode;
pub use detect::{Format, detect, read};
pub use diff::{Crossing, Rule, RuleKind, Trigger};
pub use entry::{Entry, Quiet};
pub use error::{Error, Place};
pub use limits::Limits;
pub use list::{LeftOut, List, Written};
pub use pace::Pace;
