//! Fields of every answer that keep a page to itself.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// What a page may do: load from this server alone, and send its forms here. Looking for an address leads on to where pages are shown,
/// which counts as sending a form there.
pub(crate) fn policy(replay: &str) -> HeaderValue {
    let is_plain = replay.bytes().all(|byte| byte.is_ascii_graphic() && byte != b';' && byte != b',');
    let replay = if is_plain { replay } else { "" };
    let policy = format!(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self' {replay}; \
         base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
}

/// Adds the fields. `Referrer-Policy: no-referrer` would make browsers send `Origin: null` with our own forms.
pub(crate) async fn headers(State(policy): State<HeaderValue>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let fields = response.headers_mut();
    fields.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        fields.insert(name, HeaderValue::from_static(value));
    }
    // Signing in says more.
    fields.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("same-origin"));
    // A page is how things stand now.
    fields.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
