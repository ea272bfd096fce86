//! Compares two versions of a document under rules, and judges whether the change is worth telling.
//!
//! Everything that differs is a [`Finding`]. What is noise stays in the list, marked with the reason, so that it can be shown.

use serde::Serialize;

use crate::noise::{self, Habits, Noise};
use crate::page::{Change, Region, compare_blocks};
use crate::rules::View;
use crate::{Document, Error, Fired, Limits, Rules, compare_json, lines};

/// What became of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum What {
    /// It came.
    Added,
    /// It went.
    Removed,
    /// It stands somewhere else.
    Moved,
    /// It says something else.
    Changed,
}

/// One thing that differs, whatever the kind of document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What became of it.
    pub what: What,
    /// Where it stands: the path of an element, a JSON path, or the number of a line.
    pub path: String,
    /// The attribute, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Which part of a page it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
    /// What was there.
    pub old: String,
    /// What is there.
    pub new: String,
    /// Why it is left out, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<Noise>,
}

/// What a comparison came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    findings: Vec<Finding>,
    /// Whether a finer answer was not looked for.
    pub coarse: bool,
    /// Words that differ, noise left out.
    pub words: usize,
    /// How large a share of all words that is.
    pub share: f64,
    /// The triggers that were set off; `None` if there are none.
    pub fired: Option<Vec<Fired>>,
    is_enough: bool,
}

impl Outcome {
    /// Whether the change is worth telling. What somebody waits for is, also where it stands among what changes at every visit.
    #[must_use]
    pub fn is_meaningful(&self) -> bool {
        self.is_enough
            && match &self.fired {
                Some(fired) => !fired.is_empty(),
                None => self.findings().next().is_some(),
            }
    }

    /// What differs, noise left out.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.noise.is_none())
    }

    /// What was left out.
    pub fn left_out(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.noise.is_some())
    }

    /// Everything that differs.
    pub fn all(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter()
    }
}

/// Compares two versions of a document.
///
/// ```
/// use diff::{Document, Habits, Limits, Noise, Rules, compare};
///
/// let limits = Limits::default();
/// let old = Document::page("<p>Cod is in.</p><p>1,201 visitors</p><footer>imprint</footer>", &limits);
/// let new = Document::page("<p>Cod is out.</p><p>1,202 visitors</p><footer>legal</footer>", &limits);
/// let outcome = compare(&old, &new, &Rules::none(&limits), &Habits::default())?;
/// assert!(outcome.is_meaningful());
/// assert_eq!(outcome.findings().next().unwrap().new, "Cod is out.");
/// let noise: Vec<_> = outcome.left_out().filter_map(|finding| finding.noise).collect();
/// assert_eq!(noise, [Noise::Counter, Noise::Margin]);
/// # Ok::<(), diff::Error>(())
/// ```
///
/// # Errors
/// If a rule takes too many steps on one of the documents.
pub fn compare(old: &Document, new: &Document, rules: &Rules, habits: &Habits) -> Result<Outcome, Error> {
    let (old_view, new_view) = (rules.view(old)?, rules.view(new)?);
    let limits = &rules.limits;
    let (mut findings, coarse) = match (&old_view, &new_view) {
        (View::Page(old_page, old_blocks), View::Page(new_page, new_blocks)) => {
            let mut changes = compare_blocks((old_page, old_blocks), (new_page, new_blocks), limits);
            if !rules.chooses() && old_page.title() != new_page.title() {
                changes.changes.insert(0, Change::Title { old: old_page.title(), new: new_page.title() });
            }
            let coarse = changes.coarse || old_page.is_cut() || new_page.is_cut();
            (changes.changes.into_iter().map(of_page).collect(), coarse)
        }
        (View::Json(old), View::Json(new)) => {
            let changes = compare_json(old, new, limits);
            let coarse = changes.left_out > 0;
            (changes.changes.into_iter().map(of_json).collect(), coarse)
        }
        // The kind of the document is another one, or it is text.
        (old, new) => of_texts(&old.text(), &new.text(), limits),
    };
    if !rules.noise {
        for finding in &mut findings {
            finding.noise = noise_of(finding, rules, habits);
        }
    }
    let fired = rules.fired(&old_view, &new_view)?;
    let words = findings.iter().filter(|finding| finding.noise.is_none()).map(words_of).sum();
    let all = (count(&old_view.text()) + count(&new_view.text())).max(1);
    let share = (words as f64 / all as f64).min(1.0);
    let is_enough = words >= rules.words_min && share >= rules.share_min;
    Ok(Outcome { findings, coarse, words, share, fired, is_enough })
}

/// Why a finding is left out, if it is.
fn noise_of(finding: &Finding, rules: &Rules, habits: &Habits) -> Option<Noise> {
    if finding.noise == Some(Noise::Unseen) {
        return Some(Noise::Unseen);
    }
    let is_margin = finding.region.is_some_and(|region| region != Region::Main);
    if is_margin && !rules.margins && !rules.chooses() {
        return Some(Noise::Margin);
    }
    // What somebody has chosen counts, also if it is a date, a counter, or different at every visit.
    if !rules.chooses() && habits.expects(finding) {
        return Some(Noise::Habit);
    }
    // What moved says the same; that it moved is a change.
    if finding.what == What::Moved {
        return None;
    }
    if finding.attribute.is_some() && same_place(&finding.old, &finding.new) {
        return Some(Noise::Form);
    }
    noise::judge(&finding.old, &finding.new).filter(|noise| !rules.chooses() || *noise == Noise::Form)
}

/// Whether two addresses lead to the same place, one with and one without its host.
fn same_place(old: &str, new: &str) -> bool {
    let path = |address: &str| -> Option<String> {
        let (_, rest) = address.split_once("://")?;
        Some(rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/").to_owned())
    };
    match (path(old), path(new)) {
        (Some(old_path), None) => old_path == new,
        (None, Some(new_path)) => new_path == old,
        (Some(old_path), Some(new_path)) => {
            let host = |address: &str| {
                address.split_once("://").map(|(_, rest)| rest.trim_start_matches("www.").to_owned())
            };
            old_path == new_path && host(old) == host(new)
        }
        (None, None) => false,
    }
}

fn of_page(change: Change) -> Finding {
    let region = Some(change.region());
    let is_seen = change.is_visible();
    let (old, new) = change.texts();
    let (old, new) = (old.to_owned(), new.to_owned());
    let (what, path, attribute) = match change {
        Change::Title { .. } => (What::Changed, "title".to_owned(), None),
        Change::Added { path, .. } => (What::Added, path, None),
        Change::Removed { path, .. } => (What::Removed, path, None),
        Change::Moved { path, .. } => (What::Moved, path, None),
        Change::Changed { path, .. } => (What::Changed, path, None),
        Change::Attribute { attribute, .. } => {
            let what = match (&attribute.old, &attribute.new) {
                (None, _) => What::Added,
                (_, None) => What::Removed,
                _ => What::Changed,
            };
            (what, attribute.path, Some(attribute.name))
        }
    };
    let noise = (!is_seen).then_some(Noise::Unseen);
    Finding { what, path, attribute, region, old, new, noise }
}

fn of_json(change: crate::JsonChange) -> Finding {
    let shown = |value: &Option<serde_json::Value>| match value {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    let what = match (&change.old, &change.new) {
        (None, _) => What::Added,
        (_, None) => What::Removed,
        _ => What::Changed,
    };
    let (old, new) = (shown(&change.old), shown(&change.new));
    Finding { what, path: change.path, attribute: None, region: None, old, new, noise: None }
}

fn of_texts(old: &str, new: &str, limits: &Limits) -> (Vec<Finding>, bool) {
    let difference = lines(old, new, limits);
    let findings = difference.hunks().iter().map(|hunk| {
        let text = |text: &str| text.trim_end_matches(['\n', '\r']).to_owned();
        let (old, new) =
            (text(difference.old_text(hunk.old.clone())), text(difference.new_text(hunk.new.clone())));
        let what = match (hunk.old.is_empty(), hunk.new.is_empty()) {
            (true, _) => What::Added,
            (_, true) => What::Removed,
            _ => What::Changed,
        };
        let path = format!("line {}", hunk.new.start + 1);
        Finding { what, path, attribute: None, region: None, old, new, noise: None }
    });
    (findings.collect(), difference.is_coarse())
}

fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// How many words differ. What moved counts once, an attribute counts as a word.
fn words_of(finding: &Finding) -> usize {
    if finding.attribute.is_some() {
        return 1;
    }
    match finding.what {
        What::Moved => count(&finding.new),
        What::Added | What::Removed => count(&finding.old) + count(&finding.new),
        What::Changed => {
            let limits = Limits { tokens_max: 20_000, ..Limits::default() };
            let difference = crate::words(&finding.old, &finding.new, &limits);
            let changed = difference.hunks().iter().map(|hunk| {
                count(difference.old_text(hunk.old.clone())).max(count(difference.new_text(hunk.new.clone())))
            });
            changed.sum::<usize>().max(1)
        }
    }
}
