#![doc = include_str!("../README.md")]

mod css;
mod document;
mod error;
mod json;
mod limits;
mod noise;
mod outcome;
mod page;
pub mod patch;
mod pattern;
mod rules;
mod telling;
mod text;
mod xpath;

pub use document::Document;
pub use error::Error;
pub use json::{JsonChange, JsonChanges, compare_json, parse_json};
pub use limits::Limits;
pub use noise::{Habits, Noise};
pub use outcome::{Finding, Outcome, What, compare};
pub use page::{
    AttributeChange, Block, Change, Changes, NodeId, Page, Region, Role, compare as compare_pages,
};
pub use rules::{Crossing, Fired, Rule, RuleKind, RuleSet, Rules, Trigger};
pub use text::{Difference, Half, Hunk, Kind, Piece, Report, Row, Span, Unit, chars, lines, words};
