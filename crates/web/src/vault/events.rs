//! The log of what happened to the files, page by page.

use api::vault::{Event, EventPage};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;

use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many on a page.
const SHOWN: u32 = 100;

#[derive(Template)]
#[template(path = "vault/events.html")]
struct Listed {
    frame: Frame,
    events: Vec<Event>,
    total: u64,
    /// Newer ones are before this number.
    newer: Option<u64>,
    older: Option<u64>,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    before: Option<u64>,
}

/// `GET /preservation/events?before=…`
pub(crate) async fn show(State(pages): State<Pages>, Query(asked): Query<Asked>) -> Result<Response, Fault> {
    let before = asked.before;
    let found = pages.ask(move |api| api.keeping()?.events(before, SHOWN)).await?;
    let EventPage { events, total, next } = found;
    page(&Listed {
        frame: Frame::new(&pages, "Log of events", "vault"),
        events,
        total,
        newer: before.filter(|before| *before <= total).map(|before| before.saturating_add(u64::from(SHOWN))),
        older: next,
    })
}
