//! Feeds: the latest news for whoever comes and asks, as RSS 2.0 or Atom 1.0.

mod atom;
mod rss;
mod xml;

use std::collections::HashSet;

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use url::{Position, Url};

use crate::bounded::{cut, one_line};
use crate::discreet::discreet;
use crate::error::Error;
use crate::limits::{ITEM_HTML_MAX, LETTER_SUBJECT_MAX, SUMMARY_MAX};

/// News, the latest of which are written.
///
/// ```
/// use notify::{Feed, FeedLimits, Item};
///
/// let feed = Feed {
///     title: "Watched by ann".to_owned(),
///     link: "https://archive.example.org/watches".to_owned(),
///     self_link: "https://archive.example.org/watches/feed.xml".to_owned(),
///     updated: "2026-11-18T03:00:00Z".parse()?,
///     items: vec![Item {
///         id: "urn:varve:watch:17:3".to_owned(),
///         title: "Harbour timetable changed".to_owned(),
///         link: "https://archive.example.org/watches/17/3".to_owned(),
///         at: "2026-11-18T03:00:00Z".parse()?,
///         summary_text: "- 08:40\n+ 08:45".to_owned(),
///         html: Some("<del>08:40</del> <ins>08:45</ins>".to_owned()),
///     }],
/// };
/// let rss = feed.rss(FeedLimits::default())?;
/// assert!(rss.contains(r#"<guid isPermaLink="false">urn:varve:watch:17:3</guid>"#));
/// assert!(rss.contains("<pubDate>Wed, 18 Nov 2026 03:00:00 GMT</pubDate>"));
/// let atom = feed.atom(FeedLimits::default())?;
/// assert!(atom.contains("<id>urn:varve:watch:17:3</id>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// What people call it.
    pub title: String,
    /// The page that shows the same to people.
    pub link: String,
    /// Where the feed itself is; readers of Atom know it by this.
    pub self_link: String,
    /// When anything in it last changed.
    pub updated: Timestamp,
    /// What there is, in any order.
    pub items: Vec<Item>,
}

/// One piece of news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// A name of its own for ever, a URI such as `urn:varve:watch:17:3` or `tag:…`; readers know by it what they have shown. Of any other text the
    /// digest is the name; of two items with one name the latest is told.
    pub id: String,
    /// What happened, in a line.
    pub title: String,
    /// The page that tells more of it; that of the feed if this is none.
    pub link: String,
    /// When it happened.
    pub at: Timestamp,
    /// What happened, as text.
    pub summary_text: String,
    /// The same in HTML, made by somebody who is trusted.
    pub html: Option<String>,
}

/// The most that a feed may hold; what is older is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedLimits {
    /// How many items.
    pub items: usize,
    /// How many bytes in all.
    pub bytes: usize,
}

impl Default for FeedLimits {
    fn default() -> Self {
        FeedLimits { items: 100, bytes: 1 << 20 }
    }
}

impl Feed {
    /// As RSS 2.0: `application/rss+xml`.
    ///
    /// # Errors
    /// When one of its own links is no `http` or `https` address with a host.
    pub fn rss(&self, limits: FeedLimits) -> Result<String, Error> {
        self.ready(limits).map(|ready| rss::write(&ready, limits.bytes))
    }

    /// As Atom 1.0 (RFC 4287): `application/atom+xml`.
    ///
    /// # Errors
    /// As [`Feed::rss`].
    pub fn atom(&self, limits: FeedLimits) -> Result<String, Error> {
        self.ready(limits).map(|ready| atom::write(&ready, limits.bytes))
    }

    /// All of it as it may stand in a feed.
    fn ready(&self, limits: FeedLimits) -> Result<Feed, Error> {
        let wanted = |link: &str| {
            let why = "a link of a feed is a whole address with https:// or http://";
            absolute(link).ok_or_else(|| Error::Given { text: discreet(link), why: why.to_owned() })
        };
        let link = wanted(&self.link)?;
        let mut order: Vec<&Item> = self.items.iter().collect();
        order.sort_by_key(|item| std::cmp::Reverse(item.at));
        let mut seen = HashSet::new();
        let items = order.into_iter().map(|item| item.ready(&link));
        let items = items.filter(|item| seen.insert(item.id.clone())).take(limits.items).collect();
        Ok(Feed {
            title: title(&self.title, &link),
            self_link: wanted(&self.self_link)?,
            updated: in_our_time(self.updated),
            items,
            link,
        })
    }
}

impl Item {
    fn ready(&self, link_of_all: &str) -> Item {
        let link = absolute(&self.link).unwrap_or_else(|| link_of_all.to_owned());
        let html = self.html.clone().filter(|html| html.len() <= ITEM_HTML_MAX);
        Item {
            id: identifier(&self.id),
            title: title(&self.title, &link),
            at: in_our_time(self.at),
            summary_text: cut(self.summary_text.clone(), SUMMARY_MAX),
            html,
            link,
        }
    }
}

/// A title is there, and in one line.
fn title(text: &str, otherwise: &str) -> String {
    let text = if text.trim().is_empty() { otherwise } else { text };
    one_line(text, LETTER_SUBJECT_MAX)
}

/// A link that works wherever it is read: a URI as RFC 3986 has it, which is stricter than what browsers take.
fn absolute(link: &str) -> Option<String> {
    let url =
        Url::parse(link).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())?;
    let behind = &url[Position::BeforePath..];
    let mut text = url[..Position::BeforePath].to_owned();
    let mut has_fragment = false;
    for (place, c) in behind.char_indices() {
        let is_code =
            || behind.get(place + 1..place + 3).is_some_and(|code| u8::from_str_radix(code, 16).is_ok());
        let is_odd = match c {
            '%' => !is_code(),
            '#' => std::mem::replace(&mut has_fragment, true),
            c => !is_uri_char(c),
        };
        match is_odd {
            // All else is encoded already.
            true => text.push_str(&format!("%{:02X}", u32::from(c))),
            false => text.push(c),
        }
    }
    Some(text)
}

/// What stands in a URI as it is (RFC 3986, 2), but for brackets, which only hosts have.
fn is_uri_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~:/?#@!$&'()*+,;=%".contains(c)
}

/// A URI that is nobody else's.
fn identifier(id: &str) -> String {
    let has_scheme = id
        .split_once(':')
        .is_some_and(|(scheme, rest)| !rest.is_empty() && matches!(scheme, "urn" | "tag" | "https" | "http"));
    match has_scheme && id.len() <= 500 && id.chars().all(is_uri_char) {
        true => id.to_owned(),
        false => format!("urn:varve:sha256:{}", HEXLOWER.encode(&Sha256::digest(id.as_bytes()))),
    }
}

/// Dates of feeds have years of four digits, and the web is younger than 1970.
fn in_our_time(at: Timestamp) -> Timestamp {
    at.max(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_uris() {
        for (link, written) in [
            ("https://example.org", Some("https://example.org/")),
            (
                "https://example.org/a b|c?d[0]=é#x#y",
                Some("https://example.org/a%20b%7Cc?d%5B0%5D=%C3%A9#x%23y"),
            ),
            ("http://[::1]:80/%zz%41", Some("http://[::1]/%25zz%41")),
            ("/a", None),
            ("mailto:ann@example.org", None),
            ("javascript:alert(1)", None),
            ("", None),
        ] {
            assert_eq!(absolute(link).as_deref(), written, "{link}");
        }
    }

    #[test]
    fn ids_are_uris_that_stay() {
        for id in ["urn:varve:watch:17:3", "tag:archive.example.org,2026:17/3", "https://example.org/?a=1"] {
            assert_eq!(identifier(id), id);
        }
        for id in ["", "17", "urn:", "urn:a b", "javascript:1", "urn:é"] {
            assert!(identifier(id).starts_with("urn:varve:sha256:"), "{id}");
        }
    }
}
