//! The type that an answer is sent with, and whether a browser could run scripts in it.
//!
//! We decide, and the browser does not: a usable type of the archived answer stays, and where there is none, the use decides, or the
//! payload's first bytes, by the WHATWG's rules. Browsers render many types as documents with scripts, and new ones come: XML of any name,
//! for one. So the harmless types are listed, and all others count as documents.

use archive::Found;
use axum::http::HeaderValue;
use extract::identify::sniff;
use extract::mime::Mime;
use rewrite::Modifier;

/// Bytes of a payload that tell its type: <https://mimesniff.spec.whatwg.org/#resource-header>.
pub(super) const SNIFFED_BYTES: usize = 1445;

/// Types that mean "unknown" (`*/*`, too, which [`Mime::from_headers`] leaves out).
const UNKNOWN: [&str; 3] = ["unknown/unknown", "application/unknown", "*/*"];

/// XML that some browsers read as HTML, others as XML, and others as text. It is rewritten as XML, and so all of them must read it as that:
/// what is put into it would be nowhere for the others.
const AMBIGUOUS: [&str; 2] = ["text/xsl", "text/rdf"];

const BINARY: &str = "application/octet-stream";

/// Types in which no browser runs scripts of ours, beside sounds, films, fonts, JSON and JavaScript. PDF is shown by a viewer with an
/// origin of its own, which needs to be left out of any sandbox.
#[rustfmt::skip]
const HARMLESS: [&str; 47] = [
    "text/plain", "text/css", "text/csv", "text/vtt", "text/markdown", "text/calendar",
    "image/png", "image/apng", "image/x-png", "image/vnd.mozilla.apng", "image/jpeg", "image/jpg", "image/pjpeg", "image/gif",
    "image/webp", "image/avif", "image/jxl", "image/heic", "image/heif", "image/bmp", "image/x-ms-bmp", "image/x-bmp",
    "image/tiff", "image/x-icon", "image/ico", "image/vnd.microsoft.icon", "image/jp2", "image/x-xbitmap",
    BINARY, "binary/octet-stream", "application/pdf", "application/zip", "application/gzip", "application/x-gzip",
    "application/wasm", "application/ogg", "application/mp4", "application/x-mpegurl", "application/vnd.apple.mpegurl",
    "application/font-woff", "application/font-woff2", "application/x-font-woff", "application/x-font-ttf",
    "application/x-font-truetype", "application/x-font-opentype", "application/font-sfnt", "application/vnd.ms-fontobject",
];

/// A type that was decided on.
#[derive(Debug, Clone)]
pub(super) struct MediaType {
    mime: Mime,
    /// What is sent: as the archived answer has it, if that has one usable type.
    header: String,
}

impl MediaType {
    /// Decides by the archived head, the use, and the first bytes of the payload.
    pub(super) fn decide(found: &Found, used_as: Modifier, start: &[u8]) -> MediaType {
        let values = claims(found);
        let claimed = Mime::from_headers(values.iter().map(String::as_str));
        let Some(mime) = claimed.filter(|mime| !UNKNOWN.contains(&mime.essence())) else {
            return MediaType::known(match used_as {
                Modifier::Script | Modifier::Worker => "text/javascript",
                Modifier::Style => "text/css",
                _ => return MediaType::of(sniff::computed(start, None, None, false)),
            });
        };
        // What old servers said of anything that they did not know is text only if it looks like it; it never becomes a page.
        let last = values.last().map(String::as_str);
        if mime.essence() == "text/plain"
            && used_as.is_page()
            && sniff::computed(start, Some(&mime), last, false).essence() == BINARY
        {
            return MediaType::known(BINARY);
        }
        if AMBIGUOUS.contains(&mime.essence()) {
            let charset = mime.charset().map(|encoding| format!(";charset={}", encoding.name()));
            return MediaType::known(&format!("text/xml{}", charset.unwrap_or_default()));
        }
        match values.as_slice() {
            [value] if !value.contains(',') && HeaderValue::try_from(value.as_str()).is_ok() => {
                MediaType { mime, header: value.trim().to_owned() }
            }
            _ => MediaType::of(mime),
        }
    }

    /// The value of `Content-Type`.
    pub(super) fn header(&self) -> &str {
        &self.header
    }

    /// Type and subtype, in lower case.
    pub(super) fn essence(&self) -> &str {
        self.mime.essence()
    }

    /// The charset that it names.
    pub(super) fn charset(&self) -> Option<&str> {
        self.mime.parameter("charset")
    }

    /// Whether no browser runs scripts in it. What is not known may be a document.
    pub(super) fn is_harmless(&self) -> bool {
        let is_media = matches!(self.mime.kind(), "audio" | "video" | "font");
        let is_plain =
            self.mime.subtype().bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
        // Of XML any name may be a document, `audio/xml` as well.
        let is_markup = ["xml", "html", "svg"].iter().any(|word| self.mime.subtype().contains(word));
        HARMLESS.contains(&self.essence())
            || self.mime.is_json()
            || self.mime.is_script()
            || is_media && is_plain && !is_markup
    }

    /// Whether `nosniff` may be sent. Browsers would not run a script, or apply a style, of a wrong type with it, which they did
    /// without it, and some would not play media. None takes any of these types for a page.
    pub(super) fn may_forbid_sniffing(&self, used_as: Modifier) -> bool {
        match used_as {
            Modifier::Script | Modifier::Worker => self.mime.is_script(),
            Modifier::Style => self.essence() == "text/css",
            Modifier::Image | Modifier::Object => {
                !matches!(self.essence(), "text/plain" | BINARY | "binary/octet-stream")
            }
            Modifier::Page | Modifier::Frame | Modifier::Raw => true,
        }
    }

    fn of(mime: Mime) -> MediaType {
        let header = mime.to_string();
        let header =
            if HeaderValue::try_from(header.as_str()).is_ok() { header } else { mime.essence().to_owned() };
        MediaType { mime, header }
    }

    fn known(text: &str) -> MediaType {
        // It is a type, so that the second is never asked for.
        let mime = Mime::parse(text).unwrap_or_else(|| sniff::computed(b"", None, None, true));
        MediaType::of(mime)
    }
}

/// What something is used as: by its address, or, where that says nothing of it, as the browser says.
pub(super) fn used_as(modifier: Modifier, destination: Option<&str>) -> Modifier {
    if modifier.is_embedded() {
        return modifier;
    }
    match destination {
        Some("script" | "audioworklet" | "paintworklet" | "serviceworker" | "sharedworker" | "worker") => {
            Modifier::Script
        }
        Some("style") => Modifier::Style,
        Some("image") => Modifier::Image,
        Some("audio" | "video" | "track" | "font") => Modifier::Object,
        _ => modifier,
    }
}

/// The values of `Content-Type`, in their order. What was no HTTP, or had none when it was found the same again, has the type of its line
/// in the index.
pub(super) fn claims(found: &Found) -> Vec<String> {
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let fields = found.head.iter().flat_map(|head| head.fields());
    let types = fields.filter(|(name, _)| name.eq_ignore_ascii_case(b"content-type"));
    let values: Vec<String> = types.map(|(_, value)| text(value)).collect();
    if values.is_empty() && (found.head.is_none() || found.row.is_revisit()) && !found.mime.is_empty() {
        return vec![found.mime.clone()];
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_harmless(essence: &str) -> bool {
        MediaType::known(essence).is_harmless()
    }

    #[test]
    fn types_that_browsers_render_with_scripts_are_not_harmless() {
        for essence in [
            "text/html",
            "application/xhtml+xml",
            "application/vnd.wap.xhtml+xml",
            "text/xml",
            "application/xml",
            "text/xsl",
            "application/xslt+xml",
            "text/rdf",
            "application/rdf+xml",
            "application/rss+xml",
            "application/atom+xml",
            "image/svg+xml",
            "image/svg",
            "application/mathml+xml",
            "application/vnd.mozilla.xul+xml",
            "audio/x+xml",
            "video/svg+xml",
            "font/xml",
            "multipart/x-mixed-replace",
            "multipart/related",
            "message/rfc822",
            "application/x-mimearchive",
            "text/cache-manifest",
            "text/x-component",
            "application/x-shockwave-flash",
            "application/dash+xml",
            "foo/bar",
            "text/x-unknown",
            "image/x-unknown",
        ] {
            assert!(!is_harmless(essence), "{essence}");
        }
    }

    #[test]
    fn pictures_sounds_films_fonts_and_data_are_harmless() {
        for essence in [
            "text/plain",
            "text/css",
            "image/png",
            "image/webp",
            "audio/mpeg",
            "video/mp4",
            "video/x-flv",
            "font/woff2",
            "application/font-woff",
            "application/pdf",
            "application/json",
            "application/ld+json",
            "text/javascript",
            "application/x-javascript",
            "application/octet-stream",
            "application/vnd.apple.mpegurl",
        ] {
            assert!(is_harmless(essence), "{essence}");
        }
    }

    #[test]
    fn scripts_and_styles_of_wrong_types_may_be_sniffed() {
        let may = |essence, used_as| MediaType::known(essence).may_forbid_sniffing(used_as);
        assert!(may("text/javascript", Modifier::Script) && may("text/css", Modifier::Style));
        assert!(!may("text/plain", Modifier::Script) && !may("application/json", Modifier::Script));
        assert!(!may("text/plain", Modifier::Style) && !may("application/octet-stream", Modifier::Object));
        assert!(may("text/plain", Modifier::Page) && may("text/html", Modifier::Object));
    }

    #[test]
    fn the_browser_says_what_pages_addresses_are_used_as() {
        assert_eq!(used_as(Modifier::Page, Some("script")), Modifier::Script);
        assert_eq!(used_as(Modifier::Frame, Some("style")), Modifier::Style);
        assert_eq!(used_as(Modifier::Page, Some("iframe")), Modifier::Page);
        assert_eq!(used_as(Modifier::Image, Some("script")), Modifier::Image);
    }
}
