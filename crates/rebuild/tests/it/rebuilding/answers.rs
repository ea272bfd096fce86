//! Everything that can be asked of an archive, and what it answers, as texts that can be compared.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use archive::{Archive, Error, Form, Found};
use cdx::Capture;
use index::Snapshot;
use urlkey::Match;

/// The answer to each question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answers(pub(crate) BTreeMap<String, String>);

impl Answers {
    /// Opens the archive as a new process would, and asks.
    pub(crate) fn of(folder: &Path) -> Answers {
        let archive = Archive::open(folder).unwrap();
        let mut answers = Answers(BTreeMap::new());
        answers.add("collections", archive.collections().unwrap().join(" "));
        for name in archive.collections().unwrap() {
            let snapshot = archive.collection(&name).unwrap().unwrap().snapshot().unwrap();
            answers.ask_all(&archive, &name, &snapshot);
        }
        answers
    }

    /// With the differences, where there are any.
    #[track_caller]
    pub(crate) fn check(&self, others: &Answers, what: &str) {
        let questions: BTreeSet<&String> = self.0.keys().chain(others.0.keys()).collect();
        let different =
            questions.into_iter().filter(|question| self.0.get(*question) != others.0.get(*question));
        let told: Vec<String> = different
            .map(|question| {
                format!("{question}\n  {:?}\n  {:?}", self.0.get(question), others.0.get(question))
            })
            .collect();
        assert!(
            told.is_empty(),
            "{what}: {} answers differ:\n{}",
            told.len(),
            told[..told.len().min(5)].join("\n")
        );
    }

    fn add(&mut self, question: impl Into<String>, answer: impl Into<String>) {
        self.0.insert(question.into(), answer.into());
    }

    fn ask_all(&mut self, archive: &Archive, name: &str, snapshot: &Snapshot) {
        for (number, commit) in snapshot.commits().iter().enumerate() {
            self.add(format!("{name} commit {number}"), format!("{commit:?}"));
            let notes = archive.notes(&commit.name).map_err(|error| error.to_string());
            self.add(format!("notes of {}", commit.name), format!("{notes:?}"));
        }
        self.add(format!("{name} aliases"), format!("{:?}", snapshot.aliases().collect::<Vec<_>>()));
        let all = urlkey::KeyRange { start: String::new(), end: String::new() };
        let rows: Vec<Capture<'static>> = snapshot.range(&all).map(Result::unwrap).collect();
        self.add(format!("{name} rows"), lines(rows.iter().cloned()));
        self.add(format!("{name} backwards"), lines(snapshot.range_backwards(&all).map(Result::unwrap)));
        for row in &rows {
            self.ask(archive, name, snapshot, row);
        }
    }

    fn ask(&mut self, archive: &Archive, name: &str, snapshot: &Snapshot, row: &Capture<'_>) {
        let (key, url) = (row.key.as_deref().unwrap_or_default(), row.url.as_deref().unwrap_or_default());
        let time = urlkey::time::parse_14_clamped(&row.timestamp.unwrap().to_string());
        let place = format!("{name} {:?} {:?}", row.filename, row.offset);
        self.add(format!("{place} payload"), payload(archive.found(row, snapshot)));
        if let Some(digest) = &row.digest {
            self.add(format!("{name} {digest}"), one(snapshot.by_digest(digest).unwrap()));
        }
        for (shift, word) in [(-3, "before"), (0, "at"), (3, "after")] {
            let at = if shift < 0 {
                time - Duration::from_secs(3)
            } else {
                time + Duration::from_secs(shift as u64)
            };
            self.add(format!("{name} {key} {word} {time}"), one(snapshot.nearest(key, at).unwrap()));
        }
        let question = format!("{name} latest {url}");
        if self.0.contains_key(&question) {
            return;
        }
        self.add(question, one(snapshot.latest(url).unwrap()));
        self.add(format!("{name} get {url}"), which(archive.get_from(snapshot, url, None)));
        self.add(format!("{name} get {url} {time}"), which(archive.get_from(snapshot, url, Some(time))));
        self.add(
            format!("{name} times {key}"),
            lines(snapshot.versions_with_aliases(key, None).map(Result::unwrap)),
        );
        for kind in [Match::Exact, Match::Prefix, Match::Host, Match::Domain] {
            // Many URLs have one host.
            let Ok(range) = urlkey::key_range(url, kind) else { continue };
            let question = format!("{name} from {} to {}", range.start, range.end);
            if !self.0.contains_key(&question) {
                self.add(question, lines(snapshot.range(&range).map(Result::unwrap)));
            }
        }
    }
}

fn one(row: Option<Capture<'static>>) -> String {
    lines(row.into_iter())
}

fn lines(rows: impl Iterator<Item = Capture<'static>>) -> String {
    let mut text = Vec::new();
    for row in rows {
        row.write_cdxj(&mut text);
        text.push(b'\n');
    }
    String::from_utf8(text).unwrap()
}

/// Which capture it is.
fn which(found: Result<Option<Found>, Error>) -> String {
    match found {
        Ok(Some(Found { row, url, at, mime, original, .. })) => {
            format!("{url} {at} {mime} {:?} {:?} {original:?}", row.filename, row.offset)
        }
        Ok(None) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// What a capture is, and its payload both as it was sent and decoded.
fn payload(found: Result<Option<Found>, Error>) -> String {
    let Ok(Some(found)) = found else { return which(found) };
    let read = |form| {
        let mut bytes = Vec::new();
        let read = found.payload(form).map(|mut payload| payload.read_to_end(&mut bytes));
        let digest = warc::Digest::of(warc::Algorithm::Sha256, &bytes);
        format!(
            "{:?} {digest}",
            read.map(|read| read.map_err(|error| error.to_string())).map_err(|error| error.to_string())
        )
    };
    let read = format!("{} {}", read(Form::Sent), read(Form::Decoded));
    format!("{} {read}", which(Ok(Some(found))))
}
