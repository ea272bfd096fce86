#![doc = include_str!("../README.md")]

// What is decided beforehand.
mod budget;
mod settings;
// A job and its folder.
mod error;
mod held;
// The crawl itself, and how to look at it and steer it.
mod control;
mod engine;
mod politeness;
mod rate;
mod spending;
// What it leaves behind.
pub mod reports;

pub use budget::{Budget, Spent};
pub use control::{Control, Course, NewLimits};
pub use engine::{Crawl, Ended, raise_file_limit};
pub use error::Error;
pub use held::Job;
pub use politeness::Politeness;
pub use settings::{Budgets, Ids, OnBudget, RobotsRule, Settings};
