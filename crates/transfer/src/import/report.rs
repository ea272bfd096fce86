//! What became of an import, file by file.

use archive::Committed;
use warc::Fault;

/// What became of an import.
#[derive(Debug, Default)]
pub struct Report {
    /// Every file, in the order in which they were found; those that could not even be opened last.
    pub files: Vec<FileReport>,
    /// Every package.
    pub packages: Vec<PackageReport>,
    /// What was committed; `None` if there was nothing new.
    pub committed: Option<Committed>,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// Its path; in a package, the path in it behind a `!`.
    pub name: String,
    /// How long it is.
    pub bytes: u64,
    /// What was done with it.
    pub outcome: Outcome,
    /// SHA-256 in lower-case hex; empty if it was not read.
    pub sha256: String,
    /// Its records.
    pub records: u64,
    /// Its lines in the index.
    pub captures: u64,
    /// What is wrong with it: what is damage, and of the rest some.
    pub faults: Vec<Fault>,
    /// How many faults there are.
    pub fault_count: u64,
}

/// What was done with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It lies in the store, under this name.
    Imported(String),
    /// It lies where it was, and is known under this name.
    Referenced(String),
    /// The store had it already, under this name, and so had the collection.
    Known(String),
    /// The store had it already, under this name; its captures are in the collection now, too.
    Indexed(String),
    /// What is readable of it lies in the store, under this name.
    Salvaged(String),
    /// It is damaged, and nothing of it was taken.
    Damaged,
    /// It could not be read at all, for this reason.
    Failed(String),
}

/// What was found in a package.
#[derive(Debug, Clone, PartialEq)]
pub struct PackageReport {
    /// Its path; in another package, the path in it behind a `!`.
    pub name: String,
    /// Everything that is wrong with it; empty, and `refused`, if it could not be opened.
    pub report: wacz::Report,
    /// Why nothing of it was looked at: it is no package, or one that could hurt.
    pub refused: Option<String>,
    /// Its directory is missing or damaged; archive files before it may be salvaged.
    pub breaks_off: bool,
}

impl Report {
    /// Whether everything that was named is in the archive now: whole, or as much of it as is readable where that was wanted.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let is_in = |file: &FileReport| !matches!(file.outcome, Outcome::Damaged | Outcome::Failed(_));
        self.files.iter().all(is_in) && self.packages.iter().all(PackageReport::is_valid)
    }
}

impl FileReport {
    pub(super) fn of(name: &str, bytes: u64) -> FileReport {
        FileReport {
            name: name.to_owned(),
            bytes,
            outcome: Outcome::Damaged,
            sha256: String::new(),
            records: 0,
            captures: 0,
            faults: Vec::new(),
            fault_count: 0,
        }
    }

    pub(super) fn failed(name: &str, bytes: u64, why: String) -> FileReport {
        FileReport { outcome: Outcome::Failed(why), ..FileReport::of(name, bytes) }
    }
}

impl PackageReport {
    pub(super) fn of(name: &str, report: wacz::Report) -> PackageReport {
        PackageReport { name: name.to_owned(), report, refused: None, breaks_off: false }
    }

    pub(super) fn refused(name: &str, error: &wacz::Error) -> PackageReport {
        let report = wacz::Report::default();
        let why = match error {
            wacz::Error::Read(source) => format!("{error}: {source}"),
            error => error.to_string(),
        };
        PackageReport { name: name.to_owned(), report, refused: Some(why), breaks_off: false }
    }

    /// Whether it is as it should be.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.refused.is_none() && self.report.is_valid()
    }
}
