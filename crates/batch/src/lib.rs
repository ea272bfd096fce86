#![doc = include_str!("../README.md")]

// Which files, and where they are read from.
mod glob;
mod origin;
// What is done with each.
mod reading;
mod records;
mod source;
mod task;
pub mod tasks;
mod watch;
// What users bring along.
mod command;
mod module;
// All of them, and what comes of it.
mod error;
mod failed;
mod result;
mod run;
mod settings;
mod worker;

pub use command::Command;
pub use error::Error;
pub use failed::{Failed, Why};
pub use glob::Glob;
pub use module::{INTERFACE, Level, Limits, Log, Module};
pub use origin::Origin;
pub use reading::Reading;
pub use run::{News, Progress, Report, run};
pub use settings::{Settings, Stopwatch};
pub use task::{Append, Done, Failure, Merge, Task};
