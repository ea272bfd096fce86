//! Answers in JSON, and work that would keep other requests waiting.

use axum::http::{HeaderMap, StatusCode, header};
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

/// Whether a body says that it is JSON, which no form of another page can.
pub(crate) fn is_json(headers: &HeaderMap) -> Result<(), Error> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    match kind.split(';').next().map(str::trim) {
        Some("application/json") => Ok(()),
        _ => Err(Error::bad("the body is to be JSON, and its Content-Type to say so")),
    }
}

/// Does what reads files or waits on a thread that is there for that.
///
/// # Errors
/// Those of the work, and that it has panicked.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(archive::Error::Panicked.into()))
}
