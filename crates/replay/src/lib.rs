#![doc = include_str!("../README.md")]

// What is asked.
mod address;
mod asker;
mod cookies;
mod escaped;
mod ranges;
mod router;
mod visit;
// What there is.
mod alike;
mod choose;
mod timeline;
mod versions;
// What is answered.
mod assets;
mod banner;
mod feed;
mod memento;
mod pages;
mod timemap;
// What it is made of.
mod error;
mod kept;
mod limits;
mod replay;

pub use error::Error;
pub use limits::Limits;
pub use replay::{Clock, Replay, Settings};
pub use router::router;
