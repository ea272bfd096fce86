//! Telling people and programs, against real servers on loopback and other people's readers.

// A test that fails panics.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod bulletins;
mod channels;
mod events;
mod feeds;
mod letters;
mod notifier;
mod python;
