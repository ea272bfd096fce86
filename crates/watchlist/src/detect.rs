//! Which kind of list a text is, by what it says first.

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use crate::{Error, Limits, List, changedetection, distill, jsonl, opml, table, url_list, urlwatch};

/// The kinds of lists that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Our own export.
    Jsonl,
    /// A file of changedetection.io.
    Changedetection,
    /// An export of Distill.
    Distill,
    /// The jobs of urlwatch.
    Urlwatch,
    /// OPML.
    Opml,
    /// CSV.
    Table,
    /// URLs, each on a line.
    UrlList,
}

impl Format {
    /// Every one, in the order in which they are told.
    pub const ALL: [Format; 7] = [
        Format::Jsonl,
        Format::Changedetection,
        Format::Distill,
        Format::Urlwatch,
        Format::Opml,
        Format::Table,
        Format::UrlList,
    ];

    /// What people call it, in one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Changedetection => "changedetection",
            Format::Distill => "distill",
            Format::Urlwatch => "urlwatch",
            Format::Opml => "opml",
            Format::Table => "csv",
            Format::UrlList => "urls",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Reads a list of this kind.
    ///
    /// # Errors
    /// If it is not of this kind, damaged or too large.
    pub fn read(self, text: &str, limits: &Limits) -> Result<List, Error> {
        match self {
            Format::Jsonl => jsonl::read(text, limits),
            Format::Changedetection => changedetection::read(text, limits),
            Format::Distill => distill::read(text, limits),
            Format::Urlwatch => urlwatch::read(text, limits),
            Format::Opml => opml::read(text, limits),
            Format::Table => table::read(text, limits),
            Format::UrlList => url_list::read(text, limits),
        }
    }
}

/// Reads a list of whatever kind it is.
///
/// # Errors
/// If it is of no known kind, damaged or too large.
pub fn read(text: &str, limits: &Limits) -> Result<List, Error> {
    // Too large is too large, whatever it is.
    let text = crate::decode::check(text, limits)?;
    detect(text).ok_or(Error::Unknown)?.read(text, limits)
}

/// Which kind of list a text is; `None` if it is none that is known. A damaged list may be known by its beginning.
#[must_use]
pub fn detect(text: &str) -> Option<Format> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    match text.as_bytes().first()? {
        b'<' => is_opml(text).then_some(Format::Opml),
        b'{' => of_json(text),
        _ => of_lines(text),
    }
}

fn is_opml(text: &str) -> bool {
    const BEGINNING: usize = 4096;
    let beginning: String = text.chars().take(BEGINNING).collect();
    beginning.to_lowercase().contains("<opml")
}

fn of_json(text: &str) -> Option<Format> {
    let Names(names) = match serde_json::Deserializer::from_str(text).into_iter::<Names>().next() {
        Some(Ok(names)) => names,
        // Damaged, but its first names may tell.
        _ => Names(beginning(text)),
    };
    let has = |name: &str| names.iter().any(|known| known == name);
    if has(jsonl::MARK) {
        return Some(Format::Jsonl);
    }
    if has("data") && !has("url") {
        return Some(Format::Distill);
    }
    let is_watch = ["watching", "settings", "app_guid", "url", "overrides_watch"].into_iter().any(has);
    let are_uuids =
        !names.is_empty() && names.iter().all(|name| name.len() == 36 && name.matches('-').count() == 4);
    (is_watch || are_uuids).then_some(Format::Changedetection)
}

/// Texts between quotes that a colon follows, of the first few kilobytes.
fn beginning(text: &str) -> Vec<String> {
    const BEGINNING: usize = 4096;
    let beginning: String = text.chars().take(BEGINNING).collect();
    let mut parts = beginning.split('"').skip(1).peekable();
    let mut names = Vec::new();
    while let Some(part) = parts.next() {
        if parts.peek().is_some_and(|next| next.trim_start().starts_with(':')) {
            names.push(part.to_owned());
        }
    }
    names
}

/// The names of an object's fields, whatever their values.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Names;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some((name, _)) = map.next_entry::<String, IgnoredAny>()? {
                    names.push(name);
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

fn of_lines(text: &str) -> Option<Format> {
    const LOOKED_AT: usize = 200;
    let lines = || {
        text.lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .take(LOOKED_AT)
    };
    let first = lines().next()?;
    if table::looks_like(first) {
        return Some(Format::Table);
    }
    let is_key = |line: &str| {
        let line = line.strip_prefix("- ").unwrap_or(line);
        let key = line.split_once(':').map(|(key, rest)| (key, rest.is_empty() || rest.starts_with(' ')));
        matches!(key, Some(("url" | "navigate" | "command" | "name" | "kind" | "filter", true)))
    };
    if lines().any(is_key) {
        return Some(Format::Urlwatch);
    }
    let is_url = |line: &str| {
        let line = line.trim_start().trim_start_matches("source:").to_ascii_lowercase();
        line.starts_with("http://") || line.starts_with("https://")
    };
    // A few lines may be wrong: they are left out and told.
    let (urls, all) = lines().fold((0, 0), |(urls, all), line| (urls + usize::from(is_url(line)), all + 1));
    (urls * 2 > all).then_some(Format::UrlList)
}
