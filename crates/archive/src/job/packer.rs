//! Packing: what is known of a capture's payload, and its records. Any number of threads at once.

use std::sync::Arc;

use fetch::Ids;
use warc::{Digest, Profile};

use super::claims::{self, Claim};
use super::intake::Shared;
use super::lines::{self, Facts, Row};
use super::packed::{Main, Packed, Ready};
use super::records::{self, Makings, to_millisecond};
use crate::about::Dedup;
use crate::capture::{Capture, Last, Outcome};
use crate::error::Error;
use crate::original::{Original, time_of};

/// Makes records of captures. A clone is cheap.
#[derive(Debug, Clone)]
pub struct Packer(pub(super) Arc<Shared>);

/// What is to become of a payload.
enum Fate {
    /// It is stored, and nobody is told.
    Store,
    /// It is stored, unless another is first.
    Claim(Arc<Claim>),
    /// Another is about to store it.
    Follow(Arc<Claim>),
    /// It is there.
    Known(Original),
}

impl Packer {
    /// The newest capture of a URL that was committed before the job's last sync, or before it began.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn last(&self, url: &str) -> Result<Option<Last>, Error> {
        let snapshot = self.0.committed();
        let row = snapshot.latest(url)?;
        Ok(row.and_then(|row| last(&row)))
    }

    /// Decides whether the payload is stored, and makes the records.
    ///
    /// # Errors
    /// When the index cannot be read, a long response cannot be put aside, or the URL is over the limit.
    pub fn pack(&self, capture: &Capture<'_>) -> Result<Packed, Error> {
        let last = match capture.exchange.status() {
            // Only of these it matters how it was before.
            Some(304 | 404 | 410) => self.last(&url_of(capture.exchange))?,
            _ => None,
        };
        self.pack_against(capture, last)
    }

    /// The same for those who know themselves what they had of the URL: of captures of the same job, which [`Packer::last`] does not tell,
    /// and of what the newest capture, which may be a failure, has before it. "As before" means this one then.
    ///
    /// # Errors
    /// As [`Packer::pack`].
    pub fn pack_against(&self, capture: &Capture<'_>, last: Option<Last>) -> Result<Packed, Error> {
        let (about, exchange) = (&self.0.about, capture.exchange);
        let url = url_of(exchange);
        if url.len() > about.limits.url_bytes {
            return Err(Error::UrlTooLong { bytes: url.len() });
        }
        let date = to_millisecond(exchange.times.start);
        let (id, request_id) = (about.id(), about.id());
        let ids = Ids { request: &request_id, response: &id, warcinfo: None };
        let dns = capture.dns.map(|answer| self.dns(answer)).transpose()?;
        let mut companions = Vec::new();
        if exchange.response.is_empty() {
            let main = Main::Nothing;
            return Ok(ready(Ready { at: date, dns, main, row: Row::default(), companions, gone: false }));
        }
        let digest = records::payload_digest(exchange)?;
        let last = last.filter(|_| match exchange.status() {
            Some(404 | 410) => true,
            // Whoever did not ask whether it changed cannot be told that it did not.
            Some(304) => is_conditional(&exchange.request),
            _ => false,
        });
        let gone =
            matches!(exchange.status(), Some(404 | 410)) && last.as_ref().is_some_and(|last| last.was_there);
        let makings = Makings::new(about, capture, &url, date, ids, digest.as_ref())?;
        let facts = Facts {
            job: &self.0.job,
            capture,
            url: &url,
            date,
            id: &id,
            digest: digest.as_ref().map(ToString::to_string),
            gone,
        };
        let mut row = lines::response(&facts, &about.limits);
        if !lines::fits(&row) {
            return Err(Error::UrlTooLong { bytes: url.len() });
        }
        let main = match last.filter(|last| exchange.status() == Some(304) && last.was_there) {
            Some(last) => self.not_modified(capture, last, &makings, &mut row)?,
            None => self.judged(capture, &url, digest.as_ref(), makings, &mut row)?,
        };
        records::companions(about, capture, &url, date, ids, &mut companions)?;
        Ok(ready(Ready { at: date, dns, main, row, companions, gone }))
    }

    /// A server that says "as before" is believed.
    fn not_modified(
        &self,
        capture: &Capture<'_>,
        last: Last,
        makings: &Makings,
        row: &mut Row,
    ) -> Result<Main, Error> {
        let about = &self.0.about;
        let payload = last.digest.as_deref();
        let member = makings.revisit(about, &Profile::ServerNotModified, &last.original, payload)?;
        // What was not said again holds on.
        let [etag, lastmod] = lines::validators(capture.exchange, &about.limits);
        lines::add(row, "etag", etag.or(last.etag));
        lines::add(row, "lastmod", lastmod.or(last.last_modified));
        row.digest = last.digest.map(Into::into);
        row.mime = Some(last.mime).filter(|mime| !mime.is_empty()).map(Into::into);
        lines::turn_into_revisit(row, &last.original);
        Ok(Main::Decided { member, outcome: Outcome::NotModified, original: Some(last.original) })
    }

    /// An answer with a payload of its own, or one that is there already.
    fn judged(
        &self,
        capture: &Capture<'_>,
        url: &str,
        digest: Option<&Digest>,
        mut makings: Makings,
        row: &mut Row,
    ) -> Result<Main, Error> {
        let about = &self.0.about;
        let block = records::sha256(&capture.exchange.digests.block);
        Ok(match self.fate(capture, url, digest)? {
            Fate::Store => {
                let member = makings.response(about, self.0.folder.path(), block)?;
                Main::Decided { member, outcome: Outcome::New, original: None }
            }
            Fate::Claim(claim) => {
                let member = makings.response(about, self.0.folder.path(), block)?;
                makings.response = None;
                Main::Claimed { member, claim, makings }
            }
            Fate::Follow(claim) => Main::Following { claim, makings },
            Fate::Known(original) => {
                let member = makings.revisit(about, &Profile::IdenticalPayloadDigest, &original, None)?;
                lines::turn_into_revisit(row, &original);
                Main::Decided { member, outcome: Outcome::Revisit, original: Some(original) }
            }
        })
    }

    fn fate(&self, capture: &Capture<'_>, url: &str, digest: Option<&Digest>) -> Result<Fate, Error> {
        let about = &self.0.about;
        let exchange = capture.exchange;
        let is_comparable = exchange.outcome.is_complete()
            && exchange.head.is_some()
            && exchange.is_head_whole
            && about.which.includes(capture.mime);
        let Some(digest) = digest.filter(|_| is_comparable && about.dedup != Dedup::Off) else {
            return Ok(Fate::Store);
        };
        let text = digest.to_string();
        let key = claims::key(about.dedup, digest.value(), url);
        if let Some(claim) = self.0.claims.get(&key) {
            return Ok(Fate::Follow(claim));
        }
        if let Some(original) = self.in_archive(url, &text)? {
            return Ok(Fate::Known(original));
        }
        let is_it = |row: &cdx::Capture<'_>| {
            row.digest.as_deref() == Some(&text)
                && (about.dedup != Dedup::Url || row.url.as_deref() == Some(url))
        };
        if let Some(original) = self.0.known.find(&key, is_it) {
            return Ok(Fate::Known(original));
        }
        Ok(match self.0.claims.claim(key) {
            (claim, true) => Fate::Claim(claim),
            (claim, false) => Fate::Follow(claim),
        })
    }

    /// The committed record with this payload.
    fn in_archive(&self, url: &str, digest: &str) -> Result<Option<Original>, Error> {
        let snapshot = self.0.committed();
        let by_digest = snapshot.by_digest(digest)?;
        if self.0.about.dedup == Dedup::Content {
            return Ok(by_digest.as_ref().and_then(Original::of));
        }
        if let Some(row) = by_digest.filter(|row| row.url.as_deref() == Some(url)) {
            return Ok(Original::of(&row));
        }
        let latest = snapshot.latest(url)?;
        Ok(latest.filter(|row| row.digest.as_deref() == Some(digest)).as_ref().and_then(Original::of))
    }

    fn dns(&self, answer: &fetch::dns::Answer) -> Result<(Vec<u8>, Row), Error> {
        let id = self.0.about.id();
        let (member, digest) = records::dns(&self.0.about, answer, &id)?;
        let url = format!("dns:{}", answer.name);
        let row = lines::plain(&self.0.job, &url, to_millisecond(answer.at), &id, "text/dns", digest);
        Ok((member, row))
    }
}

fn ready(ready: Ready) -> Packed {
    Packed(Arc::new(ready))
}

/// Whether a request asks for a document only if it has changed.
fn is_conditional(request: &[u8]) -> bool {
    let lines = request.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    lines.skip(1).take_while(|line| !line.is_empty()).any(|line| {
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        name.eq_ignore_ascii_case(b"if-none-match") || name.eq_ignore_ascii_case(b"if-modified-since")
    })
}

/// What is archived as the URL: without password and fragment, which are not of the document.
fn url_of(exchange: &fetch::Exchange) -> String {
    let url = &exchange.url;
    if url.username().is_empty() && url.password().is_none() && url.fragment().is_none() {
        return url.as_str().to_owned();
    }
    let mut url = fetch::without_password(url);
    url.set_fragment(None);
    url.into()
}

/// What a line says, for those who ask again.
fn last(row: &cdx::Capture<'_>) -> Option<Last> {
    let text = |name: &str| row.extra(name).map(|value| value.as_str().to_owned());
    let original = Original::of(row)?;
    let was_there = match row.status {
        Some(status) => (200..400).contains(&status),
        None => row.is_revisit(),
    };
    let is_whole = was_there && row.digest.is_some();
    let mime = if row.is_revisit() { text("mime-detected") } else { row.mime.as_deref().map(str::to_owned) };
    Some(Last {
        at: time_of(row)?,
        status: row.status,
        mime: mime.unwrap_or_default(),
        digest: row.digest.as_deref().map(str::to_owned),
        etag: text("etag").filter(|_| is_whole),
        last_modified: text("lastmod").filter(|_| is_whole),
        was_there,
        original,
    })
}
