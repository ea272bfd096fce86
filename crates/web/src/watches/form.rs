//! The form in which a watch is described: a new one, or one to be changed; with a preview of what its rules keep, and a test of them.

use api::watches::{Preview, WatchWish, Watching};
use askama::Template;
use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use urlkey::remove_logins;

use super::filled::{Faults, Filled, KINDS};
use super::tried::{self, Tried};
use super::{name, number, watching};
use crate::error::{Fault, sentence};
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So much of what rules keep is shown.
const PREVIEW_CHARS: usize = 20_000;

#[derive(Template)]
#[template(path = "watches/form.html")]
struct Shown {
    frame: Frame,
    /// The watch, if it is one already.
    id: Option<i64>,
    name: String,
    form: Filled,
    kinds: &'static [(&'static str, &'static str)],
    faults: Faults,
    preview: Previewed,
    tried: Option<Tried>,
    token: String,
}

/// What is shown of what the rules keep.
#[derive(Default)]
enum Previewed {
    /// Nobody asked yet.
    #[default]
    Nothing,
    /// It could not be made.
    Failed(String),
    /// This is kept.
    Kept(Box<Preview>),
}

/// A page in the making.
#[derive(Default)]
struct Draft {
    id: Option<i64>,
    form: Filled,
    faults: Faults,
    preview: Previewed,
    tried: Option<Tried>,
    /// Whether it is to be kept, and not only looked at.
    is_saving: bool,
}

impl Draft {
    fn page(self, pages: &Pages) -> Result<Response, Fault> {
        // Who only wants to see what would come of it is told, and nothing was refused.
        let is_refused = self.is_saving && !self.faults.is_empty();
        let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        let title = if self.id.is_some() { "Change a watch" } else { "Watch a page" };
        let Draft { id, mut form, faults, preview, tried, .. } = self;
        // A password that was typed is on no page.
        form.url = remove_logins(&form.url).into_owned();
        let mut shown = page(&Shown {
            frame: Frame::new(pages, title, "watches"),
            id,
            name: name(&form.title, &form.url),
            form,
            kinds: &KINDS,
            faults,
            preview,
            tried,
            token: pages.token().to_owned(),
        })?;
        *shown.status_mut() = status;
        Ok(shown)
    }

    /// Says beside the fields, or else above them, what an answer says is wrong.
    fn blame(&mut self, error: api::Error) -> Result<(), Fault> {
        match error {
            api::Error::Fields(faults) => self.faults = self.form.faults(&faults),
            error if error.status().is_server_error() && error.status() != StatusCode::BAD_GATEWAY => {
                return Err(error.into());
            }
            error => self.faults.other.push(sentence(&error.to_string())),
        }
        Ok(())
    }
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    url: String,
}

/// `GET /watches/new?url=…`
pub(crate) async fn fresh(
    State(pages): State<Pages>,
    Query(asked): Query<Asked>,
    parts: Parts,
) -> Result<Response, Fault> {
    watching(&pages, &parts)?;
    let form = Filled { url: asked.url.trim().to_owned(), ..Filled::default() }.with_spare();
    Draft { form, ..Draft::default() }.page(&pages)
}

/// `GET /watches/{id}/edit`
pub(crate) async fn edit(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<Response, Fault> {
    let (watching, id) = (watching(&pages, &parts)?, number(&id)?);
    let watch = watching.show(id).await?;
    let form = Filled::of_wish(&watch.wish);
    Draft { id: Some(id), form, ..Draft::default() }.page(&pages)
}

/// `POST /watches/new`
pub(crate) async fn save_fresh(
    State(pages): State<Pages>,
    parts: Parts,
    Form(sent): Form<Vec<(String, String)>>,
) -> Result<Response, Fault> {
    taken(&pages, &parts, None, sent).await
}

/// `POST /watches/{id}/edit`
pub(crate) async fn save(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    parts: Parts,
    Form(sent): Form<Vec<(String, String)>>,
) -> Result<Response, Fault> {
    let id = number(&id)?;
    taken(&pages, &parts, Some(id), sent).await
}

/// A form that was sent: to be saved, or to see what would come of it.
async fn taken(
    pages: &Pages,
    parts: &Parts,
    id: Option<i64>,
    sent: Vec<(String, String)>,
) -> Result<Response, Fault> {
    let value = |name: &str| sent.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
    pages.check(&value("token").unwrap_or_default())?;
    let wanted = value("do").unwrap_or_default();
    let watching = watching(pages, parts)?;
    let is_saving = !matches!(wanted.as_str(), "preview" | "test");
    let mut draft = Draft { id, form: Filled::of_pairs(sent), is_saving, ..Draft::default() };
    // What it is of stays, whatever was sent.
    let kept = match id {
        Some(id) => Some(watching.show(id).await?.wish),
        None => None,
    };
    if let Some(kept) = &kept {
        (draft.form.url, draft.form.owner) = (kept.url.clone(), kept.owner.clone());
    }
    let mut wish = match draft.form.wish() {
        Ok(wish) => wish,
        Err(faults) => {
            draft.faults = draft.form.faults(&faults);
            return draft.page(pages);
        }
    };
    wish.paused = kept.is_some_and(|kept| kept.paused);
    match wanted.as_str() {
        "preview" => preview(&watching, wish, &mut draft).await?,
        "test" => match tried::test(&watching, id, wish).await {
            Ok(tried) => draft.tried = Some(tried),
            Err(error) => draft.blame(error)?,
        },
        _ => {
            let saved = match id {
                Some(id) => watching.change(id, wish).await,
                None => watching.add(wish).await,
            };
            match saved {
                Ok(row) => return Ok(Redirect::to(&format!("/watches/{}", row.id)).into_response()),
                Err(error) => draft.blame(error)?,
            }
        }
    }
    draft.page(pages)
}

async fn preview(watching: &Watching, wish: WatchWish, draft: &mut Draft) -> Result<(), Fault> {
    if wish.url.is_empty() {
        return Ok(());
    }
    match watching.preview(wish).await {
        Ok(mut preview) => {
            if let Some((end, _)) = preview.kept.char_indices().nth(PREVIEW_CHARS) {
                preview.kept.truncate(end);
                preview.is_cut = true;
            }
            draft.preview = Previewed::Kept(Box::new(preview));
        }
        Err(error) if error.status() == StatusCode::BAD_GATEWAY => {
            draft.preview = Previewed::Failed(sentence(&error.to_string()));
        }
        Err(error) => draft.blame(error)?,
    }
    Ok(())
}
