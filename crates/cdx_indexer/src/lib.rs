#![doc = include_str!("../README.md")]

mod options;

mod indexer;

mod draft;
mod error;
mod fields;
mod request;

pub use error::Error;
pub use fields::Fields;
pub use indexer::Indexer;
pub use options::{Options, Records, Style};
