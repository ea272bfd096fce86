//! Languages by their tags.

use crate::lists::excerpt;
use crate::{Error, Languages};

/// Languages in and out.
#[derive(Debug)]
pub(crate) struct Language {
    include: Vec<String>,
    exclude: Vec<String>,
    drop_unknown: bool,
}

impl Language {
    pub(crate) fn new(languages: &Languages) -> Result<Language, Error> {
        let Languages { include, exclude, drop_unknown } = languages;
        Ok(Language { include: tags(include)?, exclude: tags(exclude)?, drop_unknown: *drop_unknown })
    }

    pub(crate) fn objection(&self, language: Option<&str>) -> Option<String> {
        let Some(language) = language.filter(|language| !language.is_empty()) else {
            return self.drop_unknown.then(|| "its language is not known".to_owned());
        };
        if self.exclude.iter().any(|tag| fits(tag, language)) {
            return Some(format!("language `{language}` is excluded"));
        }
        let is_in = self.include.is_empty() || self.include.iter().any(|tag| fits(tag, language));
        (!is_in).then(|| format!("language `{language}` is not included"))
    }
}

/// `en` fits `en` and `en-GB`, `en-GB` fits only itself: basic filtering of RFC 4647, section 3.3.1.
fn fits(tag: &str, language: &str) -> bool {
    tag == "*"
        || language.get(..tag.len()).is_some_and(|front| front.eq_ignore_ascii_case(tag))
            && matches!(language.as_bytes().get(tag.len()), None | Some(b'-' | b'_'))
}

fn tags(words: &[String]) -> Result<Vec<String>, Error> {
    let check = |word: &String| {
        let tag = word.trim().to_ascii_lowercase();
        let is_part = |part: &str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if tag == "*" || tag.split('-').all(is_part) {
            return Ok(tag);
        }
        let why = "is no language such as `en` or `pt-BR`".to_owned();
        Err(Error::Pattern { filter: "language", pattern: excerpt(word), why })
    };
    words.iter().map(check).collect()
}
