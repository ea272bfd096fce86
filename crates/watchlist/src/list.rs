//! What was read, and what was written.

use crate::{Entry, Place};

/// What a list holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct List {
    /// The watched pages, in the order of the list.
    pub entries: Vec<Entry>,
    /// What stands in the list and became no entry, or concerns the list as a whole.
    pub left_out: Vec<LeftOut>,
}

/// Something that stands in a list and was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Where it stands.
    pub place: Place,
    /// What it is, and why it was left out.
    pub why: String,
}

/// A list that was written, and what could not be said in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The list.
    pub text: String,
    /// What is lost, a line for each page that loses something.
    pub lost: Vec<String>,
}
