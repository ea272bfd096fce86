//! Reads a document piece by piece, whatever it is.
//!
//! HTML streams through; what else has links is small by nature and is held whole, up to a limit.

use std::io::Read as _;

use flate2::read::GzDecoder;
use url::Url;

use crate::charset::{self, Charset, Decoder};
use crate::dates;
use crate::document::{Cut, Dated, Document};
use crate::html::{self, Wanted};
use crate::identify::{Claims, Identity, Kind, identify};
use crate::{
    Limits, Links, css, dash, headers, json, language, pdf, plain, playlist, robots_txt, script, sitemap, xml,
};

/// Bytes at the start that are looked at before anything is decided: signatures need little, charsets more.
const START_BYTES: usize = 32 << 10;

/// Bytes behind the first that is not ASCII by which a charset is recognised.
const DETECTION_BYTES: usize = 4 << 10;

/// Headers that tell something about a document; no other is kept.
const READ_HEADERS: [&str; 7] = [
    "content-language",
    "content-type",
    "date",
    "last-modified",
    "link",
    "x-content-type-options",
    "x-robots-tag",
];

/// Where a document comes from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Source<'a> {
    /// Its address; relative links and the type of nameless content depend on it.
    pub url: &'a str,
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
    let mut reader = Reader::new(source, wanted, limits);
    reader.write(payload);
    reader.finish()
}

/// Reads a document as it arrives: any number of pieces, in order, split anywhere.
pub struct Reader {
    url: Option<Url>,
    address: String,
    agent: String,
    kind: Option<Kind>,
    headers: Vec<(String, String)>,
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
        Reader {
            url: Url::parse(source.url).ok(),
            address: source.url.to_owned(),
            agent: source.agent.to_owned(),
            kind: source.kind,
            headers: source
                .headers
                .iter()
                .filter(|(name, _)| {
                    READ_HEADERS.iter().any(|read| name.trim_ascii().eq_ignore_ascii_case(read))
                })
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
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
            let (taken, rest) = piece.split_at_checked(START_BYTES - start.len()).unwrap_or((piece, &[]));
            start.extend_from_slice(taken);
            if start.len() < START_BYTES {
                return;
            }
            piece = rest;
            self.decide();
        }
        self.take(piece, false);
    }

    /// What was found, now that there are no more pieces.
    #[must_use]
    pub fn finish(mut self) -> Document {
        if matches!(self.state, State::Start(_)) {
            self.decide();
        }
        self.take(&[], true);
        let document = match std::mem::replace(&mut self.state, State::Start(Vec::new())) {
            State::Page { identity, page, .. } => self.page(identity, *page),
            State::Whole { identity, bytes } => self.whole(identity, &bytes),
            // It was decided above.
            State::Start(_) => self.document(identify(&[], &Claims::default())),
        };
        self.close(document)
    }

    /// Finds out what the document is from its start, which then goes the way of all pieces.
    fn decide(&mut self) {
        let State::Start(start) = &mut self.state else { return };
        let start = std::mem::take(start);
        let values = |name: &str| -> Vec<&str> {
            let of_name = self.headers.iter().filter(|(given, _)| given.eq_ignore_ascii_case(name));
            of_name.map(|(_, value)| value.as_str()).collect()
        };
        let mut identity = identify(
            &start,
            &Claims {
                content_types: &values("content-type"),
                content_type_options: &values("x-content-type-options"),
                url: &self.address,
            },
        );
        if let Some(kind) = self.kind.or_else(|| packed_kind(&start, &self.address)) {
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
        self.take(&start, false);
    }

    /// Takes a piece of a page that was ASCII at its start and did not say what else it might be. Where that ends, so many
    /// bytes are looked at before it is decided, however they come.
    fn take_undecided(&mut self, piece: &[u8], last: bool) {
        let State::Page { identity, decoder, page, undecided } = &mut self.state else { return };
        let Some(held) = undecided else { return };
        let ascii = if held.is_empty() { piece.iter().take_while(|byte| byte.is_ascii()).count() } else { 0 };
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

impl Reader {
    /// What a page says, with what its headers say.
    fn page(&mut self, identity: Identity, reader: html::Reader) -> Document {
        let page = reader.finish();
        let mut document = self.document(identity);
        let base = page.base.as_deref().and_then(|base| match &self.url {
            Some(url) => url.join(base).ok(),
            None => Url::parse(base).ok(),
        });
        // What is relative to a script or to data is nowhere, so browsers go on as if nothing were said.
        document.base = base.filter(|base| !base.cannot_be_a_base()).or(document.base);
        self.links.append(page.links);
        document.title = page.title;
        document.text = page.text;
        document.main_text = page.main_text;
        document.headings = page.headings;
        document.description = page.description;
        document.canonical = page.canonical;
        document.metas = page.metas;
        // Those with a well-known name are kept apart, however many others there are.
        let others = document.metas.iter().filter(|meta| !page.robots.contains(meta));
        for (_, content) in
            page.robots.iter().chain(others).filter(|(name, _)| robots::meta_is_for(name, &self.agent))
        {
            document.robots.merge(robots::Directives::from_meta(content));
        }
        document
            .dates
            .extend(page.dates.into_iter().map(|(from, text)| Dated { from, date: dates::read(&text) }));
        document.language =
            language::find(page.language.as_deref(), self.header("content-language"), &document.text);
        self.cut.extend(
            [
                (page.cut.links, Cut::Links),
                (page.cut.text, Cut::Text),
                (page.cut.lists, Cut::Lists),
                (page.cut.tags, Cut::Tag),
                (page.cut.scripts, Cut::Script),
                (page.cut.depth, Cut::Depth),
            ]
            .into_iter()
            .filter_map(|(is_cut, cut)| is_cut.then_some(cut)),
        );
        document
    }

    /// What a document says that was held whole.
    fn whole(&mut self, identity: Identity, bytes: &[u8]) -> Document {
        let kind = identity.kind;
        let mut document = self.document(identity);
        if self.links.is_time_up() {
            return document;
        }
        if kind == Kind::Pdf && (self.wanted.links || self.wanted.about) {
            let said = pdf::links(bytes, &self.limits, &mut self.links);
            document.title = said.title;
            if said.encrypted {
                self.cut.push(Cut::Encrypted);
            }
            return document;
        }
        document.identity.charset = document.identity.charset.map(|charset| reconsider(charset, bytes));
        let encoding = document.identity.charset.map_or(encoding_rs::UTF_8, |charset| charset.encoding);
        let (text, _, _) = encoding.decode(bytes);
        // The title is found on the way to the links, wanted or not.
        let mut unwanted = Links::new(&self.limits);
        let wanted = self.wanted;
        let limits = &self.limits;
        let links = if wanted.links { &mut self.links } else { &mut unwanted };
        match kind {
            Kind::Feed | Kind::Svg | Kind::Xml if wanted.links || wanted.about => {
                document.title = xml::links(&text, limits, links).title;
            }
            _ if !wanted.links => {}
            Kind::Script | Kind::Json if !wanted.scripts => {}
            Kind::Css => css::links(&text, links),
            Kind::Script => script::links(&text, links),
            Kind::Json => json::links(&text, links),
            Kind::Sitemap => sitemap::links(bytes, limits, links),
            Kind::Dash => dash::links(&text, links),
            Kind::Playlist => playlist::links(&text, links),
            Kind::Robots => robots_txt::links(&text, links),
            Kind::Text => plain::links(&text, links),
            Kind::Feed | Kind::Svg | Kind::Xml | Kind::Html | Kind::Pdf | Kind::Other => {}
        }
        if kind == Kind::Text && (wanted.text || wanted.main_text) {
            let kept = text.get(..text.floor_char_boundary(limits.text_bytes_max)).unwrap_or_default();
            if kept.len() < text.len() {
                self.cut.push(Cut::Text);
            }
            if wanted.text {
                kept.clone_into(&mut document.text);
            }
            if wanted.main_text {
                kept.clone_into(&mut document.main_text);
            }
        }
        document.language = language::find(None, self.header("content-language"), &document.text);
        document
    }

    /// A document that says no more than its headers.
    fn document(&self, identity: Identity) -> Document {
        let dates = ["last-modified", "date"].into_iter().filter_map(|name| {
            let date = dates::read(self.header(name)?);
            Some(Dated { from: format!("http@{name}"), date })
        });
        let mut directives = robots::Directives::default();
        for (_, value) in self.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("x-robots-tag")) {
            directives.merge(robots::Directives::from_header(value, &self.agent));
        }
        Document {
            identity,
            url: self.url.clone(),
            base: self.url.clone(),
            links: Links::new(&self.limits),
            title: None,
            text: String::new(),
            main_text: String::new(),
            headings: Vec::new(),
            description: None,
            canonical: None,
            language: None,
            robots: directives,
            dates: dates.collect(),
            metas: Vec::new(),
            cut: Vec::new(),
        }
    }

    /// Puts the links and what was cut into the document.
    fn close(self, mut document: Document) -> Document {
        if document.canonical.is_none() {
            document.canonical = self.canonical();
        }
        let mut cut = self.cut;
        if self.links.left_out() > 0 {
            cut.push(Cut::Links);
        }
        if self.links.ran_out_of_time() {
            cut.push(Cut::Time);
        }
        cut.sort_unstable();
        cut.dedup();
        document.cut = cut;
        document.links = self.links;
        document
    }

    /// Where the headers say that the document really lives. Unlike what a page says it is relative to the document's own
    /// address, so it is resolved here.
    fn canonical(&self) -> Option<String> {
        let headers = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let reference = headers::canonical(headers)?;
        if reference.len() > self.limits.reference_bytes_max {
            return None;
        }
        let url = self.url.as_ref().and_then(|url| url.join(&reference).ok());
        Some(url.map_or(reference, String::from))
    }

    /// The value of the first header of this name.
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
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

/// The charset of a document that is there whole; one that was ASCII at its start may turn out to be something else.
fn reconsider(charset: Charset, bytes: &[u8]) -> Charset {
    let Some(first) = bytes.iter().position(|byte| !byte.is_ascii()) else { return charset };
    if charset.source != charset::Source::Default {
        return charset;
    }
    let rest = bytes.get(first..).unwrap_or_default();
    charset::detect(rest.get(..DETECTION_BYTES).unwrap_or(rest), false)
}

#[cfg(test)]
mod tests {
    use super::*;

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
