//! The crate's public face: rules are read, and requests decided.
// Tests fail by panicking, and their files are small.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::panic, clippy::indexing_slicing)]

mod current;
mod deciding;
