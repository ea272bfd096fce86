//! `varve versions`: every capture of a URL, and what became of it from one to the next.

use anyhow::anyhow;
use cdx::{Capture, Timestamp};
use serde::Serialize;

use crate::collection::Which;
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::session::Session;
use crate::terminal::{Align, Columns, bytes};
use crate::watching::{Asking, Ready, version_row};

/// Versions that are read at once.
const PAGE: u32 = 1_000;

/// List the captures of a URL: time, status, type, bytes stored, digest, what it is, URL
///
/// The oldest comes first. `first` has nothing before it, `changed` another document than the one before it, `same` the same one, `cut`
/// only the beginning of one, and `gone` is the first answer that says that there is nothing any more; `-` stands where there is no
/// digest to tell it by. The bytes are those that its record takes in
/// the archive, packed and with the head of the answer, not the length of the document: that is known only when it is read
/// (`varve get`). The exit code is 1 if there is none.
///
/// `--numbered` lists the versions of a page that is watched, or was checked by `varve check`, instead: number, since when, length, type,
/// SHA-256, URL. `varve diff URL v1 v2` compares two of them, `varve get URL --at v1` writes one.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Whose captures
    #[arg(value_name = "URL")]
    url: String,

    /// The versions of a page that is checked, by number
    #[arg(long)]
    numbered: bool,

    #[command(flatten)]
    which: Which,
}

/// A capture for programs.
#[derive(Serialize)]
struct Row<'a> {
    url: Option<&'a str>,
    time: Option<String>,
    timestamp: Option<String>,
    status: Option<u16>,
    mime: Option<&'a str>,
    stored_bytes: Option<u64>,
    digest: Option<&'a str>,
    state: Option<&'a str>,
    truncated: Option<&'a str>,
    job: Option<&'a str>,
    file: Option<&'a str>,
    offset: Option<u64>,
}

pub(crate) fn run(mut args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    args.url = urlkey::remove_logins(&args.url).into_owned();
    if args.numbered {
        return numbered(&args, session);
    }
    let snapshot = args.which.open(session)?.snapshot()?;
    let columns = Columns::new([
        (Align::Left, 19),
        (Align::Right, 3),
        (Align::Left, 24),
        (Align::Right, 15),
        (Align::Left, 19),
        (Align::Left, 7),
    ]);
    let (mut count, mut last) = (0_u64, None);
    for capture in snapshot.versions(&urlkey::key(&args.url)) {
        let capture = capture?;
        count += 1;
        // What the server calls unchanged may have no digest of its own.
        let before: Option<Option<String>> = last.take();
        let known = digest(&capture).or_else(|| before.clone().flatten().filter(|_| capture.is_revisit()));
        let row = row(&capture, state(&capture, before.as_ref(), known.as_deref()));
        last = Some(known);
        if session.globals.json {
            session.out.json(&row)?;
            continue;
        }
        let dash = || "-".to_owned();
        let cells = [
            row.time.as_deref().and_then(|time| time.get(..19)).unwrap_or("-").replace('T', " "),
            row.status.map_or_else(dash, |status| status.to_string()),
            row.mime.unwrap_or("-").to_owned(),
            row.stored_bytes.map_or_else(dash, |stored| format!("{} stored", bytes(stored))),
            // Enough to tell one from another; `--json` has all of it.
            row.digest.map_or_else(dash, |digest| digest.chars().take(19).collect()),
            row.state.unwrap_or("-").to_owned(),
            row.url.unwrap_or("-").to_owned(),
        ];
        session.out.line(columns.row(cells.iter().map(String::as_str)))?;
    }
    if count == 0 {
        let error = anyhow!("{} has no capture of `{}`", args.which.place(), args.url);
        return Err(with_hint(
            error,
            format!(
                "`varve cdx {}{} --match host` lists what it has of the host",
                args.url,
                args.which.option()
            ),
        ));
    }
    Ok(Exit::Done)
}

/// The versions of a page that is checked, the oldest first.
fn numbered(args: &Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&Asking::default(), session)?;
    let (mut versions, after) = ready.ask(session, async |desk| {
        let mut versions: Vec<watch::Version> = Vec::new();
        loop {
            let before = versions.last().map(|version| version.number);
            let page = desk.versions(&args.url, before, PAGE).await?;
            if page.is_empty() {
                return Ok(versions);
            }
            versions.extend(page);
        }
    })?;
    versions.reverse();
    let columns = Columns::new([
        (Align::Right, 5),
        (Align::Left, 19),
        (Align::Right, 9),
        (Align::Left, 24),
        (Align::Left, 19),
    ]);
    for version in &versions {
        let row = version_row(version);
        if session.globals.json {
            session.out.json(&row)?;
            continue;
        }
        let kind = if row.media_type.is_empty() { "-" } else { &row.media_type };
        let time = row.time.get(..19).unwrap_or(&row.time).replace('T', " ");
        let digest: String = row.sha256.chars().take(19).collect();
        let number = format!("v{}", row.number);
        let cells = [&number, &time, &bytes(row.length), kind, &digest, &row.url];
        session.out.line(columns.row(cells.map(|cell| -> &str { cell })))?;
    }
    session.out.finish()?;
    after.finish(session);
    Ok(Exit::Done)
}

fn row<'a>(capture: &'a Capture<'_>, state: Option<&'a str>) -> Row<'a> {
    let extra = |name: &str| capture.extra(name).map(|value| value.as_str());
    let found = extra("mime-detected").filter(|_| capture.is_revisit());
    Row {
        url: capture.url.as_deref(),
        time: extra("date").map(str::to_owned).or_else(|| capture.timestamp.and_then(in_full)),
        timestamp: capture.timestamp.map(|time| String::from_utf8_lossy(&time.digits()).into_owned()),
        status: capture.status,
        mime: found.or(capture.mime.as_deref()),
        stored_bytes: capture.length,
        digest: capture.digest.as_deref(),
        state,
        truncated: extra("truncated"),
        job: extra("commit"),
        file: capture.filename.as_deref(),
        offset: capture.offset,
    }
}

/// What a capture is to the one before it, in the words of the calendar.
fn state(
    capture: &Capture<'_>,
    before: Option<&Option<String>>,
    digest: Option<&str>,
) -> Option<&'static str> {
    match (before, digest) {
        _ if capture.extra("gone").is_some() => Some("gone"),
        _ if capture.extra("truncated").is_some() => Some("cut"),
        (None, _) => Some("first"),
        (Some(Some(before)), Some(digest)) if before == digest => Some("same"),
        (Some(Some(_)), Some(_)) => Some("changed"),
        _ => None,
    }
}

/// Without the name of the algorithm, which some lines have and some lack.
fn digest(capture: &Capture<'_>) -> Option<String> {
    let digest = capture.digest.as_deref()?;
    Some(digest.split_once(':').map_or(digest, |(_, digest)| digest).to_owned())
}

/// The 14 digits of a row that says no more of its time, as the rows of files from elsewhere do.
fn in_full(time: Timestamp) -> Option<String> {
    jiff::Timestamp::from_second(time.seconds()).ok().map(urlkey::time::to_warc_date)
}
