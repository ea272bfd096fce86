//! Requests with too many cookies. Nobody needs any here; but an archived script that got round the shim could set so many that no
//! server takes requests any more. So the browser is told to delete them.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::memento::insert;
use crate::pages;
use crate::replay::Replay;

/// Answers requests with more bytes of cookies than are allowed.
pub(crate) async fn limit(State(replay): State<Replay>, request: Request, next: Next) -> Response {
    if bytes(request.headers()) <= replay.limits().cookie_bytes {
        return next.run(request).await;
    }
    let mut response = pages::too_many_cookies(&replay);
    let headers = response.headers_mut();
    insert(headers, HeaderName::from_static("clear-site-data"), "\"cookies\"");
    insert(headers, header::CACHE_CONTROL, "no-store");
    response
}

fn bytes(headers: &HeaderMap) -> usize {
    headers.get_all(header::COOKIE).iter().map(|cookies| cookies.len()).sum()
}
