//! MIME types after the WHATWG's standard: what a `Content-Type` says, or several of them together.
//!
//! <https://mimesniff.spec.whatwg.org/#mime-type-representation>

use std::fmt;

use encoding_rs::Encoding;

/// A MIME type with its parameters: `text/html;charset=utf-8`.
///
/// Type, subtype and names of parameters are in lower case; values are as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mime {
    /// `text/html`, of which the slash stands at `slash`.
    essence: String,
    slash: usize,
    parameters: Vec<(String, String)>,
}

impl Mime {
    /// Reads one MIME type. `None` where the standard calls it a failure.
    ///
    /// <https://mimesniff.spec.whatwg.org/#parsing-a-mime-type>
    #[must_use]
    pub fn parse(text: &str) -> Option<Mime> {
        let text = text.trim_matches(is_http_blank);
        let (kind, rest) = text.split_once('/')?;
        let (subtype, rest) = rest.split_once(';').unwrap_or((rest, ""));
        let subtype = subtype.trim_end_matches(is_http_blank);
        if !is_token(kind) || !is_token(subtype) {
            return None;
        }
        let mut mime = Mime::lower(kind, subtype);
        mime.read_parameters(rest);
        Some(mime)
    }

    /// A type without parameters that is known when the program is built.
    pub(crate) fn known(essence: &'static str) -> Mime {
        let (kind, subtype) = essence.split_once('/').unwrap_or((essence, ""));
        Mime::lower(kind, subtype)
    }

    /// One type from the values of all `Content-Type` headers, in their order: the last good one counts, and keeps an
    /// earlier charset if it is of the same type and names none.
    ///
    /// <https://fetch.spec.whatwg.org/#concept-header-extract-mime-type>
    #[must_use]
    pub fn from_headers<'a>(values: impl IntoIterator<Item = &'a str>) -> Option<Mime> {
        let mut values = values.into_iter();
        let first = values.next()?;
        let rest: Vec<&str> = values.collect();
        if rest.is_empty() && memchr::memchr(b',', first.as_bytes()).is_none() {
            return Mime::parse(first).filter(|mime| mime.essence != "*/*");
        }
        // Quotes may run over the comma that joins two headers, so they are joined before they are split.
        let joined = [&[first], rest.as_slice()].concat().join(", ");
        let mut found: Option<Mime> = None;
        let mut charset: Option<String> = None;
        for value in split_at_commas(&joined) {
            let Some(mut mime) = Mime::parse(value).filter(|mime| mime.essence != "*/*") else { continue };
            if found.as_ref().is_none_or(|earlier| earlier.essence != mime.essence) {
                charset = mime.parameter("charset").map(str::to_owned);
            } else if let Some(earlier) = &charset
                && mime.parameter("charset").is_none()
            {
                mime.parameters.push(("charset".to_owned(), earlier.clone()));
            }
            found = Some(mime);
        }
        found
    }

    /// Type and subtype: `text/html`.
    #[must_use]
    pub fn essence(&self) -> &str {
        &self.essence
    }

    /// The part before the slash: `text`.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.essence.get(..self.slash).unwrap_or_default()
    }

    /// The part behind the slash: `html`.
    #[must_use]
    pub fn subtype(&self) -> &str {
        self.essence.get(self.slash + 1..).unwrap_or_default()
    }

    /// The value of a parameter, whose name is given in lower case.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All parameters, in their order.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The encoding that the `charset` parameter names, if it is one that browsers know.
    #[must_use]
    pub fn charset(&self) -> Option<&'static Encoding> {
        self.parameter("charset").and_then(|label| Encoding::for_label(label.as_bytes()))
    }

    /// `text/html`.
    #[must_use]
    pub fn is_html(&self) -> bool {
        self.essence == "text/html"
    }

    /// XML by name or by `+xml`.
    #[must_use]
    pub fn is_xml(&self) -> bool {
        matches!(self.essence(), "text/xml" | "application/xml") || self.subtype().ends_with("+xml")
    }

    /// JSON by name or by `+json`.
    #[must_use]
    pub fn is_json(&self) -> bool {
        matches!(self.essence(), "application/json" | "text/json" | "text/x-json" | "application/x-json")
            || self.subtype().ends_with("+json")
    }

    /// JavaScript by any of its names.
    ///
    /// <https://mimesniff.spec.whatwg.org/#javascript-mime-type>
    #[must_use]
    pub fn is_script(&self) -> bool {
        let (kind, subtype) = (self.kind(), self.subtype());
        matches!(kind, "text" | "application")
            && matches!(subtype, "javascript" | "ecmascript" | "x-javascript" | "x-ecmascript")
            || kind == "text" && (subtype == "jscript" || subtype == "livescript" || is_versioned(subtype))
    }

    /// Whether it is text that a person could read as it stands.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.kind() == "text" || self.is_xml() || self.is_json() || self.is_script()
    }

    /// A sound, a picture or a film.
    #[must_use]
    pub fn is_audio_or_video(&self) -> bool {
        matches!(self.kind(), "audio" | "video") || self.essence == "application/ogg"
    }

    fn lower(kind: &str, subtype: &str) -> Mime {
        let mut essence = String::with_capacity(kind.len() + 1 + subtype.len());
        essence.push_str(kind);
        essence.push('/');
        essence.push_str(subtype);
        essence.make_ascii_lowercase();
        Mime { essence, slash: kind.len(), parameters: Vec::new() }
    }

    fn read_parameters(&mut self, mut rest: &str) {
        while !rest.is_empty() {
            rest = rest.trim_start_matches(is_http_blank);
            let end = rest.find([';', '=']).unwrap_or(rest.len());
            let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let Some(value) = behind.strip_prefix('=') else {
                rest = behind.strip_prefix(';').unwrap_or_default();
                continue;
            };
            let (value, behind) = parameter_value(value);
            rest = behind;
            let Some(value) = value else { continue };
            let known = || self.parameters.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
            if is_token(name) && value.chars().all(is_quotable) && !known() {
                self.parameters.push((name.to_ascii_lowercase(), value));
            }
        }
    }
}

/// As the standard serialises it: no blanks, quotes only where they must be.
impl fmt::Display for Mime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.essence)?;
        for (name, value) in &self.parameters {
            write!(f, ";{name}=")?;
            if is_token(value) {
                f.write_str(value)?;
                continue;
            }
            f.write_str("\"")?;
            for char in value.chars() {
                if matches!(char, '"' | '\\') {
                    f.write_str("\\")?;
                }
                write!(f, "{char}")?;
            }
            f.write_str("\"")?;
        }
        Ok(())
    }
}

/// The value of a parameter and what comes behind its semicolon. `None` for one that does not count.
fn parameter_value(text: &str) -> (Option<String>, &str) {
    if let Some(quoted) = text.strip_prefix('"') {
        let (value, rest) = quoted_text(quoted);
        let rest = rest.split_once(';').map_or("", |(_, rest)| rest);
        return (Some(value), rest);
    }
    let (value, rest) = text.split_once(';').unwrap_or((text, ""));
    let value = value.trim_end_matches(is_http_blank);
    ((!value.is_empty()).then(|| value.to_owned()), rest)
}

/// What stands up to the closing quote, backslashes resolved, and the rest behind it.
pub(crate) fn quoted_text(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return (value, text.get(at + 1..).unwrap_or_default()),
            '\\' => value.push(chars.next().map_or('\\', |(_, escaped)| escaped)),
            char => value.push(char),
        }
    }
    (value, "")
}

/// Splits at commas outside of quotes.
///
/// <https://fetch.spec.whatwg.org/#header-value-get-decode-and-split>
pub(crate) fn split_at_commas(text: &str) -> Vec<&str> {
    let mut values = Vec::new();
    let (mut from, mut quoted, mut escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                values.push(text.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
    }
    values.push(text.get(from..).unwrap_or_default());
    values.iter_mut().for_each(|value| *value = value.trim_matches([' ', '\t']));
    values
}

/// `javascript1.0` to `javascript1.5`.
fn is_versioned(subtype: &str) -> bool {
    let version = subtype.strip_prefix("javascript1.").map(str::as_bytes);
    matches!(version, Some([b'0'..=b'5']))
}

fn is_http_blank(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r')
}

pub(crate) fn is_token(text: &str) -> bool {
    let is_token_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_token_byte)
}

fn is_quotable(char: char) -> bool {
    matches!(char, '\t' | ' '..='~' | '\u{80}'..='\u{ff}')
}
