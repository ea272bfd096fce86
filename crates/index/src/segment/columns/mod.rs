//! Leaves of rows, column by column: what the lines of a leaf have in common is written once.
//!
//! ```text
//! ┌───────────────┬─────────┬──────────┬──────────────────────────────────────────────┐
//! │ bytes of the  │ random  │ unpacked │ zstd frame: rows, commits, keys, times,      │
//! │ first part    │ bytes   │ bytes    │ names of members, shapes, a column for each  │
//! └───────────────┴─────────┴──────────┴──────────────────────────────────────────────┘
//! ```
//! A row is a CDXJ line, as `Capture::write_cdxj` writes it. Its *shape* is which members it has, in which order; the values of one
//! member are a column. What no compressor makes smaller (digests, lower bytes of numbers) stands before the frame as it is, so that
//! it does not spoil what can be packed. Every line comes back byte for byte.

mod arena;
mod decode;
mod digest;
mod encode;
mod front;
mod members;
mod number;
mod text;
mod url;

#[cfg(test)]
mod tests;

pub(crate) use decode::Columns;
pub(crate) use encode::{Encoder, LeafLines, Packed};

/// Rows of one leaf, at most: their numbers have eight bits.
pub(crate) const ROWS_MAX: usize = 256;

/// How a column is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Texts one by one.
    Plain,
    /// Each text once, and which one each row has.
    Dictionary,
    /// Decimal numbers.
    Number,
    /// Digests: a label, and bytes.
    Digest,
    /// URLs, of which the key already says most.
    Url,
}

impl Kind {
    fn to_byte(self) -> u8 {
        match self {
            Kind::Plain => 0,
            Kind::Dictionary => 1,
            Kind::Number => 2,
            Kind::Digest => 3,
            Kind::Url => 4,
        }
    }

    fn of_byte(byte: u8) -> Option<Kind> {
        Some(match byte {
            0 => Kind::Plain,
            1 => Kind::Dictionary,
            2 => Kind::Number,
            3 => Kind::Digest,
            4 => Kind::Url,
            _ => return None,
        })
    }
}

/// The two parts of a leaf that is being written.
#[derive(Debug, Default)]
struct Parts {
    /// What is not packed.
    random: Vec<u8>,
    /// What is packed.
    text: Vec<u8>,
}
