//! Reads an answer: what it is, whether it is wanted, where it leads; and packs it for the archive.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use archive::{Capture, Form, Last, Outlink, Packed, Payload};
use extract::html::Wanted;
use extract::{Document, Reader, Source, Stop};
use fetch::{Cut, Exchange, Failure, Outcome};
use filter::{Facts, Judgement};
use frontier::{End, Turn, Wish};
use job::log::{Line, note};
use tokio::time::Instant;
use url::Url;
use warc::HttpHead;

use super::dealt::{Dealt, line};
use super::descriptors;
use super::links;
use super::locks::lock;
use super::room;
use super::running::Running;
use super::visit::{Arrived, What};
use crate::control::Course;
use crate::error::Error;
use crate::settings::RobotsRule;

/// How long one document may be looked through.
const READING_MAX: Duration = Duration::from_secs(20);

/// Links of one document that are followed.
const LINKS_MAX: usize = 50_000;

/// An answer that is no longer than this is dealt with in a few milliseconds.
const SHORT_BYTES_MAX: u64 = 256 << 10;

/// Whether an answer is dealt with at once. Filters may take their time; what is packed may unfold to many times its length, and
/// in the place of what is as before the archive's is read, which may be long.
pub(super) fn is_short(shared: &Running, arrived: &Arrived) -> bool {
    let Arrived { exchange, last, .. } = arrived;
    let is_as_before = last.is_some() && exchange.status() == Some(304);
    exchange.response.len() <= SHORT_BYTES_MAX
        && exchange.plain_document().is_some()
        && !is_as_before
        && shared.settings.filters.is_empty()
}

/// Deals with an answer.
///
/// # Errors
/// Only what must end the crawl: an archive that cannot be read, a filter that does not work.
pub(super) fn deal(shared: &Running, arrived: Arrived) -> Result<Dealt, Error> {
    let Arrived { what, exchange, last } = arrived;
    let now = shared.now();
    let (id, wish) = match what {
        What::Turn(turn) => (Some(turn.id), turn.wish),
        What::Robots { host, via } => {
            let url = without_fragment(&exchange);
            let (hops, tag) = ("P".to_owned(), Vec::new());
            (None, Wish { url, host, via: Some(via), hops, precedence: 0, tries: 0, tag })
        }
    };
    let host = wish.host.clone();
    let part = shared.scope.sheets().for_url(&exchange.url).budget_prefix.as_deref();
    let dealt =
        Dealt { id, host, end: End::Done, found: Vec::new(), line: None, packed: None, dropped: None };
    let is_queued = dealt.id.is_some();
    let is_our_disk =
        matches!(exchange.outcome, Outcome::Failed(Failure::Disk(_)) | Outcome::Truncated(Cut::Disk));
    if let (true, Some(id)) = (is_our_disk, dealt.id) {
        // No fault of the server's: it is asked again when there is room, as if it had not been.
        lock(&shared.budgets.spending).refund(&dealt.host, part);
        let again = Dealt::again(Turn { id, wish: wish.clone() }, shared.settings.retry_delay, now);
        let End::Again { not_before, .. } = again.end else { return Ok(again) };
        return Ok(Dealt { end: End::Again { wish, not_before }, ..again });
    }
    if is_queued && may_pass(&exchange) && wish.tries < shared.settings.retries {
        lock(&shared.budgets.spending).refund(&dealt.host, part);
        if let Some(id) = dealt.id {
            return Ok(Dealt::again(Turn { id, wish }, shared.settings.retry_delay, now));
        }
    }
    let line = line_of(&exchange, &wish, now);
    if is_queued && exchange.status().is_none() {
        lock(&shared.budgets.spending).refund(&dealt.host, part);
    }
    // What is no HTTP answer is kept all the same, if there is anything to keep.
    if exchange.response.is_empty() {
        return Ok(Dealt { line: Some(line), ..dealt });
    }
    if is_queued {
        lock(&shared.budgets.spending).receive(&dealt.host, part, exchange.body_bytes());
    }
    keep(shared, &wish, &exchange, last.as_ref(), Dealt { line: Some(line), ..dealt })
}

/// What is kept of an answer, and where it leads.
fn keep(
    shared: &Running,
    wish: &Wish,
    exchange: &Exchange,
    last: Option<&Last>,
    mut dealt: Dealt,
) -> Result<Dealt, Error> {
    let is_as_before = last.is_some() && exchange.status() == Some(304);
    let Looked { document, bytes } = read(shared, exchange, is_as_before)?;
    let mime = match last {
        // A server that says "as before" sends nothing to look at.
        Some(last) if is_as_before => last.mime.clone(),
        _ => document.identity.mime.essence().to_owned(),
    };
    let is_queued = dealt.id.is_some();
    dealt.found = links::of(shared, wish, is_queued, exchange, &document);
    // What the archive has was judged when it came.
    let dropped = if is_queued && !is_as_before {
        judge(shared, wish, exchange, &document, &mime, bytes)
    } else {
        None
    };
    if let Some(line) = &mut dealt.line {
        line.mime = mime.clone().into();
        line.notes.extend(dropped.iter().map(|(by, _)| format!("{}{}", note::FILTERED, word(by)).into()));
    }
    if dropped.is_none() {
        dealt.packed = Some(pack(shared, wish, exchange, &document, &mime)?);
    }
    dealt.dropped = dropped.map(|(by, why)| format!("{} {}", word(&by), printable(&why)));
    Ok(dealt)
}

/// A name as one word of the log.
fn word(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_graphic() && c != ',' { c } else { '-' }).collect()
}

/// A text on one line.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The records of an answer.
fn pack(
    shared: &Running,
    wish: &Wish,
    exchange: &Exchange,
    document: &Document,
    mime: &str,
) -> Result<Packed, Error> {
    let outlinks = if shared.settings.outlinks { outlinks(document) } else { Vec::new() };
    let outlinks: Vec<Outlink<'_>> = outlinks
        .iter()
        .map(|(url, hop, context)| Outlink { url: url.as_str(), hop: *hop, context })
        .collect();
    let outlinks = shared.settings.outlinks.then_some(outlinks.as_slice());
    let (hops, via) = (wish.hops.as_str(), wish.via.as_deref());
    let dns = exchange.dns.as_deref().filter(|answer| shared.hosts.is_new_answer(answer));
    let capture = Capture { exchange, mime, hops, via, outlinks, dns };
    loop {
        match shared.packer.pack(&capture) {
            // Large records are packed to the disk; the ledger waits for room as well, and says so.
            Err(error) if error.is_full() && shared.control.course() != Course::Stop => {
                wait(shared, room::FULL);
            }
            Err(error) if fetch::lacks_descriptors(&error) && shared.control.course() != Course::Stop => {
                wait(shared, descriptors::NONE_LEFT);
            }
            packed => return Ok(packed?),
        }
    }
}

/// Waits a little, and says why.
fn wait(shared: &Running, why: &str) {
    let is_ours = shared.hold_for_room(why);
    std::thread::sleep(room::LOOK_EVERY);
    if is_ours {
        shared.release_room(why);
    }
}

/// Where a document leads, without user names and passwords, with the letter of the step and where it stood.
fn outlinks(document: &Document) -> Vec<(Url, char, String)> {
    let links = document.links.as_slice().iter();
    let outlink = |link: &_| {
        let url = fetch::without_password(&document.resolve(link)?);
        Some((url, link.hop.letter(), link.rule.to_string()))
    };
    links.filter_map(outlink).collect()
}

fn without_fragment(exchange: &Exchange) -> String {
    let mut url = fetch::without_password(&exchange.url);
    url.set_fragment(None);
    url.into()
}

/// Whether the fault may pass by itself.
pub(super) fn may_pass(exchange: &Exchange) -> bool {
    use Failure::{
        AddressRefused, BadRequest, BadUrl, Certificate, HeadTooLong, NoAddress, NoSuchName, NotHttp, NotTls,
        OldTls, TooManyInterims,
    };
    match &exchange.outcome {
        Outcome::Complete => matches!(exchange.status(), Some(429 | 502 | 503 | 504)),
        Outcome::Truncated(cut) => !matches!(cut, Cut::Length | Cut::Time),
        Outcome::Failed(failure) => !matches!(
            failure,
            BadUrl
                | BadRequest
                | AddressRefused(_)
                | NoSuchName
                | NoAddress
                | Certificate(_)
                | HeadTooLong
                | NotHttp
                | NotTls
                | OldTls
                | TooManyInterims
        ),
        _ => false,
    }
}

fn line_of(exchange: &Exchange, wish: &Wish, now: jiff::Timestamp) -> Line<'static> {
    let failed = exchange.outcome.heritrix();
    let status = failed.or(exchange.status().map(i32::from)).unwrap_or(200);
    let mut line = line(wish.clone(), status, now, Some((exchange.times.start, exchange.times.total)));
    line.bytes = exchange.body_bytes();
    if wish.tries > 0 {
        line.notes.push(format!("{}t", u32::from(wish.tries) + 1).into());
    }
    let cut = match &exchange.outcome {
        Outcome::Truncated(Cut::Length) => Some("lenTrunc"),
        Outcome::Truncated(Cut::Time | Cut::Idle) => Some("timeTrunc"),
        Outcome::Truncated(_) => Some("midFetchTrunc"),
        Outcome::Failed(failure) => Some(failure.code()),
        _ => None,
    };
    line.notes.extend(cut.map(Into::into));
    if links::is_recheck(wish) {
        line.notes.push(note::RECHECK.into());
    }
    line
}

/// What was found in a document, and how long it is, unpacked.
struct Looked {
    document: Document,
    bytes: u64,
}

/// Looks through the document as far as the limits let us. Where the server says "as before" it is the one that the archive has:
/// its links lead on as they did.
fn read(shared: &Running, exchange: &Exchange, is_as_before: bool) -> Result<Looked, Error> {
    let most = shared.settings.document_bytes_max;
    let before = if is_as_before { archived(shared, exchange)? } else { None };
    if let Some((head, payload)) = before {
        return Ok(look_through(shared, exchange, head.as_ref(), payload));
    }
    let head = exchange.head.as_ref();
    if let Some(bytes) = exchange.plain_document().filter(|bytes| bytes.len() as u64 <= most) {
        let reader = reader(shared, exchange, head).0;
        return Ok(Looked { document: reader.finish_with(&bytes), bytes: bytes.len() as u64 });
    }
    Ok(match exchange.document(most) {
        Ok(document) => look_through(shared, exchange, head, document),
        // A body that cannot be unpacked to its end is read as far as it can be.
        Err(_) => look_through(shared, exchange, head, io::empty()),
    })
}

/// What the archive has of a URL.
fn archived(shared: &Running, exchange: &Exchange) -> Result<Option<(Option<HttpHead>, Payload)>, Error> {
    let url = without_fragment(exchange);
    let snapshot = shared.archive.snapshot()?;
    let Some(row) = snapshot.latest(&url)? else { return Ok(None) };
    // One that cannot be read is no reason to end a crawl: it is as if the page had no links.
    let found = shared.archive.found(&row, &snapshot).ok().flatten();
    Ok(found.and_then(|found| Some((found.head.clone(), found.payload(Form::Decoded).ok()?))))
}

/// Reads a document that comes in pieces.
fn look_through(
    shared: &Running,
    exchange: &Exchange,
    head: Option<&HttpHead>,
    mut payload: impl io::Read,
) -> Looked {
    let (mut reader, stop) = reader(shared, exchange, head);
    let most = shared.settings.document_bytes_max;
    let mut piece = vec![0; 64 << 10];
    let mut taken = 0_u64;
    while let Ok(count @ 1..) = payload.read(&mut piece) {
        reader.write(piece.get(..count).unwrap_or_default());
        taken += count as u64;
        if taken >= most || stop.is_up() {
            break;
        }
    }
    // What is longer than is looked at is at least as long as it was sent.
    Looked {
        document: reader.finish(),
        bytes: taken.max(if taken >= most { exchange.body_bytes() } else { 0 }),
    }
}

/// Who reads a document, and who tells when that has taken too long.
fn reader(shared: &Running, exchange: &Exchange, head: Option<&HttpHead>) -> (Reader, Stop) {
    let fields: Vec<(Cow<'_, str>, Cow<'_, str>)> =
        head.iter().flat_map(|head| head.fields()).map(text).collect();
    let headers: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let names = shared.settings.robots_names.as_str();
    let (url, parsed) = (exchange.url.as_str(), Some(&exchange.url));
    let source = Source { url, parsed, headers: &headers, agent: names, ..Source::default() };
    let until = Instant::now() + READING_MAX;
    let stop = Stop::when(move || Instant::now() >= until);
    let mut limits = extract::Limits::default();
    limits.links_max = LINKS_MAX;
    limits.stop = Some(stop.clone());
    // What a page says of itself matters to filters alone; its language is told by its text.
    let is_filtered = !shared.settings.filters.is_empty();
    let wanted = Wanted { about: is_filtered, text: is_filtered, ..Wanted::ADDRESSES };
    (Reader::new(&source, wanted, &limits), stop)
}

fn text<'a>((name, value): (&'a [u8], &'a [u8])) -> (Cow<'a, str>, Cow<'a, str>) {
    let latin = |bytes: &'a [u8]| match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    };
    (latin(name), latin(value))
}

/// Whether a filter, or the page itself, does not want it kept; by whom, and why.
fn judge(
    shared: &Running,
    wish: &Wish,
    exchange: &Exchange,
    document: &Document,
    mime: &str,
    bytes: u64,
) -> Option<(String, String)> {
    if shared.robots_rule(&exchange.url) == RobotsRule::Obey && document.robots.noindex {
        return Some(("robots-meta".to_owned(), "the page asks not to be indexed".to_owned()));
    }
    if shared.settings.filters.is_empty() {
        return None;
    }
    let fields: Vec<(Cow<'_, str>, Cow<'_, str>)> =
        exchange.head.iter().flat_map(|head| head.fields()).map(text).collect();
    let headers: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let modified = exchange.head.as_ref().and_then(|head| head.text("last-modified"));
    let claimed = exchange.media_type();
    let facts = Facts {
        url: exchange.url.as_str(),
        status: exchange.status(),
        mime,
        claimed_mime: claimed.as_deref(),
        bytes,
        language: document.language.as_ref().map(|language| language.tag.as_str()),
        title: document.title.as_deref(),
        commit_time: Some(shared.started),
        create_time: modified.and_then(|date| urlkey::time::parse_http_date(&date).ok()),
        hops: &wish.hops,
        via: wish.via.as_deref(),
        headers: &headers,
    };
    match shared.settings.filters.judge(&facts) {
        Ok(Judgement::Keep) => None,
        Ok(Judgement::Drop { by, why }) => Some((by, why)),
        // A filter that fails at one document says nothing about it, so that it is kept.
        Err(error) => {
            lock(&shared.counters.remarks).say(printable(&format!("{error}; the document is kept")));
            None
        }
    }
}
