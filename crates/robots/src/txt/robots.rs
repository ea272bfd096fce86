//! A robots.txt as it is kept: flat, because a crawl keeps hundreds of thousands of them.
//!
//! ```text
//! text    |archive.org_bot|*|/private|/*.php$|http://example.org/sitemap.xml|
//! agents  a span of the text and a delay each           ┐ a group is a run of agents
//! rules   a span of the text, a line, allow or not each ┘ and a run of rules
//! ```

use std::time::Duration;

use super::path::path_of;
use super::{agent, normal, parse, pattern};
use crate::Limits;

/// The rules of one site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Robots {
    pub(super) text: Box<[u8]>,
    pub(super) agents: Box<[Agent]>,
    pub(super) rules: Box<[Rule]>,
    pub(super) groups: Box<[Group]>,
    pub(super) sitemaps: Box<[Span]>,
    pub(super) known_lines: u32,
    pub(super) unknown_lines: u32,
    pub(super) is_cut: bool,
}

/// Whether a URL may be fetched, and what decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it may.
    pub allowed: bool,
    /// The line of the rule that decided, counted from 1; `None` where no rule matched.
    pub line: Option<usize>,
}

impl Verdict {
    /// Nothing speaks against it.
    pub(crate) const FREE: Verdict = Verdict { allowed: true, line: None };
    /// Everything is closed, by no rule in particular.
    pub(crate) const CLOSED: Verdict = Verdict { allowed: false, line: None };
}

/// A piece of [`Robots::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) length: u32,
}

/// A `User-agent` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Agent {
    pub(super) word: Span,
    pub(super) delay_ms: Option<u32>,
}

/// An `Allow` or `Disallow` line. The highest bit of `line_and_allow` is set for `Allow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) pattern: Span,
    pub(super) line_and_allow: u32,
}

pub(super) const ALLOW_BIT: u32 = 1 << 31;

/// Some `User-agent` lines and the rules below them. It begins where the group before it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) agents_end: u32,
    pub(super) rules_end: u32,
}

impl Robots {
    /// Reads a robots.txt. There are no wrong ones: what is not understood is passed over, as the standard asks.
    #[must_use]
    pub fn parse(bytes: &[u8], limits: &Limits) -> Robots {
        parse::parse(bytes, limits)
    }

    /// Whether a crawler may fetch a URL or path. Names of one crawler are separated by commas; a version behind `/`
    /// does not count. See [`path_of`](crate::path_of) for how a URL is read.
    ///
    /// The longest pattern that matches decides, and `Allow` where two are as long. robots.txt itself is always allowed.
    #[must_use]
    pub fn allows(&self, names: &str, url: &str) -> Verdict {
        let path = path_of(url);
        if path == "/robots.txt" {
            return Verdict::FREE;
        }
        let path = normal::normal_path(path.as_bytes());
        let mut best: Option<&Rule> = None;
        for rule in self.chosen(names).flat_map(|(_, rules)| rules) {
            // Looking at the rank first spares most of the matching.
            if best.is_none_or(|best| rule.rank() > best.rank())
                && pattern::matches(self.at(rule.pattern), &path)
            {
                best = Some(rule);
            }
        }
        best.map_or(Verdict::FREE, |rule| Verdict {
            allowed: rule.is_allow(),
            line: usize::try_from(rule.line_and_allow & !ALLOW_BIT).ok(),
        })
    }

    /// How long to wait between two requests; where several lines say it, the longest time.
    #[must_use]
    pub fn crawl_delay(&self, names: &str) -> Option<Duration> {
        let everybody = !self.is_named(names);
        let meant = |agent: &&Agent| self.is_meant(agent, names, everybody);
        let delays = self.agents.iter().filter(meant).filter_map(|agent| agent.delay_ms);
        delays.max().map(|ms| Duration::from_millis(ms.into()))
    }

    /// The `Sitemap` lines, as they are written. They hold for every crawler.
    pub fn sitemaps(&self) -> impl Iterator<Item = String> {
        self.sitemaps.iter().map(|span| String::from_utf8_lossy(self.at(*span)).into_owned())
    }

    /// Whether the file was longer than the limit, so that its end was not read.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// How many lines say something that a crawler knows, and how many do not. A file with none of the first is likely
    /// no robots.txt but a page saying that there is none.
    #[must_use]
    pub fn line_counts(&self) -> (usize, usize) {
        (self.known_lines as usize, self.unknown_lines as usize)
    }

    /// The same without what is meant for others, for keeping: it answers every name as it would answer this one.
    #[must_use]
    pub fn only_for(&self, names: &str) -> Robots {
        let mut kept = parse::Parts::default();
        kept.agent(b"*");
        kept.delay(self.crawl_delay(names).and_then(|delay| u32::try_from(delay.as_millis()).ok()));
        for rule in self.chosen(names).flat_map(|(_, rules)| rules) {
            kept.rule(self.at(rule.pattern), rule.line_and_allow);
        }
        for sitemap in &self.sitemaps {
            kept.sitemap(self.at(*sitemap));
        }
        Robots {
            known_lines: self.known_lines,
            unknown_lines: self.unknown_lines,
            is_cut: self.is_cut,
            ..kept.finish()
        }
    }

    /// Bytes that this takes beyond the value itself.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.text.len()
            + size_of_val(&*self.agents)
            + size_of_val(&*self.rules)
            + size_of_val(&*self.groups)
            + size_of_val(&*self.sitemaps)
    }

    /// The groups for a crawler: those that name it, or else those for everybody.
    fn chosen<'a>(&'a self, names: &'a str) -> impl Iterator<Item = (&'a [Agent], &'a [Rule])> {
        let everybody = !self.is_named(names);
        self.each_group()
            .filter(move |(agents, _)| agents.iter().any(|agent| self.is_meant(agent, names, everybody)))
    }

    fn each_group(&self) -> impl Iterator<Item = (&[Agent], &[Rule])> {
        let (mut agents, mut rules) = (0, 0);
        self.groups.iter().map(move |group| {
            let (agents_end, rules_end) = (group.agents_end as usize, group.rules_end as usize);
            let run = (
                self.agents.get(agents..agents_end).unwrap_or_default(),
                self.rules.get(rules..rules_end).unwrap_or_default(),
            );
            (agents, rules) = (agents_end, rules_end);
            run
        })
    }

    fn is_named(&self, names: &str) -> bool {
        self.agents.iter().any(|agent| agent::is_meant(self.at(agent.word), names))
    }

    fn is_meant(&self, agent: &Agent, names: &str, everybody: bool) -> bool {
        let word = self.at(agent.word);
        if everybody { word == b"*" } else { agent::is_meant(word, names) }
    }

    fn at(&self, span: Span) -> &[u8] {
        let start = span.start as usize;
        self.text.get(start..start + span.length as usize).unwrap_or_default()
    }
}

impl Rule {
    fn is_allow(&self) -> bool {
        self.line_and_allow & ALLOW_BIT != 0
    }

    /// What decides between rules that match: the length of the pattern, then `Allow`.
    fn rank(&self) -> (u32, bool) {
        (self.pattern.length, self.is_allow())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn robots(text: &str) -> Robots {
        Robots::parse(text.as_bytes(), &Limits::default())
    }

    #[track_caller]
    fn check(text: &str, names: &str, url: &str, allowed: bool, line: Option<usize>) {
        assert_eq!(robots(text).allows(names, url), Verdict { allowed, line }, "{names} {url}");
        let kept = robots(text).only_for(names);
        assert_eq!(kept.allows("x", url), Verdict { allowed, line }, "kept only for {names}: {url}");
    }

    #[test]
    fn the_longest_match_decides_and_allow_wins_ties() {
        let text = "User-agent: a\nDisallow: /x\nAllow: /x/y\nAllow: /t\nDisallow: /t";
        check(text, "a", "/x/z", false, Some(2));
        check(text, "a", "/x/y", true, Some(3));
        check(text, "a", "/t", true, Some(4));
        check(text, "a", "/", true, None);
    }

    #[test]
    fn groups_of_one_agent_are_merged_and_others_do_not_count() {
        let text = "User-agent: a\nDisallow: /1\nUser-agent: *\nDisallow: /2\nUser-agent: A\nDisallow: /3";
        check(text, "a", "/1", false, Some(2));
        check(text, "a", "/2", true, None);
        check(text, "a", "/3", false, Some(6));
        check(text, "b", "/2", false, Some(4));
        check(text, "b", "/1", true, None);
        check(text, "*", "/2", false, Some(4));
    }

    #[test]
    fn robots_txt_itself_is_always_allowed() {
        check("User-agent: *\nDisallow: /", "a", "http://example.org/robots.txt", true, None);
        check("User-agent: *\nDisallow: /", "a", "http://example.org/robots.txt?x", false, Some(2));
    }

    #[test]
    fn a_name_without_rules_is_free_all_the_same() {
        check("User-agent: *\nDisallow: /\nUser-agent: a", "a", "/x", true, None);
    }

    #[test]
    fn a_delay_holds_for_the_names_above_it() {
        let text =
            "User-agent: a\nCrawl-delay: 1.5\nUser-agent: b\nDisallow: /\nUser-agent: a\nCrawl-delay: 0.5";
        assert_eq!(robots(text).crawl_delay("a"), Some(Duration::from_millis(1500)));
        assert_eq!(robots(text).crawl_delay("b"), None);
        assert_eq!(robots(text).only_for("a").crawl_delay("a"), Some(Duration::from_millis(1500)));
        // The line between two names does not part them: both have the rule.
        check(text, "a", "/x", false, Some(4));
    }

    #[test]
    fn keeping_what_is_meant_for_one_takes_little_room() {
        let mut text = String::new();
        for number in 0..300 {
            text.push_str(&format!("User-agent: bot-number-{number}\nDisallow: /\n"));
        }
        text.push_str("User-agent: *\nDisallow: /private/\nDisallow: /*.php$\n");
        let kept = robots(&text).only_for("varve");
        assert!(kept.heap_bytes() < 100, "{}", kept.heap_bytes());
    }
}
