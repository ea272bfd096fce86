//! The archive by its public face: what goes in, what comes out, and what survives what.

mod dedup;

mod gone;

mod reading;

mod world;
