//! Deviations from the standards, each with its place.
//!
//! Damage in old files is not failure: a lenient reader lists faults and goes on; a strict one stops at the
//! first that leaves doubt about what the bytes mean.

use std::fmt;

/// One deviation, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Offset in the file of the record or member concerned.
    pub offset: u64,
    /// What kind of fault.
    pub kind: FaultKind,
    /// Bytes that were stepped over because of it: of the file, or inside a member of what it unfolds to.
    pub lost_bytes: u64,
    /// The particulars, as prose. Holds text from the file: escape it before it reaches a terminal.
    pub message: String,
}

impl Fault {
    /// A fault of this kind at this offset.
    pub fn new(offset: u64, kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { offset, kind, lost_bytes: 0, message: message.into() }
    }

    /// The same, having cost so many bytes.
    #[must_use]
    pub fn losing(self, lost_bytes: u64) -> Fault {
        Fault { lost_bytes, ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

/// How much a fault matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The standard recommends otherwise.
    Advice,
    /// Against the standard, though nobody can doubt what the bytes mean.
    Violation,
    /// Bytes are lost, changed, or cannot be told apart from their neighbours.
    Damage,
}

macro_rules! fault_kinds {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $severity:ident;)+) => {
        /// The kinds of faults; [`FaultKind::name`] is stable and used in JSON output.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum FaultKind { $($(#[doc = $doc])+ $name,)+ }

        impl FaultKind {
            /// Every kind, for documentation and tests.
            pub const ALL: &'static [FaultKind] = &[$(FaultKind::$name,)+];

            /// Stable name, such as `truncated-block`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(FaultKind::$name => $text,)+ }
            }

            /// How much it matters.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(FaultKind::$name => Severity::$severity,)+ }
            }
        }
    };
}

fault_kinds! {
    /// The bytes are neither WARC nor ARC, nor any compression we know.
    UnknownFormat = "unknown-format", Damage;
    /// A gzip member or zstd frame cannot be decompressed, or its own checksum is wrong.
    BadMember = "bad-member", Damage;
    /// The file ends within a gzip member or zstd frame.
    TruncatedMember = "truncated-member", Damage;
    /// The file ends, or its member does, before the block is complete.
    TruncatedBlock = "truncated-block", Damage;
    /// The file ends within a record's header.
    TruncatedHead = "truncated-head", Damage;
    /// The header says another length than the block has.
    WrongLength = "wrong-length", Damage;
    /// Bytes that belong to no record.
    Garbage = "garbage", Damage;
    /// Something passed a limit of the reader.
    Limit = "limit", Damage;
    /// The block's digest is not the recorded one.
    BlockDigest = "block-digest", Damage;
    /// The payload's digest is not the recorded one.
    PayloadDigest = "payload-digest", Damage;
    /// The length of the block is missing or no number; it is taken to be nothing.
    ContentLength = "content-length", Violation;
    /// The first line names no version that exists.
    Version = "version", Violation;
    /// A header line without a colon.
    HeaderLine = "header-line", Violation;
    /// Header lines end in LF instead of CRLF.
    LineEnding = "line-ending", Violation;
    /// A record is not followed by two line breaks.
    Trailer = "trailer", Violation;
    /// One gzip member or zstd frame holds more than one record.
    SharedMember = "shared-member", Violation;
    /// A field that the record needs is missing.
    MissingField = "missing-field", Violation;
    /// A field's value is not of its form.
    InvalidField = "invalid-field", Violation;
    /// A field that may stand once stands again.
    RepeatedField = "repeated-field", Violation;
    /// A field that this type of record must not have.
    MisplacedField = "misplaced-field", Violation;
    /// A value that no standard lists: a type, profile or digest algorithm.
    UnknownValue = "unknown-value", Violation;
    /// A field or value that the standard recommends otherwise.
    Recommended = "recommended", Advice;
    /// More faults than are listed one by one.
    Unlisted = "unlisted", Violation;
    /// Zero bytes where a record could stand, as preallocating file systems and tapes leave them.
    ZeroPadding = "zero-padding", Violation;
}
