//! `varve get`: a document of the archive, as it was.

use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use api::watches::Which as Version;
use archive::{Form, Found};
use jiff::Timestamp;
use serde::Serialize;

use crate::collection::Which;
use crate::exit::Exit;
use crate::hint::{WithHint as _, with_hint};
use crate::new_file::NewFile;
use crate::session::Session;
use crate::terminal::{Lines, escape, escape_bytes};
use crate::version_option::parse_version;
use crate::watching::{Asking, Fault, Ready};

/// Get a document out of the archive, as it was at a time
///
/// Writes the document of the capture that is nearest to the time, unpacked, to standard output or to a file. What was stored as "the
/// same as before" is the document that it refers to. The exit code is 1 if the archive has no capture of the URL.
///
/// A page that is watched, or was checked by `varve check`, has versions: `--at` means the version that held then, the oldest if the time is
/// before all of them. If it is after the newest, the page is checked first; so it is for `--current` and `--reachable`. The exit code is 4
/// if it is not to be had then. Other pages are never asked for.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Whose document
    #[arg(value_name = "URL")]
    url: String,

    /// When: 2026, 20261116043246, 2026-11-16 or 2026-11-16T04:32:46Z; a day, month or year is its first second. Of a page that is checked
    /// also the number of a version, such as v3 [default: the newest]
    #[arg(long, value_name = "TIME", value_parser = parse_version)]
    at: Option<Version>,

    /// The page as it is now: it is checked first
    #[arg(long, conflicts_with_all = ["at", "reachable"])]
    current: bool,

    /// The last version that could be had: the page is checked first, and need not be there any more
    #[arg(long, conflicts_with = "at")]
    reachable: bool,

    /// Write it to this file, whole or not at all
    #[arg(short, long = "output", value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "out")]
    force: bool,

    /// The head of the answer instead of the document
    #[arg(long, conflicts_with = "raw")]
    head: bool,

    /// As the server sent it: packed, and in chunks
    #[arg(long)]
    raw: bool,

    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    asking: Asking,
}

/// What was got, for programs.
#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    time: String,
    status: Option<u16>,
    mime: &'a str,
    digest: Option<&'a str>,
    revisit: bool,
    truncated: Option<&'a str>,
    file: Option<&'a str>,
    offset: Option<u64>,
    bytes: u64,
}

pub(crate) fn run(mut args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    args.url = urlkey::remove_logins(&args.url).into_owned();
    let (url, at, version) = match version_of(&args, session)? {
        Of::Capture(at) => (args.url.clone(), at, None),
        Of::Version(version, payload) => (version.url.clone(), Some(version.at), Some((version, payload))),
        Of::Missing(error) => {
            crate::report::failure(&session.talk, &error);
            return Ok(Exit::Missing);
        }
    };
    let (archive, snapshot) = (session.archive()?, args.which.open(session)?.snapshot()?);
    let found = archive.get_from(&snapshot, &url, at)?;
    if let Some((version, payload)) = version
        && found.as_ref().is_none_or(|found| found.at != version.at)
    {
        return waiting(&args, &version, payload, session);
    }
    let Some(found) = found else {
        let error = anyhow!("{} has no capture of `{}`", args.which.place(), args.url);
        return Err(with_hint(
            error,
            format!(
                "`varve cdx {}{} --match host` lists what it has of the host",
                args.url,
                args.which.option()
            ),
        ));
    };
    tracing::info!("captured {}, status {:?}", found.at, found.status());
    remark(&found, session);
    let written = match &args.out {
        Some(path) => {
            let mut file = NewFile::create(path, args.force)?;
            let failed = "cannot write the document";
            let bytes = match args.head {
                true => {
                    let head = head(&found)?.raw();
                    file.write_all(head).context(failed)?;
                    head.len() as u64
                }
                false => write(&found, args.raw, &mut file, failed)?,
            };
            file.finish()?;
            bytes
        }
        None => {
            let is_text = args.head || found.mime.starts_with("text/") || found.mime.contains("json");
            if session.out.is_terminal() && !is_text {
                return Err(anyhow!("the document is {}, which a terminal cannot show", shown(&found.mime)))
                    .hint("`-o FILE` writes it to a file");
            }
            let failed = "cannot write to standard output";
            let bytes = if args.head {
                print_head(head(&found)?, session)?
            } else if session.out.is_terminal() {
                // Text from outside is not to steer the terminal.
                let mut lines = Lines::new(&mut session.out);
                let bytes = write(&found, args.raw, &mut lines, failed)?;
                lines.finish().context(failed)?;
                bytes
            } else {
                write(&found, args.raw, &mut session.out, failed)?
            };
            session.out.finish()?;
            bytes
        }
    };
    // Where the document itself goes to standard output, nothing else does.
    if session.globals.json && args.out.is_some() {
        session.out.json(&row(&found, written))?;
    }
    Ok(Exit::Done)
}

/// Writes a version whose capture another process has taken and not brought into the archive yet: its document is known all the same.
fn waiting(
    args: &Args,
    version: &watch::Version,
    mut payload: watch::Payload,
    session: &mut Session,
) -> anyhow::Result<Exit> {
    if args.head || args.raw {
        let error = anyhow!("version {} is not in the archive yet", version.number);
        return Err(with_hint(
            error,
            "whoever took it brings it in within minutes; its document can be had at once",
        ));
    }
    let bytes = match &args.out {
        Some(path) => {
            let mut file = NewFile::create(path, args.force)?;
            let bytes = io::copy(&mut payload, &mut file).context("cannot write the document")?;
            file.finish()?;
            bytes
        }
        None => {
            let failed = "cannot write to standard output";
            let bytes = if session.out.is_terminal() {
                let mut lines = Lines::new(&mut session.out);
                let bytes = io::copy(&mut payload, &mut lines).context(failed)?;
                lines.finish().context(failed)?;
                bytes
            } else {
                io::copy(&mut payload, &mut session.out).context(failed)?
            };
            session.out.finish()?;
            bytes
        }
    };
    if session.globals.json && args.out.is_some() {
        session.out.json(&Row {
            url: &version.url,
            time: version.at.to_string(),
            status: None,
            mime: &version.media_type,
            digest: None,
            revisit: false,
            truncated: None,
            file: None,
            offset: None,
            bytes,
        })?;
    }
    Ok(Exit::Done)
}

/// Which capture is wanted.
enum Of {
    /// The nearest to this time.
    Capture(Option<Timestamp>),
    /// That of a version of a page that is checked, and its document.
    Version(watch::Version, watch::Payload),
    /// There is none.
    Missing(anyhow::Error),
}

/// UC1, UC2 and UC9. What was never checked has captures, and no versions.
fn version_of(args: &Args, session: &Session) -> anyhow::Result<Of> {
    let wanted = match (args.current, args.reachable, args.at) {
        (true, ..) => Version::Current,
        (_, true, _) => Version::Reachable,
        (_, _, Some(at)) => at,
        _ => return Ok(Of::Capture(None)),
    };
    let at = match wanted {
        Version::At(at) => Some(at),
        _ => None,
    };
    // Who names a collection means its captures; and a database is not made for somebody who only reads.
    let is_checked = args.which.collection == archive::WEB && Ready::has_database(session)?;
    if at.is_some() && !is_checked {
        return Ok(Of::Capture(at));
    }
    let ready = Ready::of(&args.asking, session)?;
    let (found, after) = ready.ask(session, async |desk| {
        Ok(match desk.version(&args.url, wanted).await {
            Ok(version) => desk.payload(&args.url, &version).await.map(|payload| (version, payload)),
            Err(fault) => Err(fault),
        })
    })?;
    after.finish(session);
    match found {
        Ok((version, payload)) => Ok(Of::Version(version, payload)),
        // Never checked, or no page: what the archive has is all there is.
        Err(Fault::Watch(watch::Error::Unknown(_)) | Fault::Fields(_)) if at.is_some() => Ok(Of::Capture(at)),
        Err(fault) if fault.is_missing() => Ok(Of::Missing(fault.into())),
        Err(fault) => Err(fault.into()),
    }
}

/// What a person should know about a capture that is no document, or not a whole one.
fn remark(found: &Found, session: &Session) {
    if let Some(why) = found.row.extra("truncated") {
        let why = match why.as_str() {
            "length" => "it was longer than the limit of the harvest",
            "time" => "it took too long",
            "disconnect" => "the server broke off",
            _ => "it could not be kept whole",
        };
        session.talk.warning(&format!("this is only the beginning of the document: {why}"));
    }
    let Some(status @ (300..=399 | 400..)) = found.status() else { return };
    let target = found.head.as_ref().and_then(|head| head.text("location")).filter(|_| status < 400);
    match target {
        Some(target) => session.talk.note(&format!("the server redirected to {}", escape(&target))),
        None => session.talk.note(&format!("the server answered with the status {status}")),
    }
    if status >= 400 {
        session.talk.hint("`varve versions URL` lists earlier ones; `--at TIME` gets one");
    }
}

/// The head of the answer.
fn head(found: &Found) -> anyhow::Result<&warc::HttpHead> {
    found.head.as_ref().ok_or_else(|| anyhow!("the capture is no answer of a web server, and has no head"))
}

/// Prints it, a field a line.
fn print_head(head: &warc::HttpHead, session: &mut Session) -> anyhow::Result<u64> {
    let lines = head.raw().split(|byte| *byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).filter(|line| !line.is_empty());
    let text: String = lines.map(|line| format!("{}\n", escape_bytes(line))).collect();
    session.out.text(&text)?;
    Ok(text.len() as u64)
}

/// Writes the document. One that is not what was captured is an error, after as much of it as can be read.
fn write(found: &Found, is_raw: bool, to: &mut impl io::Write, failed: &'static str) -> anyhow::Result<u64> {
    let form = if is_raw { Form::Sent } else { Form::Decoded };
    let mut payload = found.payload(form)?;
    let mut piece = vec![0; 64 << 10];
    let mut bytes = 0;
    loop {
        match payload.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(count) => {
                bytes += count as u64;
                to.write_all(piece.get(..count).unwrap_or_default()).context(failed)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                return Err(error)
                    .context("the document cannot be read to its end")
                    .hint("`--raw` gives it as it was sent");
            }
        }
    }
}

fn row(found: &Found, bytes: u64) -> Row<'_> {
    Row {
        url: &found.url,
        time: found.at.to_string(),
        status: found.status(),
        mime: &found.mime,
        digest: found.row.digest.as_deref(),
        revisit: found.is_revisit(),
        truncated: found.row.extra("truncated").map(|value| value.as_str()),
        file: found.row.filename.as_deref(),
        offset: found.row.offset,
        bytes,
    }
}

fn shown(mime: &str) -> &str {
    if mime.is_empty() { "of unknown type" } else { mime }
}
