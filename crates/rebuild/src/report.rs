//! What became of a rebuild: what is there again, and what is not.

use std::fmt;

use serde_json::{Value, json};

/// What became of a rebuild.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Jobs that were brought back, also those of an earlier run that this one went on with.
    pub jobs: u64,
    /// How many of them an earlier run had brought back.
    pub jobs_before: u64,
    /// Files that they have, without those of settings and logs.
    pub files: u64,
    /// Bytes of these files.
    pub bytes: u64,
    /// Lines in the indexes.
    pub captures: u64,
    /// Lines of the old indexes whose files are none of the store's: they were kept as they were.
    pub kept: u64,
    /// The collections whose indexes were made, by name.
    pub collections: Vec<String>,
    /// Jobs in the middle of their commit, which is to be brought to its end by whoever began it.
    pub waiting: Vec<String>,
    /// Everything that is not as it was.
    pub problems: Vec<Problem>,
}

/// Something that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The job that it belongs to.
    pub job: String,
    /// The file, as `<job>/<file>`; `None` where it is about the job.
    pub file: Option<String>,
    /// What is wrong.
    pub kind: Kind,
    /// Why we think so.
    pub message: String,
    /// Captures that are not in the index any more because of that.
    pub lost: u64,
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $name:literal;)+) => {
        /// What can be wrong; [`Kind::name`] is stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Kind { $($(#[doc = $doc])+ $kind,)+ }

        impl Kind {
            const ALL: &'static [Kind] = &[$(Kind::$kind,)+];

            /// Stable name, such as `damaged`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Kind::$kind => $name,)+ }
            }
        }
    };
}

kinds! {
    /// A file has another checksum, or cannot be read to its end. Captures whose records are sound are there.
    Damaged = "damaged";
    /// A file is not there. Its captures are not, either.
    Missing = "missing";
    /// A file that lies elsewhere is not there now. Its captures are, for when it comes back.
    Away = "away";
    /// A file has no checksum. Captures whose records are sound are there.
    Unlisted = "unlisted";
    /// A file is damaged or missing here, and sound in another replica. Its captures are there.
    Repairable = "repairable";
    /// Of a job that left no sound list of its captures, lines were made anew from its records, and say less.
    Anew = "anew";
    /// Nothing says to which collection a job belongs, so it is in the first.
    Unplaced = "unplaced";
    /// What says which captures were taken out is lost, and they are found again.
    Returned = "returned";
    /// An index could not be read, and what only it knew is lost. It was moved out of the way.
    Index = "index";
}

impl Report {
    /// Whether everything is there again.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    pub(crate) fn take(&mut self, done: &Done) {
        self.jobs += 1;
        self.files += done.files;
        self.bytes += done.bytes;
        self.captures = (self.captures + done.captures).saturating_sub(done.removed);
        if !self.collections.contains(&done.collection) {
            self.collections.push(done.collection.clone());
            self.collections.sort();
        }
        self.problems.extend(done.problems.iter().cloned());
    }
}

impl Problem {
    pub(crate) fn of_file(kind: Kind, file: &str, message: impl Into<String>) -> Problem {
        let job = file.split('/').next().unwrap_or_default().to_owned();
        Problem { job, file: Some(file.to_owned()), kind, message: message.into(), lost: 0 }
    }

    pub(crate) fn of_job(kind: Kind, job: &str, message: impl Into<String>) -> Problem {
        Problem { job: job.to_owned(), file: None, kind, message: message.into(), lost: 0 }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.file.as_ref().unwrap_or(&self.job);
        write!(f, "{what}: {}: {}", self.kind.name(), self.message)
    }
}

/// A job that is in the new index: a line of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) job: String,
    pub(crate) collection: String,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) captures: u64,
    /// Captures of earlier jobs that it takes out.
    pub(crate) removed: u64,
    pub(crate) problems: Vec<Problem>,
}

impl Done {
    pub(crate) fn to_line(&self) -> String {
        let problem = |Problem { job, file, kind, message, lost }: &Problem| json!({ "job": job, "file": file, "kind": kind.name(), "message": message, "lost": lost });
        let problems: Vec<Value> = self.problems.iter().map(problem).collect();
        let Done { job, collection, files, bytes, captures, removed, .. } = self;
        format!(
            "{}\n",
            json!({
                "job": job, "collection": collection, "files": files, "bytes": bytes, "captures": captures,
                "removed": removed, "problems": problems,
            })
        )
    }

    pub(crate) fn parse(line: &str) -> Option<Done> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
        let count = |value: &Value, name: &str| value.get(name)?.as_u64();
        let problem = |value: &Value| {
            Some(Problem {
                job: text(value, "job")?,
                file: text(value, "file"),
                kind: *Kind::ALL.iter().find(|kind| text(value, "kind").as_deref() == Some(kind.name()))?,
                message: text(value, "message")?,
                lost: count(value, "lost")?,
            })
        };
        Some(Done {
            job: text(&value, "job")?,
            collection: text(&value, "collection")?,
            files: count(&value, "files")?,
            bytes: count(&value, "bytes")?,
            captures: count(&value, "captures")?,
            // Lines of earlier versions do not have it.
            removed: count(&value, "removed").unwrap_or(0),
            problems: value.get("problems")?.as_array()?.iter().map(problem).collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_journal_reads_back() {
        let problems = Kind::ALL.iter().map(|kind| Problem::of_file(*kind, "job/a.warc", "why \"so\"\n"));
        let problems = problems.chain([Problem::of_job(Kind::Anew, "job", "")]).collect();
        let (job, collection) = ("job".to_owned(), "web".to_owned());
        let done = Done { job, collection, files: 1, bytes: 2, captures: 3, removed: 4, problems };
        let line = done.to_line();
        assert_eq!(Done::parse(&line), Some(done));
        // A line that a crash has cut is none.
        for length in 0..line.len() - 1 {
            assert_eq!(line.get(..length).and_then(Done::parse), None);
        }
    }
}
