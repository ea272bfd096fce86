//! `/outbackcdx/<collection>`: the protocol of OutbackCDX, so that pywb, OpenWayback and others use this index as theirs.

mod access;
mod listing;
mod query;
mod spool;
mod write;
mod xml;

use std::sync::Arc;

use api::Error;
use axum::Router;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};

use super::gate::Gate;
use super::parameters::{Parameters, excerpt};
use crate::CdxServer;

/// The addresses of the protocol.
pub(crate) fn router() -> Router<CdxServer> {
    Router::new()
        .route("/api/collections", get(listing::collections))
        .route("/{collection}", get(query::ask).post(write::add))
        .route("/{collection}/delete", post(write::delete))
        .route("/{collection}/stats", get(listing::stats))
        .route("/{collection}/captures", get(listing::captures))
        .route("/{collection}/aliases", get(listing::aliases))
        .route("/{collection}/ap/{accesspoint}", get(query::ask_at))
        .route("/{collection}/ap/{accesspoint}/check", get(access::check).post(access::check_all))
        .route("/{collection}/access/rules", get(access::rules))
        .route("/{collection}/access/policies", get(access::policies))
}

/// Errors are lines of text, as in the original.
fn answered(answer: Result<Response, Error>) -> Response {
    answer.unwrap_or_else(|error| {
        error.log();
        error.retry(plain(error.status(), format!("{error}\n")))
    })
}

fn plain(status: StatusCode, text: String) -> Response {
    let kind = (header::CONTENT_TYPE, "text/plain; charset=utf-8");
    (status, [kind, (header::X_CONTENT_TYPE_OPTIONS, "nosniff")], text).into_response()
}

/// Who may see what: whoever asks, seen through an access point if one is named. It can only hide more.
fn gate(
    server: &CdxServer,
    parts: &Parts,
    parameters: &Parameters<'_>,
    accesspoint: Option<&str>,
    shows_access: bool,
) -> Result<Arc<Gate>, Error> {
    let mut visitors = vec![server.who(parts)];
    if let Some(name) = accesspoint.or_else(|| parameters.get("accesspoint")) {
        let visitor = server.access_point(name);
        let unknown = || Error::NotFound(format!("there is no access point `{}`", excerpt(name)));
        visitors.push(visitor.ok_or_else(unknown)?.clone());
    }
    Ok(Gate::new(server, visitors, shows_access))
}

/// The query of a request.
fn parameters<'p>(server: &CdxServer, parts: &'p Parts) -> Result<Parameters<'p>, Error> {
    Parameters::parse(parts.uri.query().unwrap_or_default(), server.limits())
}
