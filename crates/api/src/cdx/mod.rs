//! The index, as other people's tools ask it: the CDX servers of pywb and of the Wayback Machine, and OutbackCDX.
//!
//! ```text
//! query → Parameters → Question ─┬─ Rows ── policy ── Sieve ── order, limit ── Output ── body
//!                                └─ the collection's snapshot
//! ```
//! A question that a few rows answer is answered at once. Of any other, a part is made, sent, and the next one made when the client
//! has taken it: no answer needs more memory than any other, and a client that reads slowly holds no thread.

mod mark;
mod pages;

pub(crate) use pages::Pages;
