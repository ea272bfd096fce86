//! HTML.

pub(crate) mod refresh;
pub(crate) mod relation;
