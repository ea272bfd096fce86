//! The built-in filters as a settings file has them.

use serde::Deserialize;

use crate::{Error, Filter};

/// The settings of all built-in filters. A filter that is not there filters nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Builtins {
    /// By type.
    pub mime: Option<Lists>,
    /// By bytes.
    pub size: Option<Range>,
    /// By status.
    pub status: Option<Lists>,
    /// By URL.
    pub url: Option<Lists>,
    /// By language.
    pub language: Option<Languages>,
}

/// What is taken in, and what is left out. With no includes everything is in; an exclude beats an include.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Lists {
    /// What is taken in.
    pub include: Vec<String>,
    /// What is left out.
    pub exclude: Vec<String>,
}

/// From so many to so many, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Range {
    /// The least.
    pub min: Option<u64>,
    /// The most.
    pub max: Option<u64>,
}

/// Languages by their tags, `en` or `pt-BR`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Languages {
    /// What is taken in.
    pub include: Vec<String>,
    /// What is left out.
    pub exclude: Vec<String>,
    /// Leave out what has no known language as well. Pictures have none.
    pub drop_unknown: bool,
}

impl Builtins {
    /// The filters, the quickest first.
    ///
    /// # Errors
    /// [`Error::Pattern`] for a pattern that makes no sense.
    pub fn filters(&self) -> Result<Vec<Filter>, Error> {
        let mut filters = Vec::new();
        if let Some(Lists { include, exclude }) = &self.status {
            filters.push(Filter::status(include, exclude)?);
        }
        if let Some(range) = &self.size {
            filters.push(Filter::size(range.min, range.max));
        }
        if let Some(Lists { include, exclude }) = &self.mime {
            filters.push(Filter::mime(include, exclude)?);
        }
        if let Some(languages) = &self.language {
            filters.push(Filter::language(languages)?);
        }
        if let Some(Lists { include, exclude }) = &self.url {
            filters.push(Filter::url(include, exclude)?);
        }
        Ok(filters)
    }
}

impl Range {
    pub(crate) fn objection(&self, bytes: u64) -> Option<String> {
        match (self.min, self.max) {
            (Some(min), _) if bytes < min => Some(format!("{bytes} bytes, and {min} are the least")),
            (_, Some(max)) if bytes > max => Some(format!("{bytes} bytes, and {max} are the most")),
            _ => None,
        }
    }
}
