//! Reads a document piece by piece, whatever it is.
//!
//! HTML streams through; what else has links is small by nature and is held whole, up to a limit.

mod found;

use std::io::Read as _;

use encoding_rs::Encoding;
use flate2::read::GzDecoder;
use url::Url;

use crate::charset::{self, Decoder};
use crate::document::{Cut, Document};
use crate::html::{self, Wanted};
use crate::identify::{Claims, Identity, Kind, identify};
use crate::{Limits, Links, headers};

/// Bytes at the start that are looked at before anything is decided: signatures need little, charsets more.
const START_BYTES: usize = 32 << 10;

/// Bytes behind the first that is not ASCII by which a charset is recognised.
const DETECTION_BYTES: usize = 4 << 10;

/// Headers that tell something about a document; no other is kept.
const READ_HEADERS: [&str; 5] =
    ["content-language", "content-type", "link", "x-content-type-options", "x-robots-tag"];

/// Headers with its dates, kept where they are wanted.
const DATE_HEADERS: [&str; 2] = ["date", "last-modified"];

/// Where a document comes from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Source<'a> {
    /// Its address; relative links and the type of nameless content depend on it.
    pub url: &'a str,
    /// The same, if the caller has read it already: then nobody does so again.
    pub parsed: Option<&'a Url>,
    /// The HTTP headers it came with, names and values, in their order.
    pub headers: &'a [(&'a str, &'a str)],
    /// Names of the crawler, separated by commas: what is asked of these robots counts, besides what is asked of all.
    pub agent: &'a str,
    /// What the caller knows it to be, such as a sitemap that robots.txt names: nothing in a list of addresses says so.
    pub kind: Option<Kind>,
}

/// Reads a document that is in memory.
#[must_use]
pub fn read(payload: &[u8], source: &Source<'_>, wanted: Wanted, limits: &Limits) -> Document {
    Reader::new(source, wanted, limits).finish_with(payload)
}

/// Reads a document as it arrives: any number of pieces, in order, split anywhere.
pub struct Reader {
    url: Option<Url>,
    address: String,
    agent: String,
    kind: Option<Kind>,
    /// By names of the tables above.
    headers: Vec<(&'static str, String)>,
    wanted: Wanted,
    limits: Limits,
    links: Links,
    cut: Vec<Cut>,
    state: State,
}

enum State {
    /// Not enough is there to know what it is.
    Start(Vec<u8>),
    /// HTML, decoded and read at once.
    Page { identity: Identity, decoder: Decoder, page: Box<html::Reader>, undecided: Option<Vec<u8>> },
    /// Anything else, held until its end.
    Whole { identity: Identity, bytes: Vec<u8> },
}

impl Reader {
    /// A reader at the start of a document.
    #[must_use]
    pub fn new(source: &Source<'_>, wanted: Wanted, limits: &Limits) -> Reader {
        let mut links = Links::new(limits);
        if wanted.links {
            headers::links(source.headers.iter().copied(), &mut links);
        }
        let kept = |(name, value): &(&str, &str)| {
            let dates: &[&'static str] = if wanted.about { &DATE_HEADERS } else { &[] };
            let mut known = READ_HEADERS.iter().chain(dates);
            let name = known.find(|known| name.trim_ascii().eq_ignore_ascii_case(known))?;
            Some((*name, (*value).to_owned()))
        };
        Reader {
            url: source.parsed.cloned().or_else(|| Url::parse(source.url).ok()),
            address: source.url.to_owned(),
            agent: source.agent.to_owned(),
            kind: source.kind,
            headers: source.headers.iter().filter_map(kept).collect(),
            wanted,
            limits: limits.clone(),
            links,
            cut: Vec::new(),
            state: State::Start(Vec::new()),
        }
    }

    /// Takes the next piece.
    pub fn write(&mut self, mut piece: &[u8]) {
        if let State::Start(start) = &mut self.state {
            // Who brings enough at once has it read where it lies.
            if start.is_empty() && piece.len() >= START_BYTES {
                self.decide(piece.get(..START_BYTES).unwrap_or(piece));
                return self.take(piece, false);
            }
            let (taken, rest) = piece.split_at_checked(START_BYTES - start.len()).unwrap_or((piece, &[]));
            start.extend_from_slice(taken);
            if start.len() < START_BYTES {
                return;
            }
            piece = rest;
            self.begin();
        }
        self.take(piece, false);
    }

    /// What was found, with this as the last piece. Who has the whole document in it spares a copy.
    #[must_use]
    pub fn finish_with(mut self, piece: &[u8]) -> Document {
        if matches!(&self.state, State::Start(start) if start.is_empty()) {
            self.decide(piece.get(..START_BYTES).unwrap_or(piece));
            self.take(piece, false);
        } else {
            self.write(piece);
        }
        self.finish()
    }

    /// What was found, now that there are no more pieces.
    #[must_use]
    pub fn finish(mut self) -> Document {
        self.begin();
        self.take(&[], true);
        let document = match std::mem::replace(&mut self.state, State::Start(Vec::new())) {
            State::Page { identity, page, .. } => self.page(identity, *page),
            State::Whole { identity, bytes } => self.whole(identity, &bytes),
            // It was decided above.
            State::Start(_) => self.document(identify(&[], &Claims::default())),
        };
        self.close(document)
    }

    /// Reads the start that was waited for, if that has not been done.
    fn begin(&mut self) {
        if let State::Start(start) = &mut self.state {
            let start = std::mem::take(start);
            self.decide(&start);
            self.take(&start, false);
        }
    }

    /// Finds out what the document is from its start, which then goes the way of all pieces.
    fn decide(&mut self, start: &[u8]) {
        let values = |name: &str| -> Vec<&str> {
            let of_name = self.headers.iter().filter(|(given, _)| *given == name);
            of_name.map(|(_, value)| value.as_str()).collect()
        };
        let mut identity = identify(
            start,
            &Claims {
                content_types: &values("content-type"),
                content_type_options: &values("x-content-type-options"),
                url: &self.address,
            },
        );
        if let Some(kind) = self.kind.or_else(|| packed_kind(start, &self.address)) {
            identity.kind = kind;
        }
        let encoding = identity.charset.map_or(encoding_rs::UTF_8, |charset| charset.encoding);
        self.state = if identity.kind == Kind::Html {
            let page = Box::new(html::Reader::new(self.wanted, &self.limits));
            let is_guess = identity.charset.is_some_and(|charset| charset.source == charset::Source::Default);
            let undecided = is_guess.then(Vec::new);
            State::Page { identity, decoder: Decoder::new(encoding), page, undecided }
        } else {
            State::Whole { identity, bytes: Vec::new() }
        };
    }

    /// Takes a piece of a page that was ASCII at its start and did not say what else it might be. Where that ends, so many
    /// bytes are looked at before it is decided, however they come.
    fn take_undecided(&mut self, piece: &[u8], last: bool) {
        let State::Page { identity, decoder, page, undecided } = &mut self.state else { return };
        let Some(held) = undecided else { return };
        let ascii = if held.is_empty() { Encoding::ascii_valid_up_to(piece) } else { 0 };
        let (known, rest) = piece.split_at(ascii);
        page.write(&decoder.decode(known, false));
        let room = DETECTION_BYTES.saturating_sub(held.len());
        let (kept, behind) = rest.split_at_checked(room).unwrap_or((rest, &[]));
        held.extend_from_slice(kept);
        if held.len() < DETECTION_BYTES && !last {
            return;
        }
        let held = std::mem::take(held);
        *undecided = None;
        if !held.is_empty() {
            let charset = charset::detect(&held, true);
            identity.charset = Some(charset);
            *decoder = Decoder::new(charset.encoding);
        }
        page.write(&decoder.decode(&held, false));
        page.write(&decoder.decode(behind, last));
    }

    fn take(&mut self, piece: &[u8], last: bool) {
        if self.links.is_time_up() {
            return;
        }
        match &mut self.state {
            State::Page { undecided: Some(_), .. } => self.take_undecided(piece, last),
            State::Page { decoder, page, .. } => page.write(&decoder.decode(piece, last)),
            State::Whole { identity, bytes } if identity.kind != Kind::Other => {
                let room = self.limits.document_bytes_max.saturating_sub(bytes.len());
                match piece.split_at_checked(room) {
                    Some((fits, rest)) => {
                        bytes.extend_from_slice(fits);
                        if !rest.is_empty() && !self.cut.contains(&Cut::Document) {
                            self.cut.push(Cut::Document);
                        }
                    }
                    None => bytes.extend_from_slice(piece),
                }
            }
            _ => {}
        }
    }
}

/// What a packed document is, if it is one whose reader unpacks: sitemaps and feeds are often kept as `sitemap.xml.gz`.
fn packed_kind(start: &[u8], address: &str) -> Option<Kind> {
    if !start.starts_with(b"\x1f\x8b\x08") {
        return None;
    }
    let mut unpacked = Vec::new();
    // It is cut off where the start ends; what came before that is good.
    let _cut_off = GzDecoder::new(start).take(START_BYTES as u64).read_to_end(&mut unpacked);
    let url = address.strip_suffix(".gz").unwrap_or(address);
    let identity = identify(&unpacked, &Claims { url, ..Claims::default() });
    matches!(identity.kind, Kind::Sitemap | Kind::Feed).then_some(Kind::Sitemap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dated;

    /// Reads a document whole and in pieces of several sizes, which must come to the same.
    #[track_caller]
    fn check(payload: &[u8], source: &Source<'_>) -> Document {
        let whole = read(payload, source, Wanted::ALL, &Limits::default());
        for size in [1, 7, 4_096, 40_000] {
            let mut reader = Reader::new(source, Wanted::ALL, &Limits::default());
            payload.chunks(size).for_each(|piece| reader.write(piece));
            assert_eq!(reader.finish(), whole, "in pieces of {size}");
        }
        whole
    }

    fn encoding(document: &Document) -> &'static str {
        document.identity.charset.map_or("none", |charset| charset.encoding.name())
    }

    #[test]
    fn a_charset_that_shows_late_is_recognised() {
        let mut page = b"<!DOCTYPE html><title>late</title><p>".to_vec();
        page.resize(50_000, b'a');
        let document = check(&[&page, "čeština".as_bytes()].concat(), &Source::default());
        assert_eq!(encoding(&document), "UTF-8");
        assert!(document.text.ends_with("čeština"));
        let document =
            check(&[page.as_slice(), b"caf\xe9 au lait et th\xe9 vert"].concat(), &Source::default());
        assert_eq!(encoding(&document), "windows-1252");
        assert!(document.text.ends_with("café au lait et thé vert"));
        assert_eq!(encoding(&check(&page, &Source::default())), "windows-1252");
    }

    #[test]
    fn queries_are_encoded_as_the_page_is() {
        let headers = [("Content-Type", "text/html; charset=iso-8859-2")];
        let source = Source { url: "http://example.org/", headers: &headers, ..Source::default() };
        let document = check(b"<a href='?q=\xe8'>", &source);
        let link = document.links.as_slice().first().unwrap();
        assert_eq!(document.resolve(link).unwrap().as_str(), "http://example.org/?q=%E8");
    }

    #[test]
    fn a_header_is_relative_to_the_address_and_not_to_the_base() {
        let headers = [("Link", "<next>; rel=next"), ("Content-Type", "text/html")];
        let source = Source { url: "http://example.org/a/b", headers: &headers, ..Source::default() };
        let document = check(b"<base href='/c/'><a href=d>", &source);
        let urls: Vec<String> = document
            .links
            .as_slice()
            .iter()
            .filter_map(|link| document.resolve(link))
            .map(String::from)
            .collect();
        assert_eq!(urls, ["http://example.org/a/next", "http://example.org/c/d"]);
    }

    #[test]
    fn c2_what_is_asked_of_all_robots_and_of_this_one_counts() {
        let headers = [("X-Robots-Tag", "otherbot: nofollow"), ("Content-Type", "text/html")];
        let page = b"<meta name=varve content=noindex><meta name=otherbot content=none>";
        let document =
            check(page, &Source { url: "", headers: &headers, agent: "varve", ..Source::default() });
        assert!(document.robots.noindex && !document.robots.nofollow);
        let document =
            check(page, &Source { url: "", headers: &headers, agent: "otherbot", ..Source::default() });
        assert!(document.robots.noindex && document.robots.nofollow);
    }

    #[test]
    fn c6_dates_of_headers_and_markup_are_read() {
        let headers = [("Last-Modified", "Sunday, 06-Nov-94 08:49:37 GMT"), ("Content-Type", "text/html")];
        let page = b"<meta name=DC.Date content='Sun Nov  6 08:49:37 1994'><meta name=date content=soon>";
        let document = check(page, &Source { url: "", headers: &headers, ..Source::default() });
        let shown = |dated: &Dated| match &dated.date {
            Ok(date) => format!("{} {}", dated.from, date.timestamp),
            Err(unread) => format!("{} ? {}", dated.from, unread.text),
        };
        let shown: Vec<String> = document.dates.iter().map(shown).collect();
        let expected = [
            "http@last-modified 1994-11-06T08:49:37Z",
            "meta@dc.date 1994-11-06T08:49:37Z",
            "meta@date ? soon",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_too_long_is_cut_and_said_so() {
        let limits = Limits { document_bytes_max: 40_000, links_max: 1, ..Limits::default() };
        let css = "a { background: url(b.png) }\n".repeat(2_000);
        let headers = [("Content-Type", "text/css")];
        let source = Source { url: "http://example.org/", headers: &headers, ..Source::default() };
        let document = read(css.as_bytes(), &source, Wanted::ALL, &limits);
        assert_eq!(document.cut, [Cut::Document, Cut::Links]);
        assert_eq!(document.links.as_slice().len(), 1);
    }
}
