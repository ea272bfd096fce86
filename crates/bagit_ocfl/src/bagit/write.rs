//! Writes a bag, the payload streamed once.

use std::collections::BTreeMap;
use std::io::Read;

use super::{PAYLOAD, declaration, info, manifest};
use crate::digest::{Algorithm, Digest};
use crate::error::Error;
use crate::limits::Limits;
use crate::output;
use crate::path::Admitted;
use crate::tree::Sink;

/// Writes a bag of version 1.0 with digests by SHA-256. Memory holds a path and a digest of each file, and no content.
///
/// `bagit.txt` comes last: a bag that was not finished is none.
pub struct Writer<S> {
    sink: S,
    files: BTreeMap<String, Digest>,
    paths: Admitted,
    bytes: u64,
    limits: Limits,
}

const ALGORITHM: Algorithm = Algorithm::Sha256;
const DECLARED: &str = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";

impl<S: Sink> Writer<S> {
    /// Begins a bag in an empty sink.
    pub fn new(sink: S) -> Writer<S> {
        Writer {
            sink,
            files: BTreeMap::new(),
            paths: Admitted::default(),
            bytes: 0,
            limits: Limits::default(),
        }
    }

    /// Adds a file to the payload; `data/` is put before its path. Returns its length.
    ///
    /// # Errors
    /// When the path leads out, or is one with another on some system, or reading or writing fails. The bag is then not to be finished.
    pub fn file(&mut self, path: &str, content: impl Read) -> Result<u64, Error> {
        let whole = format!("{PAYLOAD}{path}");
        self.paths.add(path, &whole, &self.limits)?;
        let (bytes, digest) = output::stream(&mut self.sink, &whole, content, ALGORITHM)?;
        self.files.insert(whole, digest);
        self.bytes += bytes;
        Ok(bytes)
    }

    /// Writes the manifests and the rest. `fields` become `bag-info.txt`, in their order, such as `Bagging-Date` or
    /// `External-Identifier`; `Payload-Oxum` is added.
    ///
    /// # Errors
    /// When there are no files, a field cannot stand on a line, there is more than [`Limits`] has room for, or the sink fails.
    pub fn finish(mut self, fields: &[(&str, &str)]) -> Result<S, Error> {
        if self.files.is_empty() {
            return Err(Error::Empty);
        }
        let mut text = String::new();
        for (label, value) in fields {
            field(label, value, &self.limits)?;
            text.push_str(&format!("{label}: {value}\n"));
        }
        text.push_str(&format!("{}: {}.{}\n", info::OXUM, self.bytes, self.files.len()));
        let mut lines = String::new();
        for (path, digest) in &self.files {
            lines.push_str(&format!("{digest}  {}\n", manifest::encoded(path)));
        }
        if lines.len() as u64 > self.limits.manifest_bytes {
            return Err(Error::Limit { what: "bytes of manifests", limit: self.limits.manifest_bytes });
        }
        let name = format!("manifest-{}.txt", ALGORITHM.name());
        let vouched =
            [(info::PATH, text.as_str()), (name.as_str(), lines.as_str()), (declaration::PATH, DECLARED)];
        let mut tags = String::new();
        for (path, text) in vouched {
            tags.push_str(&format!("{}  {path}\n", ALGORITHM.of(text.as_bytes())));
        }
        let tag_name = format!("tag{name}");
        let [info, lines, declared] = vouched;
        for (path, text) in [info, lines, (tag_name.as_str(), tags.as_str()), declared] {
            output::whole(&mut self.sink, path, text.as_bytes())?;
        }
        Ok(self.sink)
    }
}

fn field(label: &str, value: &str, limits: &Limits) -> Result<(), Error> {
    let wrong = |why| Err(Error::Field { name: label.to_owned(), why });
    if label.is_empty() || label.trim() != label || label.contains(':') {
        return wrong("is no label");
    }
    if label.chars().chain(value.chars()).any(char::is_control) {
        return wrong("has control characters, which do not fit on a line");
    }
    if value.trim() != value || value.is_empty() {
        return wrong("has a value that is empty, or that begins or ends with spaces");
    }
    if label.len() + 2 + value.len() > limits.line_bytes {
        return wrong("is too long for a line");
    }
    if label.eq_ignore_ascii_case(info::OXUM) {
        return wrong("is computed, and cannot be given");
    }
    Ok(())
}
