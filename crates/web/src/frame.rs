//! What stands around every page.

use askama::Template;
use axum::response::{Html, IntoResponse as _, Response};

use crate::error::Fault;
use crate::state::Pages;

/// What the frame of a page says.
pub(crate) struct Frame {
    pub(crate) title: String,
    /// The same for the page itself, where it has no headline of its own.
    pub(crate) heading: String,
    /// Where one is: `start`, `jobs`, `watches`, `vault`, or elsewhere.
    pub(crate) here: &'static str,
    /// The archive's folder.
    pub(crate) archive: String,
    pub(crate) version: &'static str,
    /// Whether nobody has signed in, so that there is nowhere to go.
    pub(crate) is_outside: bool,
    /// The token of the form that signs out; empty where there is none.
    pub(crate) token: String,
    /// Tells the assets of this version from earlier ones that a browser may have kept.
    pub(crate) assets: &'static str,
    /// Where a page that changes hears of it.
    pub(crate) events: Option<String>,
    /// Whether these are the events of a single job, which end with it.
    pub(crate) is_one_job: bool,
    /// How often the parts that only the server can make are made again; 0 is when something ends.
    pub(crate) refresh_s: u32,
    /// How often the whole page is made again, because nothing tells of what changes on it; 0 is never.
    pub(crate) poll_s: u32,
}

impl Frame {
    /// Around a page of an archive.
    pub(crate) fn new(pages: &Pages, title: &str, here: &'static str) -> Frame {
        let folder = pages.api().archive().folder();
        // Somebody who began it with `.` wants to know where that is.
        let archive = folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).display().to_string();
        Frame { archive, here, token: pages.token().to_owned(), ..Frame::bare(title) }
    }

    /// Around a page that knows of no archive.
    pub(crate) fn bare(title: &str) -> Frame {
        Frame {
            title: format!("{title} · varve"),
            heading: title.to_owned(),
            here: "",
            archive: String::new(),
            version: env!("CARGO_PKG_VERSION"),
            is_outside: false,
            token: String::new(),
            assets: crate::assets::mark(),
            events: None,
            is_one_job: false,
            refresh_s: 0,
            poll_s: 0,
        }
    }

    /// One that is kept up to date.
    pub(crate) fn live(self, events: &str) -> Frame {
        Frame { events: Some(events.to_owned()), ..self }
    }
}

/// A page as an answer.
pub(crate) fn page(page: &impl Template) -> Result<Response, Fault> {
    Ok(Html(page.render()?).into_response())
}
