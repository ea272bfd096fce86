//! Signing in and out: a browser exchanges the token that `varve up` prints for a session.

use askama::Template;
use axum::extract::{Form, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};
use serde::Deserialize;

use crate::error::Fault;
use crate::frame::Frame;
use crate::state::Pages;

/// A longer path is not gone back to.
const NEXT_BYTES_MAX: usize = 2000;

/// A longer form is refused: clients send it before they have signed in.
pub(crate) const FORM_BYTES_MAX: usize = 4 << 10;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn {
    frame: Frame,
    /// Where to go afterwards.
    next: String,
    /// Whether a token was presented that is not the server's.
    is_wrong: bool,
    token_file: &'static str,
}

/// What a browser presents.
#[derive(Deserialize)]
pub(crate) struct Presented {
    #[serde(default)]
    token: String,
    #[serde(default)]
    next: String,
}

/// `GET /sign-in?token=…`: the address that `varve up` prints. Without a token it is the page that asks for one.
pub(crate) async fn show(
    State(pages): State<Pages>,
    headers: HeaderMap,
    Query(presented): Query<Presented>,
) -> Response {
    if presented.token.is_empty() && pages.api().is_signed_in(&headers) {
        return redirect(local(&presented.next), None);
    }
    if presented.token.is_empty() {
        return page(local(&presented.next), false, StatusCode::OK);
    }
    sign_in(&pages, &presented)
}

/// `POST /sign-in`: the form of that page.
pub(crate) async fn submit(State(pages): State<Pages>, Form(presented): Form<Presented>) -> Response {
    sign_in(&pages, &presented)
}

/// The token of a form.
#[derive(Deserialize)]
pub(crate) struct Leaving {
    #[serde(default)]
    token: String,
}

/// `POST /sign-out`
pub(crate) async fn leave(
    State(pages): State<Pages>,
    headers: HeaderMap,
    Form(leaving): Form<Leaving>,
) -> Result<Response, Fault> {
    pages.check(&leaving.token)?;
    pages.api().sign_out(&headers);
    Ok(redirect("/sign-in", cookie(&pages, "", 0)))
}

/// Shows browsers a page instead of a problem document, where they have not signed in.
pub(crate) async fn explain(request: Request, next: Next) -> Response {
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    let wants_page = accepts_html(request.headers());
    let path = request.uri().path_and_query().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    // Our own page about a wrong token is one already.
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if response.status() != StatusCode::UNAUTHORIZED || !wants_page || is_page {
        return response;
    }
    let path = path.filter(|_| reads).unwrap_or_default();
    page(local(&path), false, StatusCode::UNAUTHORIZED)
}

fn sign_in(pages: &Pages, presented: &Presented) -> Response {
    let next = local(&presented.next);
    match pages.api().sign_in(presented.token.trim()) {
        Ok(id) => redirect(next, cookie(pages, id.reveal(), api::SESSION_TIME.as_secs())),
        Err(api::Error::SignIn) => page(next, true, StatusCode::UNAUTHORIZED),
        Err(error) => error.into_response(),
    }
}

/// Leads on, so that the token does not stay in the address bar, and sends it to nobody as a referrer.
fn redirect(to: &str, cookie: Option<HeaderValue>) -> Response {
    let to = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    let head = [(header::LOCATION, to), (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"))];
    let mut response = (StatusCode::SEE_OTHER, head).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// The cookie of a session. `Lax`, because links in e-mails and in replay, which is another site, lead here; what changes something
/// comes from our own origin and with the token of a form anyway.
fn cookie(pages: &Pages, id: &str, seconds: i64) -> Option<HeaderValue> {
    let name = &pages.api().keys().cookie;
    HeaderValue::try_from(format!("{name}={id}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax")).ok()
}

fn page(next: &str, is_wrong: bool, status: StatusCode) -> Response {
    let frame = Frame { is_outside: true, ..Frame::bare("Sign in") };
    let page = SignIn { frame, next: next.to_owned(), is_wrong, token_file: api::TOKEN_FILE };
    let body = match page.render() {
        Ok(page) => Html(page).into_response(),
        Err(error) => Fault::from(error).into_response(),
    };
    let mut response = (status, body).into_response();
    if status == StatusCode::UNAUTHORIZED {
        let how = HeaderValue::from_static("Bearer realm=\"varve\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
    }
    response
}

/// A path of this server; the start page where it is none.
fn local(path: &str) -> &str {
    let is_plain = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let is_path = path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/sign-in");
    if is_plain && is_path && path.len() <= NEXT_BYTES_MAX { path } else { "/" }
}

fn accepts_html(headers: &HeaderMap) -> bool {
    let fields = headers.get_all(header::ACCEPT).iter().filter_map(|field| field.to_str().ok());
    fields
        .flat_map(|field| field.split(','))
        .any(|kind| kind.trim().to_ascii_lowercase().starts_with("text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_server_are_gone_back_to() {
        for good in ["/", "/jobs", "/watches?owner=ann&x=%2F", "/jobs/a/files/b.txt"] {
            assert_eq!(local(good), good);
        }
        let long = format!("/{}", "a".repeat(NEXT_BYTES_MAX));
        for bad in [
            "",
            "jobs",
            "//evil.example/",
            "/\\evil.example",
            "http://evil.example/",
            "/a\r\nb",
            "/ü",
            "/sign-in?x",
            &long,
        ] {
            assert_eq!(local(bad), "/", "{bad}");
        }
    }
}
