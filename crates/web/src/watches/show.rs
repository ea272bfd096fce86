//! All about one watch: how it stands, its versions and news, a year of reachability, its last checks.

use api::watches::{CheckRow, NOBODY, NewsOf, NewsRow, VersionRow, WatchRow};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use jiff::tz::TimeZone;
use serde::Deserialize;

use super::calendar::{self, Calendar};
use super::words::{self, Said};
use super::{POLL_S, link, name, number, spark, watching};
use crate::error::{Fault, sentence};
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many versions, news and checks on a page.
const VERSIONS: u32 = 12;
const NEWS: u32 = 8;
const CHECKS: u32 = 12;

#[derive(Template)]
#[template(path = "watches/show.html")]
struct Shown {
    frame: Frame,
    watch: WatchRow,
    /// Lets feed readers in, which cannot sign in.
    feed_key: String,
    name: String,
    link: Option<String>,
    said: Said,
    checked: Option<(String, String)>,
    due: String,
    last_news: Option<String>,
    spark: Option<String>,
    spark_words: String,
    calendar: Calendar,
    versions: Vec<VersionRow>,
    older_versions: Option<u32>,
    news: Vec<NewsRow>,
    older_news: Option<i64>,
    checks: Vec<(CheckRow, Said)>,
    older_checks: Option<i64>,
    /// Whether only a part is shown.
    is_older: bool,
    has_rules: bool,
    triggers: Vec<String>,
    /// Addresses; nobody is told if there are none.
    told: Vec<String>,
    quiet: Option<String>,
    digest: Option<String>,
    replay: String,
    token: String,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    versions: Option<u32>,
    news: Option<i64>,
    checks: Option<i64>,
}

/// `GET /watches/{id}?versions=…&news=…&checks=…`
pub(crate) async fn show(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    parts: Parts,
) -> Result<Response, Fault> {
    let (watching, id) = (watching(&pages, &parts)?, number(&id)?);
    let watch = watching.show(id).await?.discreet();
    let url = watch.wish.url.clone();
    let now = pages.api().now();
    let today = now.to_zoned(TimeZone::UTC).date();
    // Of one that was never checked, or could never be had, there is nothing to tell.
    let versions = known(watching.versions(url.clone(), asked.versions, VERSIONS).await)?;
    let checks = known(watching.checks(url.clone(), asked.checks, CHECKS).await)?;
    let days = known(watching.days(url.clone(), calendar::first(today)).await)?.unwrap_or_default();
    let news = watching.news(NewsOf::Watch(id), asked.news, NEWS).await?;
    let name = name(&watch.wish.title, &url);
    let mut frame = Frame::new(&pages, &name, "watches");
    frame.poll_s = POLL_S;
    let last = watch.last.as_ref();
    let rules = &watch.wish.rules;
    page(&Shown {
        frame,
        feed_key: pages.api().keys().feeds.reveal().to_owned(),
        name,
        link: link(&url),
        said: words::said_of(&watch),
        checked: last.map(|check| (words::ago(&check.time, now), check.time.clone())),
        due: words::until(&watch.due, now),
        last_news: watch.last_news.as_deref().map(|time| words::ago(time, now)),
        spark: spark::spark(&watch.recent),
        spark_words: spark::told(&watch.recent),
        calendar: calendar::calendar(&days, today),
        older_versions: versions.as_ref().and_then(|page| page.next),
        versions: versions.map(|page| page.versions).unwrap_or_default(),
        news: news.news.into_iter().map(|row| NewsRow { summary: sentence(&row.summary), ..row }).collect(),
        older_news: news.next,
        older_checks: checks.as_ref().and_then(|page| page.next),
        checks: checks
            .map(|page| page.checks)
            .unwrap_or_default()
            .into_iter()
            .map(|check| (check.clone(), words::said(&check)))
            .collect(),
        is_older: asked.versions.is_some() || asked.news.is_some() || asked.checks.is_some(),
        has_rules: *rules != diff::RuleSet::default(),
        triggers: rules.triggers.iter().map(super::filled::trigger_words).collect(),
        told: watch.wish.notify.iter().filter(|to| *to != NOBODY).cloned().collect(),
        quiet: said(&watch.wish.quiet),
        digest: said(&watch.wish.digest),
        replay: pages.api().replay().to_owned(),
        token: pages.token().to_owned(),
        watch,
    })
}

/// A time, if there is one.
fn said(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty() && text != NOBODY)
}

/// An answer, if anything is known.
fn known<T>(answer: Result<T, api::Error>) -> Result<Option<T>, api::Error> {
    match answer {
        Err(error) if error.status() == StatusCode::NOT_FOUND => Ok(None),
        answer => answer.map(Some),
    }
}

/// What a news is, in a word.
fn kind(kind: &str) -> (&'static str, &'static str, &'static str) {
    match kind {
        "gone" => ("bad", "✕", "gone"),
        "back" => ("good", "✓", "back"),
        _ => ("news", "●", "changed"),
    }
}
