//! Says everything that is wrong with a package: each problem with its place, none as a panic.

mod files;
mod indexes;
mod manifest;
mod pages;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Seek};

use crate::error::Error;
use crate::limits::Limits;
use crate::manifest::Manifest;
use crate::package::Wacz;

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What kind of problem.
    pub kind: Kind,
    /// The particulars, as prose. Holds text from the package: escape it before it reaches a terminal.
    pub message: String,
}

/// Where a problem is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The package as a whole.
    Package,
    /// A file of it, there or not.
    File(String),
    /// A line of a file, counted from 1.
    Line(String, u64),
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $is_advice:literal;)+) => {
        /// The kinds of problems; [`Kind::name`] is stable and used in JSON output.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind { $($(#[doc = $doc])+ $name,)+ }

        impl Kind {
            /// Every kind, for documentation and tests.
            pub const ALL: &'static [Kind] = &[$(Kind::$name,)+];

            /// Stable name, such as `wrong-digest`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Kind::$name => $text,)+ }
            }

            /// Whether a package may have it and be valid all the same.
            #[must_use]
            pub fn is_advice(self) -> bool {
                match self { $(Kind::$name => $is_advice,)+ }
            }
        }
    };
}

kinds! {
    /// It is no ZIP file, or a damaged one.
    Container = "container", false;
    /// A name, link or entry that could hurt whoever unpacks it, or more than is taken.
    Hostile = "hostile", false;
    /// A file that every package has is not there.
    Missing = "missing", false;
    /// The manifest, or the file that vouches for it, is not understood or lacks what it must have.
    Manifest = "manifest", false;
    /// A file that the manifest names is not there.
    Absent = "absent", false;
    /// A file that the manifest does not name.
    Unlisted = "unlisted", false;
    /// A file is longer or shorter than the manifest says.
    WrongSize = "wrong-size", false;
    /// A file has another checksum than the manifest says.
    WrongDigest = "wrong-digest", false;
    /// The checksum of a file is missing, or of a kind that is not known.
    UnknownDigest = "unknown-digest", false;
    /// A file cannot be read: it is not what the directory of the ZIP file says.
    Unreadable = "unreadable", false;
    /// A file that must be stored as it is has been packed.
    Packed = "packed", false;
    /// A file that lies where others belong.
    Misnamed = "misnamed", false;
    /// A line of an index, or what it points to.
    Index = "index", false;
    /// A line of a list of pages.
    Page = "page", false;
    /// An archive file whose name says that it is packed by gzip and is not, or the other way round. Readers go by what it is.
    Ending = "ending", true;
    /// Something that a package should have.
    Recommended = "recommended", true;
    /// Something that was not looked at, such as a signature.
    Unchecked = "unchecked", true;
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// Further problems that are not listed.
    pub unlisted: u64,
    /// Of all problems, those that are more than advice.
    pub bad: u64,
    /// The manifest, if it could be read.
    pub manifest: Option<Manifest>,
    /// Whether it carries a signature, which is not verified here.
    pub is_signed: bool,
    /// Lines of its indexes.
    pub captures: u64,
    /// Pages of its lists.
    pub pages: u64,
    /// Files that cannot be read or are not what the manifest says, and why: all of them, however many problems there are.
    pub distrusted: BTreeMap<String, String>,
    limit: usize,
}

/// Looks through a package.
///
/// # Errors
/// Only when the source itself fails; whatever is wrong with the package is in the report.
pub fn validate<R: Read + Seek>(source: R, limits: &Limits) -> Result<Report, Error> {
    match Wacz::open(source, *limits) {
        Ok(mut wacz) => wacz.validate(),
        Err(error) if error.is_of_package() => {
            let mut report = Report { limit: limits.problems, ..Report::default() };
            report.add(Place::Package, kind_of(&error), error.to_string());
            Ok(report)
        }
        Err(error) => Err(error),
    }
}

impl<R: Read + Seek> Wacz<R> {
    /// Looks through the package: see [`validate()`].
    ///
    /// # Errors
    /// As there.
    pub fn validate(&mut self) -> Result<Report, Error> {
        let mut report = Report { limit: self.limits().problems, ..Report::default() };
        files::required(self, &mut report);
        manifest::check(self, &mut report)?;
        files::check(self, &mut report)?;
        indexes::check(self, &mut report)?;
        pages::check(self, &mut report)?;
        Ok(report)
    }
}

impl Report {
    /// Whether nothing is wrong but for advice.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.bad == 0
    }

    fn add(&mut self, place: Place, kind: Kind, message: impl Into<String>) {
        self.bad += u64::from(!kind.is_advice());
        if self.problems.len() < self.limit {
            self.problems.push(Problem { place, kind, message: message.into() });
        } else {
            self.unlisted += 1;
        }
    }

    fn file(&mut self, name: &str, kind: Kind, message: impl Into<String>) {
        let message = message.into();
        if matches!(kind, Kind::Unreadable | Kind::WrongDigest | Kind::WrongSize) {
            self.distrusted.entry(name.to_owned()).or_insert_with(|| message.clone());
        }
        self.add(Place::File(name.to_owned()), kind, message);
    }

    /// A file could not be read; that the source fails is not the package's fault.
    fn unreadable(&mut self, name: &str, error: Error) -> Result<(), Error> {
        if !error.is_of_package() {
            return Err(error);
        }
        self.file(name, Kind::Unreadable, error.to_string());
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Package => write!(f, "{}", self.message),
            place => write!(f, "{place}: {}", self.message),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Package => Ok(()),
            Place::File(name) => write!(f, "{name}"),
            Place::Line(name, line) => write!(f, "{name}, line {line}"),
        }
    }
}

fn kind_of(error: &Error) -> Kind {
    match error {
        Error::NotZip | Error::Damaged { .. } | Error::Content { .. } => Kind::Container,
        _ => Kind::Hostile,
    }
}
