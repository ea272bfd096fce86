//! The files as programs ask for them.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;

use super::files::Wanted;
use super::tasks::TaskRow;
use crate::Api;
use crate::answer::{answer, answer_with, blocking, is_json};
use crate::error::Error;

/// So many, unless more are wanted.
const USUAL: u32 = 100;

/// `GET /api/v1/vault`
pub(crate) async fn status(State(api): State<Api>) -> Result<Response, Error> {
    blocking(move || api.keeping()?.status()).await.and_then(|status| answer(&status))
}

#[derive(Deserialize)]
pub(crate) struct Events {
    before: Option<u64>,
    limit: Option<u32>,
    file: Option<String>,
}

/// `GET /api/v1/vault/events?before=…&limit=…` or `?file=…&limit=…`
pub(crate) async fn events(State(api): State<Api>, Query(asked): Query<Events>) -> Result<Response, Error> {
    let most = asked.limit.unwrap_or(USUAL);
    let told = move || {
        let keeping = api.keeping()?;
        match (asked.file, asked.before) {
            (Some(_), Some(_)) => {
                Err(Error::bad("of a file the newest events are told: `before` has no place there"))
            }
            (Some(file), None) => answer(&keeping.story(&file, most)?),
            (None, before) => answer(&keeping.events(before, most)?),
        }
    };
    blocking(told).await
}

#[derive(Deserialize)]
pub(crate) struct Files {
    #[serde(default)]
    behind: String,
    limit: Option<u32>,
    replica: Option<String>,
    state: Option<String>,
}

/// `GET /api/v1/vault/files?behind=…&limit=…&replica=…&state=…`
pub(crate) async fn files(State(api): State<Api>, Query(asked): Query<Files>) -> Result<Response, Error> {
    let bad = Wanted::bad(asked.replica.as_deref(), asked.state.as_deref())?;
    let wanted = Wanted { behind: asked.behind, most: asked.limit.unwrap_or(USUAL), bad };
    blocking(move || api.keeping()?.files(&wanted)).await.and_then(|page| answer(&page))
}

/// `GET /api/v1/vault/files/{job}/{file}`
pub(crate) async fn file(State(api): State<Api>, Path(name): Path<String>) -> Result<Response, Error> {
    blocking(move || api.keeping()?.file(&name)).await.and_then(|file| answer(&file))
}

/// `GET /api/v1/vault/remedies`
pub(crate) async fn remedies(State(api): State<Api>) -> Result<Response, Error> {
    blocking(move || Ok(api.keeping()?.remedies())).await.and_then(|remedies| answer(&remedies))
}

/// `POST /api/v1/vault/tasks`: wants something done. The body is JSON, which no form of another page can send unasked.
pub(crate) async fn ask(State(api): State<Api>, headers: HeaderMap, body: Bytes) -> Result<Response, Error> {
    is_json(&headers)?;
    let row: TaskRow = serde_json::from_slice(&body).map_err(|error| Error::bad(error.to_string()))?;
    let task = row.task()?;
    let asked = TaskRow::of(&task);
    blocking(move || api.keeping()?.ask(task)).await?;
    answer_with(StatusCode::ACCEPTED, &asked)
}
