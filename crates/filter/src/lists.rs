//! Includes and excludes of types and of URLs.

use regex::{RegexSet, RegexSetBuilder};

use crate::Error;
use crate::glob::Glob;

/// Types by pattern.
#[derive(Debug)]
pub(crate) struct MimeLists {
    include: Vec<Glob>,
    exclude: Vec<Glob>,
}

impl MimeLists {
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<MimeLists, Error> {
        Ok(MimeLists { include: globs(include)?, exclude: globs(exclude)? })
    }

    pub(crate) fn objection(&self, mime: &str) -> Option<String> {
        let essence = mime.split_once(';').map_or(mime, |(essence, _)| essence).trim().to_ascii_lowercase();
        if let Some(glob) = self.exclude.iter().find(|glob| glob.fits(&essence)) {
            return Some(format!("`{essence}` is excluded by `{}`", glob.as_str()));
        }
        let is_in = self.include.is_empty() || self.include.iter().any(|glob| glob.fits(&essence));
        (!is_in).then(|| format!("`{essence}` is not included"))
    }
}

fn globs(patterns: &[String]) -> Result<Vec<Glob>, Error> {
    let check = |pattern: &String| {
        let glob = Glob::new(pattern);
        let text = glob.as_str();
        let slashes = text.matches('/').count();
        let is_odd = text.is_empty() || slashes > 1 || (slashes == 0 && !text.contains('*'));
        if is_odd || text.contains([';', ' ', ',']) || text.len() > 255 {
            let why = "is no type such as `text/html` or `image/*`".to_owned();
            return Err(Error::Pattern { filter: "mime", pattern: excerpt(pattern), why });
        }
        Ok(glob)
    };
    patterns.iter().map(check).collect()
}

/// URLs by regular expression.
#[derive(Debug)]
pub(crate) struct UrlLists {
    include: Option<RegexSet>,
    exclude: Option<RegexSet>,
    excluded: Vec<String>,
}

impl UrlLists {
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<UrlLists, Error> {
        Ok(UrlLists { include: set(include)?, exclude: set(exclude)?, excluded: exclude.to_vec() })
    }

    pub(crate) fn objection(&self, url: &str) -> Option<String> {
        if let Some(set) = self.exclude.as_ref().filter(|set| set.is_match(url)) {
            let first = set.matches(url).iter().next().and_then(|at| self.excluded.get(at));
            return Some(format!("it matches `{}`", first.map_or("", String::as_str)));
        }
        let is_in = self.include.as_ref().is_none_or(|set| set.is_match(url));
        (!is_in).then(|| "it matches none of the includes".to_owned())
    }
}

/// Bytes that all patterns of a list may take when compiled.
const COMPILED_BYTES_MAX: usize = 16 << 20;

fn set(patterns: &[String]) -> Result<Option<RegexSet>, Error> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let fault = |pattern: &str, error: &regex::Error| {
        let why = match error {
            regex::Error::CompiledTooBig(_) => "is too large".to_owned(),
            _ => "is no regular expression".to_owned(),
        };
        Error::Pattern { filter: "url", pattern: excerpt(pattern), why }
    };
    for pattern in patterns {
        let check = regex::RegexBuilder::new(pattern).size_limit(1 << 20).build();
        check.map_err(|error| fault(pattern, &error))?;
    }
    let whole = patterns.iter().map(|pattern| format!(r"\A(?:{pattern})\z"));
    let set = RegexSetBuilder::new(whole).size_limit(COMPILED_BYTES_MAX).build();
    set.map(Some).map_err(|error| fault(&format!("{} patterns", patterns.len()), &error))
}

/// The beginning of a text that is quoted in a message.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
