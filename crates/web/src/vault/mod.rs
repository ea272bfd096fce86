//! The pages on how the files are kept: in which replicas, since when, what happened to them, and what can be done about it.

mod confirm;
mod events;
mod files;
mod overview;
mod repairs;
// Parts of pages.
mod verdict;
mod words;

pub(crate) use confirm::{ask, confirm};
pub(crate) use events::show as events;
pub(crate) use files::{list as files, show as file};
pub(crate) use overview::show as overview;
pub(crate) use repairs::show as repairs;

/// How often a page on which something goes on is made again, and how often one on which nothing does.
const BUSY_S: u32 = 2;
const IDLE_S: u32 = 15;

/// How often a page is made again.
fn pace(is_busy: bool) -> u32 {
    if is_busy { BUSY_S } else { IDLE_S }
}
