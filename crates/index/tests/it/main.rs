//! The index from outside: what is published is found, by everybody, at once or not at all.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod backup;
mod changing;
mod damage;
mod killed;
mod loading;
mod model;
mod publishing;
mod sample;
mod together;
mod versions;
