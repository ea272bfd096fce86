//! What people see: archived text made harmless, columns, amounts, a small chart, colours.
//!
//! Everything that comes out of an archive was written by a stranger. It passes through [`escape()`] or
//! [`escape_bytes`] before it is printed for a person, also into a file or a pipe, because `less -R` is a terminal too.
//! [`Lines`] keeps line breaks and tabs; [`Columns`] and [`Chart`] escape their cells themselves. JSON escapes the ASCII control characters by itself; on a
//! terminal [`escape_json`] does the rest.

pub(crate) mod amount;
mod chart;
mod escape;
mod lines;
mod paint;
mod table;

pub(crate) use amount::{bytes, counted, grouped};
pub(crate) use chart::Chart;
pub(crate) use escape::{escape, escape_bytes, escape_json};
pub(crate) use lines::Lines;
pub(crate) use paint::Paint;
pub(crate) use table::{Align, Columns};
