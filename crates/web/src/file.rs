//! A report or the settings of a harvest, as text on a page.

use std::io::Read as _;

use api::Api;
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So much of it; the file as it is has all.
const BYTES_MAX: u64 = 512 << 10;

#[derive(Template)]
#[template(path = "file.html")]
struct File {
    frame: Frame,
    job: String,
    file: String,
    text: String,
    is_cut: bool,
}

/// `GET /jobs/{job}/files/{file}`
pub(crate) async fn show(
    State(pages): State<Pages>,
    Path((job, file)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let wanted = (job.clone(), file.clone());
    let (text, is_cut) = pages.ask(move |api| text(api, &wanted.0, &wanted.1)).await?;
    let frame = Frame::new(&pages, &format!("{file} of {job}"), "jobs");
    page(&File { frame, job, file, text, is_cut })
}

/// The start of a file, and whether there is more.
pub(crate) fn text(api: &Api, job: &str, file: &str) -> Result<(String, bool), api::Error> {
    let unreadable = |source| api::Error::Unreadable { what: file.to_owned(), source };
    let mut bytes = Vec::new();
    let found = api::jobs::open(api.archive(), job, file)?;
    found.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let is_cut = bytes.len() as u64 > BYTES_MAX;
    bytes.truncate(usize::try_from(BYTES_MAX).unwrap_or(usize::MAX));
    Ok((String::from_utf8_lossy(&bytes).into_owned(), is_cut))
}
