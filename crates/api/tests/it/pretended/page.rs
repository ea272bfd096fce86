//! A page that is only pretended: what its server would answer, and how it was before.

use api::Error;
use api::watches::{CheckRow, Compared, DayRow, DifferenceRow, VersionRow};
use diff::{Document, Habits, Limits, RuleSet, Rules};
use jiff::Timestamp;

#[derive(Default)]
pub(super) struct Page {
    /// Its media type and what it says; `None` if nobody answers.
    pub(super) live: Option<(String, Vec<u8>)>,
    pub(super) versions: Vec<(VersionRow, Vec<u8>)>,
    pub(super) checks: Vec<CheckRow>,
}

impl Page {
    pub(super) fn check(&mut self, id: i64, url: &str, now: Timestamp) -> CheckRow {
        let newest = self.versions.last().map(|(row, bytes)| (row.number, bytes.clone()));
        let (outcome, version) = match (&self.live, newest) {
            (None, newest) => ("unreachable", newest.map(|(number, _)| number)),
            (Some((_, bytes)), Some((number, known))) if known == *bytes => ("unchanged", Some(number)),
            (Some((media_type, bytes)), newest) => {
                let number = newest.map_or(1, |(number, _)| number + 1);
                let row = VersionRow {
                    number,
                    time: now.to_string(),
                    timestamp: now.strftime("%Y%m%d%H%M%S").to_string(),
                    sha256: format!("{number:064x}"),
                    length: bytes.len() as u64,
                    media_type: media_type.clone(),
                    url: url.to_owned(),
                };
                self.versions.push((row, bytes.clone()));
                (if number == 1 { "first" } else { "changed" }, Some(number))
            }
        };
        let is_there = outcome != "unreachable";
        let held = self.versions.last().filter(|_| is_there).map(|(row, _)| row);
        let row = CheckRow {
            id,
            url: url.to_owned(),
            time: now.to_string(),
            outcome,
            available: is_there,
            changed: outcome == "changed",
            status: is_there.then_some(200),
            final_url: None,
            redirects: 0,
            version,
            sha256: held.map(|row| row.sha256.clone()),
            length: held.map(|row| row.length),
            took_ms: 42,
            why: (!is_there).then(|| "nobody answers".to_owned()),
            faults: Vec::new(),
            repeated: false,
        };
        self.checks.push(row.clone());
        row
    }

    pub(super) fn bytes(&self, number: u32) -> Option<(String, Vec<u8>)> {
        let found = self.versions.iter().find(|(row, _)| row.number == number);
        found.map(|(row, bytes)| (row.media_type.clone(), bytes.clone()))
    }

    pub(super) fn patch(&self, from: u32, to: u32) -> Option<Vec<u8>> {
        let (from, to) = (self.bytes(from)?.1, self.bytes(to)?.1);
        let patch = diff::patch::make(&from, &to, diff::patch::Effort::Quick, &Limits::default());
        patch.ok().map(|patch| patch.bytes)
    }

    pub(super) fn days(&self, from: jiff::civil::Date) -> Vec<DayRow> {
        let mut days: Vec<DayRow> = Vec::new();
        for check in &self.checks {
            let day = check.time.get(..10).unwrap_or_default().to_owned();
            if day < from.to_string() {
                continue;
            }
            if days.last().is_none_or(|last| last.day != day) {
                days.push(DayRow { day, checks: 0, available: 0, changed: 0 });
            }
            if let Some(last) = days.last_mut() {
                last.checks += 1;
                last.available += u32::from(check.available);
                last.changed += u32::from(check.changed);
            }
        }
        days
    }
}

fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/") || media_type.ends_with("json")
}

fn document(media_type: &str, bytes: &[u8]) -> Document {
    Document::of_type(media_type, &String::from_utf8_lossy(bytes), &Limits::default()).unwrap()
}

/// What rules keep of a document.
pub(super) fn kept(media_type: &str, bytes: &[u8], rules: &RuleSet) -> String {
    let rules = Rules::new(rules, &Limits::default()).unwrap();
    rules.text(&document(media_type, bytes)).unwrap()
}

/// What differs between two versions.
pub(super) fn compared(
    url: &str,
    page: &Page,
    (before, after): (VersionRow, VersionRow),
    rules: &RuleSet,
) -> Result<Compared, Error> {
    let (old_type, old) = page.bytes(before.number).unwrap();
    let (new_type, new) = page.bytes(after.number).unwrap();
    let patch_bytes = page.patch(before.number, after.number).map(|patch| patch.len() as u64);
    let mut row = DifferenceRow {
        url: url.to_owned(),
        empty: old == new,
        changed: None,
        meaningful: old != new,
        text: is_text(&old_type) && is_text(&new_type),
        coarse: false,
        words: 0,
        share: 0.0,
        findings: Vec::new(),
        left_out: Vec::new(),
        fired: Vec::new(),
        patch_bytes,
        before,
        after,
    };
    if !row.text {
        return Ok(Compared { row, old_text: String::new(), new_text: String::new() });
    }
    let ready = Rules::new(rules, &Limits::default()).map_err(|error| Error::bad(error.to_string()))?;
    let (old_page, new_page) = (document(&old_type, &old), document(&new_type, &new));
    let outcome = diff::compare(&old_page, &new_page, &ready, &Habits::default()).unwrap();
    row.meaningful = outcome.is_meaningful();
    (row.coarse, row.words, row.share) = (outcome.coarse, outcome.words, outcome.share);
    row.findings = outcome.findings().cloned().collect();
    row.left_out = outcome.left_out().cloned().collect();
    row.fired = outcome.fired.iter().flatten().map(|fired| fired.what.clone()).collect();
    let (old_text, new_text) = (kept(&old_type, &old, rules), kept(&new_type, &new, rules));
    Ok(Compared { row, old_text, new_text })
}
