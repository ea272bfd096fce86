//! The pages on watched pages: all of them, one with its past, what changed between two versions, and the form in which a watch is described.

mod act;
mod difference;
mod form;
mod list;
mod show;
// Parts of pages.
mod calendar;
mod filled;
mod rows;
mod spark;
mod tried;
mod words;

use api::watches::Watching;
use axum::http::request::Parts;

pub(crate) use act::{act, confirm, remove};
pub(crate) use difference::{patch, show as difference};
pub(crate) use form::{edit, fresh, save, save_fresh};
pub(crate) use list::list;
pub(crate) use show::show;

use crate::error::Fault;
use crate::state::Pages;

/// How often a page is made again.
const POLL_S: u32 = 20;

/// What is watched, for whoever asks.
fn watching(pages: &Pages, parts: &Parts) -> Result<Watching, Fault> {
    Ok(pages.api().watching(pages.api().who(parts))?)
}

/// The number of a watch, from an address.
fn number(id: &str) -> Result<i64, Fault> {
    id.parse().map_err(|_| Fault::no_page())
}

/// What people call a watch: its title, or else its URL without what all have.
fn name(title: &str, url: &str) -> String {
    let title = title.trim();
    if !title.is_empty() {
        return title.to_owned();
    }
    let url = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or(url);
    url.strip_suffix('/').unwrap_or(url).to_owned()
}

/// A URL that a link may lead to: nothing that a browser would run.
fn link(url: &str) -> Option<String> {
    let is_web = url.starts_with("http://") || url.starts_with("https://");
    is_web.then(|| url.to_owned())
}
