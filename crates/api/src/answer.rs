//! Answers in JSON, and work that would keep other requests waiting.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

use crate::error::Error;

/// An answer in JSON.
pub(crate) fn answer(value: &impl Serialize) -> Result<Response, Error> {
    answer_with(StatusCode::OK, value)
}

/// The same with another status. What changes from one moment to the next is not to be kept by anybody.
pub(crate) fn answer_with(status: StatusCode, value: &impl Serialize) -> Result<Response, Error> {
    let text = serde_json::to_string(value).map_err(|error| Error::Bad(error.to_string()))?;
    let head = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    Ok((status, head, text).into_response())
}

/// Does what reads files or waits on a thread that is there for that.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(archive::Error::Panicked.into()))
}
