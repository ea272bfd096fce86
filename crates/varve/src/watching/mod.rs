//! Watching pages, as verbs and the API of `varve up` have it in common: what one says, the other says, too.

// What is decided beforehand.
mod opening;
mod usual;
// What is wanted, and what there is to tell.
mod fault;
mod lists;
mod rows;
mod wishes;
// Whoever is asked.
mod desk;
mod keeping;
// Whoever tells.
mod courier;
mod templates;

pub(crate) use courier::{Links, Post, check};
pub(crate) use desk::{Desk, Looking};
pub(crate) use fault::Fault;
pub(crate) use lists::{entry_of, wish_of};
pub(crate) use opening::{Asking, Ready, job_of};
pub(crate) use rows::{check_row, news_row, version_row};
pub(crate) use wishes::{Page, address, page};
