//! A change in one line, for a subject or a list.

use super::findings::stretches;
use super::fragment::fit;
use super::stretches::beginning;
use crate::{Finding, Kind, Outcome, What};

/// The longest summary.
const CHARS_MAX: usize = 120;

/// The most that it cites.
const CITED_CHARS_MAX: usize = 60;

impl Outcome {
    /// What changed, in one line of at most 120 characters, none of them a control character: `2 words changed: “sold out”`. If triggers
    /// were set off, it says what they say.
    ///
    /// ```
    /// # use diff::{Document, Habits, Limits, Rules, compare};
    /// # let limits = Limits::default();
    /// let old = Document::text("Cod: 12 left\n");
    /// let new = Document::text("Cod: sold out\n");
    /// let outcome = compare(&old, &new, &Rules::none(&limits), &Habits::default())?;
    /// assert_eq!(outcome.summary(), "2 words changed: “sold out”");
    /// # Ok::<(), diff::Error>(())
    /// ```
    #[must_use]
    pub fn summary(&self) -> String {
        let fired: Vec<&str> = self.fired.iter().flatten().map(|fired| fired.what.as_str()).collect();
        if !fired.is_empty() {
            return line(&fired.join(", "), CHARS_MAX);
        }
        let mut findings = self.findings().peekable();
        let Some(first) = findings.peek() else { return "nothing changed".to_owned() };
        let what = first.what;
        let cited = self.findings().take(20).map(cited).find(|cited| !cited.is_empty());
        let what = if findings.all(|finding| finding.what == what) { what } else { What::Changed };
        let what = match what {
            What::Added => "added",
            What::Removed => "removed",
            What::Moved => "moved",
            What::Changed => "changed",
        };
        let words = if self.words == 1 { "word" } else { "words" };
        let summary = format!("{} {words} {what}", self.words);
        cited.map_or(summary.clone(), |cited| format!("{summary}: “{cited}”"))
    }
}

/// What is new in a finding, or what went if nothing is.
fn cited(finding: &Finding) -> String {
    let stretches = stretches(finding, &mut 20_000);
    let of = |kind: Kind| {
        let texts = stretches.iter().filter(|stretch| stretch.kind == kind);
        texts.map(|stretch| line(&stretch.text, CITED_CHARS_MAX)).find(|text| !text.is_empty())
    };
    let kinds = match finding.what {
        What::Moved => [Kind::Same, Kind::Same],
        _ => [Kind::Added, Kind::Removed],
    };
    kinds.into_iter().find_map(of).unwrap_or_default()
}

/// A text on one line.
fn line(text: &str, chars_max: usize) -> String {
    // What is cut off is not looked at.
    let fit: String = text.chars().take(chars_max * 8).filter_map(fit).collect();
    let mut line = String::new();
    for word in fit.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    beginning(&line, chars_max - 1)
}

#[cfg(test)]
mod tests {
    use crate::{Document, Habits, Limits, RuleSet, Rules, compare};

    #[track_caller]
    fn check(old: &str, new: &str, expect: &str) {
        let limits = Limits::default();
        let page = |text: &str| Document::page(text, &limits);
        let outcome = compare(&page(old), &page(new), &Rules::none(&limits), &Habits::default()).unwrap();
        assert_eq!(outcome.summary(), expect);
    }

    #[test]
    fn one_line_says_what_changed() {
        check("<p>a", "<p>a", "nothing changed");
        check("<p>Cod is in", "<p>Cod is out", "1 word changed: “out”");
        check("<p>Cod", "<p>Cod<p>Eel\n is in", "3 words added: “Eel is in”");
        check("<p>Cod<p>Eel is in", "<p>Cod", "3 words removed: “Eel is in”");
        check("<p>Cod is in<p>Eel", "<p>Eel<p>Cod is in", "3 words moved: “Cod is in”");
        check("<p>Cod is a fish now", "<p>Cod is a fish", "1 word changed: “now”");
        let long = "word ".repeat(100);
        check("<p>Cod", &format!("<p>Cod<p>{long}"), &format!("100 words added: “{}…”", &long[..59]));
    }

    #[test]
    fn triggers_come_first() {
        let limits = Limits::default();
        let set = RuleSet { triggers: vec!["appears sold\tout".parse().unwrap()], ..RuleSet::default() };
        let rules = Rules::new(&set, &limits).unwrap();
        let (old, new) = (Document::text("12 left"), Document::text("sold\tout"));
        let outcome = compare(&old, &new, &rules, &Habits::default()).unwrap();
        assert_eq!(outcome.summary(), "`sold out` appeared");
    }
}
