//! The usual scopes by name.

use std::fmt;
use std::str::FromStr;

use url::Url;

use crate::{Error, surt};

/// What a crawl takes in before any list adds to it or takes away from it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Preset {
    /// Each seed and what it needs to show.
    Page,
    /// Everything in a seed's folder and below: DCbot's `single`.
    Prefix,
    /// Everything on a seed's host and port.
    #[default]
    Host,
    /// Everything under a seed's registrable domain.
    Domain,
    /// Anywhere, or anywhere under these domains.
    Multi {
        /// Host names; each stands for itself and all below it. None means anywhere.
        domains: Vec<String>,
    },
    /// Each link of a seed, and from there everything in its folder and below.
    IndexPage {
        /// As for `Multi`.
        domains: Vec<String>,
    },
    /// The seeds and nothing else, not even what they need to show.
    List,
}

impl Preset {
    /// The SURT prefix that a seed, or where it redirects to, takes in. `None` where seeds take in nothing but themselves.
    pub(crate) fn prefix_of(&self, seed: &Url) -> Option<String> {
        match self {
            Preset::Prefix => Some(surt::folder(seed)),
            Preset::Host => Some(surt::host(seed)),
            Preset::Domain => Some(surt::domain(seed)),
            Preset::Page | Preset::Multi { .. } | Preset::IndexPage { .. } | Preset::List => None,
        }
    }

    /// The SURT prefixes that the preset takes in whatever the seeds are.
    pub(crate) fn prefixes(&self) -> Result<Vec<String>, Error> {
        match self {
            Preset::Multi { domains } if domains.is_empty() => Ok(vec![String::new()]),
            Preset::Multi { domains } => domains.iter().map(|name| domain_prefix(name)).collect(),
            _ => Ok(Vec::new()),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Preset::Page => "page",
            Preset::Prefix => "prefix",
            Preset::Host => "host",
            Preset::Domain => "domain",
            Preset::Multi { .. } => "multi",
            Preset::IndexPage { .. } => "indexpage",
            Preset::List => "list",
        }
    }
}

/// The SURT prefix of a domain as users write it: `example.org`, `.example.org`, `*.example.org`.
pub(crate) fn domain_prefix(name: &str) -> Result<String, Error> {
    let bare = name.trim();
    let bare = bare.strip_prefix("*.").or_else(|| bare.strip_prefix('.')).unwrap_or(bare);
    let bad = || Error::Domain(crate::error::excerpt(name));
    let has_other = |byte: u8| b"/?#@:\\".contains(&byte) || byte.is_ascii_whitespace();
    if bare.is_empty() || bare.bytes().any(has_other) {
        return Err(bad());
    }
    // The URL standard knows what a host is, and brings names beyond ASCII into their usual form.
    let url = Url::parse(&format!("http://{bare}/")).map_err(|_| bad())?;
    match url.host() {
        Some(url::Host::Domain(name)) => Ok(surt::below(name.trim_end_matches('.'))),
        Some(_) => Ok(surt::host(&url)),
        None => Err(bad()),
    }
}

impl FromStr for Preset {
    type Err = Error;

    fn from_str(text: &str) -> Result<Preset, Error> {
        let text = text.trim();
        let (name, list) = text.split_once(':').map_or((text, None), |(name, list)| (name, Some(list)));
        let domains = || -> Result<Vec<String>, Error> {
            let names = list.iter().flat_map(|list| list.split(',')).map(str::trim);
            names.map(|name| domain_prefix(name).map(|_| name.to_owned())).collect()
        };
        match (name, list) {
            ("multi", _) => Ok(Preset::Multi { domains: domains()? }),
            ("indexpage", _) => Ok(Preset::IndexPage { domains: domains()? }),
            ("page", None) => Ok(Preset::Page),
            ("prefix" | "single", None) => Ok(Preset::Prefix),
            ("host", None) => Ok(Preset::Host),
            ("domain", None) => Ok(Preset::Domain),
            ("list", None) => Ok(Preset::List),
            _ => Err(Error::Preset(crate::error::excerpt(text))),
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Preset::Multi { domains } | Preset::IndexPage { domains } if !domains.is_empty() => {
                write!(f, ":{}", domains.join(","))
            }
            _ => Ok(()),
        }
    }
}
