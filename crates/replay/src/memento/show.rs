//! A capture as an answer: head, payload, and what is put around it.

use archive::Found;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use cdx::Timestamp;
use rewrite::{Form, Kind, Modifier, Place, Rewriter};

use super::fields::{archived, guard, insert, silence, typed};
use super::media_type::{MediaType, SNIFFED_BYTES, claims, used_as};
use super::opened::Opened;
use super::relations::{Neighbours, http_date, of_memento};
use super::{length, script, tell_passed_over, title};
use crate::banner;
use crate::choose::Taken;
use crate::error::Error;
use crate::feed::{Feed, PIECE};
use crate::pages;
use crate::ranges::{self, Asked};
use crate::versions::Versions;
use crate::visit::Visit;

/// When it was captured.
const MEMENTO_DATETIME: HeaderName = HeaderName::from_static("memento-datetime");

/// What is about to be shown.
struct Shown<'a> {
    visit: &'a Visit,
    found: Found,
    asked_url: &'a str,
    modifier: Modifier,
    kind: Kind,
    media_type: MediaType,
    /// The time in the addresses of what it asks for.
    time: String,
    place: Option<Place>,
}

/// Shows a capture in this form, asked for with these digits and this URL.
pub(super) fn show(
    visit: &Visit,
    versions: &Versions,
    taken: Taken,
    form: &Form,
    (asked, asked_url): (&str, &str),
) -> Result<Response, Error> {
    let Taken { found, at, passed_over, is_exact } = taken;
    let around = match form.modifier.is_embedded() {
        true => Neighbours::default(),
        false => Neighbours::of(visit, versions, at, found.status())?,
    };
    // What is part of a page asks for further parts at the page's time, not at its own.
    let time =
        if form.modifier.is_embedded() && asked.len() == 14 { asked.to_owned() } else { at.to_string() };
    let prefix = format!("/{}/", visit.collection.name());
    let place = Place::new(&prefix, &time, form.modifier, &found.url).ok();
    let modifier = form.modifier;
    let opened = match open(&found, modifier) {
        Ok(opened) => opened,
        Err(error) => return damaged(visit, versions, &found.url, at, error),
    };
    let used_as = used_as(modifier, visit.header("sec-fetch-dest"));
    let media_type = MediaType::decide(&found, used_as, &opened.start);
    let kind = match &place {
        Some(_) => rewrite::kind_of(media_type.header(), modifier, &found.url),
        None => Kind::Other,
    };
    let shown = Shown { visit, found, asked_url, modifier, kind, media_type, time, place };
    let mut headers = archived(visit, &shown.found, shown.place.as_ref(), modifier == Modifier::Raw);
    typed(&mut headers, &shown.media_type, &claims(&shown.found), (modifier, used_as));
    guard(visit, modifier, &mut headers);
    if is_exact {
        // An address has one time for ever: https://www.rfc-editor.org/rfc/rfc7089#section-2.1.1
        insert(&mut headers, MEMENTO_DATETIME, &http_date(at));
    }
    insert(&mut headers, header::LINK, &of_memento(visit, &form.text, &shown.found.url, at, &around));
    let itself = visit.address(&at.to_string(), &form.text, &shown.found.url);
    insert(&mut headers, header::CONTENT_LOCATION, &itself);
    tell_passed_over(&mut headers, passed_over.as_ref());
    let has_banner = shown.has_banner();
    insert(&mut headers, header::CACHE_CONTROL, caching(has_banner, is_exact));
    if modifier == Modifier::Page {
        // With the banner or, in a frame, without.
        insert(&mut headers, header::VARY, "sec-fetch-dest");
    }
    let foot = |title: Option<&str>| {
        let facts = banner::Facts {
            title,
            url: &shown.found.url,
            at,
            around: &around,
            passed_over: passed_over.as_ref(),
        };
        banner::html(visit, versions, &facts)
    };
    match shown.body(&mut headers, opened, has_banner.then_some(&foot as &dyn Fn(Option<&str>) -> _)) {
        Ok(response) => Ok(response),
        Err(error) => damaged(visit, versions, &shown.found.url, at, error),
    }
}

/// Opens the payload, and reads as much of it as tells its type.
fn open(found: &Found, modifier: Modifier) -> Result<Opened, Error> {
    let mut opened = Opened::new(found, modifier)?;
    opened.read_up_to(SNIFFED_BYTES)?;
    Ok(opened)
}

/// A payload that cannot be read is told on a page; whatever else went wrong is passed on.
fn damaged(
    visit: &Visit,
    versions: &Versions,
    url: &str,
    at: Timestamp,
    error: Error,
) -> Result<Response, Error> {
    let Error::Payload(error) = error else { return Err(error) };
    tracing::warn!("{url}: the payload cannot be read: {error}");
    pages::damaged(visit, versions, url, at, &error.to_string())
}

/// A capture never changes. What is around it does, and so does what may be seen: nobody keeps it for longer than a day.
fn caching(has_banner: bool, is_exact: bool) -> &'static str {
    match (has_banner, is_exact) {
        (true, _) => "private, max-age=30",
        (false, true) => "private, max-age=86400, immutable",
        (false, false) => "private, max-age=600",
    }
}

type Foot<'a> = dyn Fn(Option<&str>) -> Result<Vec<u8>, Error> + 'a;

impl Shown<'_> {
    /// Whether it is a page that somebody looks at, and not part of one.
    fn has_banner(&self) -> bool {
        let is_part =
            matches!(self.visit.header("sec-fetch-dest"), Some("iframe" | "frame" | "embed" | "object"));
        self.modifier == Modifier::Page && self.kind == Kind::Html && !is_part
    }

    fn status(&self) -> StatusCode {
        let status = self.found.status().and_then(|status| StatusCode::from_u16(status).ok());
        // An interim answer is none, neither is "as before", and a part that is all there is is the whole.
        let status = status.filter(|status| status.as_u16() >= 200 && *status != StatusCode::NOT_MODIFIED);
        let status =
            status.filter(|status| *status != StatusCode::PARTIAL_CONTENT || ranges::is_part(&self.found));
        status.unwrap_or(StatusCode::OK)
    }

    /// The answer, with the payload.
    fn body(
        &self,
        headers: &mut HeaderMap,
        mut opened: Opened,
        foot: Option<&Foot<'_>>,
    ) -> Result<Response, Error> {
        // What is rewritten shows its title and charset near its start.
        let at_once = match self.kind {
            Kind::Other => PIECE,
            _ => self.visit.replay.limits().at_once_bytes,
        };
        let is_whole = opened.read_up_to(at_once)?;
        let rewriter = self.rewriter(&opened.start, foot)?;
        if self.status() == StatusCode::OK {
            headers.remove(header::CONTENT_RANGE);
        }
        let Some(mut rewriter) = rewriter else {
            if !self.media_type.is_harmless() {
                silence(headers);
            }
            if is_whole {
                return Ok(self.sent_at_once(headers, opened.start));
            }
            return self.sent_as_it_is(headers, opened);
        };
        let Opened { payload, start, .. } = opened;
        let mut written = Vec::with_capacity(start.len() + start.len() / 4);
        if self.modifier == Modifier::Worker && self.kind == Kind::Script {
            written.extend(script::before_worker(self.visit, &self.time, &self.found.url));
        }
        rewriter.feed(&start, &mut written)?;
        if is_whole {
            rewriter.finish(&mut written)?;
        }
        if !rewriter.holds_head() && !self.media_type.is_harmless() {
            silence(headers);
        }
        if rewriter.is_cut() {
            tracing::info!("{}: a part is beyond a limit and stays as it is", self.found.url);
        }
        if let Some(charset) = rewriter.charset() {
            let essence = self.media_type.essence();
            insert(headers, header::CONTENT_TYPE, &format!("{essence}; charset={charset}"));
        }
        if is_whole {
            return Ok(self.sent_at_once(headers, written));
        }
        let feed = Feed::new(written, payload, Some(rewriter));
        Ok(self.sent(headers, self.status(), feed.into_body(None)))
    }

    /// Sends a long payload that is not rewritten, or a part of it.
    fn sent_as_it_is(&self, headers: &mut HeaderMap, opened: Opened) -> Result<Response, Error> {
        let Opened { payload, start, form } = opened;
        insert(headers, header::ACCEPT_RANGES, "bytes");
        if self.status() == StatusCode::OK && self.visit.headers.contains_key(header::RANGE) {
            let total = length::of_payload(&self.visit.replay, &self.found, &payload, form)?;
            let feed = Feed::new(start, payload, None);
            return Ok(match ranges::asked(self.visit.header("range"), total) {
                Asked::Whole => self.sent(headers, self.status(), feed.into_body(Some(total))),
                Asked::Part { start, length } => {
                    content_range(headers, start, length, total);
                    self.sent(
                        headers,
                        StatusCode::PARTIAL_CONTENT,
                        feed.part(start, length).into_body(Some(length)),
                    )
                }
                Asked::Beyond => self.beyond(headers, total),
            });
        }
        let total = payload.length();
        let feed = Feed::new(start, payload, None).part(0, total.unwrap_or(u64::MAX));
        Ok(self.sent(headers, self.status(), feed.into_body(total)))
    }

    fn sent_at_once(&self, headers: &mut HeaderMap, whole: Vec<u8>) -> Response {
        let whole = Bytes::from(whole);
        insert(headers, header::ACCEPT_RANGES, "bytes");
        let total = whole.len() as u64;
        let range = self.visit.header("range").filter(|_| self.status() == StatusCode::OK);
        match ranges::asked(range, total) {
            Asked::Whole => self.sent(headers, self.status(), Body::from(whole)),
            Asked::Part { start, length } => {
                content_range(headers, start, length, total);
                let bytes = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).min(whole.len());
                let part = whole.slice(bytes(start)..bytes(start + length));
                self.sent(headers, StatusCode::PARTIAL_CONTENT, Body::from(part))
            }
            Asked::Beyond => self.beyond(headers, total),
        }
    }

    fn beyond(&self, headers: &mut HeaderMap, total: u64) -> Response {
        insert(headers, header::CONTENT_RANGE, &format!("bytes */{total}"));
        self.sent(headers, StatusCode::RANGE_NOT_SATISFIABLE, Body::empty())
    }

    fn sent(&self, headers: &mut HeaderMap, status: StatusCode, body: Body) -> Response {
        let mut response = Response::new(body);
        *response.status_mut() = status;
        *response.headers_mut() = std::mem::take(headers);
        response
    }

    /// What rewrites it, if it is something that is rewritten.
    fn rewriter(&self, start: &[u8], foot: Option<&Foot<'_>>) -> Result<Option<Rewriter>, Error> {
        let Some(place) = self.place.clone().filter(|_| self.kind != Kind::Other) else { return Ok(None) };
        let title = || title::title_of(start, self.media_type.header());
        let foot = foot.map(|foot| foot(title().as_deref())).transpose()?.unwrap_or_default();
        let head = match self.kind.is_page() || self.kind == Kind::Xml {
            true => script::head(self.visit, &self.time, self.modifier, &self.found),
            false => Vec::new(),
        };
        let charset = self.media_type.charset().map(str::to_owned);
        let settings = rewrite::Settings {
            place,
            kind: self.kind,
            charset,
            asked: Some(self.asked_url.to_owned()),
            head,
            foot,
            is_module: self.visit.header("sec-fetch-mode") == Some("cors"),
            limits: rewrite::Limits::default(),
        };
        Ok(Some(Rewriter::new(settings)?))
    }
}

fn content_range(headers: &mut HeaderMap, start: u64, length: u64, total: u64) {
    let last = start + length.saturating_sub(1);
    insert(headers, header::CONTENT_RANGE, &format!("bytes {start}-{last}/{total}"));
}
