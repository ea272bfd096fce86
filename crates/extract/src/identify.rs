//! What a document really is: believed, sniffed, or both, and why.
//!
//! Servers are wrong about types all the time, and browsers have agreed on when not to believe them ([`sniff`]). An archive
//! wants to know a little more: what a zip holds, that the HTML is JSON, that the XML is a feed. So three questions are
//! asked of a document. Does it begin with bytes that only one type has? What would a browser take it for? And if that is
//! text or XML, which?

mod container;
mod markup;
pub mod sniff;
mod tables;
mod text;

use crate::charset::Charset;
use crate::mime::Mime;

/// What others say of a document: headers and address.
#[derive(Debug, Clone, Copy, Default)]
pub struct Claims<'a> {
    /// The values of all `Content-Type` headers, in their order.
    pub content_types: &'a [&'a str],
    /// The values of all `X-Content-Type-Options` headers.
    pub content_type_options: &'a [&'a str],
    /// Where it was found; the end of its path is a last hint.
    pub url: &'a str,
}

/// What a document is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// What the headers say it is, where they say anything that can be read.
    pub claimed: Option<Mime>,
    /// What it is.
    pub mime: Mime,
    /// How we know.
    pub evidence: Evidence,
    /// Which reader understands it.
    pub kind: Kind,
    /// How its bytes are characters; binary documents have none.
    pub charset: Option<Charset>,
}

/// How the type became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The headers say so, and nothing in the bytes speaks against it.
    Claim,
    /// Bytes at its start that only this type has.
    Signature,
    /// What its text looks like.
    Content,
    /// The end of its address.
    Address,
    /// Nothing: it is empty, or unlike everything.
    Nothing,
}

/// The reader for a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// HTML, and XHTML as browsers meet it.
    Html,
    /// A style sheet.
    Css,
    /// JavaScript.
    Script,
    /// JSON, JSON-LD, a web manifest.
    Json,
    /// RSS, Atom, RDF feeds.
    Feed,
    /// A sitemap or an index of sitemaps.
    Sitemap,
    /// SVG.
    Svg,
    /// A DASH manifest.
    Dash,
    /// Any other XML.
    Xml,
    /// An M3U8 playlist.
    Playlist,
    /// robots.txt.
    Robots,
    /// PDF.
    Pdf,
    /// Text without links other than those written out.
    Text,
    /// No reader: pictures, sounds, archives.
    Other,
}

/// Finds out what a document is from its first bytes and what others say of it. One and a half kilobytes are enough for
/// most; what is packed into a container, or written in no declared charset, is better told by thirty.
#[must_use]
pub fn identify(start: &[u8], claims: &Claims<'_>) -> Identity {
    let claimed = Mime::from_headers(claims.content_types.iter().copied());
    let (mime, evidence) = found(start, claimed.as_ref(), claims);
    let kind = kind(&mime, start, claims.url);
    let charset = Charset::find(start, &mime);
    Identity { claimed, mime, evidence, kind, charset }
}

fn found(start: &[u8], claimed: Option<&Mime>, claims: &Claims<'_>) -> (Mime, Evidence) {
    let signed = container::content(start).or_else(|| signature(start));
    if let Some(signed) = signed {
        return match claimed {
            Some(claimed) if agrees(claimed, signed) => (claimed.clone(), Evidence::Claim),
            _ => (Mime::known(signed), Evidence::Signature),
        };
    }
    let nosniff = sniff::is_nosniff(claims.content_type_options);
    let computed = sniff::computed(start, claimed, claims.content_types.last().copied(), nosniff);
    if start.is_empty() {
        let evidence = if claimed.is_some() { Evidence::Claim } else { Evidence::Nothing };
        return (claimed.cloned().unwrap_or(computed), evidence);
    }
    let told = claimed == Some(&computed);
    if let Some(closer) = closer(start, &computed, told) {
        return (with_charset(closer, &computed), Evidence::Content);
    }
    if told {
        return (computed, Evidence::Claim);
    }
    let vague = matches!(computed.essence(), "text/plain" | "application/octet-stream");
    match by_address(claims.url).filter(|mime| vague && claimed.is_none() && fits(start, mime)) {
        Some(mime) => (Mime::known(mime), Evidence::Address),
        None if computed.essence() == "application/octet-stream" => (computed, Evidence::Nothing),
        None => (computed, Evidence::Content),
    }
}

/// What begins with bytes of its own. Two letters are not enough for a bitmap, nor three for a sound, to overrule anybody.
fn signature(start: &[u8]) -> Option<&'static str> {
    let first = |patterns: &[tables::Pattern]| {
        patterns.iter().find(|pattern| pattern.matches(start)).map(|pattern| pattern.mime)
    };
    let binary = || sniff::is_binary(start.get(..1445).unwrap_or(start));
    let weak = |mime: &&str| !matches!(*mime, "image/bmp" | "audio/mpeg" | "image/x-icon") || binary();
    first(tables::DOCUMENTS)
        .or_else(|| sniff::image(start).filter(weak))
        .or_else(|| sniff::audio_or_video(start).filter(weak))
        .or_else(|| first(tables::ARCHIVES))
        .or_else(|| first(tables::MORE).filter(|mime| is_text_format(mime) || binary()))
}

/// Formats of printable characters, which need no binary byte to be believed.
fn is_text_format(mime: &str) -> bool {
    ["rtf", "postscript", "warc", "x-arc", "fdf", "bittorrent", "pgp-encrypted", "x509-ca-cert", "vnd.djvu"]
        .iter()
        .any(|end| mime.ends_with(end))
}

/// Whether a claim says the same as a signature, or more: a spreadsheet by one of its names, a picture by its old one.
fn agrees(claimed: &Mime, signed: &str) -> bool {
    let essence = claimed.essence();
    let family =
        |kind: &str, words: &[&str]| signed == kind && words.iter().any(|word| essence.contains(word));
    essence == signed
        || essence.replace("/x-", "/") == signed.replace("/x-", "/")
        || family("application/zip", &["zip", "vnd.", "java-archive", "epub", "xpinstall", "package"])
        || family("application/x-ole-storage", &["msword", "vnd.ms-", "visio", "msi", "works", "outlook"])
        || family("application/x-gzip", &["gzip", "gtar", "tgz", "warc", "svgz", "compressed"])
        || family("video/mp4", &["audio/mp4", "audio/x-m4a", "video/", "application/mp4"])
        || family("video/webm", &["audio/webm"])
        || family("application/ogg", &["audio/ogg", "video/ogg"])
        || family("audio/wave", &["wav"])
        || family("video/avi", &["msvideo"])
        || family("audio/mpeg", &["audio/mp3", "mpeg"])
        || family("audio/midi", &["midi"])
        || family("image/jpeg", &["image/jpg", "image/pjpeg"])
        || family("image/x-icon", &["icon"])
        || family("image/tiff", &["image/"])
        || family("video/x-ms-asf", &["ms-wm", "audio/x-ms", "video/x-ms"])
        || family(
            "application/vnd.microsoft.portable-executable",
            &["msdownload", "dosexec", "x-msdos", "x-exe"],
        )
        || family("application/postscript", &["eps", "illustrator"])
        || family("application/java-archive", &["java-archive", "xpinstall"])
        || family("application/pdf", &["illustrator"])
}

/// What a text or XML is more closely. Where it was `told`, only what is unmistakable counts.
fn closer(start: &[u8], computed: &Mime, told: bool) -> Option<&'static str> {
    let essence = computed.essence();
    let differs = |mime: &'static str| (mime != essence).then_some(mime);
    if matches!(essence, "text/xml" | "application/xml") {
        return markup::root(start).and_then(|root| markup::mime(&root, start)).and_then(differs);
    }
    if essence == "text/html" && told {
        // A feed is told by the browsers' rules; JSON and playlists called HTML are a common mistake as well.
        let root = markup::root(start);
        if root.is_some_and(|root| markup::is_sitemap(&root) && start.starts_with(b"<?xml")) {
            return Some("application/xml");
        }
        return text::begins_as(start).filter(|mime| UNMISTAKABLE.contains(mime));
    }
    if essence != "text/plain" {
        return None;
    }
    match text::mime(start) {
        Some(mime) if !told || UNMISTAKABLE.contains(&mime) => Some(mime),
        _ => {
            // What was called plain is shown so even if it is markup; XML that is data may be read as such.
            let root = markup::root(start).filter(|root| start.starts_with(b"<?xml") || root.name == b"svg");
            root.and_then(|root| {
                let sitemap = markup::is_sitemap(&root).then_some("application/xml");
                markup::mime(&root, start).or(sitemap)
            })
        }
    }
}

const UNMISTAKABLE: [&str; 4] =
    ["application/json", "application/vnd.apple.mpegurl", "text/calendar", "text/vtt"];

/// A type found by content keeps the charset that the header gave.
fn with_charset(mime: &'static str, computed: &Mime) -> Mime {
    let charset = computed.parameter("charset").unwrap_or_default();
    let text = format!("{mime};charset=\"{}\"", charset.replace(['"', '\\'], ""));
    Mime::parse(&text).filter(|_| !charset.is_empty()).unwrap_or_else(|| Mime::known(mime))
}

/// The reader for a type.
fn kind(mime: &Mime, start: &[u8], url: &str) -> Kind {
    let essence = mime.essence();
    match essence {
        "text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" => return Kind::Html,
        "text/css" => return Kind::Css,
        "application/pdf" => return Kind::Pdf,
        "application/dash+xml" => return Kind::Dash,
        "image/svg+xml" => return Kind::Svg,
        "application/rss+xml" | "application/atom+xml" => return Kind::Feed,
        "application/manifest+json" => return Kind::Json,
        "application/vnd.apple.mpegurl" | "application/x-mpegurl" | "audio/mpegurl" | "audio/x-mpegurl" => {
            return Kind::Playlist;
        }
        "text/plain" if path(url).ends_with("/robots.txt") => return Kind::Robots,
        _ => {}
    }
    if mime.is_script() {
        return Kind::Script;
    }
    if mime.is_json() {
        return Kind::Json;
    }
    if mime.is_xml() || essence == "text/x-opml" {
        let root = markup::root(start);
        let of_root = root.and_then(|root| {
            if markup::is_sitemap(&root) {
                return Some(Kind::Sitemap);
            }
            match markup::mime(&root, start)? {
                "application/rss+xml" | "application/atom+xml" => Some(Kind::Feed),
                "image/svg+xml" => Some(Kind::Svg),
                "application/dash+xml" => Some(Kind::Dash),
                "application/xhtml+xml" => Some(Kind::Html),
                _ => None,
            }
        });
        return of_root.unwrap_or(Kind::Xml);
    }
    if mime.kind() == "text" { Kind::Text } else { Kind::Other }
}

/// The path of a URL, without query and fragment.
fn path(url: &str) -> &str {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    url.split_once("://")
        .map_or(url, |(_, behind)| behind.find('/').and_then(|at| behind.get(at..)).unwrap_or(""))
}

/// What the end of an address hints at.
fn by_address(url: &str) -> Option<&'static str> {
    let (_, ending) = path(url).rsplit('/').next()?.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, mime)| *mime)
}

/// Whether bytes may be of a type: what holds binary bytes is no text.
fn fits(start: &[u8], mime: &str) -> bool {
    let text = mime.starts_with("text/")
        || mime.ends_with("json")
        || mime.ends_with("xml")
        || mime.ends_with("mpegurl");
    text != sniff::is_binary(start.get(..1445).unwrap_or(start))
}

#[rustfmt::skip]
const ENDINGS: [(&str, &str); 28] = [
    ("html", "text/html"), ("htm", "text/html"), ("xhtml", "application/xhtml+xml"), ("css", "text/css"),
    ("js", "text/javascript"), ("mjs", "text/javascript"), ("json", "application/json"), ("map", "application/json"),
    ("jsonld", "application/ld+json"), ("geojson", "application/geo+json"), ("webmanifest", "application/manifest+json"),
    ("xml", "application/xml"), ("rss", "application/rss+xml"), ("atom", "application/atom+xml"),
    ("svg", "image/svg+xml"), ("m3u8", "application/vnd.apple.mpegurl"), ("mpd", "application/dash+xml"),
    ("csv", "text/csv"), ("tsv", "text/tab-separated-values"), ("md", "text/markdown"), ("vtt", "text/vtt"),
    ("ics", "text/calendar"), ("ts", "video/mp2t"), ("m4s", "video/iso.segment"), ("br", "application/x-brotli"),
    ("bin", "application/octet-stream"), ("mp3", "audio/mpeg"), ("aac", "audio/aac"),
];
