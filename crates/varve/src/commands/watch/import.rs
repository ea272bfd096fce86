//! `varve watch import`: takes over lists of others.

use std::collections::HashSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use settings::Input;
use urlkey::hide_login;
use watchlist::{Entry, Format, Limits, List};

use crate::clock::now;
use crate::exit::Exit;
use crate::hint::{WithHint as _, with_hint};
use crate::session::Session;
use crate::terminal::{escape, grouped};
use crate::watching::{Asking, Desk, Fault, Ready, page, wish_of};

/// Take over lists of pages from other programs, or from an export
///
/// Understood are changedetection.io (its url-watches.json, a watch.json, or its data folder), urlwatch (urls.yaml), Distill, OPML, CSV, plain
/// lists of URLs, and what `varve watch export` has written. Each entry's rules are tried. What an entry says and cannot be done here is
/// told with it; an entry whose rules make no sense is left out. Pages that are watched already stay as they are.
///
/// The first checks are spread over the pause of each watch. The exit code is 1 if an entry was left out.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The lists; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// What they are, if that does not show: jsonl, changedetection, distill, urlwatch, opml, csv or urls
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    format: Option<Format>,

    /// Whose watches they become [default: me, or as `[watch]` says]
    #[arg(long, value_name = "NAME")]
    person: Option<String>,

    /// Only say what would come of it
    #[arg(long)]
    dry_run: bool,
}

/// Entries that are taken over in one step.
const AT_ONCE: usize = 1_000;

/// What became of an entry, for programs.
#[derive(Serialize)]
struct Row {
    url: String,
    /// `added`, `watched` (already) or `refused`.
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    watch: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unsupported: Vec<String>,
}

/// How many became what.
#[derive(Default)]
struct Counts {
    added: u64,
    watched: u64,
    refused: u64,
    left_out: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let mut counts = Counts::default();
    let mut entries: Vec<Entry> = Vec::new();
    for path in &args.files {
        let list = read(path, args.format)?;
        let name = path.display();
        for left_out in &list.left_out {
            counts.left_out += 1;
            session.talk.warning(&format!("{name}: {}: {}", left_out.place, escape(&left_out.why)));
        }
        entries.extend(list.entries);
    }
    let ready = Ready::of(&Asking::default(), session)?;
    let owner = args.person.clone().unwrap_or_else(|| ready.usual.person.clone());
    let (rows, after) = ready.ask(session, async |desk| {
        let spread = Spread { begin: now(), all: entries.len() };
        let (mut rows, mut seen) = (Vec::with_capacity(entries.len()), HashSet::new());
        for (number, some) in entries.chunks(AT_ONCE).enumerate() {
            rows.extend(take(desk, some, &owner, (number * AT_ONCE, spread), args.dry_run).await?);
        }
        // Nothing is added that could be found a second time.
        for row in rows.iter_mut().filter(|row| args.dry_run && row.result == "added") {
            if !seen.insert(row.url.clone()) {
                row.result = "watched";
            }
        }
        Ok(rows)
    })?;
    for row in &rows {
        match row.result {
            "added" => counts.added += 1,
            "watched" => counts.watched += 1,
            _ => counts.refused += 1,
        }
        if session.globals.json {
            session.out.json(row)?;
            continue;
        }
        let url = escape(&row.url);
        if let Some(why) = row.why.as_ref().filter(|_| row.result == "refused") {
            session.talk.warning(&format!("{url} is left out: {}", escape(why)));
        }
        for what in &row.unsupported {
            session.talk.warning(&format!("{url}: {}", escape(what)));
        }
    }
    if !session.globals.json {
        session.out.line(told(&counts, args.dry_run))?;
    }
    session.out.finish()?;
    if counts.added > 0 && !args.dry_run {
        session.talk.hint("`varve watch run` makes the rounds, and so does `varve up`");
    }
    after.finish(session);
    Ok(if counts.refused > 0 { Exit::Failed } else { Exit::Done })
}

/// Takes some entries over, in one step.
async fn take(
    desk: &Desk,
    entries: &[Entry],
    owner: &str,
    (first, spread): (usize, Spread),
    is_dry: bool,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::with_capacity(entries.len());
    let (mut begun, mut places) = (Vec::new(), Vec::new());
    for (number, entry) in entries.iter().enumerate() {
        let (wish, unsupported) = wish_of(entry, owner);
        let url = page(&entry.url).map_or_else(|_| hide_login(&entry.url).into_owned(), |page| page.url);
        let mut row = Row { url, result: "added", watch: None, why: None, unsupported };
        match desk.read_wish(&wish) {
            Ok(read) => {
                let due = spread.due(read.wish.pace.pause(), first + number);
                begun.push((read, due));
                places.push(number);
            }
            Err(fault) => {
                (row.result, row.why) = ("refused", Some(format!("{:#}", anyhow::Error::from(fault))));
            }
        }
        rows.push(row);
    }
    let added = if is_dry { None } else { Some(desk.add_many(owner, &begun).await?) };
    let mut added = added.into_iter().flatten();
    for (place, (begun, _)) in places.into_iter().zip(&begun) {
        let Some(row) = rows.get_mut(place) else { continue };
        match added.next() {
            Some(Ok(id)) => row.watch = Some(id),
            Some(Err(watch::Error::Watched { .. })) | None => {
                if let Some(known) = desk.watch_of(owner, &begun.url).await? {
                    (row.result, row.watch) = ("watched", Some(known.id));
                }
            }
            Some(Err(error)) => (row.result, row.why) = ("refused", Some(Fault::from(error).to_string())),
        }
    }
    Ok(rows)
}

/// The first checks are spread over the pause of each.
#[derive(Clone, Copy)]
struct Spread {
    begin: Timestamp,
    all: usize,
}

impl Spread {
    /// When the entry of this number is due first.
    fn due(self, pause: Duration, number: usize) -> Timestamp {
        let share = number as f64 / self.all.max(1) as f64;
        let wait = SignedDuration::try_from(pause.mul_f64(share)).unwrap_or(SignedDuration::ZERO);
        self.begin.checked_add(wait).unwrap_or(Timestamp::MAX)
    }
}

fn told(counts: &Counts, is_dry: bool) -> String {
    let verb = if is_dry { "would be added" } else { "added" };
    let mut text = format!("{} {verb}", grouped(counts.added));
    for (count, what) in [
        (counts.watched, "watched already"),
        (counts.refused, "left out because of their rules"),
        (counts.left_out, "that are no pages or concern the whole list"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {} {what}", grouped(count)));
        }
    }
    text
}

/// Reads a list: a file, or the data folder of changedetection.io.
fn read(path: &Path, format: Option<Format>) -> anyhow::Result<List> {
    let limits = Limits::default();
    let shown = path.display();
    if path.is_dir() {
        return folder(path, &limits);
    }
    let mut bytes = Vec::new();
    let input = Input::open(path)?;
    input
        .take(limits.bytes_max as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read `{shown}`"))?;
    let text = watchlist::decode(&bytes, &limits).map_err(|error| anyhow!("{shown}: {error}"))?;
    let list = match format {
        Some(format) => format.read(&text, &limits),
        None => watchlist::read(&text, &limits),
    };
    list.map_err(|error| {
        let is_unknown = matches!(error, watchlist::Error::Unknown);
        let error = anyhow!("{shown}: {error}");
        if is_unknown { with_hint(error, "`--format` says what it is") } else { error }
    })
}

/// The files of a data folder: those of each watch and tag lie a folder deeper.
fn folder(path: &Path, limits: &Limits) -> anyhow::Result<List> {
    let is_ours = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        matches!(name, Some("url-watches.json" | "changedetection.json" | "watch.json" | "tag.json"))
    };
    let mut files: Vec<(String, String)> = Vec::new();
    let mut left = limits.bytes_max as u64;
    let inside = |folder: &Path| -> anyhow::Result<Vec<PathBuf>> {
        let failed = || format!("cannot read the folder `{}`", folder.display());
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).with_context(failed)? {
            paths.push(entry.with_context(failed)?.path());
        }
        paths.sort();
        Ok(paths)
    };
    for outer in inside(path)? {
        let candidates = if outer.is_dir() { inside(&outer)? } else { vec![outer] };
        for file in candidates.into_iter().filter(|file| is_ours(file) && file.is_file()) {
            let name = file.strip_prefix(path).unwrap_or(&file).display().to_string();
            let mut bytes = Vec::new();
            let read = Input::open(&file)?.take(left + 1).read_to_end(&mut bytes);
            left = left
                .saturating_sub(read.with_context(|| format!("cannot read `{}`", file.display()))? as u64);
            let text = watchlist::decode(&bytes, limits).map_err(|error| anyhow!("{name}: {error}"))?;
            files.push((name, text.into_owned()));
        }
    }
    if files.is_empty() {
        return Err(anyhow!("`{}` has no files of changedetection.io in it", path.display()))
            .hint("name the list itself, such as urls.yaml");
    }
    let files = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    watchlist::changedetection::read_files(files, limits)
        .map_err(|error| anyhow!("{}: {error}", path.display()))
}

fn format(text: &str) -> Result<Format, String> {
    Format::of_name(text).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.into_iter().map(Format::name).collect();
        format!("there are {}", names.join(", "))
    })
}
