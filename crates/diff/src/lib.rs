#![doc = include_str!("../README.md")]

mod limits;
mod text;

pub use limits::Limits;
pub use text::{Difference, Half, Hunk, Kind, Piece, Report, Row, Span, Unit, chars, lines, words};
