//! Reads the lines of a robots.txt into the flat form of [`Robots`].

use super::line::{Line, lines};
use super::normal::normal_pattern;
use super::robots::{ALLOW_BIT, Agent, Group, Robots, Rule, Span};
use crate::Limits;

/// Spans count in 32 bits, and escapes make text up to three times as long.
const BYTES_MAX: usize = 1 << 30;

pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Robots {
    let (bytes, is_cut) = within_limit(without_mark(bytes), limits.robots_bytes.min(BYTES_MAX));
    let mut parts = Parts::default();
    let (mut known_lines, mut unknown_lines) = (0, 0);
    for (number, line) in lines(bytes) {
        let line = Line::parse(line.get(..limits.line_bytes).unwrap_or(line));
        match line {
            Line::Nothing => continue,
            Line::Unknown => {
                unknown_lines += 1;
                continue;
            }
            Line::Agent(word) => parts.agent(word),
            Line::Allow(pattern) => {
                let pattern = normal_pattern(pattern);
                parts.rule(&pattern, number | ALLOW_BIT);
                if let Some(folder) = folder_of_index(&pattern) {
                    parts.rule(&folder, number | ALLOW_BIT);
                }
            }
            Line::Disallow(pattern) => parts.rule(&normal_pattern(pattern), number),
            Line::CrawlDelay(value) => parts.delay(milliseconds(value)),
            Line::Sitemap(url) if parts.sitemaps.len() < limits.robots_sitemaps => parts.sitemap(url),
            Line::Sitemap(_) => {}
        }
        known_lines += 1;
    }
    Robots { known_lines, unknown_lines, is_cut, ..parts.finish() }
}

/// A [`Robots`] that grows.
#[derive(Default)]
pub(super) struct Parts {
    text: Vec<u8>,
    agents: Vec<Agent>,
    rules: Vec<Rule>,
    groups: Vec<Group>,
    sitemaps: Vec<Span>,
    /// Whether a rule has come after the names of the last group: the next name then begins another.
    has_rules: bool,
    /// How many agents have had their chance of a delay: those of earlier groups, and those above one in this group.
    settled: usize,
}

impl Parts {
    pub(super) fn agent(&mut self, word: &[u8]) {
        if self.groups.is_empty() || self.has_rules {
            self.has_rules = false;
            self.settled = self.agents.len();
            self.groups.push(Group { agents_end: 0, rules_end: 0 });
            self.close();
        }
        if !word.is_empty() {
            let word = self.text(word);
            self.agents.push(Agent { word, delay_ms: None });
            self.close();
        }
    }

    /// A rule above all names is nobody's. A pattern that no path can begin with matches nothing, but ends the names.
    pub(super) fn rule(&mut self, pattern: &[u8], line_and_allow: u32) {
        if self.groups.is_empty() {
            return;
        }
        self.has_rules = true;
        if matches!(pattern.first(), Some(b'/' | b'*')) {
            let pattern = self.text(pattern);
            self.rules.push(Rule { pattern, line_and_allow });
            self.close();
        }
    }

    /// A delay is for the names above it that have none yet. It does not end them, as no line outside the standard does.
    pub(super) fn delay(&mut self, delay_ms: Option<u32>) {
        if delay_ms.is_none() {
            return;
        }
        for agent in self.agents.get_mut(self.settled..).unwrap_or_default() {
            agent.delay_ms = delay_ms;
        }
        self.settled = self.agents.len();
    }

    pub(super) fn sitemap(&mut self, url: &[u8]) {
        if !url.is_empty() {
            let url = self.text(url);
            self.sitemaps.push(url);
        }
    }

    pub(super) fn finish(self) -> Robots {
        Robots {
            text: self.text.into(),
            agents: self.agents.into(),
            rules: self.rules.into(),
            groups: self.groups.into(),
            sitemaps: self.sitemaps.into(),
            ..Robots::default()
        }
    }

    fn text(&mut self, bytes: &[u8]) -> Span {
        let span = Span { start: small(self.text.len()), length: small(bytes.len()) };
        self.text.extend_from_slice(bytes);
        span
    }

    fn close(&mut self) {
        if let Some(group) = self.groups.last_mut() {
            *group = Group { agents_end: small(self.agents.len()), rules_end: small(self.rules.len()) };
        }
    }
}

/// [`BYTES_MAX`] sees to it that everything fits.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A byte order mark, or the beginning of one: some editors lose its end.
fn without_mark(bytes: &[u8]) -> &[u8] {
    [b"\xEF\xBB\xBF".as_slice(), b"\xEF\xBB", b"\xEF"]
        .iter()
        .find_map(|mark| bytes.strip_prefix(*mark))
        .unwrap_or(bytes)
}

/// What lies within the limit, without a line that it would cut: half of `Allow: /a/b` says something else.
fn within_limit(bytes: &[u8], limit: usize) -> (&[u8], bool) {
    let Some((head, _)) = bytes.split_at_checked(limit).filter(|(_, rest)| !rest.is_empty()) else {
        return (bytes, false);
    };
    let end = memchr::memrchr2(b'\r', b'\n', head).unwrap_or(0);
    (head.get(..end).unwrap_or_default(), true)
}

/// `Allow: /a/index.html` allows `/a/` too, as with Google: it is the same page.
fn folder_of_index(pattern: &[u8]) -> Option<Vec<u8>> {
    let slash = memchr::memrchr(b'/', pattern)?;
    let (folder, page) = pattern.split_at_checked(slash + 1)?;
    page.starts_with(b"index.htm").then(|| [folder, b"$"].concat())
}

/// Seconds with or without a fraction. What is no number, or a negative one, is no delay.
fn milliseconds(value: &[u8]) -> Option<u32> {
    let text = str::from_utf8(value).ok()?;
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| is_plain)?;
    // Turning a float into an integer stops at its ends, and a month is as good as never.
    Some((seconds * 1000.0).ceil() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn robots(text: &[u8]) -> Robots {
        parse(text, &Limits::default())
    }

    #[test]
    fn a_byte_order_mark_or_half_of_it_is_skipped() {
        for mark in [b"\xEF\xBB\xBF".as_slice(), b"\xEF\xBB", b"\xEF"] {
            let text = [mark, b"User-agent: *\nDisallow: /"].concat();
            assert!(!robots(&text).allows("a", "/x").allowed);
        }
        assert_eq!(robots(b"\xEF\x11\xBFUser-agent: *\nDisallow: /").line_counts(), (1, 1));
    }

    #[test]
    fn what_lies_beyond_the_limit_is_left_out_by_whole_lines() {
        let text = b"User-agent: *\nDisallow: /a\nDisallow: /b";
        let cut = parse(text, &Limits { robots_bytes: text.len() - 1, ..Limits::default() });
        assert!(cut.is_cut());
        assert!(!cut.allows("a", "/a").allowed);
        assert!(cut.allows("a", "/b").allowed);
        assert!(!parse(text, &Limits { robots_bytes: text.len(), ..Limits::default() }).is_cut());
    }

    #[test]
    fn long_lines_are_cut() {
        let long = "x".repeat(20_000);
        let text = format!("User-agent: *\nDisallow: /{long}/a");
        assert!(!robots(text.as_bytes()).allows("a", &format!("/{long}/b")).allowed);
    }

    #[test]
    fn sitemaps_are_kept_as_written_up_to_a_limit() {
        let text = b"Sitemap: http://example.org/a.xml\nsitemap: /b.xml\nSitemap:\nSitemap: /c.xml";
        let few = parse(text, &Limits { robots_sitemaps: 2, ..Limits::default() });
        assert_eq!(few.sitemaps().collect::<Vec<_>>(), ["http://example.org/a.xml", "/b.xml"]);
    }

    #[test]
    fn delays_are_seconds_and_nothing_else() {
        for (value, ms) in [("10", Some(10_000)), ("1.5", Some(1500)), ("0", Some(0)), ("1e9", None)] {
            assert_eq!(milliseconds(value.as_bytes()), ms, "{value}");
        }
        for value in ["-1", "nan", "inf", "10s", "1.2.1", ""] {
            assert_eq!(milliseconds(value.as_bytes()), None, "{value}");
        }
        assert_eq!(milliseconds("9".repeat(400).as_bytes()), Some(u32::MAX));
    }

    #[test]
    fn an_allowed_index_page_allows_its_folder() {
        let robots = robots(b"User-agent: *\nDisallow: /\nAllow: /a/index.html");
        assert!(robots.allows("x", "/a/").allowed);
        assert!(!robots.allows("x", "/a/b").allowed);
        assert!(!robots.allows("x", "/a/index.htm").allowed);
    }

    #[test]
    fn rules_above_all_names_are_nobodys() {
        assert!(robots(b"Disallow: /\nUser-agent: *\nDisallow: /a").allows("x", "/b").allowed);
        assert!(robots(b"User-agent:\nDisallow: /").allows("x", "/b").allowed);
    }
}
