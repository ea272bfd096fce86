//! Reads and writes the text format of `access.rules`, one rule per line.
//!
//! ```text
//! # Blank lines and what stands behind a # say nothing.
//! on-site 192.0.2.0/24 2001:db8::/32         networks of the house
//! staff   anna ben                           users who may see what is for staff
//! *                    allow                 everything else
//! org,example,         on-site               a domain and all below it
//! org,example)/press   allow                 what begins like this
//! https://www.example.org/a.html  block      this URL alone
//! =org,example)/b.html            block      this key alone, which is the same
//! com,news)/           embargo 365d          for so long after the capture
//! com,news)/           allow from 2015 before 2020
//! com,news)/members    staff
//! net,gone,            exclude
//! net,gone)/           allow for anna        one user only
//! ```

use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};

use crate::error::Error;
use crate::rules::{Rule, RuleSet, Verdict};

/// The parser refuses texts with more lines.
const LINES_MAX: usize = 1_000_000;

const DAY: SignedDuration = SignedDuration::from_hours(24);

impl RuleSet {
    /// Reads rules as people write them; `docs/reference/access.md` says how.
    ///
    /// # Errors
    /// At the first line that is not a rule. A partly understood list would show what it should hide.
    pub fn parse(text: &str) -> Result<RuleSet, Error> {
        let mut rules = RuleSet::default();
        for (number, line) in (1..).zip(text.lines()) {
            let fault = |reason: String| Error::BadLine { line: number, reason };
            if number > LINES_MAX {
                return Err(fault(format!("more than {LINES_MAX} lines")));
            }
            let words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
            rules.add_line(&words.collect::<Vec<_>>()).map_err(fault)?;
        }
        Ok(rules)
    }

    fn add_line(&mut self, words: &[&str]) -> Result<(), String> {
        match words {
            [] => Ok(()),
            ["on-site", networks @ ..] => {
                for network in networks {
                    self.add_network(network.parse().map_err(|error: Error| error.to_string())?);
                }
                Ok(())
            }
            ["staff", users @ ..] => {
                users.iter().for_each(|user| self.add_staff(user));
                Ok(())
            }
            [part, verdict, conditions @ ..] => {
                let (verdict, conditions) = read_verdict(verdict, conditions)?;
                let rule = read_conditions(Rule::of(verdict), conditions)?;
                let (prefix, is_exact) = read_part(part)?;
                self.add(&prefix, is_exact, rule);
                Ok(())
            }
            [part] => Err(format!("`{part}` without a word on who may see it, such as `allow` or `on-site`")),
        }
    }

    /// The rules in the form that [`RuleSet::parse`] reads.
    #[must_use]
    pub fn to_lines(&self) -> String {
        let mut text = String::new();
        for (prefix, is_exact, rule) in self.iter() {
            let part = shown(prefix, is_exact);
            let _ = writeln!(text, "{part} {}", rule_words(rule));
        }
        text
    }
}

fn read_verdict<'a, 'w>(word: &str, rest: &'a [&'w str]) -> Result<(Verdict, &'a [&'w str]), String> {
    Ok(match (word, rest) {
        ("allow", rest) => (Verdict::Allow, rest),
        ("on-site", rest) => (Verdict::OnSite, rest),
        ("staff", rest) => (Verdict::Staff, rest),
        ("block", rest) => (Verdict::Block, rest),
        ("exclude", rest) => (Verdict::Exclude, rest),
        ("embargo", [length, rest @ ..]) => (Verdict::Embargo(read_length(length)?), rest),
        ("embargo", []) => return Err("an embargo without its length, such as `365d`".to_owned()),
        (other, _) => {
            return Err(format!("`{other}` is none of allow, on-site, staff, block, exclude and embargo"));
        }
    })
}

fn read_conditions(mut rule: Rule, mut words: &[&str]) -> Result<Rule, String> {
    while let [name, value, rest @ ..] = words {
        match *name {
            "from" => rule.from = Some(read_time(value)?),
            "before" => rule.before = Some(read_time(value)?),
            "older" => rule.older = Some(read_length(value)?),
            "newer" => rule.newer = Some(read_length(value)?),
            "for" => rule.user = Some((*value).to_owned()),
            other => return Err(format!("`{other}` is none of from, before, older, newer and for")),
        }
        words = rest;
    }
    match words {
        [] => Ok(rule),
        [lone, ..] => Err(format!("`{lone}` without a value")),
    }
}

/// A part of the web: the start of a key, or a URL, which means that URL alone.
fn read_part(part: &str) -> Result<(String, bool), String> {
    if let Some(key) = part.strip_prefix('=') {
        return Ok((key.to_owned(), true));
    }
    if part.contains("://") {
        return urlkey::surt(part).map(|key| (key, true)).map_err(|error| error.to_string());
    }
    let is_key = matches!(part, "*" | "*,") || part.contains([',', ')']);
    if is_key {
        return Ok((part.to_owned(), false));
    }
    Err(format!(
        "`{part}` is no part of the web: write the start of a key (`org,example,` for a domain, `org,example)/a`) or a URL"
    ))
}

pub(crate) fn read_time(text: &str) -> Result<Timestamp, String> {
    let digits: String = text.chars().filter(|letter| *letter != '-').collect();
    let is_sound = (4..=14).contains(&digits.len());
    let time = urlkey::time::parse_14(&digits).ok().filter(|_| is_sound);
    time.ok_or_else(|| format!("`{text}` is no time: write 4 to 14 digits, as in 2019 or 20190501"))
}

fn read_length(text: &str) -> Result<SignedDuration, String> {
    let bad = || {
        format!("`{text}` is no length of time: write days, as in 365d, years, as in 2y, or hours, as in 12h")
    };
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(bad)?;
    let number: u32 = number.parse().map_err(|_| bad())?;
    let days = match unit {
        "d" => u64::from(number),
        "y" => u64::from(number) * 36_525 / 100,
        "h" => return Ok(SignedDuration::from_hours(i64::from(number))),
        "s" => return Ok(SignedDuration::from_secs(i64::from(number))),
        _ => return Err(bad()),
    };
    i32::try_from(days).ok().and_then(|days| DAY.checked_mul(days)).ok_or_else(bad)
}

/// A length of time in the largest unit that says it exactly. Fractions of a second are not worth a word.
fn length_word(length: SignedDuration) -> String {
    let seconds = length.as_secs();
    match (seconds % (24 * 3600), seconds % 3600) {
        (0, _) => format!("{}d", seconds / (24 * 3600)),
        (_, 0) => format!("{}h", seconds / 3600),
        _ => format!("{seconds}s"),
    }
}

/// A prefix as it was written: without the comma that was put behind the host.
fn shown(prefix: &str, is_exact: bool) -> String {
    let key = prefix.replacen(",)", ")", 1).replacen(",:", ":", 1);
    match (key.as_str(), is_exact) {
        ("", _) => "*".to_owned(),
        (key, true) => format!("={key}"),
        (key, false) => key.to_owned(),
    }
}

fn rule_words(rule: &Rule) -> String {
    let mut words = match rule.verdict {
        Verdict::Allow => "allow".to_owned(),
        Verdict::OnSite => "on-site".to_owned(),
        Verdict::Staff => "staff".to_owned(),
        Verdict::Block => "block".to_owned(),
        Verdict::Exclude => "exclude".to_owned(),
        Verdict::Embargo(length) => format!("embargo {}", length_word(length)),
    };
    let time = |at: Timestamp| urlkey::time::to_14(at);
    let conditions = [
        ("from", rule.from.map(time)),
        ("before", rule.before.map(time)),
        ("older", rule.older.map(length_word)),
        ("newer", rule.newer.map(length_word)),
        ("for", rule.user.clone()),
    ];
    for (name, value) in conditions.iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
        let _ = write!(words, " {name} {value}");
    }
    words
}
