//! `q=type:urlquery url:…`: captures as OpenWayback asks for them, in its XML.

use std::fmt::Write as _;
use std::sync::Arc;

use api::Error;
use api::blocking;
use archive::Collection;
use axum::body::Body;
use axum::response::Response;
use cdx::query::TimeRange;
use cdx::{Capture, Timestamp};
use index::Snapshot;
use urlkey::percent::decode_form;

use super::super::body::response;
use super::super::gate::Gate;
use super::super::parameters::{Parameters, excerpt};
use super::super::rows::{Looked, Order, Rows, rows};
use super::super::scope::Scope;
use crate::CdxServer;

/// Results that are counted, and the most that are given at once.
const RESULTS_MAX: u64 = 10_000;
/// Results that may be passed over.
const OFFSET_MAX: u64 = 1_000_000;
/// Rows that are looked at for one answer: it is made whole, whether or not somebody still waits for it.
const ROWS_MAX: usize = 2_000_000;

/// What is asked.
struct Asked {
    kind: String,
    url: String,
    key: String,
    time: TimeRange,
    date: Option<Timestamp>,
    skip: u64,
    limit: u64,
}

/// The answer, made whole: it never has more than some thousand results.
pub(super) async fn answer(
    server: &CdxServer,
    collection: &Collection,
    gate: Arc<Gate>,
    question: &str,
    parameters: &Parameters<'_>,
) -> Result<Response, Error> {
    let asked = Asked::parse(question, parameters)?;
    let (snapshot, now) = (collection.snapshot()?, urlkey::time::to_14(server.now()));
    let scan = gate.scan().clone();
    let (turn, watch) = (scan.first_turn().await?, scan.watch());
    let text = blocking(move || {
        let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<wayback>");
        match asked.kind.as_str() {
            "urlquery" => asked.captures(&snapshot, &gate, &now, &mut xml)?,
            "prefixquery" => asked.urls(&snapshot, &gate, &now, &mut xml)?,
            _ => fault(&mut xml, "Unsupported query type", "This index does not know queries of this type."),
        }
        xml.push_str("</wayback>\n");
        drop(turn);
        Ok(xml)
    })
    .await?;
    watch.finish();
    Ok(response(Body::from(text), "application/xml; charset=utf-8", false))
}

impl Asked {
    /// `name:value` with blanks between, values encoded once more than the query is.
    fn parse(question: &str, parameters: &Parameters<'_>) -> Result<Asked, Error> {
        let mut asked = Asked {
            kind: "urlquery".to_owned(),
            url: String::new(),
            key: String::new(),
            time: TimeRange::default(),
            date: None,
            skip: 0,
            limit: RESULTS_MAX,
        };
        for word in question.split_ascii_whitespace() {
            let Some((name, value)) = word.split_once(':') else { continue };
            let value = String::from_utf8(decode_form(value.as_bytes()))
                .map_err(|_| Error::bad("a part of `q` is not UTF-8"))?;
            let number = || value.parse::<u64>().map_err(|_| Error::bad(format!("`{name}` is not a number")));
            match name {
                "type" => asked.kind = value.to_ascii_lowercase(),
                "url" => asked.url = value,
                "startdate" => asked.time.from = Some(Timestamp::earliest(&value)?),
                "enddate" => asked.time.to = Some(Timestamp::latest(&value)?),
                "date" => asked.date = Some(Timestamp::earliest(&value)?),
                "limit" => asked.limit = number()?,
                "offset" => asked.skip = number()?,
                _ => {}
            }
        }
        if asked.url.is_empty() {
            return Err(Error::bad(format!("no `url:` in `{}`", excerpt(question))));
        }
        asked.limit = parameters.number("count")?.unwrap_or(asked.limit).min(RESULTS_MAX);
        if let Some(page) = parameters.number::<u64>("start_page")? {
            asked.skip = asked.limit.saturating_mul(page.max(1) - 1);
        }
        if asked.skip > OFFSET_MAX {
            return Err(Error::bad(format!("more than {OFFSET_MAX} results to pass over")));
        }
        asked.key = urlkey::key(&asked.url);
        Ok(asked)
    }

    /// The captures of a URL.
    fn captures(
        &self,
        snapshot: &Snapshot,
        gate: &Arc<Gate>,
        now: &str,
        xml: &mut String,
    ) -> Result<(), Error> {
        let scope = Scope::Key(self.key.clone());
        let mut nearest = match self.date {
            Some(date) => first(rows(snapshot, &scope, Order::Nearest(date), self.time, gate))?,
            None => None,
        };
        let mut count = Count::new(self);
        for looked in rows(snapshot, &scope, Order::Forward, self.time, gate) {
            let Looked { row, is_admitted } = looked?;
            if !count.look() {
                break;
            }
            if !is_admitted {
                continue;
            }
            match count.see() {
                Place::Before => {}
                Place::Given => {
                    xml.push_str(if count.given == 1 { "<results>" } else { "" });
                    let is_closest = nearest.as_ref() == Some(&row);
                    if is_closest {
                        nearest = None;
                    }
                    result(xml, &row, is_closest);
                }
                Place::Behind => {}
                Place::Enough => break,
            }
        }
        self.finish("resultstypecapture", &count, now, xml);
        Ok(())
    }

    /// The URLs that begin like one, each with how often it was captured.
    fn urls(&self, snapshot: &Snapshot, gate: &Arc<Gate>, now: &str, xml: &mut String) -> Result<(), Error> {
        let scope = Scope::Range(urlkey::key_range(&self.url, urlkey::Match::Prefix)?);
        let mut count = Count::new(self);
        let mut group: Option<Group> = None;
        let mut tell = |group: Group, count: &mut Count| {
            let place = count.see();
            if place == Place::Given {
                xml.push_str(if count.given == 1 { "<results>" } else { "" });
                group.write(xml);
            }
            place
        };
        for looked in rows(snapshot, &scope, Order::Forward, self.time, gate) {
            let Looked { row, is_admitted } = looked?;
            if !count.look() {
                break;
            }
            if !is_admitted || !self.time.contains(&row) {
                continue;
            }
            match &mut group {
                Some(group) if group.last.key == row.key => group.add(row),
                _ => {
                    if let Some(done) = group.replace(Group::new(row))
                        && tell(done, &mut count) == Place::Enough
                    {
                        group = None;
                        break;
                    }
                }
            }
        }
        if let Some(group) = group {
            tell(group, &mut count);
        }
        self.finish("resultstypeurl", &count, now, xml);
        Ok(())
    }

    fn finish(&self, kind: &str, count: &Count, now: &str, xml: &mut String) {
        if count.given == 0 && count.looked_at > ROWS_MAX {
            fault(xml, "Too Much", "Too many captures had to be passed over: ask for less.");
            return;
        }
        if count.given == 0 {
            fault(xml, "Resource Not In Archive", "There is no capture of this in the archive.");
            return;
        }
        xml.push_str("</results><request>");
        let from = self.time.from.map_or("19960101000000".to_owned(), |time| time.to_string());
        let to = self.time.to.map_or(now.to_owned(), |time| time.to_string());
        for (name, value) in [
            ("startdate", from),
            ("enddate", to),
            ("type", self.kind.clone()),
            ("firstreturned", self.skip.to_string()),
            ("url", self.key.clone()),
            ("resultsrequested", self.limit.to_string()),
            ("resultstype", kind.to_owned()),
            ("numreturned", count.given.to_string()),
            ("numresults", count.seen.to_string()),
        ] {
            element(xml, name, &value);
        }
        xml.push_str("</request>");
    }
}

/// The first row that may be told of.
fn first(rows: Rows) -> Result<Option<Capture<'static>>, Error> {
    for looked in rows.take(ROWS_MAX) {
        let Looked { row, is_admitted } = looked?;
        if is_admitted {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

/// Which results are given.
struct Count {
    looked_at: usize,
    seen: u64,
    given: u64,
    skip: u64,
    limit: u64,
}

#[derive(Debug, PartialEq, Eq)]
enum Place {
    Before,
    Given,
    Behind,
    Enough,
}

impl Count {
    fn new(asked: &Asked) -> Count {
        Count { looked_at: 0, seen: 0, given: 0, skip: asked.skip, limit: asked.limit }
    }

    /// Whether one more row may be looked at.
    fn look(&mut self) -> bool {
        self.looked_at += 1;
        self.looked_at <= ROWS_MAX
    }

    fn see(&mut self) -> Place {
        if self.seen >= RESULTS_MAX && self.given == self.limit {
            return Place::Enough;
        }
        self.seen += 1;
        if self.seen <= self.skip {
            Place::Before
        } else if self.given < self.limit {
            self.given += 1;
            Place::Given
        } else {
            Place::Behind
        }
    }
}

/// The captures of one URL.
struct Group {
    first: Option<Timestamp>,
    last: Capture<'static>,
    captures: u64,
    versions: u64,
}

impl Group {
    fn new(row: Capture<'static>) -> Group {
        Group { first: row.timestamp, last: row, captures: 1, versions: 1 }
    }

    fn add(&mut self, row: Capture<'static>) {
        self.captures += 1;
        self.versions += u64::from(self.last.digest != row.digest);
        self.last = row;
    }

    fn write(&self, xml: &mut String) {
        let time = |time: Option<Timestamp>| time.map(|time| time.to_string()).unwrap_or_default();
        xml.push_str("<result>");
        element(xml, "urlkey", self.last.key.as_deref().unwrap_or_default());
        element(xml, "originalurl", self.last.url.as_deref().unwrap_or_default());
        element(xml, "numversions", &self.versions.to_string());
        element(xml, "numcaptures", &self.captures.to_string());
        element(xml, "firstcapturets", &time(self.first));
        element(xml, "lastcapturets", &time(self.last.timestamp));
        xml.push_str("</result>");
    }
}

fn result(xml: &mut String, row: &Capture<'_>, is_closest: bool) {
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    xml.push_str("<result>");
    for (name, value) in [
        ("compressedoffset", number(row.offset)),
        // The original puts the length there, and its readers expect it.
        ("compressedendoffset", number(row.length)),
        ("mimetype", Some(row.mime.as_deref().unwrap_or("-").to_owned())),
        ("file", Some(row.filename.as_deref().unwrap_or("-").to_owned())),
        ("redirecturl", Some(row.redirect.as_deref().unwrap_or("-").to_owned())),
        ("urlkey", row.key.as_deref().map(str::to_owned)),
        ("digest", Some(row.digest.as_deref().unwrap_or("-").to_owned())),
        ("httpresponsecode", Some(row.status.map_or("-".to_owned(), |status| status.to_string()))),
        ("robotflags", Some(row.robots.as_deref().unwrap_or("-").to_owned())),
        ("url", row.url.as_deref().map(str::to_owned)),
        ("capturedate", row.timestamp.map(|time| time.to_string())),
        ("closest", is_closest.then(|| "true".to_owned())),
    ] {
        if let Some(value) = value {
            element(xml, name, &value);
        }
    }
    xml.push_str("</result>");
}

fn fault(xml: &mut String, title: &str, message: &str) {
    xml.push_str("<error>");
    element(xml, "title", title);
    element(xml, "message", message);
    xml.push_str("</error>");
}

/// An element with text. What XML cannot hold becomes a question mark.
fn element(xml: &mut String, name: &str, text: &str) {
    let _ = write!(xml, "<{name}>");
    for character in text.chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '\t' | '\n' | '\r' => xml.push(character),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => xml.push('?'),
            character => xml.push(character),
        }
    }
    let _ = write!(xml, "</{name}>");
}
