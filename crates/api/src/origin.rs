//! Keeps pages of other origins, archived ones above all, from changing anything in a user's name.
//!
//! A browser says where a request comes from (`Origin`, `Sec-Fetch-Site`) and a page cannot keep it from that; programs say nothing
//! and act for themselves.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};

use crate::{Api, Error};

/// The same router for requests that only read, or come from no other origin.
pub fn same_origin(router: Router, api: &Api) -> Router {
    router.layer(from_fn_with_state(api.clone(), guard))
}

/// Lets a request pass that only reads, or that comes from no other origin.
pub(crate) async fn guard(State(api): State<Api>, request: Request, next: Next) -> Response {
    if is_reading(request.method()) || is_own(&api, request.headers()) {
        return next.run(request).await;
    }
    Error::Forbidden("pages of other origins may not change anything here".to_owned()).into_response()
}

fn is_reading(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::OPTIONS].contains(method)
}

fn is_own(api: &Api, headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let is_same_site = text(header::HeaderName::from_static("sec-fetch-site"))
        .is_none_or(|site| matches!(site, "same-origin" | "none"));
    is_same_site && text(header::ORIGIN).is_none_or(|origin| api.origins().iter().any(|own| own == origin))
}
