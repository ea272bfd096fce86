//! Writes an object of one version, its content streamed once.

use std::collections::BTreeMap;
use std::io::Read;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{CONTENT, INVENTORY, Spec};
use crate::digest::{Algorithm, Digest};
use crate::error::Error;
use crate::limits::Limits;
use crate::output;
use crate::path::Admitted;
use crate::tree::Sink;

/// What an object says of itself and of its version.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The identifier of the object; should be a URI.
    pub id: String,
    /// When the version was made; told to the second.
    pub created: Timestamp,
    /// Why it was made.
    pub message: String,
    /// Who made it.
    pub user: String,
    /// Where that one can be reached, as a URI such as `mailto:…`.
    pub address: String,
}

/// Writes an object of OCFL 1.1 with one version. Memory holds a path and a digest of each file, and no content.
///
/// The declaration comes last: an object that was not finished is none.
pub struct Writer<S> {
    sink: S,
    algorithm: Algorithm,
    files: BTreeMap<String, Digest>,
    paths: Admitted,
    limits: Limits,
}

const SPEC: Spec = Spec::V1_1;
const VERSION: &str = "v1";

impl<S: Sink> Writer<S> {
    /// Begins an object with digests by SHA-512, as the specification recommends, in an empty sink.
    pub fn new(sink: S) -> Writer<S> {
        Writer {
            sink,
            algorithm: Algorithm::Sha512,
            files: BTreeMap::new(),
            paths: Admitted::default(),
            limits: Limits::default(),
        }
    }

    /// Has digests by SHA-256 instead: shorter, and what else is kept of the files may have them already.
    #[must_use]
    pub fn with_sha256(mut self) -> Writer<S> {
        self.algorithm = Algorithm::Sha256;
        self
    }

    /// Adds a file under its logical path. Returns its length.
    ///
    /// # Errors
    /// When the path leads out, or is one with another on some system, or reading or writing fails. The object is then not to be
    /// finished.
    pub fn file(&mut self, path: &str, content: impl Read) -> Result<u64, Error> {
        let whole = format!("{VERSION}/{CONTENT}/{path}");
        self.paths.add(path, &whole, &self.limits)?;
        let (bytes, digest) = output::stream(&mut self.sink, &whole, content, self.algorithm)?;
        self.files.insert(path.to_owned(), digest);
        Ok(bytes)
    }

    /// Writes the inventories and the declaration.
    ///
    /// # Errors
    /// When something that must be said is empty, there is more than [`Limits`] has room for, or the sink fails.
    pub fn finish(mut self, about: &About) -> Result<S, Error> {
        let said = [
            ("id", &about.id),
            ("message", &about.message),
            ("user", &about.user),
            ("address", &about.address),
        ];
        if let Some((name, _)) = said.iter().find(|(_, value)| value.is_empty()) {
            return Err(Error::Field { name: (*name).to_owned(), why: "is empty" });
        }
        let text = self.inventory(about);
        if text.len() as u64 > self.limits.inventory_bytes {
            return Err(Error::Limit { what: "bytes of an inventory", limit: self.limits.inventory_bytes });
        }
        let sidecar = format!("{}  {INVENTORY}\n", self.algorithm.of(text.as_bytes()));
        for folder in [format!("{VERSION}/"), String::new()] {
            output::whole(&mut self.sink, &format!("{folder}{INVENTORY}"), text.as_bytes())?;
            let path = format!("{folder}{INVENTORY}.{}", self.algorithm.name());
            output::whole(&mut self.sink, &path, sidecar.as_bytes())?;
        }
        let declared = SPEC.declaration();
        output::whole(&mut self.sink, &format!("0={declared}"), format!("{declared}\n").as_bytes())?;
        Ok(self.sink)
    }

    fn inventory(&self, about: &About) -> String {
        let (mut manifest, mut state) = (Map::new(), Map::new());
        for (path, digest) in &self.files {
            push(&mut manifest, digest, format!("{VERSION}/{CONTENT}/{path}"));
            push(&mut state, digest, path.clone());
        }
        let created = about.created.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let inventory = json!({
            "id": about.id,
            "type": SPEC.inventory_type(),
            "digestAlgorithm": self.algorithm.name(),
            "head": VERSION,
            "manifest": manifest,
            "versions": {
                VERSION: {
                    "created": created,
                    "message": about.message,
                    "user": { "name": about.user, "address": about.address },
                    "state": state,
                },
            },
        });
        format!("{inventory:#}\n")
    }
}

/// Files of the same content share a digest.
fn push(block: &mut Map<String, Value>, digest: &Digest, path: String) {
    let list = block.entry(digest.to_string()).or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(paths) = list {
        paths.push(Value::String(path));
    }
}
