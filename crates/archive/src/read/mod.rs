//! The way out: a capture, with the payload of the record that holds it.

mod body;
mod found;
mod get;
mod note;
mod payload;
mod resolve;

pub(crate) use body::nature;
pub use found::Found;
pub use payload::{Form, Payload};
