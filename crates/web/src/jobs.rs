//! The list of harvests and imports.

use api::jobs::Summary;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;

use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many on a page.
const SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "jobs.html")]
struct Listed {
    frame: Frame,
    jobs: Vec<Summary>,
    total: u64,
    from: usize,
    newer: Option<usize>,
    older: Option<usize>,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    from: usize,
}

/// `GET /jobs?from=…`
pub(crate) async fn list(State(pages): State<Pages>, Query(asked): Query<Asked>) -> Result<Response, Fault> {
    let all = pages.ask(|api| api.jobs().list()).await?;
    let (total, from) = (all.len(), asked.from);
    let next = from.saturating_add(SHOWN);
    page(&Listed {
        frame: Frame::new(&pages, "Harvests and imports", "jobs").live("/api/v1/events"),
        jobs: all.into_iter().skip(from).take(SHOWN).collect(),
        total: total as u64,
        from,
        newer: (from > 0).then(|| from.saturating_sub(SHOWN)),
        older: (next < total).then_some(next),
    })
}
