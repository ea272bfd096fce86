//! The way out: a capture, with the payload of the record that holds it.

mod body;
mod budget;
mod checks;
mod fault;
mod found;
mod get;
mod note;
mod payload;
mod places;
mod resolve;

pub use body::nature;
pub use fault::{OnFault, ReadFault};
pub use found::Found;
pub use payload::{Form, Payload};
pub(crate) use places::Places;
