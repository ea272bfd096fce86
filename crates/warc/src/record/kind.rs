//! The types of records, the versions of the formats, and the other words with a fixed list of values.

use std::fmt;

/// What a record is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordType {
    /// Says how the records after it came about.
    Warcinfo,
    /// What a server answered.
    Response,
    /// A thing fetched without a protocol's reply around it.
    Resource,
    /// What was asked of a server.
    Request,
    /// About another record.
    Metadata,
    /// Met again: stands for a payload that is archived elsewhere.
    Revisit,
    /// Made from another record's content.
    Conversion,
    /// A further segment of a record too long for one file.
    Continuation,
    /// The version block that an ARC file begins with.
    ArcHeader,
    /// A type that no standard lists.
    Other(String),
}

impl RecordType {
    /// The type of this name; case does not matter, as files in the wild show.
    #[must_use]
    pub fn of(name: &str) -> RecordType {
        let known = [
            RecordType::Warcinfo,
            RecordType::Response,
            RecordType::Resource,
            RecordType::Request,
            RecordType::Metadata,
            RecordType::Revisit,
            RecordType::Conversion,
            RecordType::Continuation,
        ];
        known
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(name))
            .unwrap_or_else(|| RecordType::Other(name.to_owned()))
    }

    /// The name as written in `WARC-Type`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            RecordType::Warcinfo => "warcinfo",
            RecordType::Response => "response",
            RecordType::Resource => "resource",
            RecordType::Request => "request",
            RecordType::Metadata => "metadata",
            RecordType::Revisit => "revisit",
            RecordType::Conversion => "conversion",
            RecordType::Continuation => "continuation",
            RecordType::ArcHeader => "arc_header",
            RecordType::Other(name) => name,
        }
    }
}

impl fmt::Display for RecordType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Format and version of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Version {
    /// ARC with five fields a line.
    Arc1,
    /// ARC with ten fields a line.
    Arc2,
    /// A draft before 1.0, such as `WARC/0.18`.
    WarcDraft,
    /// WARC 1.0 (ISO 28500:2009).
    Warc1_0,
    /// WARC 1.1 (ISO 28500:2017).
    Warc1_1,
    /// A version that does not exist; read as 1.1.
    WarcUnknown,
}

impl Version {
    /// Whether this is one of the ARC versions.
    #[must_use]
    pub fn is_arc(self) -> bool {
        matches!(self, Version::Arc1 | Version::Arc2)
    }

    /// The version of a WARC record's first line.
    pub(crate) fn of_line(line: &[u8]) -> Version {
        // Literal text in the standard's grammar means any case.
        match line.to_ascii_uppercase().as_slice() {
            b"WARC/1.0" => Version::Warc1_0,
            b"WARC/1.1" => Version::Warc1_1,
            b"WARC/0.17" | b"WARC/0.18" => Version::WarcDraft,
            _ => Version::WarcUnknown,
        }
    }

    /// The first line of a record of this version.
    #[must_use]
    pub fn line(self) -> &'static str {
        match self {
            Version::Warc1_0 => "WARC/1.0",
            _ => "WARC/1.1",
        }
    }
}

/// Why a block is not as long as what was fetched.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Truncated {
    /// Too long.
    Length,
    /// Took too much time.
    Time,
    /// The connection broke.
    Disconnect,
    /// Nobody knows.
    Unspecified,
    /// A reason that no standard lists.
    Other(String),
}

impl Truncated {
    /// The reason of this name.
    #[must_use]
    pub fn of(name: &str) -> Truncated {
        match name.to_ascii_lowercase().as_str() {
            "length" => Truncated::Length,
            "time" => Truncated::Time,
            "disconnect" => Truncated::Disconnect,
            "unspecified" => Truncated::Unspecified,
            _ => Truncated::Other(name.to_owned()),
        }
    }

    /// The word in the field.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Truncated::Length => "length",
            Truncated::Time => "time",
            Truncated::Disconnect => "disconnect",
            Truncated::Unspecified => "unspecified",
            Truncated::Other(name) => name,
        }
    }
}

/// Why a revisit stores no payload.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// The payload's digest equals an earlier one's.
    IdenticalPayloadDigest,
    /// The server said that nothing changed.
    ServerNotModified,
    /// Another profile, by its URI.
    Other(String),
}

impl Profile {
    /// The profile that a URI names, in whichever version, old writers' variants included.
    #[must_use]
    pub fn of(uri: &str) -> Profile {
        // http://netpreserve.org/warc/1.1/revisit/…
        match uri.rsplit_once("/revisit/") {
            Some((_, "identical-payload-digest" | "uri-agnostic-identical-payload-digest")) => {
                Profile::IdenticalPayloadDigest
            }
            Some((_, "server-not-modified")) => Profile::ServerNotModified,
            _ => Profile::Other(uri.to_owned()),
        }
    }

    /// The URI to write into a record of this version.
    #[must_use]
    pub fn uri(&self, version: Version) -> String {
        let version = if version == Version::Warc1_0 { "1.0" } else { "1.1" };
        match self {
            Profile::IdenticalPayloadDigest => {
                format!("http://netpreserve.org/warc/{version}/revisit/identical-payload-digest")
            }
            Profile::ServerNotModified => {
                format!("http://netpreserve.org/warc/{version}/revisit/server-not-modified")
            }
            Profile::Other(uri) => uri.clone(),
        }
    }
}
