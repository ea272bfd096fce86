//! The index, as other people's tools ask it: the CDX servers of pywb and of the Wayback Machine, and OutbackCDX.
//!
//! ```text
//! query → Parameters → Wanted → plan ─┬─ Rows ── Gate ── Sieve ── order, limit ── Output ── body
//!                                     └─ the collection's snapshot
//! ```
//! A question that a few rows answer is answered at once. Of any other, a part is made, sent, and the next one made when the client
//! has taken it: no answer needs more memory than any other, and a client that reads slowly holds no thread.

// What is asked.
mod dialect;
mod mark;
mod parameters;
mod scope;
mod wanted;
// How it is answered.
mod answer;
mod body;
mod gate;
mod link;
mod output;
mod pages;
mod plan;
mod rows;
mod scan;
// At which address.
pub(crate) mod outback;
pub(crate) mod server;

pub(crate) use gate::instant;
pub(crate) use pages::Pages;
pub(crate) use scan::{Scan, Scans, Watch};
