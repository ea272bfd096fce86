//! Sets of SURT prefixes that say what belongs to a crawl, an embargo or a licence.
//!
//! Written one to a line, as Heritrix reads them: `+http://(org,example,` takes in, `-http://(org,example,)/private` leaves
//! out, a plain URL or host name implies a prefix, `#` begins a comment. The longest prefix that fits decides.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::surt::full_surt;

/// What a prefix says about the URLs under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// They belong.
    Accept,
    /// They do not.
    Reject,
}

/// A set of SURT prefixes, each with its decision.
///
/// ```
/// use urlkey::{Decision, PrefixSet};
/// let scope = PrefixSet::parse("example.org\n-http://(org,example,)/private/ # by contract\n");
/// assert_eq!(scope.decide("https://www.example.org/a"), Some(Decision::Accept));
/// assert_eq!(scope.decide("http://example.org/private/a"), Some(Decision::Reject));
/// assert_eq!(scope.decide("http://example.com/"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PrefixSet {
    decisions: Prefixes<Decision>,
}

/// What is said of texts by how they begin. Asking takes a few steps, however many prefixes there are.
///
/// ```
/// let mut prefixes = urlkey::Prefixes::default();
/// prefixes.insert("org,example,".to_owned(), 1);
/// prefixes.insert("org,example,)/private".to_owned(), 2);
/// let found: Vec<_> = prefixes.of("org,example,)/private/a").collect();
/// assert_eq!(found, [("org,example,)/private", &2), ("org,example,", &1)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefixes<V> {
    by_prefix: BTreeMap<String, V>,
}

impl<V> Default for Prefixes<V> {
    fn default() -> Prefixes<V> {
        Prefixes { by_prefix: BTreeMap::new() }
    }
}

impl<V> Prefixes<V> {
    /// Says something of a prefix, in the place of what was said before.
    pub fn insert(&mut self, prefix: String, value: V) {
        self.by_prefix.insert(prefix, value);
    }

    /// What is said of exactly this prefix, to be changed; at first the default.
    pub fn entry(&mut self, prefix: String) -> &mut V
    where
        V: Default,
    {
        self.by_prefix.entry(prefix).or_default()
    }

    /// What is said of exactly this prefix.
    pub fn get(&self, prefix: &str) -> Option<&V> {
        self.by_prefix.get(prefix)
    }

    /// All prefixes of a text, the longest first.
    pub fn of<'a, 't>(&'a self, text: &'t str) -> impl Iterator<Item = (&'a str, &'a V)> + use<'a, 't, V> {
        let mut rest = Some(text);
        std::iter::from_fn(move || {
            loop {
                let wanted = rest?;
                // The greatest entry that is not after the text is either its longest prefix or shares with it all that a
                // shorter prefix could consist of.
                let range = (Bound::Unbounded, Bound::Included(wanted));
                let (entry, value) = self.by_prefix.range::<str, _>(range).next_back()?;
                if wanted.starts_with(entry.as_str()) {
                    rest = entry.len().checked_sub(1).map(|end| up_to(wanted, end));
                    return Some((entry.as_str(), value));
                }
                let common =
                    wanted.bytes().zip(entry.bytes()).take_while(|(one, other)| one == other).count();
                rest = Some(up_to(wanted, common));
            }
        })
    }

    /// All prefixes in order, with what is said of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.by_prefix.iter().map(|(prefix, value)| (prefix.as_str(), value))
    }

    /// Is there no prefix at all?
    pub fn is_empty(&self) -> bool {
        self.by_prefix.is_empty()
    }
}

/// The start of a text with at most so many bytes.
fn up_to(text: &str, bytes: usize) -> &str {
    let boundary = (0..=bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.get(..boundary).unwrap_or_default()
}

impl PrefixSet {
    /// Reads lines as the module's head says. Empty lines say nothing.
    pub fn parse(lines: &str) -> PrefixSet {
        let mut set = PrefixSet::default();
        lines.lines().for_each(|line| set.add_line(line));
        set
    }

    /// Adds what one line says.
    pub fn add_line(&mut self, line: &str) {
        // A `#` begins a comment at the start of a line or after a blank; within a URL it is part of it.
        let line = line.trim();
        let entry =
            if line.starts_with('#') { "" } else { line.split_whitespace().next().unwrap_or_default() };
        let (decision, entry) = match entry.strip_prefix('-') {
            Some(rest) => (Decision::Reject, rest),
            None => (Decision::Accept, entry.strip_prefix('+').unwrap_or(entry)),
        };
        if entry.is_empty() {
            return;
        }
        let prefix = if entry.find('(').is_some_and(|at| at > 0) {
            http_for_https(entry.to_lowercase())
        } else {
            implied_prefix(entry)
        };
        self.insert(prefix, decision);
    }

    /// Adds a SURT prefix as it is. A later decision for the same prefix replaces the earlier one.
    pub fn insert(&mut self, prefix: String, decision: Decision) {
        self.decisions.insert(prefix, decision);
    }

    /// The decision of the longest prefix that fits the URL, or `None` if none does. `https` counts as `http`.
    pub fn decide(&self, url: &str) -> Option<Decision> {
        self.longest(&candidate(url)).map(|(_, decision)| decision)
    }

    /// The longest prefix of this SURT that is in the set.
    pub fn longest(&self, surt: &str) -> Option<(&str, Decision)> {
        self.decisions.of(surt).next().map(|(prefix, decision)| (prefix, *decision))
    }

    /// All prefixes in order, with their decisions.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Decision)> {
        self.decisions.iter().map(|(prefix, decision)| (prefix, *decision))
    }

    /// Is there no prefix at all?
    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }
}

/// The prefix that a seed implies, as Heritrix has it: the folder of a URL with a path, the host and all hosts below it
/// for one without. Whether a host is followed by a slash therefore matters.
///
/// ```
/// assert_eq!(urlkey::implied_prefix("example.org"), "http://(org,example,");
/// assert_eq!(urlkey::implied_prefix("https://example.org/"), "http://(org,example,)/");
/// assert_eq!(urlkey::implied_prefix("http://example.org/a/b.html"), "http://(org,example,)/a/");
/// ```
pub fn implied_prefix(seed: &str) -> String {
    let seed = add_http(seed.trim());
    let mut url = clean(&seed);
    if !seed.ends_with('/') && url.ends_with('/') {
        url.pop();
    }
    let mut surt = http_for_https(full_surt(&url));
    let after_scheme = surt.find("//").map_or(0, |at| at + 2);
    match surt.rfind('/').filter(|slash| *slash >= after_scheme) {
        Some(slash) => surt.truncate(slash + 1),
        None => {
            if let Some(end) = surt.rfind(')') {
                surt.remove(end);
            }
        }
    }
    surt
}

/// Every prefix under which a URL may be found, longest first: the URL itself (with a tab, so that it is no prefix of a
/// longer one), without its query, each folder, host, each domain. The scheme is left out.
///
/// ```
/// let steps = urlkey::prefix_search("http://www.archive.org/a?b");
/// assert_eq!(steps[2], "(org,archive,www,)/a");
/// assert_eq!(steps.last().unwrap(), "(org");
/// ```
pub fn prefix_search(url: &str) -> Vec<String> {
    let surt = full_surt(&clean(&add_http(url)));
    let surt = surt.split_once('#').map_or(surt.as_str(), |(surt, _)| surt);
    let surt = surt.split_once("://").map_or(surt, |(_, rest)| rest);
    let (authority, path) = surt.split_once(')').unwrap_or((surt, ""));
    let mut steps = vec![format!("{surt}\t")];
    let (folders, query) = path.split_once('?').unwrap_or((path, ""));
    if !query.is_empty() {
        steps.push(surt.to_owned());
    }
    let mut folder = folders;
    loop {
        steps.push(format!("{authority}){folder}"));
        match folder.rfind('/') {
            Some(slash) if slash > 0 => folder = folder.get(..slash).unwrap_or_default(),
            _ => break,
        }
        // A hostile URL may have any number of folders of any length.
        if steps.len() > 256 || surt.len() > 1 << 14 {
            break;
        }
    }
    push_authority_steps(&mut steps, authority);
    steps
}

fn push_authority_steps(steps: &mut Vec<String>, authority: &str) {
    let mut rest = authority;
    for mark in ['@', ':'] {
        if let Some((before, _)) = rest.split_once(mark) {
            steps.push(rest.to_owned());
            rest = before;
        }
    }
    steps.push(rest.to_owned());
    let mut labels = rest.trim_end_matches(',');
    if labels.len() < rest.len() {
        steps.push(labels.to_owned());
    }
    // No name on the net has more than 127 labels; a made-up one may have a million.
    let count = labels.matches(',').count();
    for _ in 0..count.saturating_sub(127) {
        labels = labels.rsplit_once(',').map_or(labels, |(before, _)| before);
    }
    while let Some((before, _)) = labels.rsplit_once(',') {
        steps.push(before.to_owned());
        labels = before;
    }
}

/// The SURT by which a URL is looked up in a [`PrefixSet`].
pub(crate) fn candidate(url: &str) -> String {
    http_for_https(full_surt(&clean(&add_http(url.trim()))))
}

/// As the fetcher would write it: names in ASCII, dots resolved. What cannot be parsed stays as it is.
fn clean(url: &str) -> String {
    match url::Url::parse(url) {
        Ok(mut parsed) => {
            parsed.set_fragment(None);
            parsed.into()
        }
        Err(_) => url.to_owned(),
    }
}

/// A text with no colon, or with a dot before it, has no scheme.
fn add_http(url: &str) -> String {
    let colon = url.find(':');
    let dot = url.find('.');
    match colon {
        Some(colon) if dot.is_none_or(|dot| dot > colon) => url.to_owned(),
        _ => format!("http://{url}"),
    }
}

fn http_for_https(surt: String) -> String {
    match surt.strip_prefix("https://") {
        Some(rest) => format!("http://{rest}"),
        None => surt,
    }
}
