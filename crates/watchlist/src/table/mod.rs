//! Tables as CSV, with a row of names on top.
//!
//! Commas, semicolons or tabs part the columns, whichever the first row has. Lists within a cell have a line for each item; tags may
//! have commas instead. A cell that a spreadsheet would take for a formula is written with `'` in front, which is taken off again.

mod columns;
mod read;
mod write;

pub(crate) use columns::looks_like;
pub use read::read;
pub use write::write;

/// What makes a formula of a cell, in some spreadsheet.
const FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\''];
