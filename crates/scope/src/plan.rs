//! All that a user may say about the scope of a crawl, with defaults that an ordinary site never meets.

use urlkey::Decision;

use crate::{Limits, Patterns, Preset, Seeds, Sheets};

/// What a crawl is to take in.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What is taken in before any list adds or takes away.
    pub preset: Preset,
    /// Where the crawl begins, and the `+` and `-` prefixes of the seed list.
    pub seeds: Seeds,
    /// Further SURT prefixes. Of all prefixes that fit a URL the longest decides; of two equal ones `-` wins.
    pub prefixes: Vec<(String, Decision)>,
    /// Further domains taken in, each with all hosts below it.
    pub domains: Vec<String>,
    /// Domains left out, each with all hosts below it.
    pub not_domains: Vec<String>,
    /// URLs taken in by pattern.
    pub include: Patterns,
    /// URLs left out by pattern.
    pub exclude: Patterns,
    /// Crawler traps by pattern.
    pub traps: Patterns,
    /// The most links away from a seed, see [`distance`](crate::distance); `None` is any number.
    pub depth: Option<u32>,
    /// Embeds in a row that are taken though out of scope: a frame's style sheet's font is the third. None for `list`.
    pub transclusion_hops: u32,
    /// Guesses since the last link that are taken though out of scope, if they look like pictures, scripts and the like.
    pub speculative_hops: u32,
    /// Folders of a path.
    pub path_depth: u32,
    /// How often one folder, or one field of a query, may stand in a URL.
    pub repeats: u32,
    /// Fields of a query.
    pub query_fields: u32,
    /// Redirects in a row.
    pub redirects: u32,
    /// Bytes of a URL.
    pub url_bytes_max: usize,
    /// Schemes that are fetched.
    pub schemes: Vec<String>,
    /// If any: only files of these kinds, `.pdf` or `image/*`, besides pages and what has no known extension.
    pub extensions: Vec<String>,
    /// No files of these kinds.
    pub not_extensions: Vec<String>,
    /// The years that pages are about, first and last; see [`Plan::in_year`]. `None` asks nothing of years.
    pub years: Option<(u16, u16)>,
    /// Settings for parts of the web: what is skipped, how deep, which traps.
    pub sheets: Sheets,
    /// Bounds on all lists.
    pub limits: Limits,
}

impl Plan {
    /// The plan with the usual years for a crawl in this one: from 1500, so that old newspapers are taken, to ten years
    /// on. A calendar that goes on for ever leaves them sooner or later.
    #[must_use]
    pub fn in_year(self, year: u16) -> Plan {
        Plan { years: Some((1500, year.saturating_add(10))), ..self }
    }
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            preset: Preset::default(),
            seeds: Seeds::default(),
            prefixes: Vec::new(),
            domains: Vec::new(),
            not_domains: Vec::new(),
            include: Patterns::default(),
            exclude: Patterns::default(),
            traps: Patterns::default(),
            depth: None,
            transclusion_hops: 4,
            speculative_hops: 1,
            path_depth: 20,
            repeats: 3,
            query_fields: 50,
            redirects: 10,
            url_bytes_max: 4096,
            schemes: vec!["http".to_owned(), "https".to_owned()],
            extensions: Vec::new(),
            not_extensions: Vec::new(),
            years: None,
            sheets: Sheets::default(),
            limits: Limits::default(),
        }
    }
}
