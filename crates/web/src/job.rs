//! All about one harvest, and what can be done to it.

use api::jobs::{Course, Shown, Summary};
use askama::Template;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;

use crate::bars::{Bars, tables};
use crate::error::{Fault, sentence};
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;
use crate::{chart, file};

/// How often charts are made again while documents come; that reads the whole log.
const REFRESH_S: u32 = 5;

/// Of larger jobs they are made again at the end.
const REFRESH_DOCUMENTS_MAX: u64 = 50_000;

#[derive(Template)]
#[template(path = "job.html")]
struct Job {
    frame: Frame,
    job: Summary,
    shown: Shown,
    seconds: Option<f64>,
    ending: Option<String>,
    actions: Vec<(&'static str, &'static str, &'static str)>,
    chart: Option<String>,
    bars: Vec<Bars>,
    settings: Option<String>,
    replay: String,
    /// Nothing more will become known of it.
    is_over: bool,
    token: String,
}

/// `GET /jobs/{job}`
pub(crate) async fn show(State(pages): State<Pages>, Path(name): Path<String>) -> Result<Response, Fault> {
    let shown = pages.ask(move |api| api.jobs().show(&name)).await?;
    let name = shown.summary.job.clone();
    let settings = match shown.files.iter().any(|file| file == "job.toml") {
        true => pages.ask(move |api| file::text(api, &name, "job.toml")).await.ok().map(|(text, _)| text),
        false => None,
    };
    let job = Summary { why: shown.summary.why.as_deref().map(sentence), ..shown.summary.clone() };
    let progress = job.progress.as_ref();
    let report = shown.report.as_ref();
    let is_busy = progress.is_some() || job.state == "waiting";
    let mut frame = Frame::new(&pages, filters::site_of(&job.job), "jobs");
    if is_busy {
        frame = frame.live(&format!("/api/v1/jobs/{}/events", job.job));
        frame.is_one_job = true;
        let is_small = progress.is_some_and(|progress| progress.documents < REFRESH_DOCUMENTS_MAX);
        frame.refresh_s = if is_small { REFRESH_S } else { 0 };
    }
    page(&Job {
        frame,
        seconds: progress.map(|progress| progress.seconds).or(report.and_then(|report| report.seconds)),
        ending: report.map(|report| report.ending().to_owned()).filter(|ending| !ending.is_empty()),
        actions: actions(&job, pages.api().jobs().can_harvest()),
        chart: chart::over_time(&shown.timeline),
        bars: tables(&shown.parts),
        settings,
        replay: pages.api().replay().to_owned(),
        token: pages.token().to_owned(),
        is_over: matches!(job.state.as_str(), "committed" | "failed"),
        job,
        shown,
    })
}

/// What can be done to it: address, words, look.
fn actions(job: &Summary, can_harvest: bool) -> Vec<(&'static str, &'static str, &'static str)> {
    let stop = ("stop", "Stop", "grave");
    match job.state.as_str() {
        "running" => vec![("pause", "Pause", "quiet"), stop],
        "paused" => vec![("resume", "Go on", ""), stop],
        "stopped" | "killed" | "finished" | "committing" | "new" if can_harvest && job.progress.is_none() => {
            vec![("resume", "Go on", "")]
        }
        _ => Vec::new(),
    }
}

#[derive(Deserialize)]
pub(crate) struct Sent {
    #[serde(default)]
    token: String,
}

/// `POST /jobs/{job}/pause|resume|stop`
pub(crate) async fn steer(
    State(pages): State<Pages>,
    Path((name, course)): Path<(String, String)>,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    pages.check(&sent.token)?;
    let course = Course::parse(&course).ok_or_else(Fault::no_page)?;
    let steered = pages.ask(move |api| api.jobs().steer(&name, course)).await?;
    Ok(Redirect::to(&format!("/jobs/{}", steered.job)).into_response())
}
