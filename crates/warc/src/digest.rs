//! Digests as archives write them: an algorithm, a colon, and the value in base32 or hex.

use std::fmt;

use data_encoding::{BASE32, HEXLOWER, HEXLOWER_PERMISSIVE};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha512};

use crate::error::Error;

/// How a digest is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// MD5, in old files.
    Md5,
    /// SHA-1, the field's usual one.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
    /// BLAKE3 with 32 bytes.
    Blake3,
}

impl Algorithm {
    const ALL: [Algorithm; 5] =
        [Algorithm::Sha1, Algorithm::Sha256, Algorithm::Md5, Algorithm::Blake3, Algorithm::Sha512];

    /// The name before the colon.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Md5 => "md5",
            Algorithm::Sha1 => "sha1",
            Algorithm::Sha256 => "sha256",
            Algorithm::Sha512 => "sha512",
            Algorithm::Blake3 => "blake3",
        }
    }

    /// Bytes of a value.
    #[must_use]
    pub fn length(self) -> usize {
        match self {
            Algorithm::Md5 => 16,
            Algorithm::Sha1 => 20,
            Algorithm::Sha256 | Algorithm::Blake3 => 32,
            Algorithm::Sha512 => 64,
        }
    }

    /// The algorithm of this name, with or without a hyphen, in any case.
    #[must_use]
    pub fn of(name: &str) -> Option<Algorithm> {
        let plain: String = name.chars().filter(|&c| c != '-').collect();
        Algorithm::ALL.into_iter().find(|algorithm| algorithm.name().eq_ignore_ascii_case(&plain))
    }
}

/// A value with its algorithm. Equal whatever the spelling was.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Digest {
    algorithm: Algorithm,
    value: Vec<u8>,
}

impl Digest {
    /// Of these bytes.
    #[must_use]
    pub fn of(algorithm: Algorithm, bytes: &[u8]) -> Digest {
        let mut hasher = Hasher::new(algorithm);
        hasher.update(bytes);
        hasher.finish()
    }

    /// Reads `sha1:…` in base32 or hex. Without an algorithm the length decides.
    pub fn parse(text: &str) -> Result<Digest, Error> {
        let bad = || Error::Digest(text.chars().take(200).collect());
        let (algorithm, value) = match text.trim().split_once(':') {
            Some((name, value)) => (Some(Algorithm::of(name.trim()).ok_or_else(bad)?), value.trim()),
            None => (None, text.trim()),
        };
        let candidates = match algorithm {
            Some(algorithm) => vec![algorithm],
            None => vec![Algorithm::Sha1, Algorithm::Sha256, Algorithm::Md5, Algorithm::Sha512],
        };
        candidates
            .into_iter()
            .find_map(|algorithm| decode(value, algorithm.length()).map(|value| Digest { algorithm, value }))
            .ok_or_else(bad)
    }

    /// How it was computed.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The bytes of the value.
    #[must_use]
    pub fn value(&self) -> &[u8] {
        &self.value
    }

    /// The value in upper-case base32 without padding, as CDX files have it.
    #[must_use]
    pub fn base32(&self) -> String {
        BASE32.encode(&self.value).trim_end_matches('=').to_owned()
    }

    /// Appends the usual spelling.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.algorithm.name().as_bytes());
        out.push(b':');
        if self.algorithm == Algorithm::Sha1 {
            return out.extend_from_slice(self.base32().as_bytes());
        }
        let start = out.len();
        out.resize(start + HEXLOWER.encode_len(self.value.len()), 0);
        HEXLOWER.encode_mut(&self.value, out.get_mut(start..).unwrap_or_default());
    }

    /// The value in lower-case hex.
    #[must_use]
    pub fn hex(&self) -> String {
        HEXLOWER.encode(&self.value)
    }
}

/// The usual spelling: SHA-1 in base32, everything else in hex.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.algorithm == Algorithm::Sha1 { self.base32() } else { self.hex() };
        write!(f, "{}:{value}", self.algorithm.name())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

fn decode(text: &str, length: usize) -> Option<Vec<u8>> {
    let bare = text.trim_end_matches('=');
    let value = if bare.len() == length * 2 {
        HEXLOWER_PERMISSIVE.decode(bare.as_bytes()).ok()
    } else if bare.len() == (length * 8).div_ceil(5) {
        let padding = "=".repeat(bare.len().next_multiple_of(8) - bare.len());
        BASE32.decode((bare.to_ascii_uppercase() + &padding).as_bytes()).ok()
    } else {
        None
    };
    value.filter(|value| value.len() == length)
}

/// Computes a digest from bytes as they come.
#[derive(Debug, Clone)]
pub struct Hasher(State);

#[derive(Debug, Clone)]
enum State {
    Md5(Box<Md5>),
    Sha1(Box<Sha1>),
    Sha256(Box<Sha256>),
    Sha512(Box<Sha512>),
    Blake3(Box<blake3::Hasher>),
}

impl Hasher {
    /// A hasher that has seen nothing.
    #[must_use]
    pub fn new(algorithm: Algorithm) -> Hasher {
        Hasher(match algorithm {
            Algorithm::Md5 => State::Md5(Box::default()),
            Algorithm::Sha1 => State::Sha1(Box::default()),
            Algorithm::Sha256 => State::Sha256(Box::default()),
            Algorithm::Sha512 => State::Sha512(Box::default()),
            Algorithm::Blake3 => State::Blake3(Box::default()),
        })
    }

    /// Takes in further bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            State::Md5(hasher) => hasher.update(bytes),
            State::Sha1(hasher) => hasher.update(bytes),
            State::Sha256(hasher) => hasher.update(bytes),
            State::Sha512(hasher) => hasher.update(bytes),
            State::Blake3(hasher) => {
                hasher.update(bytes);
            }
        }
    }

    /// The digest of all that was taken in.
    #[must_use]
    pub fn finish(self) -> Digest {
        let (algorithm, value) = match self.0 {
            State::Md5(hasher) => (Algorithm::Md5, hasher.finalize().to_vec()),
            State::Sha1(hasher) => (Algorithm::Sha1, hasher.finalize().to_vec()),
            State::Sha256(hasher) => (Algorithm::Sha256, hasher.finalize().to_vec()),
            State::Sha512(hasher) => (Algorithm::Sha512, hasher.finalize().to_vec()),
            State::Blake3(hasher) => (Algorithm::Blake3, hasher.finalize().as_bytes().to_vec()),
        };
        Digest { algorithm, value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, display: &str) {
        assert_eq!(Digest::parse(text).unwrap().to_string(), display, "{text}");
    }

    #[test]
    fn hex_and_base32_are_one_value() {
        let base32 = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
        check(base32, base32);
        check("sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709", base32);
        check("SHA-1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709", base32);
        check("3i42h3s6nnfq2msvx7xzkyayscx5qbyj", base32);
        check("md5:d41d8cd98f00b204e9800998ecf8427e", "md5:d41d8cd98f00b204e9800998ecf8427e");
        check("md5:2QOYZWMPACZAJ2MABGMOZ6CCPY", "md5:d41d8cd98f00b204e9800998ecf8427e");
    }

    #[test]
    fn every_algorithm_reads_what_it_writes() {
        for algorithm in Algorithm::ALL {
            let digest = Digest::of(algorithm, b"varve");
            assert_eq!(Digest::parse(&digest.to_string()).unwrap(), digest);
            let base32 = format!("{}:{}", algorithm.name(), digest.base32());
            assert_eq!(Digest::parse(&base32).unwrap(), digest, "{base32}");
        }
    }

    #[test]
    fn what_is_no_digest_is_refused() {
        for text in ["", ":", "sha1:", "sha1:xyz", "crc32:00000000", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY1"]
        {
            assert!(Digest::parse(text).is_err(), "{text}");
        }
    }
}
