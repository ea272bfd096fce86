//! What a check found: each problem with its place and kind, none as a panic.

use std::fmt;

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
    /// A file or folder of it, there or not.
    File(String),
    /// A line of a file, counted from 1.
    Line(String, u64),
}

/// What it comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Nothing was found.
    Valid,
    /// All is there and as it should be; something else could be better.
    Warned,
    /// Something is missing, changed, or against the specification.
    Invalid,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// Further problems that are not listed.
    pub unlisted: u64,
    /// Of all problems, those that are more than advice.
    pub bad: u64,
    /// What the package says it is, such as `BagIt 1.0` or `OCFL 1.1`.
    pub format: Option<String>,
    /// What the package says its name is: `External-Identifier` of a bag, `id` of an object.
    pub identifier: Option<String>,
    /// Files that were read and compared with their digests.
    pub files: u64,
    /// Bytes of them.
    pub bytes: u64,
    limit: usize,
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $is_advice:literal;)+) => {
        /// The kinds of problems; [`Kind::name`] is stable and used in JSON output. Those with a number are the codes of the
        /// OCFL specification.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind { $($(#[doc = $doc])+ $name,)+ }

        impl Kind {
            /// Every kind, for documentation and tests.
            pub const ALL: &'static [Kind] = &[$(Kind::$name,)+];

            /// Stable name, such as `wrong-digest` or `E092`.
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
    /// More than is taken; what lies behind was not looked at.
    Limit = "limit", false;
    /// A path that leads out of the package, or that a reader could take for one that does. It was not followed.
    Hostile = "hostile", false;
    /// A symbolic link. It was not followed.
    Link = "link", false;
    /// A device, pipe or socket, or a name that no manifest can hold.
    Special = "special", false;
    /// A file or folder that every package has is not there.
    Missing = "missing", false;
    /// `bagit.txt` is not as it must be.
    Declaration = "declaration", false;
    /// A tag file is not in the encoding that the bag declares, or declares one that is not known.
    Encoding = "encoding", false;
    /// A line of a manifest that is none.
    Manifest = "manifest", false;
    /// A line of another tag file that is none.
    TagFile = "tag-file", false;
    /// A manifest names a file that it must not name.
    Misplaced = "misplaced", false;
    /// A file is listed twice in one manifest.
    Duplicate = "duplicate", false;
    /// A file that a manifest names is not there.
    Absent = "absent", false;
    /// A file that is still to be fetched: the bag is incomplete.
    Unfetched = "unfetched", false;
    /// A line of the list of files to fetch that is none, or that no manifest knows.
    Fetch = "fetch", false;
    /// A file of the payload, or a manifest, that is in no manifest where it must be.
    Unlisted = "unlisted", false;
    /// Files are longer, shorter, more or fewer than the package says.
    WrongSize = "wrong-size", false;
    /// A file has another digest than a manifest says.
    WrongDigest = "wrong-digest", false;
    /// Nothing vouches for the files in a way that we know.
    Unvouched = "unvouched", false;
    /// A file is listed twice with the same digest, which old versions of BagIt allow.
    Repeated = "repeated", true;
    /// Names that differ only in the case of letters: on some systems they are one file.
    LetterCase = "letter-case", true;
    /// Names that differ only in how letters with marks are put together.
    Normalisation = "normalisation", true;
    /// A name that other systems cannot hold, or that was made to be misread.
    Unportable = "unportable", true;
    /// A path that begins with `./`.
    DotSlash = "dot-slash", true;
    /// A `*` before a path, as md5sum writes it.
    Asterisk = "asterisk", true;
    /// A file that an operating system left behind.
    SystemFile = "system-file", true;
    /// Something that a version before 1.0 of BagIt tolerates.
    Tolerated = "tolerated", true;
    /// A digest by an algorithm that is not known here; it was not compared.
    UnknownDigest = "unknown-digest", true;

    /// The root of the object has something that does not belong there.
    E001 = "E001", false;
    /// There is no declaration of the version, or more than one.
    E003 = "E003", false;
    /// The name of the declaration is none.
    E006 = "E006", false;
    /// The declaration does not hold what its name says.
    E007 = "E007", false;
    /// The object has no version.
    E008 = "E008", false;
    /// The versions do not begin with 1.
    E009 = "E009", false;
    /// A version is missing in the sequence.
    E010 = "E010", false;
    /// A version that is padded with zeros does not begin with one.
    E011 = "E011", false;
    /// Versions are named in more than one way.
    E012 = "E012", false;
    /// A new version does not follow the naming of the earlier ones.
    E013 = "E013", false;
    /// A file in the folder of a version that does not belong there.
    E015 = "E015", false;
    /// `contentDirectory` has a slash, or is no text.
    E017 = "E017", false;
    /// `contentDirectory` is `.` or `..`.
    E018 = "E018", false;
    /// `contentDirectory` was not set in the first version, or differs between versions.
    E019 = "E019", false;
    /// A file of the content is in no manifest.
    E023 = "E023", false;
    /// An empty folder in the content.
    E024 = "E024", false;
    /// The digest algorithm is not one that may be used, or a digest is none of it.
    E025 = "E025", false;
    /// An inventory is no JSON object.
    E033 = "E033", false;
    /// An inventory lacks a key that it must have.
    E036 = "E036", false;
    /// The identifier is not one, or not the same everywhere.
    E037 = "E037", false;
    /// `type` is not that of the specification.
    E038 = "E038", false;
    /// `head` is not the last version.
    E040 = "E040", false;
    /// An inventory lacks a manifest or versions.
    E041 = "E041", false;
    /// A path of the content does not begin with a version and its content folder.
    E042 = "E042", false;
    /// `versions` is no object.
    E044 = "E044", false;
    /// Versions in the inventory and folders of versions differ.
    E046 = "E046", false;
    /// A version lacks the time or the state.
    E048 = "E048", false;
    /// The time of a version is not one of RFC 3339.
    E049 = "E049", false;
    /// The state of a version is none, or names a digest that is not in the manifest.
    E050 = "E050", false;
    /// A logical path has an empty part, `.` or `..`.
    E052 = "E052", false;
    /// A logical path begins or ends with `/`.
    E053 = "E053", false;
    /// The user of a version is not one.
    E054 = "E054", false;
    /// `fixity` is not one.
    E057 = "E057", false;
    /// The sidecar of an inventory is missing.
    E058 = "E058", false;
    /// An inventory does not have the digest that its sidecar says.
    E060 = "E060", false;
    /// A sidecar is not one.
    E061 = "E061", false;
    /// There is no inventory in the root.
    E063 = "E063", false;
    /// The inventory in the root is not that of the last version.
    E064 = "E064", false;
    /// An earlier inventory tells another past.
    E066 = "E066", false;
    /// A file in the folder of extensions.
    E067 = "E067", false;
    /// A link.
    E090 = "E090", false;
    /// A file does not have the digest of a manifest, or is not there.
    E092 = "E092", false;
    /// A file does not have the digest of a fixity block, or is not there.
    E093 = "E093", false;
    /// The message of a version is no text.
    E094 = "E094", false;
    /// A logical path is there twice, or is a file and a folder at once.
    E095 = "E095", false;
    /// A digest is there twice in a manifest.
    E096 = "E096", false;
    /// A digest is there twice in a fixity block.
    E097 = "E097", false;
    /// A path of the content has an empty part, `.` or `..`.
    E099 = "E099", false;
    /// A path of the content begins or ends with `/`.
    E100 = "E100", false;
    /// A path of the content is there twice, or is a file and a folder at once.
    E101 = "E101", false;
    /// A later version is of an earlier specification.
    E103 = "E103", false;
    /// A digest of the manifest that no version uses.
    E107 = "E107", false;
    /// `fixity` is no object.
    E111 = "E111", false;
    /// Versions are padded with zeros.
    W001 = "W001", true;
    /// A folder beside the content of a version.
    W002 = "W002", true;
    /// A folder of content that is empty.
    W003 = "W003", true;
    /// Another digest algorithm than sha512.
    W004 = "W004", true;
    /// The identifier is no URI.
    W005 = "W005", true;
    /// A version without message or user.
    W007 = "W007", true;
    /// A user without address.
    W008 = "W008", true;
    /// The address of a user is no URI.
    W009 = "W009", true;
    /// A version without an inventory.
    W010 = "W010", true;
    /// Inventories differ in what they say of a version.
    W011 = "W011", true;
    /// An extension that is not registered.
    W013 = "W013", true;
}

impl Report {
    pub(crate) fn new(limit: usize) -> Report {
        Report { limit, ..Report::default() }
    }

    /// Valid, valid with warnings, or invalid.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.bad, self.problems.is_empty() && self.unlisted == 0) {
            (0, true) => Verdict::Valid,
            (0, false) => Verdict::Warned,
            _ => Verdict::Invalid,
        }
    }

    /// Whether nothing is wrong but for advice.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.bad == 0
    }

    /// Whether a problem of this kind is listed.
    #[must_use]
    pub fn has(&self, kind: Kind) -> bool {
        self.problems.iter().any(|problem| problem.kind == kind)
    }

    pub(crate) fn add(&mut self, place: Place, kind: Kind, message: impl Into<String>) {
        self.bad += u64::from(!kind.is_advice());
        if self.problems.len() < self.limit {
            self.problems.push(Problem { place, kind, message: message.into() });
        } else {
            self.unlisted += 1;
        }
    }

    pub(crate) fn file(&mut self, path: &str, kind: Kind, message: impl Into<String>) {
        self.add(Place::File(path.to_owned()), kind, message);
    }

    pub(crate) fn line(&mut self, path: &str, number: u64, kind: Kind, message: impl Into<String>) {
        self.add(Place::Line(path.to_owned(), number), kind, message);
    }
}

impl Verdict {
    /// Stable name: `valid`, `warned` or `invalid`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::Warned => "warned",
            Verdict::Invalid => "invalid",
        }
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
            Place::File(path) => write!(f, "{path}"),
            Place::Line(path, line) => write!(f, "{path}, line {line}"),
        }
    }
}

/// Text from a package, short enough for a message.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_kinds_are_unique() {
        let mut names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Kind::ALL.len());
    }

    #[test]
    fn problems_over_the_limit_are_counted() {
        let mut report = Report::new(1);
        report.file("a", Kind::Repeated, "twice");
        assert_eq!(report.verdict(), Verdict::Warned);
        report.file("a", Kind::Absent, "gone");
        assert_eq!((report.problems.len(), report.unlisted, report.bad), (1, 1, 1));
        assert_eq!(report.verdict(), Verdict::Invalid);
    }

    #[test]
    fn shown_text_is_short() {
        assert_eq!(shown(&"ä".repeat(1000)).chars().count(), 201);
    }
}
