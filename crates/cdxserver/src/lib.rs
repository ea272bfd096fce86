#![doc = include_str!("../README.md")]

// What a request asks.
mod dialect;
mod mark;
mod parameters;
mod scope;
mod wanted;
// How it is answered.
mod answer;
mod body;
mod gate;
mod link;
mod output;
mod pages;
mod plan;
mod rows;
// Who may change an index, and when.
mod turns;
// At which address.
mod outback;
mod router;
mod server;
mod state;

pub use router::router;
pub use state::CdxServer;
