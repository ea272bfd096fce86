//! What modules log: a few short lines for each file.

use std::sync::Arc;

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For whoever writes the module.
    Debug,
    /// For whoever reads logs.
    Info,
    /// Something is odd.
    Warn,
    /// Something is wrong.
    Error,
}

impl Level {
    /// By the number that a module gives; beyond the last it is the last.
    pub(super) fn new(number: i32) -> Level {
        match number {
            i32::MIN..=0 => Level::Debug,
            1 => Level::Info,
            2 => Level::Warn,
            _ => Level::Error,
        }
    }
}

/// Takes down the name of the file, the level and the line.
pub type Log = Arc<dyn Fn(&str, Level, &str) + Send + Sync>;
