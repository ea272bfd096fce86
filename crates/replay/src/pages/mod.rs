//! Our own pages: calendars, listings, and what to say when there is nothing to show.
//!
//! They are plain HTML, work without scripts, and ask nobody else for anything.

mod calendar;
mod dates;
mod days;
mod html;
mod listing;
mod missing;
mod notes;
mod refused;
mod start;

pub(crate) use calendar::calendar;
pub(crate) use dates::{clock, day, full, machine};
pub(crate) use html::{ascii, shortened, text};
pub(crate) use listing::listing;
pub(crate) use missing::missing;
pub(crate) use notes::{
    bad_time, damaged, failed, no_collection, no_such_form, too_long, too_many_cookies, useless,
};
pub(crate) use refused::refused;
pub(crate) use start::{collection, go, start};
