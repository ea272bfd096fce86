//! Pages that are watched: whether they changed, what changed, whether they were there (E1–E6).
//!
//! Whoever watches, a [`Watcher`], is asked; what it answers is written as JSON, as feeds, and as a stream of events.

// What is asked, and of whom.
mod watcher;
mod wish;
// What there is to tell.
mod rows;

pub use rows::{CheckRow, DifferenceRow, NewsRow, Preview, VersionRow, WatchRow};
pub use watcher::{Answer, Asked, Compared, DayRow, Document, Listed, NewsOf, Watcher, Which};
pub use wish::WatchWish;
