#![doc = include_str!("../README.md")]

// What is decided beforehand.
mod budget;
mod settings;
// A job and its folder.
mod error;
mod job;
mod state;
// The crawl itself, and how to look at it and steer it.
mod control;
mod engine;
mod politeness;
mod progress;
pub mod socket;
mod spending;
// What it leaves behind.
pub mod log;
pub mod reports;
pub mod tally;

pub use budget::{Budget, Spent};
pub use control::{Control, Course, NewLimits};
pub use engine::{Crawl, Ended};
pub use error::Error;
pub use job::{Job, Summary, work};
pub use politeness::Politeness;
pub use progress::Progress;
pub use settings::{Budgets, Ids, OnBudget, RobotsRule, Settings};
pub use state::State;
