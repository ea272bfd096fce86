//! Pages that are watched: whether they changed, what changed, whether they were there (E1–E6).
//!
//! Whoever watches, a [`Watcher`], is asked; what it answers is written as JSON, as feeds, and as a stream of events. Programs and pages
//! ask through [`Watching`], which keeps to the bounds and asks the policy who may see what.

// What is asked, and of whom.
mod watcher;
mod wish;
// What there is to tell.
mod compared;
mod pages;
mod rows;
// The face.
mod watching;
// HTTP.
mod bodies;
pub(crate) mod events;
pub(crate) mod feeds;
pub(crate) mod monitor;
pub(crate) mod routes;

pub use compared::Format;
pub use pages::{CheckPage, NewsPage, VersionPage, WatchPage};
pub use rows::{CheckRow, DifferenceRow, NewsRow, Preview, VersionRow, WatchRow};
pub use watcher::{Answer, Asked, Compared, DayRow, Document, Listed, NewsOf, Watcher, Which};
pub use watching::Watching;
pub use wish::{NOBODY, WatchWish};
