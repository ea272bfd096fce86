//! The archive by its public face: what goes in, what comes out, and what survives what.

mod commits;
mod crashes;
mod dedup;
mod full;
mod gone;
mod metadata;
mod peers;
mod reading;
mod world;
