//! The jobs as programs ask for them.

use std::io::{self, Read};

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};

use super::files;
use super::harvests::Wish;
use super::log::Wanted;
use super::parts::{Parts, seeds};
use super::report::{Domain, Report};
use super::steer::Course;
use crate::Api;
use crate::answer::{answer, answer_with, blocking, is_json};
use crate::error::Error;
use crate::stepwise::{Part, Progress, Source, Stepwise};

/// So many lines of a log, unless more are wanted.
const LINES: usize = 200;
/// Bytes of a file that are read at once.
const PIECE_BYTES: usize = 64 << 10;

#[derive(Deserialize)]
pub(crate) struct Listed {
    limit: Option<usize>,
    #[serde(default)]
    from: usize,
}

/// Some of the jobs.
#[derive(Serialize)]
struct Listing<T> {
    jobs: Vec<T>,
    /// How many there are in all.
    total: usize,
}

/// `GET /api/v1/jobs?from=…&limit=…`
pub(crate) async fn list(State(api): State<Api>, Query(asked): Query<Listed>) -> Result<Response, Error> {
    let most = asked.limit.unwrap_or(100).min(api.limits().jobs);
    let jobs = blocking(move || api.jobs().list()).await?;
    let total = jobs.len();
    answer(&Listing { jobs: jobs.into_iter().skip(asked.from).take(most).collect(), total })
}

/// `POST /api/v1/jobs`: begins a harvest. The body is JSON, which no form of another page can send unasked.
pub(crate) async fn start(
    State(api): State<Api>,
    headers: axum::http::HeaderMap,
    body: Bytes,
) -> Result<Response, Error> {
    is_json(&headers)?;
    if body.len() > api.limits().wish_bytes {
        return Err(Error::TooLarge(
            "the body is too long; `varve harvest --seeds FILE` takes lists".to_owned(),
        ));
    }
    let wish: Wish = serde_json::from_slice(&body).map_err(|error| Error::bad(error.to_string()))?;
    let begun = blocking(move || api.jobs().start(&wish)).await?;
    let place = begun.first().map(|job| format!("/api/v1/jobs/{job}")).unwrap_or_default();
    let mut response = answer_with(StatusCode::CREATED, &serde_json::json!({ "jobs": begun }))?;
    if let Ok(place) = place.parse() {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

/// `GET /api/v1/jobs/{job}`
pub(crate) async fn show(State(api): State<Api>, Path(job): Path<String>) -> Result<Response, Error> {
    blocking(move || api.jobs().show(&job)).await.and_then(|shown| answer(&shown))
}

/// `POST /api/v1/jobs/{job}/pause|resume|stop`
pub(crate) async fn steer(
    State(api): State<Api>,
    Path((job, course)): Path<(String, String)>,
) -> Result<Response, Error> {
    let course = Course::parse(&course)
        .ok_or_else(|| Error::NotFound("a job is told to `pause`, `resume` or `stop`".to_owned()))?;
    blocking(move || api.jobs().steer(&job, course)).await.and_then(|summary| answer(&summary))
}

#[derive(Deserialize)]
pub(crate) struct Lines {
    file: Option<String>,
    from: Option<u64>,
    limit: Option<usize>,
    #[serde(default)]
    filter: String,
    #[serde(default)]
    last: bool,
}

/// `GET /api/v1/jobs/{job}/log?file=…&from=…&limit=…&filter=…&last=true`
pub(crate) async fn log(
    State(api): State<Api>,
    Path(job): Path<String>,
    Query(asked): Query<Lines>,
) -> Result<Response, Error> {
    let wanted = Wanted {
        file: asked.file.unwrap_or_else(|| "crawl.log".to_owned()),
        from: if asked.last { None } else { asked.from.or(Some(1)) },
        limit: asked.limit.unwrap_or(LINES),
        filter: asked.filter,
    };
    blocking(move || api.jobs().log(&job, &wanted)).await.and_then(|page| answer(&page))
}

/// `GET /api/v1/jobs/{job}/reports/{report}`: all rows of a report.
pub(crate) async fn report(
    State(api): State<Api>,
    Path((job, report)): Path<(String, String)>,
) -> Result<Response, Error> {
    let read = move || {
        let archive = api.archive();
        files::files(archive, &job)?;
        let none = || Error::NoSuchFile { job: job.clone(), file: report.clone() };
        let parts = || Parts::read(archive, &job).ok_or_else(none);
        match report.as_str() {
            "crawl" => answer(&Report::read(archive, &job).ok_or_else(none)?),
            "domains" => answer(&Domain::read(archive, &job)),
            "seeds" => answer(&seeds(archive, &job)),
            "statuses" => answer(&parts()?.statuses),
            "types" => answer(&parts()?.types),
            "hosts" => answer(&parts()?.hosts),
            _ => Err(none()),
        }
    };
    blocking(read).await
}

/// `GET /api/v1/jobs/{job}/files`
pub(crate) async fn names(State(api): State<Api>, Path(job): Path<String>) -> Result<Response, Error> {
    blocking(move || files::files(api.archive(), &job)).await.and_then(|names| answer(&names))
}

/// `GET /api/v1/jobs/{job}/files/{file}`: a file as it is, never taken for anything but text.
pub(crate) async fn file(
    State(api): State<Api>,
    Path((job, file)): Path<(String, String)>,
) -> Result<Response, Error> {
    let found = blocking(move || files::open(api.archive(), &job, &file)).await?;
    let head = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((head, Body::from_stream(Stepwise::of(Opened(found)))).into_response())
}

/// A file that is handed out.
struct Opened(Box<dyn Read + Send>);

impl Source for Opened {
    fn next(&mut self) -> io::Result<Part> {
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        (&mut self.0).take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
        let progress = if piece.is_empty() { Progress::Over } else { Progress::More };
        Ok((piece, progress))
    }
}

/// `GET /api/v1/profiles`
pub(crate) async fn profiles(State(api): State<Api>) -> Result<Response, Error> {
    blocking(move || Ok(api.jobs().profiles())).await.and_then(|profiles| answer(&profiles))
}
