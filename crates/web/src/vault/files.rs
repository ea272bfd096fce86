//! The files that are kept, and all about one of them: its copies, and its story.

use api::vault::{CopyRow, Event, FilePage, FileRow, Wanted};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many on a page.
const SHOWN: u32 = 100;
/// So many events of a file.
const EVENTS: u32 = 200;

#[derive(Template)]
#[template(path = "vault/files.html")]
struct Listed {
    frame: Frame,
    /// The replica and the state that are asked for.
    bad: Option<(String, String)>,
    /// What can be done about them.
    remedy: Option<(&'static str, &'static str)>,
    files: Vec<Row>,
    behind: String,
    next: Option<String>,
}

/// A file in a list.
struct Row {
    name: String,
    bytes: u64,
    /// Copies that are as they should be, and all.
    sound: u64,
    copies: u64,
    /// What is the matter with others: replica, state, and what is known of it.
    odd: Vec<(String, &'static str, String)>,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    behind: String,
    replica: Option<String>,
    state: Option<String>,
}

/// `GET /preservation/files?replica=…&state=…&behind=…`
pub(crate) async fn list(State(pages): State<Pages>, Query(asked): Query<Asked>) -> Result<Response, Fault> {
    let Asked { behind, replica, state } = asked;
    let bad = Wanted::bad(replica.as_deref(), state.as_deref())?;
    let wanted = Wanted { behind: behind.clone(), most: SHOWN, bad };
    let FilePage { files, next } = pages.ask(move |api| api.keeping()?.files(&wanted)).await?;
    let bad = replica.zip(state);
    let title = match &bad {
        Some((replica, state)) => format!("Files {} in {replica}", as_said(state)),
        None => "Files that are kept".to_owned(),
    };
    let frame = Frame::new(&pages, &title, "vault");
    let remedy = bad.as_ref().map(|(_, state)| match state.as_str() {
        "failed" => ("bring", "Bring now …"),
        _ => ("repair", "Repair …"),
    });
    page(&Listed { remedy, frame, bad, files: files.iter().map(row).collect(), behind, next })
}

/// A state as one says it of files.
fn as_said(state: &str) -> &str {
    match state {
        "failed" => "that could not be brought and are not",
        "changed" => "that have changed",
        _ => "missing",
    }
}

fn row(file: &FileRow) -> Row {
    let odd = file.copies.iter().filter(|copy| copy.state != "verified");
    let odd: Vec<(String, &'static str, String)> =
        odd.map(|copy| (copy.replica.clone(), copy.state, known(copy))).collect();
    let copies = file.copies.len() as u64;
    Row { name: file.name.clone(), bytes: file.bytes, sound: copies - odd.len() as u64, copies, odd }
}

/// What is known of a copy that is not as it should be.
fn known(copy: &CopyRow) -> String {
    match (&copy.found, &copy.why) {
        (Some(found), _) => format!("it has SHA-256 {found}"),
        (None, Some(why)) => why.clone(),
        (None, None) => String::new(),
    }
}

#[derive(Template)]
#[template(path = "vault/file.html")]
struct Shown {
    frame: Frame,
    name: String,
    /// The job that it is of, if it is known as one: what was handed in is of none.
    job: Option<String>,
    file: Option<FileRow>,
    /// Its copies, each with what else there is to say of it.
    copies: Vec<(CopyRow, String)>,
    events: Vec<Event>,
    is_cut: bool,
}

/// `GET /preservation/files/{job}/{file}`. One that is kept no more has still its story.
pub(crate) async fn show(State(pages): State<Pages>, Path(name): Path<String>) -> Result<Response, Fault> {
    let asked = name.clone();
    let (file, story, job) = pages
        .ask(move |api| {
            let keeping = api.keeping()?;
            let story = keeping.story(&asked, EVENTS)?;
            let file = match keeping.file(&asked) {
                Err(error) if error.status() == StatusCode::NOT_FOUND && !story.events.is_empty() => None,
                found => Some(found?),
            };
            let job = asked.split_once('/').map(|(job, _)| job.to_owned());
            Ok((file, story, job.filter(|job| api::jobs::files(api.archive(), job).is_ok())))
        })
        .await?;
    let copies = file.iter().flat_map(|file| &file.copies);
    let copies = copies.map(|copy| (copy.clone(), note(copy))).collect();
    let frame = Frame::new(&pages, &name, "vault");
    // On its own page it need not be named again and again.
    let events = story.events.into_iter().map(|event| Event { file: None, ..event }).collect();
    page(&Shown { frame, name, job, file, copies, events, is_cut: story.is_cut })
}

/// What else there is to say of a copy.
fn note(copy: &CopyRow) -> String {
    let known = known(copy);
    match (copy.tries, &copy.due_at) {
        (tries @ 1.., Some(due)) => {
            let times = if tries == 1 { "once".to_owned() } else { format!("{tries} times") };
            format!("{known}; tried {times}, next at {due}")
        }
        _ => known,
    }
}
