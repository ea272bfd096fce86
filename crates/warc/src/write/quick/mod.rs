//! Makes gzip members quickly: DEFLATE (RFC 1951) for records of a few kilobytes, which is what a crawl writes.
//!
//! Records are packed one by one, so that what is done once for each counts as much as what is done for each byte. Nothing
//! here is slow to begin: little is cleared, and codes are made from small tables. Why it is there at all, and what it costs
//! in size: docs/decisions.
//!
//! | step | where |
//! |---|---|
//! | a member: header, blocks, checksum | `gzip` |
//! | one that is made piece by piece | `stream` |
//! | the part of the input that is looked at | `window` |
//! | what was there before | `matches` |
//! | the symbols that tell it, and how often each occurs | `symbol` |
//! | a block of them, or the bytes as they are | `block` |
//! | the codes of a block | `codes` |
//! | what codes of short ones are made from | `sample` |
//! | how they are told | `header` |
//! | bits behind bits | `bits` |
//! | a member that is not packed at all | `stored` |
//!
//! The same input always gives the same bytes, whatever was packed before; above 512 kB others in one go than piece by piece.

mod bits;
mod block;
mod codes;
mod gzip;
mod header;
mod matches;
mod sample;
mod stored;
mod stream;
mod symbol;
#[cfg(test)]
mod tests;
mod window;

pub(super) use gzip::{Quick, bound};
pub(super) use stored::stored;
pub(super) use stream::Stream;
