//! The use cases UC1–UC9, each a call. Whatever may ask a server outside is a POST with a body of JSON.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use diff::RuleSet;
use serde::Deserialize;
use serde_json::json;

use super::bodies::{Asking, Named, read, time};
use super::compared::Format;
use super::routes::watching;
use super::watcher::{Asked, Compared, Which};
use crate::Api;
use crate::answer::{answer, blocking};
use crate::error::Error;

/// So many, unless more are wanted.
const USUAL: u32 = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    url: String,
    person: Option<String>,
    #[serde(default)]
    force: bool,
}

/// `POST /api/v1/monitor/check`: UC6.
pub(crate) async fn check(State(api): State<Api>, parts: Parts, body: Bytes) -> Result<Response, Error> {
    let Check { url, person, force } = read(&parts.headers, &body)?;
    watching(&api, &parts)?.check(url, person, force).await.and_then(|row| answer(&row))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Url {
    url: String,
}

/// `POST /api/v1/monitor/available`: UC7.
pub(crate) async fn available(State(api): State<Api>, parts: Parts, body: Bytes) -> Result<Response, Error> {
    let Url { url } = read(&parts.headers, &body)?;
    let check = watching(&api, &parts)?.check(url, None, false).await?;
    answer(&json!({ "available": check.available, "check": check }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Version {
    url: String,
    at: Option<String>,
    number: Option<u32>,
    #[serde(default)]
    reachable: bool,
}

impl Version {
    fn which(&self) -> Result<Which, Error> {
        match (&self.at, self.number, self.reachable) {
            (None, None, false) => Ok(Which::Current),
            (Some(at), None, false) => time(at).map(Which::At),
            (None, Some(number), false) => Ok(Which::Number(number)),
            (None, None, true) => Ok(Which::Reachable),
            _ => Err(Error::bad("of `at`, `number` and `reachable` one says which version")),
        }
    }
}

/// `POST /api/v1/monitor/version`: UC1, UC2 and UC9.
pub(crate) async fn version(State(api): State<Api>, parts: Parts, body: Bytes) -> Result<Response, Error> {
    let asked: Version = read(&parts.headers, &body)?;
    let which = asked.which()?;
    watching(&api, &parts)?.version(asked.url, which).await.and_then(|version| answer(&version))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changed {
    url: String,
    person: String,
}

/// `POST /api/v1/monitor/changed`: UC3.
pub(crate) async fn changed(State(api): State<Api>, parts: Parts, body: Bytes) -> Result<Response, Error> {
    let Changed { url, person } = read(&parts.headers, &body)?;
    let row = watching(&api, &parts)?.changes(url, person).await?.row;
    answer(&json!({ "changed": row.changed, "before": row.before, "after": row.after }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changes {
    url: String,
    person: String,
    format: Option<String>,
    #[serde(default)]
    noise: bool,
}

/// `POST /api/v1/monitor/changes`: UC4.
pub(crate) async fn changes(State(api): State<Api>, parts: Parts, body: Bytes) -> Result<Response, Error> {
    let Changes { url, person, format, noise } = read(&parts.headers, &body)?;
    let format = Format::parse(format.as_deref())?;
    let compared = watching(&api, &parts)?.changes(url, person).await?;
    written(compared, format, noise).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Difference {
    url: String,
    from: Option<Named>,
    to: Option<Named>,
    watch: Option<i64>,
    rules: Option<RuleSet>,
    format: Option<String>,
    #[serde(default)]
    noise: bool,
}

/// `POST /api/v1/monitor/difference`: UC5. To the current version from the one before it, unless others are named.
pub(crate) async fn difference(State(api): State<Api>, parts: Parts, body: Bytes) -> Result<Response, Error> {
    let Difference { url, from, to, watch, rules, format, noise } = read(&parts.headers, &body)?;
    let format = Format::parse(format.as_deref())?;
    let watching = watching(&api, &parts)?;
    // Before any server is asked.
    watching.rules(rules.as_ref()).await?;
    let mut to = to.map_or(Ok(Which::Current), |to| to.which())?;
    let from = match from {
        Some(from) => from.which()?,
        None => {
            let number = watching.version(url.clone(), to).await?.number;
            to = Which::Number(number);
            Which::Number(number.saturating_sub(1).max(1))
        }
    };
    let compared = watching.difference(Asked { url, from, to, watch, rules }).await?;
    written(compared, format, noise).await
}

/// A difference as it was asked for; comparing long texts takes a while.
async fn written(compared: Compared, format: Format, noise: bool) -> Result<Response, Error> {
    let write = move || match format {
        Format::Json => answer(&compared.row),
        Format::Side => answer(&compared.side(noise)),
        Format::Unified => Ok(text("text/plain; charset=utf-8", compared.unified(noise))),
        Format::Html => Ok(text("text/html; charset=utf-8", compared.html(noise))),
    };
    blocking(write).await
}

/// What came from elsewhere is shown, and can do nothing.
fn text(kind: &'static str, text: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], HARMLESS, text).into_response()
}

const HARMLESS: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
    (header::CACHE_CONTROL, "no-store"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Patch {
    url: String,
    from: Named,
    to: Named,
}

/// `POST /api/v1/monitor/patch`: the patch that makes the one version of the other.
pub(crate) async fn patch(State(api): State<Api>, parts: Parts, body: Bytes) -> Result<Response, Error> {
    let Patch { url, from, to } = read(&parts.headers, &body)?;
    let (from, to, bytes) = watching(&api, &parts)?.patch(url, from.which()?, to.which()?).await?;
    Ok(attached(&format!("version-{from}-to-{to}.patch"), bytes))
}

/// Bytes to be kept, and never to be shown by a browser as part of these pages.
fn attached(name: &str, bytes: Vec<u8>) -> Response {
    let mut response = (HARMLESS, bytes).into_response();
    let fields = response.headers_mut();
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    let disposition = disposition.unwrap_or_else(|_| HeaderValue::from_static("attachment"));
    fields.insert(header::CONTENT_DISPOSITION, disposition);
    response
}

#[derive(Deserialize)]
pub(crate) struct Versions {
    url: String,
    before: Option<u32>,
    limit: Option<u32>,
}

/// `GET /api/v1/monitor/versions?url=…&before=…&limit=…`
pub(crate) async fn versions(
    State(api): State<Api>,
    Asking(asked): Asking<Versions>,
    parts: Parts,
) -> Result<Response, Error> {
    let most = asked.limit.unwrap_or(USUAL);
    watching(&api, &parts)?.versions(asked.url, asked.before, most).await.and_then(|page| answer(&page))
}

#[derive(Deserialize)]
pub(crate) struct Document {
    url: String,
    number: u32,
}

/// `GET /api/v1/monitor/document?url=…&number=…`
pub(crate) async fn document(
    State(api): State<Api>,
    Asking(asked): Asking<Document>,
    parts: Parts,
) -> Result<Response, Error> {
    let document = watching(&api, &parts)?.document(asked.url, asked.number).await?;
    let kind = document.media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let ending = match kind.as_str() {
        "text/html" | "application/xhtml+xml" => ".html",
        "text/plain" => ".txt",
        "application/json" => ".json",
        "application/pdf" => ".pdf",
        "application/xml" | "text/xml" => ".xml",
        _ => "",
    };
    Ok(attached(&format!("version-{}{ending}", asked.number), document.bytes))
}

#[derive(Deserialize)]
pub(crate) struct Checks {
    url: String,
    before: Option<i64>,
    limit: Option<u32>,
}

/// `GET /api/v1/monitor/availability?url=…&before=…&limit=…`: UC8.
pub(crate) async fn availability(
    State(api): State<Api>,
    Asking(asked): Asking<Checks>,
    parts: Parts,
) -> Result<Response, Error> {
    let most = asked.limit.unwrap_or(USUAL);
    watching(&api, &parts)?.checks(asked.url, asked.before, most).await.and_then(|page| answer(&page))
}

#[derive(Deserialize)]
pub(crate) struct Days {
    url: String,
    from: Option<String>,
}

/// `GET /api/v1/monitor/days?url=…&from=…`: UC8, day by day; the last year unless a day is named.
pub(crate) async fn days(
    State(api): State<Api>,
    Asking(asked): Asking<Days>,
    parts: Parts,
) -> Result<Response, Error> {
    let today = api.now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let year_ago = today.saturating_sub(jiff::Span::new().days(364));
    let from = match &asked.from {
        None => year_ago,
        Some(text) => text
            .parse()
            .map_err(|_| Error::bad("`from` is a day such as 2026-11-18"))
            .and_then(|day| bounded(day, today))?,
    };
    watching(&api, &parts)?.days(asked.url, from).await.and_then(|days| answer(&days))
}

/// Ten years are enough for a picture.
fn bounded(day: jiff::civil::Date, today: jiff::civil::Date) -> Result<jiff::civil::Date, Error> {
    let first = today.saturating_sub(jiff::Span::new().years(10));
    if day < first { Err(Error::bad("`from` is more than ten years ago")) } else { Ok(day) }
}
