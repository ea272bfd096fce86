//! What is asked about, and what is answered.

use std::fmt;

use url::Url;

/// A URL that was found, and how.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// The URL.
    pub url: &'a Url,
    /// The page it was found on.
    pub via: Option<&'a Url>,
    /// The path of hops including the one that leads here, `LLE`; empty for a seed.
    pub hops: &'a str,
    /// What [`Scope::root`](crate::Scope::root) said of the page it was found on. Only `indexpage` asks for it.
    pub root: Option<&'a str>,
}

impl<'a> Candidate<'a> {
    /// A start URL.
    #[must_use]
    pub fn seed(url: &'a Url) -> Candidate<'a> {
        Candidate { url, via: None, hops: "", root: None }
    }

    /// A link found on a page.
    #[must_use]
    pub fn link(url: &'a Url, via: &'a Url, hops: &'a str) -> Candidate<'a> {
        Candidate { url, via: Some(via), hops, root: None }
    }
}

/// Whether a URL belongs, and the rule that had the last word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it belongs to the crawl.
    pub is_in: bool,
    /// The rule that decided.
    pub rule: RuleName,
}

/// What one rule says of one URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// It belongs.
    Accepts,
    /// It does not.
    Rejects,
    /// The rule has nothing to say.
    Passes,
}

/// One rule's word in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The rule.
    pub rule: RuleName,
    /// What it says.
    pub word: Word,
    /// Why, as the rest of a sentence that begins with the URL.
    pub why: String,
}

/// The rules, in the order in which they speak. The last one that does not pass decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleName {
    /// Everything is rejected that nobody accepts.
    Default,
    /// What the preset takes in.
    Preset,
    /// The user's `+` prefixes, domains and patterns.
    Include,
    /// Too many links away.
    Depth,
    /// Needed to show a page.
    Transclusion,
    /// Too long.
    UrlLength,
    /// Too many folders.
    PathDepth,
    /// The same folders or fields again and again.
    Repeats,
    /// Too many fields in the query.
    QueryFields,
    /// A date that no page is about.
    Calendar,
    /// Too many redirects in a row.
    Redirects,
    /// A file of a kind that is not wanted.
    Extension,
    /// A start URL, or where one redirects to.
    Seed,
    /// The user's `-` prefixes, domains and patterns.
    Exclude,
    /// The user's traps.
    Trap,
    /// A sheet says that this part is skipped.
    Sheet,
    /// Needed before anything else of the host: robots.txt.
    Prerequisite,
    /// A scheme that is not fetched.
    Scheme,
}

impl RuleName {
    /// All rules in their order.
    pub const ALL: [RuleName; 18] = [
        RuleName::Default,
        RuleName::Preset,
        RuleName::Include,
        RuleName::Depth,
        RuleName::Transclusion,
        RuleName::UrlLength,
        RuleName::PathDepth,
        RuleName::Repeats,
        RuleName::QueryFields,
        RuleName::Calendar,
        RuleName::Redirects,
        RuleName::Extension,
        RuleName::Seed,
        RuleName::Exclude,
        RuleName::Trap,
        RuleName::Sheet,
        RuleName::Prerequisite,
        RuleName::Scheme,
    ];

    /// The word for logs and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RuleName::Default => "default",
            RuleName::Preset => "preset",
            RuleName::Include => "include",
            RuleName::Depth => "depth",
            RuleName::Transclusion => "transclusion",
            RuleName::UrlLength => "url-length",
            RuleName::PathDepth => "path-depth",
            RuleName::Repeats => "repeats",
            RuleName::QueryFields => "query-fields",
            RuleName::Calendar => "calendar",
            RuleName::Redirects => "redirects",
            RuleName::Extension => "extension",
            RuleName::Seed => "seed",
            RuleName::Exclude => "exclude",
            RuleName::Trap => "trap",
            RuleName::Sheet => "sheet",
            RuleName::Prerequisite => "prerequisite",
            RuleName::Scheme => "scheme",
        }
    }
}

impl fmt::Display for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Word::Accepts => "accepts",
            Word::Rejects => "rejects",
            Word::Passes => "passes",
        })
    }
}
