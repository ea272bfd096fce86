#![doc = include_str!("../README.md")]

// What is decided beforehand, and what can go wrong.
mod address;
mod error;
mod limits;
mod settings;
// What is known.
mod change;
mod check;
mod day;
mod known;
mod moment;
mod news;
mod person;
mod sha256;
mod standing;
mod state;
mod telling;
mod version;
mod watching;
// Where it is kept.
mod blocking;
mod bodies;
mod db;
mod logins;
mod read_only;
mod schema;
// A check: asked, judged, written down.
mod asking;
mod claims;
mod judging;
mod ledger;
mod open_job;
mod settling;
mod turns;
// The way back from the archive's files.
mod remaking;
// What a change is worth, and who is told.
mod clock_ahead;
mod comparing;
mod newsroom;
mod posting;
mod queue;
mod rounds;
// The face.
mod monitor;
mod payload;
mod resource;

pub use change::Change;
pub use check::{Check, Fault, Outcome};
pub use comparing::Comparison;
pub use day::Day;
pub use error::Error;
pub use limits::Limits;
pub use logins::KeepLogins;
pub use monitor::Monitor;
pub use news::{News, NewsKind};
pub use payload::Payload;
pub use person::Person;
pub use posting::{Courier, Message, Posted, Undelivered};
pub use remaking::{Remade, back_up, is_usable, remake, restore};
pub use resource::MonitoredResource;
pub use rounds::{Event, Made, Rounds, Tempo};
pub use settings::{How, Settings};
pub use sha256::Sha256;
pub use state::{State, Untold};
pub use telling::Telling;
pub use version::{Version, Wanted};
pub use watching::{Pace, Watch, Wish};
