//! Which request goes where.

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header, request};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use rewrite::Form;

use crate::address::{Address, Ask};
use crate::asker::Asker;
use crate::error::Error;
use crate::replay::Replay;
use crate::visit::Visit;
use crate::{assets, cookies, escaped, memento, pages, timemap};

/// Everything that replay answers.
///
/// Serve it with [`axum::Router::into_make_service_with_connect_info`], or nobody is on site.
pub fn router(replay: Replay) -> Router {
    Router::new()
        .route("/", get(start))
        .route("/robots.txt", get(assets::robots))
        .route("/-/go", get(pages::go))
        .route("/-/{name}", get(assets::asset))
        .fallback(archived)
        .layer(middleware::from_fn(only_our_worker))
        .layer(middleware::from_fn_with_state(replay.clone(), cookies::limit))
        .with_state(replay)
}

/// A service worker sees all that a page asks for. Archived pages bring their own, and get ours.
async fn only_our_worker(request: Request, next: Next) -> Response {
    let is_worker = request.headers().contains_key("service-worker");
    if is_worker && request.uri().path() != assets::WORKER {
        return (StatusCode::FORBIDDEN, "archived service workers are not registered\n").into_response();
    }
    next.run(request).await
}

async fn start(State(replay): State<Replay>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let referred = escaped::way_back(&replay, &parts, None);
    referred.unwrap_or_else(|| pages::start(&replay))
}

/// Whatever is of the archive, or was meant to be.
async fn archived(State(replay): State<Replay>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
    if target.len() > replay.limits().url_bytes {
        return pages::too_long(&replay);
    }
    let address = Address::parse(target);
    if let Some(back) = escaped::way_back(&replay, &parts, address.as_ref()) {
        return back;
    }
    let Some(address) = address else { return pages::no_collection(&replay) };
    if matches!(parts.method, Method::OPTIONS | Method::TRACE | Method::CONNECT) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let Ok(body) = to_bytes(body, replay.limits().request_bytes).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let again = replay.clone();
    let answered = tokio::task::spawn_blocking(move || visit(replay, parts, body, &address)).await;
    let answered = answered.unwrap_or(Err(Error::Panicked));
    answered.unwrap_or_else(|error| {
        tracing::error!("a request could not be answered: {error}");
        pages::failed(&again)
    })
}

/// Answers a request, on a thread that may wait for the disk.
fn visit(replay: Replay, parts: request::Parts, body: Bytes, address: &Address) -> Result<Response, Error> {
    let Some(collection) = replay.settings().archive.collection(&address.collection)? else {
        return Ok(pages::no_collection(&replay));
    };
    let asker = Asker::of(replay.settings(), &parts);
    let snapshot = collection.snapshot()?;
    let request::Parts { method, headers, .. } = parts;
    let visit = Visit { replay, asker, collection, snapshot, method, headers, body };
    match &address.ask {
        Ask::Start => Ok(pages::collection(&visit)),
        Ask::Memento { time, form, url } => memento::answer(&visit, time, form, url),
        Ask::Gate { url } => memento::gate(&visit, &Form::of(""), url),
        Ask::Map { format, from, url } => timemap::answer(&visit, format, from, url),
        Ask::Calendar { within, url } => pages::calendar(&visit, within, url),
        Ask::Listing { within, prefix, after } => pages::listing(&visit, within, prefix, after.as_deref()),
    }
}

/// Where a page of ours came from, if it says so.
pub(crate) fn referer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::REFERER)?.to_str().ok()
}
