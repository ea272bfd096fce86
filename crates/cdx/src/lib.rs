#![doc = include_str!("../README.md")]

mod capture;
mod cdxj;
mod error;
mod field;
mod format;
mod json;
mod layout;
mod limits;
mod lines;
mod order;
mod reader;
mod timestamp;

pub mod merge;
pub mod query;
pub mod search;
pub mod sort;
pub mod zipnum;

pub use capture::{Capture, Extra, Place, Value};
pub use error::Error;
pub use field::Field;
pub use format::Format;
pub use layout::{Column, Layout};
pub use limits::Limits;
pub use lines::Lines;
pub use order::{compare, is_header};
pub use reader::Reader;
pub use timestamp::Timestamp;
