//! What can be done to a watch: check it now, pause it and go on, and end it, which is asked first.

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;

use super::{name, number, watching};
use crate::error::Fault;
use crate::frame::{Frame, page};
use crate::state::Pages;

#[derive(Deserialize)]
pub(crate) struct Sent {
    #[serde(default)]
    token: String,
}

/// `POST /watches/{id}/check|pause|resume`
pub(crate) async fn act(
    State(pages): State<Pages>,
    Path((id, what)): Path<(String, String)>,
    parts: Parts,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    pages.check(&sent.token)?;
    let (watching, id) = (watching(&pages, &parts)?, number(&id)?);
    match what.as_str() {
        // Whatever the server does is told by the page.
        "check" => drop(watching.check_watch(id).await?),
        "pause" | "resume" => {
            let mut wish = watching.show(id).await?.wish;
            wish.paused = what == "pause";
            watching.change(id, wish).await?;
        }
        _ => return Err(Fault::no_page()),
    }
    Ok(Redirect::to(&format!("/watches/{id}")).into_response())
}

#[derive(Template)]
#[template(path = "watches/remove.html")]
struct Remove {
    frame: Frame,
    id: i64,
    name: String,
    url: String,
    version: u32,
    token: String,
}

/// `GET /watches/{id}/remove`
pub(crate) async fn confirm(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<Response, Fault> {
    let (watching, id) = (watching(&pages, &parts)?, number(&id)?);
    let watch = watching.show(id).await?;
    page(&Remove {
        frame: Frame::new(&pages, "Stop watching?", "watches"),
        id,
        name: name(&watch.wish.title, &watch.wish.url),
        url: watch.wish.url,
        version: watch.version,
        token: pages.token().to_owned(),
    })
}

/// `POST /watches/{id}/remove`
pub(crate) async fn remove(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    parts: Parts,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    pages.check(&sent.token)?;
    watching(&pages, &parts)?.remove(number(&id)?).await?;
    Ok(Redirect::to("/watches").into_response())
}
