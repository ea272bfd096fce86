#![doc = include_str!("../README.md")]

mod current;
mod decision;
mod error;
mod lines;
mod network;
mod pywb;
mod rules;

pub use current::CurrentRules;
pub use decision::{Decision, Request, decide};
pub use error::Error;
pub use network::Network;
pub use rules::RuleSet;
