#![doc = include_str!("../README.md")]

// What all answers share.
mod admission;
mod answer;
mod error;
mod limits;
mod origin;
mod request_head;
mod router;
mod secret;
mod state;
mod stepwise;
mod turns;
// The index, as other people's tools ask it.
pub mod cdx;
// The jobs, the archive as a whole, and what the pages ask.
pub mod collections;
pub mod holdings;
mod host;
pub mod jobs;
mod v1;
// The files that are kept.
pub mod vault;
// The pages that are watched.
pub mod watches;

pub use admission::{Keys, SESSION_TIME, TOKEN_FILE, admitted};
pub use error::{Error, FieldFault};
pub use host::guarded;
pub use limits::Limits;
pub use origin::same_origin;
pub use router::router;
pub use secret::Secret;
pub use state::{Api, Clock, Settings, Visitor, Who, peer};
