//! An endless crawl made up from a seed: realistic contents for WARC files, as plain bytes.
//!
//! The same seed gives the same captures on every machine, whatever is read of them and in whatever order: capture
//! number *n* depends on the seed and *n* alone. There is no clock and no floating point in it. (Bodies that are sent
//! gzip-encoded are packed by `flate2`, so their bytes may change with its version; what they unpack to does not.)
//!
//! The mix, in captures and in bytes, is about that of a broad crawl without a browser:
//!
//! | kind | captures | bytes |
//! |---|---|---|
//! | pages, not found included | 56 % | 46 % |
//! | images | 21 % | 33 % |
//! | styles, scripts, data | 15 % | 11 % |
//! | PDF, video | under 1 % | 9 % |
//! | redirects, revisits, robots.txt, dns | 8 % | little |
//!
//! Each capture packed by itself with gzip takes 57 % of its size; ten thousand of them take 470 MB.

mod body;
mod dice;
mod exchange;
mod moment;
mod site;
mod words;

pub use dice::Dice;
pub use exchange::payload;
use moment::Moment;
use site::Site;
pub(crate) use words::Words;

/// So many captures are taken from one site before the next one's turn.
const CAPTURES_PER_SITE: u64 = 100;

/// Rolls of ten thousand below this are pages and images, which may be seen again later.
const WHOLE: u64 = 7600;

/// A made-up crawl.
#[derive(Clone, Debug)]
pub struct Corpus {
    seed: u64,
    words: Words,
}

/// One exchange with a server, and what a WARC writer needs to know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Its place in the crawl, from 0.
    pub number: u64,
    /// What was asked for; `dns:` and a host name for a lookup.
    pub url: String,
    /// When, as `WARC-Date` has it: `2026-03-02T06:00:00Z`.
    pub date: String,
    /// The address of the server.
    pub ip: String,
    /// What sort of thing it is.
    pub kind: Kind,
    /// The request as sent; empty for a lookup.
    pub request: Vec<u8>,
    /// The response as received, with head and transfer framing. For a lookup, the answer as text. For a revisit, the
    /// head alone.
    pub response: Vec<u8>,
}

/// What sort of thing a capture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The lookup of a host name: a `response` or `resource` record of `text/dns`, no HTTP.
    Dns,
    /// A robots.txt.
    Robots,
    /// An HTML page.
    Page,
    /// A style sheet.
    Style,
    /// A script.
    Script,
    /// JSON.
    Data,
    /// A JPEG, PNG or WebP.
    Image,
    /// A PDF.
    Document,
    /// Part of a video.
    Video,
    /// A redirect, with a short page.
    Redirect,
    /// A page that says that there is none, status 404.
    Missing,
    /// The same payload as an earlier capture of the same URL.
    Revisit {
        /// The number of that capture; [`Corpus::capture`] gives it again.
        of: u64,
    },
}

impl Corpus {
    /// The crawl of this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, words: Words::new(seed) }
    }

    /// All captures, one after another, without end.
    pub fn captures(&self) -> impl Iterator<Item = Capture> + '_ {
        (0..u64::MAX).map(|number| self.capture(number))
    }

    /// One capture by its number.
    pub fn capture(&self, number: u64) -> Capture {
        let kind = self.kind(number);
        if let Kind::Revisit { of } = kind {
            return self.revisit(number, of);
        }
        let site = Site::new(self.seed, number / CAPTURES_PER_SITE, &self.words);
        let mut dice = Dice::new(&[self.seed, number, 1]);
        let moment = Moment::of_capture(number);
        let url = site.url(number, kind, &self.words, &mut dice);
        let (request, response) = match kind {
            Kind::Dns => (Vec::new(), site.lookup(&moment)),
            _ => {
                let body = body::make(kind, &site, &self.words, &mut dice);
                let request = exchange::request(&url, &site, &mut dice);
                (request, exchange::response(kind, body, &site, &moment, &mut dice))
            }
        };
        Capture { number, url, date: moment.iso(), ip: site.ip.clone(), kind, request, response }
    }

    /// What the capture of this number is, without making it.
    pub fn kind(&self, number: u64) -> Kind {
        match number % CAPTURES_PER_SITE {
            0 => return Kind::Dns,
            1 => return Kind::Robots,
            _ => {}
        }
        match self.roll(number) {
            0..5500 => Kind::Page,
            5500..WHOLE => Kind::Image,
            WHOLE..8400 => Kind::Script,
            8400..8750 => Kind::Style,
            8750..9100 => Kind::Data,
            9100..9330 => Kind::Redirect,
            9330..9600 => Kind::Missing,
            9600..9640 => Kind::Document,
            9640..9643 => Kind::Video,
            _ => self.revisited(number),
        }
    }

    /// The roll of the dice that decides what a capture is.
    fn roll(&self, number: u64) -> u64 {
        Dice::new(&[self.seed, number, 0]).below(10_000)
    }

    /// An earlier page or image of the same site to see again; a site that has none yet gets a page instead.
    fn revisited(&self, number: u64) -> Kind {
        let first = number - number % CAPTURES_PER_SITE;
        let is_whole = |of: &u64| of % CAPTURES_PER_SITE > 1 && self.roll(*of) < WHOLE;
        (first..number).rev().find(is_whole).map_or(Kind::Page, |of| Kind::Revisit { of })
    }

    /// The earlier capture again, at a later time and without its body.
    fn revisit(&self, number: u64, of: u64) -> Capture {
        let mut capture = self.capture(of);
        let head = exchange::head_length(&capture.response);
        capture.response.truncate(head);
        Capture { number, date: Moment::of_capture(number).iso(), kind: Kind::Revisit { of }, ..capture }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn name(kind: Kind) -> &'static str {
        match kind {
            Kind::Page | Kind::Missing => "pages",
            Kind::Image => "images",
            Kind::Style | Kind::Script | Kind::Data => "code",
            Kind::Document | Kind::Video => "large",
            _ => "small",
        }
    }

    #[test]
    fn a_capture_depends_on_seed_and_number_alone() {
        let corpus = Corpus::new(7);
        let in_turn: Vec<Capture> = corpus.captures().take(40).collect();
        assert_eq!(Corpus::new(7).capture(33), in_turn[33]);
        assert_ne!(Corpus::new(8).capture(33), in_turn[33]);
    }

    #[test]
    fn the_mix_is_as_promised() {
        let corpus = Corpus::new(1);
        let mut counts: HashMap<&str, u64> = HashMap::new();
        (0..20_000).for_each(|number| *counts.entry(name(corpus.kind(number))).or_default() += 1);
        let share = |name: &str| (counts[name] * 100 + 10_000) / 20_000;
        assert_eq!(
            [share("pages"), share("images"), share("code"), share("large"), share("small")],
            [56, 21, 15, 1, 8]
        );
    }

    #[test]
    fn images_are_about_a_third_of_the_bytes() {
        let mut bytes: HashMap<&str, usize> = HashMap::new();
        for capture in Corpus::new(1).captures().take(1500) {
            *bytes.entry(name(capture.kind)).or_default() += capture.response.len();
        }
        let all: usize = bytes.values().sum();
        let share = bytes["images"] * 100 / all;
        assert!((25..=40).contains(&share), "{share} % of {all}: {bytes:?}");
    }

    #[test]
    fn a_revisit_is_of_an_earlier_capture_of_the_same_url() {
        let corpus = Corpus::new(3);
        let revisit = (0..).find(|number| matches!(corpus.kind(*number), Kind::Revisit { .. })).unwrap();
        let revisit = corpus.capture(revisit);
        let Kind::Revisit { of } = revisit.kind else { panic!("{:?}", revisit.kind) };
        let original = corpus.capture(of);
        assert_eq!(original.url, revisit.url);
        assert!(original.date < revisit.date);
        assert!(original.response.starts_with(&revisit.response) && revisit.response.ends_with(b"\r\n\r\n"));
    }
}
