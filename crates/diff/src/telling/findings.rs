//! What changed, finding by finding, for letters, feeds and pages.

use super::fragment::{Form, Fragment};
use super::stretches::{Stretch, beginning, changed};
use crate::{Finding, Kind, Limits, Outcome, What};

/// So much is shown of what only moved.
const MOVED_CHARS_MAX: usize = 200;

impl Outcome {
    /// What changed, in reading order, a paragraph for each finding, in at most so many bytes. Words that went stand in `[-…-]`, words
    /// that came in `{+…+}`. Noise is left out.
    ///
    /// ```
    /// # use diff::{Document, Habits, Limits, Rules, compare};
    /// # let limits = Limits::default();
    /// let old = Document::page("<h1>Fish</h1><p>Cod: 12 left</p>", &limits);
    /// let new = Document::page("<h1>Fish</h1><p>Cod: sold out</p><p>Eel is in.</p>", &limits);
    /// let outcome = compare(&old, &new, &Rules::none(&limits), &Habits::default())?;
    /// assert_eq!(outcome.text(1000), "Cod: [-12 left-] {+sold out+}\n\nAdded: {+Eel is in.+}\n\n");
    /// # Ok::<(), diff::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self, bytes_max: usize) -> String {
        self.told(Form::Text, bytes_max)
    }

    /// The same as HTML that can be put into any page: of elements it has `<p>`, `<del>`, `<ins>` and `<br>`, of attributes none.
    ///
    /// ```
    /// # use diff::{Document, Habits, Limits, Rules, compare};
    /// # let limits = Limits::default();
    /// let old = Document::page("<h1>Fish</h1><p>Cod: 12 left</p>", &limits);
    /// let new = Document::page("<h1>Fish</h1><p>Cod: sold out</p>", &limits);
    /// let outcome = compare(&old, &new, &Rules::none(&limits), &Habits::default())?;
    /// assert_eq!(outcome.html(1000), "<p>Cod: <del>12 left</del> <ins>sold out</ins></p>\n");
    /// # Ok::<(), diff::Error>(())
    /// ```
    #[must_use]
    pub fn html(&self, bytes_max: usize) -> String {
        self.told(Form::Html, bytes_max)
    }

    fn told(&self, form: Form, bytes_max: usize) -> String {
        let mut fragment = Fragment::new(form, bytes_max);
        let mut words_left = Limits::default().refined_tokens_max;
        let mut findings = self.findings();
        let mut left_out = 0;
        for finding in findings.by_ref() {
            if !fragment.begin() {
                left_out = 1;
                break;
            }
            fragment.push(Kind::Same, &label(finding));
            for stretch in stretches(finding, &mut words_left) {
                fragment.push(stretch.kind, &stretch.text);
            }
            fragment.end();
        }
        fragment.finish(left_out + findings.count())
    }
}

/// What a finding says, with what changed marked.
pub(super) fn stretches(finding: &Finding, words_left: &mut usize) -> Vec<Stretch> {
    match finding.what {
        // All of it is where it was not, and nothing of it is new.
        What::Moved => vec![Stretch { kind: Kind::Same, text: beginning(&finding.new, MOVED_CHARS_MAX) }],
        _ => changed(finding.old.trim(), finding.new.trim(), words_left),
    }
}

/// What is said before it: what became of it, and where that would not be plain.
fn label(finding: &Finding) -> String {
    let mut label = match finding.what {
        What::Added => "Added: ",
        What::Removed => "Removed: ",
        What::Moved => "Moved: ",
        What::Changed => "",
    }
    .to_owned();
    let path = &finding.path;
    match (&finding.attribute, finding.region) {
        (Some(attribute), _) => {
            let step = path.rsplit('/').next().unwrap_or_default();
            let element = step.split('[').next().unwrap_or_default();
            label.push_str(&format!("{attribute} of {element}: "));
        }
        (None, Some(_)) if path == "title" => label.push_str("Title: "),
        // The path of a value tells more than the value alone; that of an element tells a reader nothing.
        (None, None) if path.starts_with('$') => label.push_str(&format!("{path}: ")),
        _ => {}
    }
    label
}

#[cfg(test)]
mod tests {
    use crate::{Document, Habits, Limits, Outcome, Rules, compare};

    fn of(old: &Document, new: &Document) -> Outcome {
        compare(old, new, &Rules::none(&Limits::default()), &Habits::default()).unwrap()
    }

    #[track_caller]
    fn check(old: &str, new: &str, expect: &str) {
        let page = |text: &str| Document::page(text, &Limits::default());
        assert_eq!(of(&page(old), &page(new)).html(10_000), expect);
    }

    #[test]
    fn what_became_of_a_block_is_said_in_words() {
        check(
            "<title>Fish</title><p>Eel is dear today, and herring is cheap<p>One<p>Two<p>Three<h2>Closed on Monday</h2>",
            "<title>Fishes</title><p>Eel is dear today, and <i>herring</i> is gone<p>Two<p>Three<p>One<p>Hake &amp; chips",
            "<p>Title: <del>Fish</del> <ins>Fishes</ins></p>\n\
             <p>Eel is dear today, and herring is <del>cheap</del> <ins>gone</ins></p>\n\
             <p>Moved: One</p>\n\
             <p>Added: <ins>Hake &amp; chips</ins></p>\n\
             <p>Removed: <del>Closed on Monday</del></p>\n",
        );
    }

    #[test]
    fn attributes_are_named() {
        check(
            "<p>Our <a href=/eels>menu</a>",
            "<p>Our <a href=/hakes>menu</a>",
            "<p>href of a: <del>/eels</del> <ins>/hakes</ins></p>\n",
        );
    }

    #[test]
    fn values_are_told_with_their_paths() {
        let limits = Limits::default();
        let old = Document::json(r#"{"fish": {"cod": 12, "eel": 1}}"#, &limits).unwrap();
        let new = Document::json(r#"{"fish": {"cod": 9, "hake": "<2>"}}"#, &limits).unwrap();
        let text = of(&old, &new).text(1000);
        assert!(text.contains("$.fish.cod: [-12-] {+9+}\n\n"), "{text}");
        assert!(text.contains("Removed: $.fish.eel: [-1-]\n\n"), "{text}");
        assert!(text.contains("Added: $.fish.hake: {+<2>+}\n\n"), "{text}");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let old = (0..60).map(|number| format!("line {number}\nsame\n")).collect::<String>();
        let outcome = of(&Document::text(&old), &Document::text(&old.replace("line", "row")));
        for bytes_max in [60, 200, 500] {
            let html = outcome.html(bytes_max);
            let told = html.matches("<p>").count() - 1;
            assert!(
                html.len() <= bytes_max
                    && html.ends_with(&format!("<p>… and {} more changes</p>\n", 60 - told)),
                "{html}"
            );
        }
        assert_eq!(outcome.html(10), "");
        assert_eq!(outcome.html(100_000).matches("<p>").count(), 60);
    }
}
