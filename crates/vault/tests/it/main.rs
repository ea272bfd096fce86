//! The vault by its public face: files are brought, lost, damaged, found out and mended.
// Tests fail by panicking, and their files are small.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods)]

mod bringing;
mod careful;
mod commits;
mod damage;
mod faulty;
mod unverified;
mod world;
