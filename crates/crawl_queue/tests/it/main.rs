//! The queue as its users see it: by hand, and in any order of events.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod any_order;
mod by_hand;
