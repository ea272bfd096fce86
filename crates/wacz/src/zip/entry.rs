//! One entry of a package, and which names entries may have.

use crate::error::Error;
use crate::limits::Limits;

/// An entry, as the central directory tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub(crate) name: String,
    pub(crate) method: Method,
    pub(crate) packed_bytes: u64,
    pub(crate) bytes: u64,
    pub(crate) crc: u32,
    /// Where its local header begins, in the source.
    pub(crate) header_at: u64,
}

/// How an entry is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// As it is.
    Stored,
    /// Deflated.
    Deflated,
    /// By a method of this number, which is not read.
    Other(u16),
}

impl Method {
    pub(crate) fn of(number: u16) -> Method {
        match number {
            0 => Method::Stored,
            8 => Method::Deflated,
            other => Method::Other(other),
        }
    }

    pub(crate) fn number(self) -> u16 {
        match self {
            Method::Stored => 0,
            Method::Deflated => 8,
            Method::Other(number) => number,
        }
    }
}

impl Entry {
    /// Its path in the package, such as `archive/data.warc.gz`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The last part of its path.
    #[must_use]
    pub fn base_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// How it is kept.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Bytes of it as it lies in the package.
    #[must_use]
    pub fn packed_bytes(&self) -> u64 {
        self.packed_bytes
    }

    /// Bytes that it unfolds to; reading never gives more.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it only names a folder.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.name.ends_with('/')
    }

    /// Whether it lies in this folder itself.
    pub(crate) fn is_in(&self, folder: &str) -> bool {
        let rest = self.name.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
        rest.is_some_and(|rest| !rest.is_empty() && !self.is_folder())
    }
}

/// A name that stays inside the package wherever it is unpacked.
pub(crate) fn checked_name(name: &[u8], limits: &Limits) -> Result<String, Error> {
    let shown = || String::from_utf8_lossy(name).chars().take(200).collect::<String>();
    let refused = |why| Err(Error::Name { name: shown(), why });
    if name.len() > limits.name_bytes {
        return refused("has a longer name than any file");
    }
    let Ok(text) = str::from_utf8(name) else { return refused("has a name that is not UTF-8") };
    let path = text.strip_suffix('/').unwrap_or(text);
    if path.is_empty() {
        return refused("has no name");
    }
    if text.starts_with('/') || text.as_bytes().get(1) == Some(&b':') {
        return refused("has an absolute path");
    }
    if text.contains('\\') {
        return refused("has a path with backslashes");
    }
    if text.contains(|c: char| c.is_control()) {
        return refused("has a control character in its name");
    }
    if path.split('/').any(|part| part == "..") {
        return refused("leads out of the package");
    }
    if path.split('/').any(|part| part.is_empty() || part == ".") {
        return refused("has a path with empty parts");
    }
    Ok(text.to_owned())
}

/// The same for what is to be written.
pub(crate) fn checked_path(path: &str, limits: &Limits) -> Result<(), Error> {
    checked_name(path.as_bytes(), limits).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_package() {
        let limits = Limits::default();
        for name in ["a", "archive/data.warc.gz", "archive/", "pages/é.jsonl", "a..b", "..a/b.."] {
            assert!(checked_name(name.as_bytes(), &limits).is_ok(), "{name}");
        }
        let long = "x".repeat(2000);
        for name in [
            "",
            "/",
            "/etc/passwd",
            "../a",
            "a/../../b",
            "a/..",
            "C:/a",
            "c:a",
            "a\\b",
            "..\\a",
            "a//b",
            "./a",
            "a\0b",
            "a\nb",
            &long,
        ] {
            assert!(checked_name(name.as_bytes(), &limits).is_err(), "{name:?}");
        }
        assert!(checked_name(b"a\xff", &limits).is_err());
    }
}
