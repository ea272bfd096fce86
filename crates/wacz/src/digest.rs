//! Checksums, and the file that vouches for the manifest by one: `datapackage-digest.json`.

use std::fmt;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256, Sha512};

use crate::error::Error;
use crate::manifest::{DIGEST_PATH, MANIFEST_PATH};

/// How a checksum is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// What WACZ recommends and everybody writes.
    Sha256,
    /// Allowed as well.
    Sha512,
}

/// A checksum, written `sha256:` and hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checksum {
    /// How it is made.
    pub algorithm: Algorithm,
    value: Vec<u8>,
}

/// Makes a checksum of what comes in pieces.
#[derive(Debug, Clone)]
pub struct Hasher(Inner);

#[derive(Debug, Clone)]
enum Inner {
    Sha256(Sha256),
    Sha512(Box<Sha512>),
}

impl Checksum {
    /// Reads `sha256:…` or `sha-256:…`; `None` for another algorithm, or where the value is none of its.
    #[must_use]
    pub fn parse(text: &str) -> Option<Checksum> {
        let (name, hex) = text.split_once(':')?;
        Checksum::of_parts(name, hex)
    }

    /// The same where algorithm and value stand apart, as in packages of version 1.0.
    #[must_use]
    pub fn of_parts(name: &str, hex: &str) -> Option<Checksum> {
        let (algorithm, length) = match name.to_ascii_lowercase().as_str() {
            "sha256" | "sha-256" => (Algorithm::Sha256, 32),
            "sha512" | "sha-512" => (Algorithm::Sha512, 64),
            _ => return None,
        };
        let value =
            HEXLOWER_PERMISSIVE.decode(hex.trim().as_bytes()).ok().filter(|value| value.len() == length)?;
        Some(Checksum { algorithm, value })
    }

    /// Of these bytes.
    #[must_use]
    pub fn of(algorithm: Algorithm, bytes: &[u8]) -> Checksum {
        let mut hasher = Hasher::new(algorithm);
        hasher.update(bytes);
        hasher.finish()
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.algorithm {
            Algorithm::Sha256 => "sha256",
            Algorithm::Sha512 => "sha512",
        };
        write!(f, "{name}:{}", HEXLOWER.encode(&self.value))
    }
}

impl Hasher {
    /// Of nothing yet.
    #[must_use]
    pub fn new(algorithm: Algorithm) -> Hasher {
        Hasher(match algorithm {
            Algorithm::Sha256 => Inner::Sha256(Sha256::new()),
            Algorithm::Sha512 => Inner::Sha512(Box::new(Sha512::new())),
        })
    }

    /// Takes in further bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            Inner::Sha256(hasher) => hasher.update(bytes),
            Inner::Sha512(hasher) => hasher.update(bytes),
        }
    }

    /// The checksum of all that came.
    #[must_use]
    pub fn finish(self) -> Checksum {
        match self.0 {
            Inner::Sha256(hasher) => {
                Checksum { algorithm: Algorithm::Sha256, value: hasher.finalize().to_vec() }
            }
            Inner::Sha512(hasher) => {
                Checksum { algorithm: Algorithm::Sha512, value: hasher.finalize().to_vec() }
            }
        }
    }
}

/// What `datapackage-digest.json` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestFile {
    /// The file that it vouches for.
    pub path: String,
    /// Its checksum, as it is written.
    pub hash: String,
    /// The signature and what belongs to it, if it is signed. It is not verified here.
    pub signed: Option<Value>,
}

impl DigestFile {
    /// For a manifest with these bytes.
    #[must_use]
    pub fn of(manifest: &[u8]) -> DigestFile {
        let hash = Checksum::of(Algorithm::Sha256, manifest).to_string();
        DigestFile { path: MANIFEST_PATH.to_owned(), hash, signed: None }
    }

    /// Reads one.
    ///
    /// # Errors
    /// When it is no JSON object with a path and a hash.
    pub fn parse(bytes: &[u8]) -> Result<DigestFile, Error> {
        let wrong = |what: String| Error::Json { place: DIGEST_PATH.to_owned(), what };
        let value: Value = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
        let text = |name: &str| {
            let found = value.get(name).and_then(Value::as_str).map(str::to_owned);
            found.ok_or_else(|| wrong(format!("`{name}` is missing")))
        };
        let signed = value.get("signedData").filter(|signed| !signed.is_null()).cloned();
        Ok(DigestFile { path: text("path")?, hash: text("hash")?, signed })
    }

    /// As it is written.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut value = json!({ "path": self.path, "hash": self.hash });
        if let (Some(signed), Some(object)) = (&self.signed, value.as_object_mut()) {
            object.insert("signedData".to_owned(), signed.clone());
        }
        let mut text = format!("{value:#}").into_bytes();
        text.push(b'\n');
        text
    }
}
