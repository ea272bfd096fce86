#![doc = include_str!("../README.md")]

// What is asked, and what is answered.
mod candidate;
mod hops;
// What a user says.
mod patterns;
mod plan;
mod preset;
mod seeds;
mod sheets;
// How it is decided.
mod calendar;
mod extension;
mod prefixes;
mod repeats;
mod rules;
mod scope;
mod surt;
// What only counting can tell.
mod counters;
// What can be wrong, and how much is taken.
mod error;
mod limits;

pub use candidate::{Candidate, RuleName, Step, Verdict, Word};
pub use counters::{BodyReport, Caution, Hosts, HostsReport, SameBody, ShapeKind, ShapeReport, Shapes};
pub use error::Error;
pub use hops::{Trail, distance};
pub use limits::Limits;
pub use patterns::Patterns;
pub use plan::Plan;
pub use preset::Preset;
pub use scope::{Follow, Scope};
pub use seeds::Seeds;
pub use sheets::{Overrides, Robots, Sheet, Sheets};
