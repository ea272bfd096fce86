//! What changed between two versions: side by side or inline, without noise or with it, and any two of them.

use api::watches::{Asked as Wanted, DifferenceRow, VersionRow, Which};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};
use diff::{Finding, RuleSet};
use serde::Deserialize;

use super::rows::{Sides, sides};
use super::tried::what;
use super::{name, number, watching, words};
use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many versions can be chosen from.
const CHOICES: u32 = 300;
/// So many findings are listed, and so much of each.
const FINDINGS: usize = 100;
const CHARS: usize = 600;

#[derive(Template)]
#[template(path = "watches/difference.html")]
struct Shown {
    frame: Frame,
    id: i64,
    name: String,
    row: DifferenceRow,
    versions: Vec<VersionRow>,
    is_side: bool,
    /// Its word: `side` or `inline`.
    view: &'static str,
    with_noise: bool,
    all: bool,
    sides: Sides,
    /// What is not to be seen in the texts, such as links.
    unseen: Vec<Found>,
    left_out: Vec<Found>,
    /// How many were left out.
    noise: usize,
    /// Where the changes before and behind this one are shown.
    previous: Option<String>,
    next: Option<String>,
    verdict: (&'static str, String),
    replay: String,
}

impl Shown {
    /// The same two versions, seen in another way.
    fn place(&self, view: &str, with_noise: bool, all: bool) -> String {
        let (from, to) = (self.row.before.number, self.row.after.number);
        let noise = if with_noise { "&noise=1" } else { "" };
        let all = if all { "&all=1" } else { "" };
        format!("/watches/{}/difference?from={from}&to={to}&view={view}{noise}{all}", self.id)
    }
}

/// Something that differs.
struct Found {
    what: &'static str,
    place: String,
    old: String,
    new: String,
    why: &'static str,
}

#[derive(Template)]
#[template(path = "watches/alone.html")]
struct Alone {
    frame: Frame,
    id: i64,
    name: String,
    version: Option<VersionRow>,
    replay: String,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    from: Option<u32>,
    to: Option<u32>,
    #[serde(default)]
    view: String,
    #[serde(default)]
    noise: String,
    #[serde(default)]
    all: String,
}

/// `GET /watches/{id}/difference?from=…&to=…&view=side|inline&noise=1&all=1`. No server is asked.
pub(crate) async fn show(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    parts: Parts,
) -> Result<Response, Fault> {
    let (watching, id) = (watching(&pages, &parts)?, number(&id)?);
    let watch = watching.show(id).await?;
    let name = name(&watch.wish.title, &watch.wish.url);
    let (url, rules) = (watch.wish.url, watch.wish.rules);
    let replay = pages.api().replay().to_owned();
    let frame = Frame::new(&pages, &format!("What changed: {name}"), "watches");
    let versions = match watch.version {
        0 => Vec::new(),
        _ => watching.versions(url.clone(), None, CHOICES).await?.versions,
    };
    let newest = versions.first().map_or(0, |version| version.number);
    let to = asked.to.unwrap_or(newest);
    let from = asked.from.unwrap_or(to.saturating_sub(1));
    if asked.from.is_none() && from == 0 {
        return page(&Alone { frame, id, name, version: versions.into_iter().next(), replay });
    }
    let (from, to) = (Which::Number(from), Which::Number(to));
    let compared = watching.difference(Wanted { url, from, to, watch: Some(id), rules: None }).await?;
    let (with_noise, all) = (is_on(&asked.noise), is_on(&asked.all));
    let (compared, sides) = pages
        .ask(move |_| {
            let sides = sides(&compared, with_noise, all);
            Ok((compared, sides))
        })
        .await?;
    let view = if asked.view == "inline" { "inline" } else { "side" };
    let pair = |from: u32, to: u32| format!("/watches/{id}/difference?from={from}&to={to}&view={view}");
    let unseen = compared.unseen().take(FINDINGS).map(found).collect();
    let row = compared.row;
    let (from, to) = (row.before.number, row.after.number);
    page(&Shown {
        frame,
        id,
        name,
        is_side: view == "side",
        view,
        with_noise,
        all,
        sides,
        unseen,
        left_out: row.left_out.iter().take(FINDINGS).map(found).collect(),
        noise: row.left_out.len(),
        previous: (from > 1).then(|| pair(from - 1, from)),
        next: (to < newest).then(|| pair(to, to + 1)),
        verdict: verdict(&row, &rules),
        versions,
        replay,
        row,
    })
}

fn is_on(text: &str) -> bool {
    !matches!(text, "" | "0" | "false")
}

fn found(finding: &Finding) -> Found {
    let shown = |text: &str| text.chars().take(CHARS).collect::<String>();
    let place = match &finding.attribute {
        Some(attribute) => format!("{attribute} of {}", finding.path),
        None => finding.path.clone(),
    };
    Found {
        what: what(finding.what),
        place: shown(&place),
        old: shown(&finding.old),
        new: shown(&finding.new),
        why: finding.noise.map(words::noise).unwrap_or_default(),
    }
}

/// What it comes to, in a sentence.
fn verdict(row: &DifferenceRow, rules: &RuleSet) -> (&'static str, String) {
    let words = match row.words {
        1 => "1 word differs".to_owned(),
        count => format!("{} words differ", filters::number(count as u64)),
    };
    match (row.empty, row.text, row.meaningful) {
        (true, ..) => ("good", "Both are the same, byte for byte.".to_owned()),
        (_, false, _) => {
            ("news", "Their bytes differ, and they are no texts that could be compared.".to_owned())
        }
        (_, _, true) => ("news", format!("{words}: worth telling by the rules of this watch.")),
        (..) if row.findings.is_empty() => {
            ("good", "Nothing that the rules of this watch keep has changed, but for noise.".to_owned())
        }
        (..) => {
            let why = super::words::not_told(rules, &row.fired);
            ("odd", format!("{words}: not worth telling by the rules of this watch, for {why}."))
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Both {
    from: u32,
    to: u32,
}

/// `GET /watches/{id}/patch?from=…&to=…`: the bytes that make one version of the other, to be saved.
pub(crate) async fn patch(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    Query(both): Query<Both>,
    parts: Parts,
) -> Result<Response, Fault> {
    let (watching, id) = (watching(&pages, &parts)?, number(&id)?);
    let url = watching.show(id).await?.wish.url;
    let (from, to, bytes) = watching.patch(url, Which::Number(both.from), Which::Number(both.to)).await?;
    let head = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"version-{from}-to-{to}.patch\"")),
    ];
    Ok((head, bytes).into_response())
}
