//! The public face of the crate, from outside.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

mod bounds;
mod patches;
mod refused;
mod telling;
mod vectors;
