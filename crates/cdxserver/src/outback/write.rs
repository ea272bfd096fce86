//! `POST /<collection>` and `POST /<collection>/delete`: lines that add captures and aliases, or take captures away.

use std::borrow::Cow;
use std::io::BufRead;

use api::Error;
use archive::{About, Collection, Removal, WEB};
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use cdx::{Capture, Format, Layout, Limits, Lines, Value};
use index::{BadLines, Input, Writer};

use super::super::parameters::excerpt;
use super::super::server::named;
use super::query::request_key;
use super::spool::{Pile, spooled, unwritable};
use super::{answered, parameters, plain};
use crate::CdxServer;

/// `POST /outbackcdx/{collection}`. A collection that is not there is made.
pub(crate) async fn add(
    State(server): State<CdxServer>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    answered(change(server, name, request, Change::Add).await)
}

/// `POST /outbackcdx/{collection}/delete`
pub(crate) async fn delete(
    State(server): State<CdxServer>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    answered(change(server, name, request, Change::Delete).await)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Add,
    Delete,
}

async fn change(
    server: CdxServer,
    name: String,
    request: Request,
    change: Change,
) -> Result<Response, Error> {
    if name == WEB {
        let why =
            "the collection `web` follows from the archive's WARC files and cannot be changed by itself";
        return Err(Error::Forbidden(why.to_owned()));
    }
    let (parts, body) = request.into_parts();
    let skips_bad = skips_bad(&server, &parts)?;
    let room = server.turns().body().await?;
    let body = spooled(body, server.limits().body_bytes).await?;
    let (inside, own) = (server.clone(), name.clone());
    let write = server.turns().write(&name, move |patience| {
        // Also when whoever asked has gone meanwhile.
        let _room = room;
        let batch = Batch::parse(body, skips_bad, change)?;
        let collection = match change {
            Change::Add => created(&inside, &own)?,
            Change::Delete => named(&inside, &own)?,
        };
        let mut writer = patience.writer(&collection)?;
        if change == Change::Delete {
            // Nobody else writes at the moment, so this does not wait for long.
            drop(writer);
            return batch.delete(&inside, &collection);
        }
        let text = batch.add(&mut writer)?;
        writer.finish();
        Ok(text)
    });
    Ok(plain(StatusCode::OK, write.await?))
}

fn skips_bad(server: &CdxServer, parts: &Parts) -> Result<bool, Error> {
    match parameters(server, parts)?.get("badLines") {
        None | Some("error") => Ok(false),
        Some("skip") => Ok(true),
        Some(other) => Err(Error::bad(format!("`{}` is nothing to do with bad lines: skip", excerpt(other)))),
    }
}

fn created(server: &CdxServer, name: &str) -> Result<Collection, Error> {
    match server.archive().create_collection(name) {
        Ok(collection) => Ok(collection),
        Err(archive::Error::Store(error)) => Err(Error::bad(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// Bytes of lines, with what it takes to hold them, that are sorted in memory; more are sorted in files.
const HELD_BYTES: usize = 32 << 20;
/// What a capture takes in memory beside its line.
const CAPTURE_BYTES: usize = 400;

/// What the lines of a body say.
#[derive(Default)]
struct Batch {
    captures: Vec<Capture<'static>>,
    bytes: usize,
    /// All captures, where they are too many.
    pile: Option<Pile>,
    piled: u64,
    aliases: Vec<(String, String)>,
    skipped: u64,
}

impl Batch {
    fn parse(body: Box<dyn BufRead + Send>, skips_bad: bool, change: Change) -> Result<Batch, Error> {
        let mut batch = Batch::default();
        let mut layout = None;
        let mut lines = Lines::new(body, &Limits::default());
        loop {
            let taken = match lines.advance() {
                Ok(false) => return Ok(batch),
                Ok(true) if lines.line().is_empty() => Ok(()),
                Ok(true) => batch.take(lines.line(), &mut layout, change),
                Err(cdx::Error::AtLine { fault, .. }) => Err(Error::bad(fault.to_string())),
                Err(cdx::Error::Read(source)) => return Err(unwritable(source)),
                Err(error) => return Err(error.into()),
            };
            match taken {
                Ok(()) => {}
                Err(Error::Bad(_)) if skips_bad => batch.skipped += 1,
                Err(Error::Bad(why)) => {
                    let (number, text) = (lines.number(), String::from_utf8_lossy(lines.line()).into_owned());
                    return Err(Error::bad(format!("At line {number}: {why}: {}", excerpt(&text))));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn take(&mut self, line: &[u8], layout: &mut Option<Layout>, change: Change) -> Result<(), Error> {
        if cdx::is_header(line) {
            *layout = Some(Layout::parse_header(line)?);
            return Ok(());
        }
        if let Some(pair) = line.strip_prefix(b"@alias ") {
            if change == Change::Delete {
                return Err(Error::bad("aliases cannot be deleted"));
            }
            self.aliases.push(alias(pair)?);
            return Ok(());
        }
        let capture = capture(line, layout.as_ref())?;
        if let Some(pile) = &mut self.pile {
            self.piled += 1;
            return pile.push(&cdxj(&capture));
        }
        self.bytes += line.len() + CAPTURE_BYTES;
        self.captures.push(capture);
        // What is deleted is looked up one by one, and never that much.
        if change == Change::Add && self.bytes > HELD_BYTES { self.pile_up() } else { Ok(()) }
    }

    /// Puts all captures so far on a pile, where those to come go, too.
    fn pile_up(&mut self) -> Result<(), Error> {
        let mut pile = Pile::new(Limits::default());
        for capture in self.captures.drain(..) {
            self.piled += 1;
            pile.push(&cdxj(&capture))?;
        }
        self.pile = Some(pile);
        Ok(())
    }

    fn len(&self) -> u64 {
        (self.captures.len() + self.aliases.len()) as u64 + self.piled
    }

    fn add(self, writer: &mut Writer<'_>) -> Result<String, Error> {
        let (count, skipped) = (self.len(), self.skipped);
        if let Some(pile) = self.pile {
            let lines = Input { name: "the body".to_owned(), lines: pile.sorted()? };
            writer.load(vec![lines], BadLines::Refuse)?;
        } else if !self.captures.is_empty() {
            writer.add(self.captures.into_iter().map(Ok))?;
        }
        if !self.aliases.is_empty() {
            let pairs = self.aliases.iter().map(|(alias, target)| (alias.as_str(), target.as_str()));
            writer.add_aliases(pairs)?;
        }
        let bad = if skipped > 0 { format!(", skipped {skipped} bad lines") } else { String::new() };
        Ok(format!("Added {count} records{bad}\n"))
    }

    /// Says how many were asked for, whether or not they were there: so does the original.
    fn delete(self, server: &CdxServer, collection: &Collection) -> Result<String, Error> {
        let count = self.len();
        let about = About::new(server.now(), server.ids());
        server.archive().remove(collection, Removal::Captures(&self.captures), &about)?;
        Ok(format!("Deleted {count} records\n"))
    }
}

fn cdxj(capture: &Capture<'_>) -> Vec<u8> {
    let mut line = Vec::new();
    capture.write_cdxj(&mut line);
    line
}

/// The two URLs of an alias, as keys.
fn alias(pair: &[u8]) -> Result<(String, String), Error> {
    let text = str::from_utf8(pair).map_err(|_| Error::bad("an alias is not UTF-8"))?;
    let mut words = text.split_ascii_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(alias), Some(target), None) => Ok((urlkey::key(alias), urlkey::key(target))),
        _ => Err(Error::bad("an alias is two URLs")),
    }
}

/// A capture, with the key that its URL has here, whatever the line says.
fn capture(line: &[u8], layout: Option<&Layout>) -> Result<Capture<'static>, Error> {
    let limits = Limits::default();
    let format = match Format::detect(line)? {
        Some(Format::Cdx(guessed)) => {
            let fits = |layout: &&Layout| layout.columns().len() == guessed.columns().len();
            Format::Cdx(layout.filter(fits).cloned().unwrap_or(guessed))
        }
        Some(format) => format,
        None => return Err(Error::bad("not a line of captures")),
    };
    let mut capture = format.parse(line, &limits)?.into_owned();
    let url = capture.url.as_deref().ok_or_else(|| Error::bad("a capture without a URL"))?;
    if capture.timestamp.is_none() {
        return Err(Error::bad("a capture without a time"));
    }
    let extra = |name: &str| capture.extra(name).map(Value::as_str);
    let key = match extra("method").filter(|method| *method != "GET") {
        Some(method) => request_key(url, method, extra("requestBody").unwrap_or_default()),
        None => urlkey::key(url),
    };
    capture.key = Some(Cow::Owned(key));
    Ok(capture)
}
