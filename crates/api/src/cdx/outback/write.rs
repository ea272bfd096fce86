//! `POST /<collection>` and `POST /<collection>/delete`: lines that add captures and aliases, or take captures away.

use std::borrow::Cow;

use archive::{Collection, WEB};
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use bytes::Bytes;
use cdx::{Capture, Format, Layout, Limits, Value};
use index::Writer;

use super::super::parameters::excerpt;
use super::super::server::named;
use super::query::request_key;
use super::{answered, parameters, plain};
use crate::{Api, Error};

/// `POST /outbackcdx/{collection}`. A collection that is not there is made.
pub(crate) async fn add(State(api): State<Api>, Path(name): Path<String>, request: Request) -> Response {
    answered(change(api, name, request, Change::Add).await)
}

/// `POST /outbackcdx/{collection}/delete`
pub(crate) async fn delete(State(api): State<Api>, Path(name): Path<String>, request: Request) -> Response {
    answered(change(api, name, request, Change::Delete).await)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Add,
    Delete,
}

async fn change(api: Api, name: String, request: Request, change: Change) -> Result<Response, Error> {
    if name == WEB {
        let why =
            "the collection `web` follows from the archive's WARC files and cannot be changed by itself";
        return Err(Error::Forbidden(why.to_owned()));
    }
    let (parts, body) = request.into_parts();
    let skips_bad = skips_bad(&api, &parts)?;
    let room = api.turns().body().await?;
    let body = whole(body, api.limits().body_bytes).await?;
    let (inside, own) = (api.clone(), name.clone());
    let write = api.turns().write(&name, move |patience| {
        // Also when whoever asked has gone meanwhile.
        let _room = room;
        let batch = Batch::parse(&body, skips_bad, change)?;
        let collection = match change {
            Change::Add => created(&inside, &own)?,
            Change::Delete => named(&inside, &own)?,
        };
        let mut writer = patience.writer(&collection)?;
        let text = match change {
            Change::Add => batch.add(&mut writer)?,
            Change::Delete => batch.delete(&mut writer)?,
        };
        writer.finish();
        Ok(text)
    });
    Ok(plain(StatusCode::OK, write.await?))
}

fn skips_bad(api: &Api, parts: &Parts) -> Result<bool, Error> {
    match parameters(api, parts)?.get("badLines") {
        None | Some("error") => Ok(false),
        Some("skip") => Ok(true),
        Some(other) => Err(Error::bad(format!("`{}` is nothing to do with bad lines: skip", excerpt(other)))),
    }
}

fn created(api: &Api, name: &str) -> Result<Collection, Error> {
    match api.archive().create_collection(name) {
        Ok(collection) => Ok(collection),
        Err(archive::Error::Store(error)) => Err(Error::bad(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

async fn whole(body: Body, bytes_max: usize) -> Result<Bytes, Error> {
    let too_large =
        || Error::TooLarge(format!("the body cannot be read, or is longer than {bytes_max} bytes"));
    axum::body::to_bytes(body, bytes_max).await.map_err(|_| too_large())
}

/// What the lines of a body say.
#[derive(Debug, Default)]
struct Batch {
    captures: Vec<Capture<'static>>,
    aliases: Vec<(String, String)>,
    skipped: u64,
}

impl Batch {
    fn parse(body: &[u8], skips_bad: bool, change: Change) -> Result<Batch, Error> {
        let mut batch = Batch::default();
        let mut layout = None;
        for (number, line) in (1_u64..).zip(body.split(|byte| *byte == b'\n')) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() {
                continue;
            }
            match batch.take(line, &mut layout, change) {
                Ok(()) => {}
                Err(_) if skips_bad => batch.skipped += 1,
                Err(error) => {
                    let text = String::from_utf8_lossy(line);
                    return Err(Error::bad(format!("At line {number}: {error}: {}", excerpt(&text))));
                }
            }
        }
        Ok(batch)
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
        self.captures.push(capture(line, layout.as_ref())?);
        Ok(())
    }

    fn len(&self) -> usize {
        self.captures.len() + self.aliases.len()
    }

    fn add(self, writer: &mut Writer<'_>) -> Result<String, Error> {
        let (count, skipped) = (self.len(), self.skipped);
        if !self.captures.is_empty() {
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
    fn delete(self, writer: &mut Writer<'_>) -> Result<String, Error> {
        let count = self.len();
        writer.delete(self.captures.into_iter().map(Ok))?;
        Ok(format!("Deleted {count} records\n"))
    }
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
    if line.len() > limits.line_bytes {
        return Err(Error::bad("a line that is too long"));
    }
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
