//! The language of a document: told by markup or header, or else recognised in its text.

mod codes;

use whatlang::detect;

/// A language and how sure it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Language {
    /// A language tag: `da`, `cs`, `en-GB`.
    pub tag: String,
    /// How it became known.
    pub source: Source,
    /// From 0 to 1; what was told is certain.
    pub confidence: f32,
}

/// How a language became known; the earlier wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The document's own markup.
    Markup,
    /// A `Content-Language` header.
    Header,
    /// Its text.
    Detected,
}

/// Fewer letters than these say nothing reliable.
const LETTERS_MIN: usize = 40;
/// As much text as is looked at; more does not make it surer.
const TEXT_BYTES_MAX: usize = 16 << 10;
/// Below this a guess is not told.
const CONFIDENCE_MIN: f64 = 0.5;

/// The language of a document by its `lang` attribute, its `Content-Language` header, or its text.
#[must_use]
pub fn find(markup: Option<&str>, header: Option<&str>, text: &str) -> Option<Language> {
    let told = |tags: Option<&str>, source| {
        let tag = tags?.split(',').next().and_then(normal_tag)?;
        Some(Language { tag, source, confidence: 1.0 })
    };
    // A header for several languages speaks of the readers, not of the text.
    let header = header.filter(|tags| !tags.contains(','));
    told(markup, Source::Markup).or_else(|| told(header, Source::Header)).or_else(|| recognise(text))
}

/// The language of a text; nothing for one that is short or unsure.
#[must_use]
pub fn recognise(text: &str) -> Option<Language> {
    let text = text.get(..text.floor_char_boundary(TEXT_BYTES_MAX))?;
    // A word of Chinese or Japanese is a character or two, so those need not be many.
    let letters: usize = text
        .chars()
        .filter(|char| char.is_alphabetic())
        .map(|char| if char > '\u{2e80}' { 4 } else { 1 })
        .sum();
    if letters < LETTERS_MIN {
        return None;
    }
    let info = detect(text)?;
    let confidence = info.confidence();
    let tag = codes::short(info.lang().code()).to_owned();
    #[allow(clippy::cast_possible_truncation)]
    (confidence >= CONFIDENCE_MIN).then_some(Language {
        tag,
        source: Source::Detected,
        confidence: confidence as f32,
    })
}

/// `EN_us` is `en-US`; what is no tag at all is `None`.
fn normal_tag(text: &str) -> Option<String> {
    let mut tag = String::new();
    for (number, part) in text.trim().split(['-', '_']).enumerate() {
        let letters = part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let first = number > 0
            || (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !letters || !first || !(1..=8).contains(&part.len()) {
            return None;
        }
        if number > 0 {
            tag.push('-');
        }
        match (number, part.len()) {
            (0, _) => tag.push_str(&part.to_ascii_lowercase()),
            (_, 2) => tag.push_str(&part.to_ascii_uppercase()),
            (_, 4) => {
                let (initial, rest) = part.split_at_checked(1)?;
                tag.push_str(&initial.to_ascii_uppercase());
                tag.push_str(&rest.to_ascii_lowercase());
            }
            _ => tag.push_str(&part.to_ascii_lowercase()),
        }
        if tag.len() > 35 {
            return None;
        }
    }
    Some(tag)
}
