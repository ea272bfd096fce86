//! Which rewriting a document needs.

use crate::Modifier;

/// How a document is rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// HTML.
    Html,
    /// HTML that is served as XML, and must stay well-formed.
    Xhtml,
    /// A style sheet.
    Css,
    /// JavaScript.
    Script,
    /// JSON, which passes but for the name of a callback.
    Json,
    /// Other XML; drawings above all.
    Xml,
    /// A playlist of HTTP Live Streaming.
    Hls,
    /// A manifest of MPEG-DASH.
    Dash,
    /// Everything else, which passes.
    Other,
}

impl Kind {
    /// Whether it is a page, into which something may be put.
    #[must_use]
    pub fn is_page(self) -> bool {
        matches!(self, Kind::Html | Kind::Xhtml)
    }
}

/// How to rewrite what has this type and was asked for like this. Servers that call everything `text/html` or
/// `text/plain` are common: what a page asked for as a script or style is one, unless its type says something else that is
/// definite.
#[must_use]
pub fn kind_of(mime: &str, modifier: Modifier, url: &str) -> Kind {
    if modifier == Modifier::Raw {
        return Kind::Other;
    }
    let essence = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let by_type = by_type(&essence);
    let vague = matches!(
        essence.as_str(),
        "" | "text/plain" | "text/html" | "application/octet-stream" | "binary/octet-stream"
    ) || essence == "application/xhtml+xml";
    match modifier {
        Modifier::Script | Modifier::Worker if vague => Kind::Script,
        Modifier::Style if vague => Kind::Css,
        Modifier::Image if matches!(by_type, Kind::Html | Kind::Xhtml) => Kind::Other,
        _ if by_type == Kind::Other && vague && essence != "text/html" => by_ending(url),
        _ => by_type,
    }
}

fn by_type(essence: &str) -> Kind {
    match essence {
        "text/html" => Kind::Html,
        "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" => Kind::Xhtml,
        "text/css" => Kind::Css,
        "application/dash+xml" => Kind::Dash,
        "application/vnd.apple.mpegurl" | "application/x-mpegurl" | "audio/mpegurl" | "audio/x-mpegurl" => {
            Kind::Hls
        }
        "text/json" => Kind::Json,
        // Browsers read these as XML, too, and run its scripts.
        "text/xml" | "text/xsl" | "text/rdf" => Kind::Xml,
        _ if is_script(essence) => Kind::Script,
        _ if essence.ends_with("json") => Kind::Json,
        _ if essence.ends_with("+xml") || essence == "application/xml" => Kind::Xml,
        _ => Kind::Other,
    }
}

/// Whether a type in lower case is one of the many names of JavaScript.
pub(crate) fn is_script(essence: &str) -> bool {
    matches!(essence, "text/ecmascript" | "text/jscript" | "text/livescript" | "application/ecmascript")
        || essence == "application/x-ecmascript"
        || essence.ends_with("/javascript")
        || essence.ends_with("/x-javascript")
        || essence.contains("/javascript1.")
}

/// Only endings that nothing else has, and whose readers insist on rewriting.
fn by_ending(url: &str) -> Kind {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    match path.rsplit('/').next().and_then(|name| name.rsplit_once('.')) {
        Some((_, ending)) if ending.eq_ignore_ascii_case("m3u8") => Kind::Hls,
        Some((_, ending)) if ending.eq_ignore_ascii_case("mpd") => Kind::Dash,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(mime: &str, modifier: Modifier, url: &str, kind: Kind) {
        assert_eq!(kind_of(mime, modifier, url), kind, "{mime} {modifier:?} {url}");
    }

    #[test]
    fn types_decide() {
        check("text/html; charset=utf-8", Modifier::Page, "", Kind::Html);
        check("TEXT/HTML", Modifier::Object, "", Kind::Html);
        check("application/xhtml+xml", Modifier::Frame, "", Kind::Xhtml);
        check("application/x-javascript", Modifier::Page, "", Kind::Script);
        check("application/ld+json", Modifier::Page, "", Kind::Json);
        check("image/svg+xml", Modifier::Image, "", Kind::Xml);
        check("application/json", Modifier::Script, "", Kind::Json);
        check("image/png", Modifier::Page, "", Kind::Other);
        check("text/xsl", Modifier::Page, "", Kind::Xml);
        check("application/xslt+xml; charset=utf-8", Modifier::Style, "", Kind::Xml);
    }

    #[test]
    fn what_was_asked_for_decides_where_the_type_is_vague() {
        check("text/html", Modifier::Script, "", Kind::Script);
        check("text/plain", Modifier::Style, "", Kind::Css);
        check("", Modifier::Worker, "", Kind::Script);
        check("image/png", Modifier::Script, "", Kind::Other);
        check("text/html", Modifier::Image, "", Kind::Other);
    }

    #[test]
    fn raw_payloads_pass() {
        check("text/html", Modifier::Raw, "", Kind::Other);
    }

    #[test]
    fn endings_tell_manifests() {
        check("text/plain", Modifier::Object, "http://e.org/a.m3u8?x", Kind::Hls);
        check("application/octet-stream", Modifier::Object, "http://e.org/a.MPD", Kind::Dash);
        check("text/html", Modifier::Object, "http://e.org/a.m3u8", Kind::Html);
    }
}
