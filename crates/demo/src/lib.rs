#![doc = include_str!("../README.md")]

// What is asked and said.
mod answer;
mod edition;
// What the paper holds.
mod comments;
mod stories;
// What is made of it.
mod data;
mod feeds;
mod files;
mod pages;
mod paths;
mod timetable;

pub use answer::{Answer, answer};
pub use edition::{EDITIONS, Edition};
pub use paths::paths;

/// The name that the site answers to. Nothing below `.example` exists outside.
pub const HOST: &str = "www.siltmere.example";

/// Where the front page is. The site names itself so, and expects the port that the scheme has.
pub const FRONT: &str = "http://www.siltmere.example/";
