#![doc = include_str!("../README.md")]

// What all answers share.
mod admission;
mod answer;
mod error;
mod limits;
mod origin;
mod request_head;
mod router;
mod scan;
mod secret;
mod state;
pub mod stepwise;
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
pub use answer::blocking;
pub use error::{Error, FieldFault};
pub use host::guarded;
pub use limits::Limits;
pub use origin::same_origin;
pub use router::{guarded_by, router};
pub use scan::{Scan, Scans, Watch};
pub use secret::Secret;
pub use state::{Api, Clock, Settings, Visitor, Who, peer};
