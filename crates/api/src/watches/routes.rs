//! The watches as programs ask for them.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::bodies::{Asking, read, watch};
use super::watcher::{Listed, NewsOf};
use super::watching::Watching;
use super::wish::WatchWish;
use crate::Api;
use crate::answer::{answer, answer_with};
use crate::error::Error;

/// So many, unless more are wanted.
const USUAL: u32 = 100;
/// So many news, each with its difference.
const USUAL_NEWS: u32 = 30;

/// Whoever asks.
pub(super) fn watching(api: &Api, parts: &Parts) -> Result<Watching, Error> {
    api.watching(api.who(parts))
}

#[derive(Deserialize)]
pub(crate) struct Wanted {
    owner: Option<String>,
    find: Option<String>,
    #[serde(default)]
    behind: i64,
    limit: Option<u32>,
}

/// `GET /api/v1/watches?owner=…&find=…&behind=…&limit=…`
pub(crate) async fn list(
    State(api): State<Api>,
    Asking(asked): Asking<Wanted>,
    parts: Parts,
) -> Result<Response, Error> {
    let said = |text: Option<String>| text.filter(|text| !text.is_empty());
    let Wanted { owner, find, behind, limit } = asked;
    let wanted = Listed { owner: said(owner), find: said(find), behind, most: limit.unwrap_or(USUAL) };
    watching(&api, &parts)?.list(wanted).await.and_then(|page| answer(&page))
}

/// `POST /api/v1/watches`
pub(crate) async fn add(State(api): State<Api>, parts: Parts, body: Bytes) -> Result<Response, Error> {
    let wish: WatchWish = read(&parts.headers, &body)?;
    let row = watching(&api, &parts)?.add(wish).await?;
    let mut response = answer_with(StatusCode::CREATED, &row)?;
    if let Ok(place) = HeaderValue::try_from(format!("/api/v1/watches/{}", row.id)) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

/// `GET /api/v1/watches/{id}`
pub(crate) async fn show(
    State(api): State<Api>,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    watching(&api, &parts)?.show(watch(&id)?).await.and_then(|row| answer(&row))
}

/// `PATCH /api/v1/watches/{id}`: only what is given changes.
pub(crate) async fn change(
    State(api): State<Api>,
    Path(id): Path<String>,
    parts: Parts,
    body: Bytes,
) -> Result<Response, Error> {
    let sent: Value = read(&parts.headers, &body)?;
    let (watching, id) = (watching(&api, &parts)?, watch(&id)?);
    let wish = watching.show(id).await?.wish.changed_by(sent)?;
    watching.change(id, wish).await.and_then(|row| answer(&row))
}

/// `DELETE /api/v1/watches/{id}`
pub(crate) async fn remove(
    State(api): State<Api>,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    watching(&api, &parts)?.remove(watch(&id)?).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `POST /api/v1/watches/{id}/check`. It needs a body of JSON, if an empty one, so that no form of another page can ask for it.
pub(crate) async fn check(
    State(api): State<Api>,
    Path(id): Path<String>,
    parts: Parts,
    body: Bytes,
) -> Result<Response, Error> {
    empty(&parts.headers, &body)?;
    watching(&api, &parts)?.check_watch(watch(&id)?).await.and_then(|row| answer(&row))
}

fn empty(headers: &HeaderMap, body: &[u8]) -> Result<(), Error> {
    let sent: Value = read(headers, if body.is_empty() { b"{}" } else { body })?;
    match sent.as_object() {
        Some(members) if members.is_empty() => Ok(()),
        _ => Err(Error::bad("there is nothing to say: the body is `{}`")),
    }
}

/// `POST /api/v1/watches/preview`
pub(crate) async fn preview(State(api): State<Api>, parts: Parts, body: Bytes) -> Result<Response, Error> {
    let wish: WatchWish = read(&parts.headers, &body)?;
    watching(&api, &parts)?.preview(wish).await.and_then(|preview| answer(&preview))
}

#[derive(Deserialize)]
pub(crate) struct News {
    pub(super) person: Option<String>,
    before: Option<i64>,
    limit: Option<u32>,
}

impl News {
    /// Whose.
    pub(super) fn of(&self) -> NewsOf {
        self.person.clone().map_or(NewsOf::All, NewsOf::Person)
    }
}

/// `GET /api/v1/watches/news?person=…&before=…&limit=…`
pub(crate) async fn news(
    State(api): State<Api>,
    Asking(asked): Asking<News>,
    parts: Parts,
) -> Result<Response, Error> {
    let most = asked.limit.unwrap_or(USUAL_NEWS);
    watching(&api, &parts)?.news(asked.of(), asked.before, most).await.and_then(|page| answer(&page))
}

/// `GET /api/v1/watches/{id}/news?before=…&limit=…`
pub(crate) async fn news_of(
    State(api): State<Api>,
    Path(id): Path<String>,
    Asking(asked): Asking<News>,
    parts: Parts,
) -> Result<Response, Error> {
    if asked.person.is_some() {
        return Err(Error::bad("a watch has its owner: `person` has no place there"));
    }
    let of = NewsOf::Watch(watch(&id)?);
    let most = asked.limit.unwrap_or(USUAL_NEWS);
    watching(&api, &parts)?.news(of, asked.before, most).await.and_then(|page| answer(&page))
}

/// `GET /api/v1/people/{name}`: E3.
pub(crate) async fn person(
    State(api): State<Api>,
    Path(name): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let taken = watching(&api, &parts)?.is_name_taken(name.clone()).await?;
    answer(&json!({ "name": name, "taken": taken }))
}
