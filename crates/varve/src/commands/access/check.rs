//! `varve access check`: what the rules say of a URL.

use std::net::IpAddr;

use anyhow::anyhow;
use jiff::Timestamp;
use policy::{Decision, Request, decide};
use serde::Serialize;

use crate::access_rules::{self, Followed};
use crate::clock::now;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::moment;
use crate::session::Session;
use crate::terminal::escape;
use crate::usage::wrong;

/// Say who may see a URL: what `access.rules` of the archive decides
///
/// Without a file of rules everybody may see everything. Who asks is somebody unknown from elsewhere, unless `--client` or `--user` say
/// otherwise. The exit code is 0 if it may be seen and 1 if not.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which URL
    #[arg(value_name = "URL")]
    url: String,
    /// Of its capture at this time [default: of the URL as such]
    #[arg(long, value_name = "TIME", value_parser = moment::parse)]
    at: Option<Timestamp>,
    /// For somebody at this address
    #[arg(long, value_name = "IP")]
    client: Option<IpAddr>,
    /// For this user
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
}

#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    key: &'a str,
    decision: &'a str,
    until: Option<String>,
    client: Option<IpAddr>,
    user: Option<&'a str>,
}

pub(crate) fn run(mut args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    args.url = urlkey::remove_logins(&args.url).into_owned();
    if !is_url(&args.url) {
        return Err(wrong(anyhow!("`{}` is no URL", escape(&args.url))))
            .hint("such as https://example.org/page");
    }
    let archive = session.archive()?;
    let rules = Followed::open(archive.folder())?.rules();
    let key = urlkey::key(&args.url);
    let now = now();
    let request =
        Request { key: &key, captured: args.at, now, client: args.client, user: args.user.as_deref() };
    let decision = decide(&rules, &request);
    let (word, sentence) = said(decision);
    let until = match decision {
        Decision::Embargo { until } => Some(urlkey::time::to_warc_date(until)),
        _ => None,
    };
    if session.globals.json {
        let (client, user) = (args.client, args.user.as_deref());
        session.out.json(&Row { url: &args.url, key: &key, decision: word, until, client, user })?;
    } else {
        let until = until.map(|until| format!(" {until}")).unwrap_or_default();
        let file = access_rules::FILE;
        let no = if archive.folder().join(file).exists() { "" } else { "no " };
        session.out.line(format!("{word:<9} {sentence}{until} ({key}, for {}, {no}{file})", whom(&args)))?;
    }
    Ok(if decision.is_allowed() { Exit::Done } else { Exit::Failed })
}

/// Whether there is a host that could be one.
fn is_url(text: &str) -> bool {
    let behind = text.split_once("://").map_or(text, |(_, behind)| behind);
    let host = behind.split(['/', '?', '#']).next().unwrap_or_default();
    !host.is_empty() && !host.contains(char::is_whitespace)
}

/// Who is assumed to ask.
fn whom(args: &Args) -> String {
    match (&args.user, args.client) {
        (Some(user), Some(client)) => format!("{} at {client}", escape(user)),
        (Some(user), None) => escape(user).to_string(),
        (None, Some(client)) => format!("somebody at {client}"),
        (None, None) => "somebody unknown from elsewhere".to_owned(),
    }
}

fn said(decision: Decision) -> (&'static str, &'static str) {
    match decision {
        Decision::Allow => ("allow", "may be seen"),
        Decision::OnSite => ("on-site", "only from the networks of the house"),
        Decision::Staff => ("staff", "only by staff"),
        Decision::Blocked => ("block", "is shown to nobody, who are told so (451)"),
        Decision::Excluded => ("exclude", "is as if it were not there (404)"),
        Decision::Embargo { .. } => ("embargo", "not before"),
    }
}
