//! The archive by its public face: what goes in, what comes out, and what survives what.
// Tests fail by panicking, and their files are small.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::panic,
    clippy::indexing_slicing
)]

mod collections;
mod commits;
mod crashes;
mod dedup;
mod disks;
mod elsewhere;
mod full;
mod gone;
mod hostile_revisits;
mod known;
mod metadata;
mod peers;
mod power;
mod reading;
mod whole_files;
mod world;
