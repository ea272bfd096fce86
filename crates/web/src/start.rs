//! The start page: the box to look for an address, what there is, what is at work, and the form for a new harvest.

use api::collections::Collection;
use api::holdings::{Holdings, Hosts};
use api::jobs::{Profile, Summary, Wish};
use askama::Template;
use axum::extract::{Form, Query, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use urlkey::remove_logins;

use crate::error::{Fault, sentence};
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many harvests are shown here.
const RECENT: usize = 8;

/// So many sites.
const SITES: usize = 12;

/// What may belong to a harvest, by the name of the setting.
const SCOPES: [(&str, &str); 6] = [
    ("", "as the settings or the profile say"),
    ("domain", "the whole domain"),
    ("host", "this host"),
    ("prefix", "this folder and below"),
    ("page", "this page alone"),
    ("list", "these addresses alone"),
];

#[derive(Template)]
#[template(path = "start.html")]
struct Start {
    frame: Frame,
    holdings: Holdings,
    example: String,
    running: Vec<Summary>,
    recent: Vec<Summary>,
    has_imports: bool,
    more: u64,
    hosts: Hosts,
    collections: Vec<Collection>,
    replay: String,
    can_harvest: bool,
    profiles: Vec<Profile>,
    scopes: &'static [(&'static str, &'static str)],
    form: Filled,
    token: String,
}

/// The form as it was filled in, to be shown again if something is wrong with it.
#[derive(Default)]
struct Filled {
    urls: String,
    scope: String,
    profile: String,
    max_objects: String,
    max_time: String,
    fault: Option<Wrong>,
}

struct Wrong {
    message: String,
    hint: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    /// An address to be filled in.
    url: Option<String>,
}

/// `GET /`
pub(crate) async fn show(
    State(pages): State<Pages>,
    Query(asked): Query<Asked>,
    parts: Parts,
) -> Result<Response, Fault> {
    start(
        &pages,
        &parts,
        Filled { urls: remove_logins(&asked.url.unwrap_or_default()).into_owned(), ..Filled::default() },
    )
    .await
}

async fn start(pages: &Pages, parts: &Parts, form: Filled) -> Result<Response, Fault> {
    let visitor = pages.api().who(parts);
    let (holdings, hosts, jobs, profiles) = pages
        .ask(move |api| {
            let hosts = api.hosts(&visitor, "", SITES)?;
            Ok((api.holdings()?, hosts, api.jobs().list()?, api.jobs().profiles()))
        })
        .await?;
    let collections = pages.ask(|api| api.collections()).await?;
    let is_busy = |job: &Summary| job.progress.is_some() || job.state == "waiting";
    let (running, done): (Vec<Summary>, Vec<Summary>) = jobs.into_iter().partition(is_busy);
    let api = pages.api();
    let known = hosts.hosts.first().map(|host| format!("such as {host}"));
    page(&Start {
        frame: Frame::new(pages, "Archive", "start").live("/api/v1/events"),
        example: known.unwrap_or_else(|| "such as www.example.org".to_owned()),
        running,
        more: done.len().saturating_sub(RECENT) as u64,
        has_imports: done.iter().take(RECENT).any(|job| job.kind.is_import()),
        recent: done.into_iter().take(RECENT).collect(),
        hosts,
        collections,
        holdings,
        replay: api.replay().to_owned(),
        can_harvest: api.jobs().can_harvest(),
        profiles,
        scopes: &SCOPES,
        form,
        token: pages.token().to_owned(),
    })
}

/// What the form sends.
#[derive(Deserialize)]
pub(crate) struct Sent {
    #[serde(default)]
    token: String,
    #[serde(default)]
    urls: String,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    profile: String,
    #[serde(default)]
    max_objects: String,
    #[serde(default)]
    max_time: String,
}

/// `GET /harvests`: whoever loads the page of a refused form again gets an empty one.
pub(crate) async fn elsewhere() -> Redirect {
    Redirect::to("/")
}

/// `POST /harvests`
pub(crate) async fn begin(
    State(pages): State<Pages>,
    parts: Parts,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    pages.check(&sent.token)?;
    let wish = wish(&sent);
    let begun = pages.ask(move |api| Ok(api.jobs().start(&wish))).await?;
    let error = match begun {
        Ok(jobs) => {
            let place = jobs.first().filter(|_| jobs.len() == 1).map(|job| format!("/jobs/{job}"));
            return Ok(Redirect::to(place.as_deref().unwrap_or("/jobs")).into_response());
        }
        Err(error) if error.status().is_server_error() => return Err(error.into()),
        Err(error) => error,
    };
    let fault = Wrong { message: sentence(&labelled(&error.to_string())), hint: error.hint().map(sentence) };
    let Sent { urls, scope, profile, max_objects, max_time, .. } = sent;
    // A password that was typed is on no page.
    let urls = remove_logins(&urls).into_owned();
    let form = Filled { urls, scope, profile, max_objects, max_time, fault: Some(fault) };
    let mut response = start(&pages, &parts, form).await?;
    *response.status_mut() = error.status();
    Ok(response)
}

/// With the names of settings as the form has them.
fn labelled(message: &str) -> String {
    let labels = [
        ("`scope`", "“What belongs to it”"),
        ("`profile`", "“Profile”"),
        ("`max_objects`", "“Most documents”"),
        ("`max_time`", "“Longest time”"),
    ];
    labels.iter().fold(message.to_owned(), |message, (key, label)| message.replace(key, label))
}

fn wish(sent: &Sent) -> Wish {
    let said = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    Wish {
        urls: sent.urls.lines().filter_map(said).collect(),
        scope: said(&sent.scope),
        profile: said(&sent.profile),
        max_objects: said(&sent.max_objects).map(|text| text.as_str().into()),
        max_time: said(&sent.max_time).map(|text| text.as_str().into()),
        ..Wish::default()
    }
}
