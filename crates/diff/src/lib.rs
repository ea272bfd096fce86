#![doc = include_str!("../README.md")]

mod error;
mod limits;
pub mod patch;
mod text;

pub use error::Error;
pub use limits::Limits;
pub use text::{Difference, Half, Hunk, Kind, Piece, Report, Row, Span, Unit, chars, lines, words};
