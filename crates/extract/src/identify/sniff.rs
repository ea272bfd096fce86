//! The type of a resource as browsers compute it.
//!
//! <https://mimesniff.spec.whatwg.org/#mime-type-sniffing-algorithm>

use super::tables::{self, Pattern};
use crate::mime::{Mime, split_at_commas};

/// The bytes that are looked at.
///
/// <https://mimesniff.spec.whatwg.org/#resource-header>
const HEADER_BYTES: usize = 1445;

/// Whether `X-Content-Type-Options` forbids sniffing.
///
/// <https://fetch.spec.whatwg.org/#ref-for-determine-nosniff>
#[must_use]
pub fn is_nosniff(options: &[&str]) -> bool {
    let joined = options.join(", ");
    !options.is_empty()
        && split_at_commas(&joined).first().is_some_and(|first| first.eq_ignore_ascii_case("nosniff"))
}

/// The computed type of a resource. `claimed` is what its headers say; `last` the value of the last `Content-Type`, for a
/// fault of old servers that only its bytes betray.
#[must_use]
pub fn computed(start: &[u8], claimed: Option<&Mime>, last: Option<&str>, nosniff: bool) -> Mime {
    let header = start.get(..HEADER_BYTES).unwrap_or(start);
    let Some(claimed) = claimed.filter(|mime| !UNKNOWN.contains(&mime.essence())) else {
        return Mime::known(unknown(header, !nosniff));
    };
    if nosniff || claimed.is_xml() {
        return claimed.clone();
    }
    if claimed.is_html() {
        return feed_or_html(header).map_or_else(|| claimed.clone(), Mime::known);
    }
    if last.is_some_and(|last| APACHE.contains(&last)) {
        return if text_or_binary(header) == BINARY { Mime::known(BINARY) } else { claimed.clone() };
    }
    let matched = match claimed.kind() {
        "image" => image(header),
        "audio" | "video" => audio_or_video(header),
        _ if claimed.essence() == "application/ogg" => audio_or_video(header),
        _ => None,
    };
    matched.map_or_else(|| claimed.clone(), Mime::known)
}

const BINARY: &str = "application/octet-stream";
const TEXT: &str = "text/plain";
const UNKNOWN: [&str; 3] = ["unknown/unknown", "application/unknown", "*/*"];

/// What an old Apache said of whatever it did not know.
///
/// <https://mimesniff.spec.whatwg.org/#interpreting-the-resource-metadata>
const APACHE: [&str; 4] = [
    "text/plain",
    "text/plain; charset=ISO-8859-1",
    "text/plain; charset=iso-8859-1",
    "text/plain; charset=UTF-8",
];

/// <https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type>
fn unknown(header: &[u8], scriptable: bool) -> &'static str {
    let markup = scriptable.then(|| markup(header)).flatten();
    let marked = || marked(header).then_some(TEXT);
    let rest =
        || image(header).or_else(|| audio_or_video(header)).or_else(|| first(tables::ARCHIVES, header));
    markup
        .or_else(|| first(tables::DOCUMENTS, header))
        .or_else(marked)
        .or_else(rest)
        .unwrap_or(if is_binary(header) { BINARY } else { TEXT })
}

/// HTML or XML by what it begins with.
pub(super) fn markup(header: &[u8]) -> Option<&'static str> {
    let text = trim_start(header);
    let tag = tables::HTML_TAGS.iter().any(|tag| {
        let behind = text.split_at_checked(tag.len()).filter(|(head, _)| head.eq_ignore_ascii_case(tag));
        behind.is_some_and(|(_, behind)| matches!(behind.first(), Some(b' ' | b'>')))
    });
    if tag || text.starts_with(b"<!--") {
        return Some("text/html");
    }
    text.starts_with(b"<?xml").then_some("text/xml")
}

pub(super) fn image(header: &[u8]) -> Option<&'static str> {
    first(tables::IMAGES, header)
}

/// <https://mimesniff.spec.whatwg.org/#matching-an-audio-or-video-type-pattern>
pub(super) fn audio_or_video(header: &[u8]) -> Option<&'static str> {
    first(tables::SOUNDS, header)
        .or_else(|| is_mp4(header).then_some("video/mp4"))
        .or_else(|| is_webm(header).then_some("video/webm"))
        .or_else(|| is_mp3(header).then_some("audio/mpeg"))
}

/// <https://mimesniff.spec.whatwg.org/#rules-for-text-or-binary>
fn text_or_binary(header: &[u8]) -> &'static str {
    if marked(header) || !is_binary(header) { TEXT } else { BINARY }
}

/// Whether bytes are there that no text holds.
///
/// <https://mimesniff.spec.whatwg.org/#binary-data-byte>
pub(super) fn is_binary(header: &[u8]) -> bool {
    header.iter().any(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f))
}

pub(super) fn marked(header: &[u8]) -> bool {
    header.starts_with(&[0xfe, 0xff])
        || header.starts_with(&[0xff, 0xfe])
        || header.starts_with(&[0xef, 0xbb, 0xbf])
}

fn first(patterns: &[Pattern], header: &[u8]) -> Option<&'static str> {
    patterns.iter().find(|pattern| pattern.matches(header)).map(|pattern| pattern.mime)
}

pub(super) fn trim_start(header: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ');
    let end = header.iter().position(|byte| !blank(byte)).unwrap_or(header.len());
    header.get(end..).unwrap_or_default()
}

/// <https://mimesniff.spec.whatwg.org/#signature-for-mp4>
fn is_mp4(header: &[u8]) -> bool {
    let Some(([a, b, c, d], rest)) = header.split_first_chunk::<4>() else { return false };
    let size = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
    if header.len() < size.max(12) || !size.is_multiple_of(4) || !rest.starts_with(b"ftyp") {
        return false;
    }
    let brands = header.get(8..size).unwrap_or_default().chunks_exact(4).enumerate();
    brands.filter(|(number, _)| *number != 1).any(|(_, brand)| brand.starts_with(b"mp4"))
}

/// <https://mimesniff.spec.whatwg.org/#signature-for-webm>
fn is_webm(header: &[u8]) -> bool {
    let Some(rest) = header.strip_prefix(&[0x1a, 0x45, 0xdf, 0xa3]) else { return false };
    let rest = rest.get(..34).unwrap_or(rest);
    let Some(at) = memchr::memmem::find(rest, &[0x42, 0x82]) else { return false };
    let behind = rest.get(at + 2..).unwrap_or_default();
    // A number of variable size tells how long the name is.
    let size = behind.first().map_or(1, |byte| byte.leading_zeros() as usize + 1);
    let name = behind.get(size..).unwrap_or_default();
    let padding = name.iter().take_while(|byte| **byte == 0).count();
    name.get(padding..).unwrap_or_default().starts_with(b"webm")
}

/// <https://mimesniff.spec.whatwg.org/#signature-for-mp3-without-id3>
fn is_mp3(header: &[u8]) -> bool {
    let Some(length) = mp3_frame(header) else { return false };
    // The frame is often longer than what we see; then one header must do, as long as it is a plausible one.
    header.get(length..).is_some_and(|next| mp3_frame(next).is_some())
}

/// The length of the frame that begins here.
fn mp3_frame(bytes: &[u8]) -> Option<usize> {
    let [0xff, second, third, _, ..] = bytes else { return None };
    let (version, layer) = (second >> 3 & 3, second >> 1 & 3);
    let (rate, frequency) = (third >> 4, third >> 2 & 3);
    if second & 0xe0 != 0xe0 || layer != 1 || matches!(rate, 0 | 15) || frequency == 3 || version == 1 {
        return None;
    }
    const RATES: [u32; 16] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0];
    const LOW_RATES: [u32; 16] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0];
    let table = if version == 3 { RATES } else { LOW_RATES };
    let kilobits = table.get(usize::from(rate)).copied()?;
    let hertz = [44_100, 48_000, 32_000].get(usize::from(frequency)).copied().unwrap_or(44_100_u32)
        / [4, 1, 2, 1].get(usize::from(version)).copied().unwrap_or(1);
    let samples = if version == 3 { 144_000 } else { 72_000 };
    let length = kilobits * samples / hertz + u32::from(third >> 1 & 1);
    usize::try_from(length).ok().filter(|length| *length >= 4)
}

/// Whether what is called HTML is a feed.
///
/// <https://mimesniff.spec.whatwg.org/#rules-for-distinguishing-if-a-resource-is-a-feed-or-html>
fn feed_or_html(header: &[u8]) -> Option<&'static str> {
    let root = super::markup::root(header)?;
    match root.name {
        b"rss" => Some("application/rss+xml"),
        b"feed" => Some("application/atom+xml"),
        b"rdf:RDF" => {
            let has = |text: &[u8]| memchr::memmem::find(header, text).is_some();
            let feed =
                has(b"http://purl.org/rss/1.0/") && has(b"http://www.w3.org/1999/02/22-rdf-syntax-ns#");
            feed.then_some("application/rss+xml")
        }
        _ => None,
    }
}
