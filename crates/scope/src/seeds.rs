//! Seed lists: URLs and SURT prefixes, one to a line, `+` (or nothing) to take in and `-` to leave out.
//!
//! ```text
//! # what we were asked to keep
//! https://example.org/
//! example.com                              # a host alone is an http URL
//! +http://(org,example,docs,               # in scope, not itself a page to fetch
//! -http://(org,example,)/private/          # by contract
//! ```

use std::fmt::Write as _;

use url::Url;
use urlkey::{Decision, Login};

use crate::error::excerpt;
use crate::{Error, Limits};

/// What a seed list says. Its URLs hold no user names and passwords: [`Seeds::take_logins`] has those.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seeds {
    urls: Vec<Url>,
    prefixes: Vec<(String, Decision)>,
    logins: Vec<Login>,
}

impl Seeds {
    /// Reads a list with the usual limits.
    ///
    /// # Errors
    /// [`Error::Seed`] names the first line that is neither, [`Error::TooMany`] says that there are too many.
    pub fn parse(text: &str) -> Result<Seeds, Error> {
        Seeds::parse_within(text, &Limits::default())
    }

    /// Reads a list with limits of one's own.
    ///
    /// # Errors
    /// As [`Seeds::parse`].
    pub fn parse_within(text: &str, limits: &Limits) -> Result<Seeds, Error> {
        let mut seeds = Seeds::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in text.lines().enumerate() {
            let fault = |why: String| Error::Seed {
                line: number + 1,
                text: excerpt(&urlkey::hide_login(line.trim())),
                why,
            };
            if line.len() > limits.seed_bytes_max {
                return Err(fault(format!("has more than {} bytes", limits.seed_bytes_max)));
            }
            seeds.add_line(line).map_err(fault)?;
            if seeds.len() > limits.seeds_max {
                let found = format!("more than {} lines", limits.seeds_max);
                return Err(Error::TooMany { list: "seeds".to_owned(), found, most: limits.seeds_max });
            }
        }
        Ok(seeds)
    }

    /// These URLs and nothing else.
    #[must_use]
    pub fn of(mut urls: Vec<Url>) -> Seeds {
        let logins = urls.iter_mut().filter_map(Login::take).collect();
        Seeds { urls, prefixes: Vec::new(), logins }
    }

    /// Takes the user names and passwords that the URLs of the list had, in its order.
    pub fn take_logins(&mut self) -> Vec<Login> {
        std::mem::take(&mut self.logins)
    }

    /// The URLs, in the order of the list.
    #[must_use]
    pub fn urls(&self) -> &[Url] {
        &self.urls
    }

    /// The SURT prefixes, in the order of the list. What is excluded by URL is here too, as the prefix it implies.
    #[must_use]
    pub fn prefixes(&self) -> &[(String, Decision)] {
        &self.prefixes
    }

    /// Where to begin: the URLs, or, in a list of nothing but prefixes, the top of each that names a host.
    #[must_use]
    pub fn starts(&self) -> Vec<Url> {
        if !self.urls.is_empty() {
            return self.urls.clone();
        }
        let accepted = self.prefixes.iter().filter(|(_, decision)| *decision == Decision::Accept);
        accepted.filter_map(|(prefix, _)| top_of(prefix)).collect()
    }

    /// Whether the list says nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many lines said something.
    #[must_use]
    pub fn len(&self) -> usize {
        self.urls.len() + self.prefixes.len()
    }

    /// Takes in what another list says.
    pub fn extend(&mut self, other: Seeds) {
        self.urls.extend(other.urls);
        self.prefixes.extend(other.prefixes);
        self.logins.extend(other.logins);
    }

    fn add_line(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim();
        // A `#` begins a comment at the start of a line or after a blank; within a URL it is part of it.
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let (decision, entry) = match line.strip_prefix('-') {
            Some(rest) => (Decision::Reject, rest.trim_start()),
            None => (Decision::Accept, line.strip_prefix('+').unwrap_or(line).trim_start()),
        };
        let (entry, rest) = entry.split_once(char::is_whitespace).unwrap_or((entry, ""));
        let rest = rest.trim_start();
        if !rest.is_empty() && !rest.starts_with('#') {
            return Err("has a blank inside; a remark begins with `#`".to_owned());
        }
        if entry.is_empty() {
            return Err("has a sign and nothing behind it".to_owned());
        }
        if is_surt(entry) {
            self.prefixes.push((surt_prefix(entry)?, decision));
            return Ok(());
        }
        let mut url = seed_url(entry)?;
        let login = Login::take(&mut url);
        match decision {
            Decision::Accept => {
                self.urls.push(url);
                self.logins.extend(login);
            }
            Decision::Reject => self.prefixes.push((excluded_prefix(entry, &url), decision)),
        }
        Ok(())
    }
}

/// A SURT has a parenthesis where a URL has its host: `http://(org,`, or, without the scheme, `(org,`.
fn is_surt(entry: &str) -> bool {
    entry.starts_with('(') || entry.split_once("://").is_some_and(|(_, rest)| rest.starts_with('('))
}

/// What a user writes where a prefix is asked for: a SURT prefix, a URL for its folder, a host for itself and all below.
pub(crate) fn any_prefix(entry: &str) -> Result<String, String> {
    let entry = entry.trim();
    // A host has no comma: without its parenthesis it is a SURT still.
    let authority = entry.split_once("://").map_or(entry, |(_, rest)| rest);
    let has_comma = authority.split(['/', ')', '?']).next().is_some_and(|authority| authority.contains(','));
    if is_surt(entry) || has_comma {
        return surt_prefix(entry);
    }
    let url = seed_url(entry)?;
    let is_host = url.path() == "/" && url.query().is_none() && !entry.ends_with('/');
    Ok(if is_host { excluded_prefix(entry, &url) } else { crate::surt::folder(&url) })
}

/// The SURT prefix as it is compared: in lower case, `https` as `http`, `http` where no scheme is said.
pub(crate) fn surt_prefix(entry: &str) -> Result<String, String> {
    let (scheme, rest) = entry.split_once("://").unwrap_or(("http", entry));
    if !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) || scheme.is_empty() {
        return Err("is no SURT prefix: its scheme is none".to_owned());
    }
    let scheme = scheme.to_ascii_lowercase();
    let scheme = if scheme == "https" { "http" } else { &scheme };
    let body = rest.strip_prefix('(').unwrap_or(rest);
    if body.is_empty() || body.starts_with(')') {
        return Err("is no SURT prefix: it names no part of the web".to_owned());
    }
    // Names beyond ASCII are compared in their ASCII form, label by label; paths in their escaped form.
    let (authority, path) = body.split_once(')').map_or((body, None), |(host, path)| (host, Some(path)));
    let mut prefix = format!("{scheme}://(");
    for (index, label) in authority.split(',').enumerate() {
        if index > 0 {
            prefix.push(',');
        }
        prefix.push_str(&ascii_label(label));
    }
    if let Some(path) = path {
        prefix.push(')');
        push_escaped(&mut prefix, path);
    }
    Ok(prefix)
}

fn ascii_label(label: &str) -> String {
    if label.is_ascii() {
        return label.to_ascii_lowercase();
    }
    urlkey::to_ascii(label).unwrap_or_else(|_| label.to_lowercase())
}

/// As a URL's path or query would have it, in lower case.
fn push_escaped(prefix: &mut String, text: &str) {
    for char in text.chars() {
        if char.is_ascii() {
            prefix.push(char.to_ascii_lowercase());
        } else {
            for byte in char.encode_utf8(&mut [0; 4]).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(prefix, "%{byte:02x}");
            }
        }
    }
}

fn seed_url(entry: &str) -> Result<Url, String> {
    let url = Url::parse(&with_scheme(entry)).map_err(|error| format!("is no URL: {error}"))?;
    if url.host_str().is_none_or(str::is_empty) {
        return Err("is no URL of a host".to_owned());
    }
    let mut url = url;
    url.set_fragment(None);
    Ok(url)
}

/// A text with no colon, with a dot before it, or with a port behind it has no scheme.
fn with_scheme(entry: &str) -> String {
    let scheme = entry.split_once(':').is_some_and(|(scheme, rest)| {
        !scheme.contains('.')
            && !scheme.contains('/')
            && !rest.starts_with(|next: char| next.is_ascii_digit())
    });
    if scheme { entry.to_owned() } else { format!("http://{entry}") }
}

/// What `-URL` leaves out: everything that begins with it; a host without a slash goes with all hosts below it.
fn excluded_prefix(entry: &str, url: &Url) -> String {
    let bare_host = url.path() == "/" && url.query().is_none() && !entry.ends_with('/');
    match url.domain() {
        Some(name) if bare_host && url.port().is_none() => crate::surt::below(name),
        _ => crate::surt::surt(url),
    }
}

/// The URL at the top of a prefix, if it names a host that somebody can own.
fn top_of(prefix: &str) -> Option<Url> {
    let (scheme, body) = prefix.split_once("://(")?;
    let (authority, path) = match body.split_once(')') {
        Some((authority, path)) => (authority, path.rsplit_once('/').map_or("", |(folder, _)| folder)),
        None => (body, ""),
    };
    let is_closed = body.contains(')');
    let (labels, port) = authority.split_once(':').map_or((authority, ""), |(labels, port)| (labels, port));
    let host: Vec<&str> = labels.trim_end_matches(',').rsplit(',').collect();
    let host = host.join(".");
    let is_whole = is_closed || (labels.ends_with(',') && urlkey::registrable_domain(&host).is_some());
    let colon = if port.is_empty() { "" } else { ":" };
    is_whole.then(|| Url::parse(&format!("{scheme}://{host}{colon}{port}{path}/")).ok()).flatten()
}
