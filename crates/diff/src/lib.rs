#![doc = include_str!("../README.md")]

mod css;
mod error;
mod json;
mod limits;
mod page;
pub mod patch;
mod text;
mod xpath;

pub use error::Error;
pub use json::{JsonChange, JsonChanges, compare_json, parse_json};
pub use limits::Limits;
pub use page::{
    AttributeChange, Block, Change, Changes, NodeId, Page, Region, Role, compare as compare_pages,
};
pub use text::{Difference, Half, Hunk, Kind, Piece, Report, Row, Span, Unit, chars, lines, words};
