//! Digests by the names that manifests use, several of one file in one reading.

use std::fmt;
use std::io::{self, Read};

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha2::Digest as _;

/// A way to compute digests. What is written uses [`Algorithm::Sha256`] or [`Algorithm::Sha512`]; the others are old.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// `md5`
    Md5,
    /// `sha1`
    Sha1,
    /// `sha256`
    Sha256,
    /// `sha384`
    Sha384,
    /// `sha512`
    Sha512,
    /// `sha512/256`
    Sha512To256,
}

impl Algorithm {
    /// By its name in the name of a manifest or in an inventory; letter case and hyphens do not matter.
    #[must_use]
    pub fn named(name: &str) -> Option<Algorithm> {
        match name.to_ascii_lowercase().replace('-', "").as_str() {
            "md5" => Some(Algorithm::Md5),
            "sha1" => Some(Algorithm::Sha1),
            "sha256" => Some(Algorithm::Sha256),
            "sha384" => Some(Algorithm::Sha384),
            "sha512" => Some(Algorithm::Sha512),
            "sha512/256" => Some(Algorithm::Sha512To256),
            _ => None,
        }
    }

    /// Its name, such as `sha256`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Md5 => "md5",
            Algorithm::Sha1 => "sha1",
            Algorithm::Sha256 => "sha256",
            Algorithm::Sha384 => "sha384",
            Algorithm::Sha512 => "sha512",
            Algorithm::Sha512To256 => "sha512/256",
        }
    }

    /// How many bytes its digests have.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Algorithm::Md5 => 16,
            Algorithm::Sha1 => 20,
            Algorithm::Sha256 | Algorithm::Sha512To256 => 32,
            Algorithm::Sha384 => 48,
            Algorithm::Sha512 => 64,
        }
    }

    /// The digest of some bytes.
    #[must_use]
    pub fn of(self, bytes: &[u8]) -> Digest {
        let mut hasher = Hasher::new(self);
        hasher.update(bytes);
        hasher.finish()
    }
}

/// A digest; its text is lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(Box<[u8]>);

impl Digest {
    /// From hexadecimal digits in either case, as many as the algorithm has.
    #[must_use]
    pub fn parse(algorithm: Algorithm, text: &str) -> Option<Digest> {
        if text.len() != algorithm.bytes() * 2 {
            return None;
        }
        HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok().map(|bytes| Digest(bytes.into()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

/// Computes one digest, piece by piece.
pub(crate) enum Hasher {
    Md5(md5::Md5),
    Sha1(sha1::Sha1),
    Sha256(sha2::Sha256),
    Sha384(sha2::Sha384),
    Sha512(sha2::Sha512),
    Sha512To256(sha2::Sha512_256),
}

impl Hasher {
    pub(crate) fn new(algorithm: Algorithm) -> Hasher {
        match algorithm {
            Algorithm::Md5 => Hasher::Md5(md5::Md5::new()),
            Algorithm::Sha1 => Hasher::Sha1(sha1::Sha1::new()),
            Algorithm::Sha256 => Hasher::Sha256(sha2::Sha256::new()),
            Algorithm::Sha384 => Hasher::Sha384(sha2::Sha384::new()),
            Algorithm::Sha512 => Hasher::Sha512(sha2::Sha512::new()),
            Algorithm::Sha512To256 => Hasher::Sha512To256(sha2::Sha512_256::new()),
        }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Md5(hasher) => hasher.update(bytes),
            Hasher::Sha1(hasher) => hasher.update(bytes),
            Hasher::Sha256(hasher) => hasher.update(bytes),
            Hasher::Sha384(hasher) => hasher.update(bytes),
            Hasher::Sha512(hasher) => hasher.update(bytes),
            Hasher::Sha512To256(hasher) => hasher.update(bytes),
        }
    }

    pub(crate) fn finish(self) -> Digest {
        Digest(match self {
            Hasher::Md5(hasher) => hasher.finalize().as_slice().into(),
            Hasher::Sha1(hasher) => hasher.finalize().as_slice().into(),
            Hasher::Sha256(hasher) => hasher.finalize().as_slice().into(),
            Hasher::Sha384(hasher) => hasher.finalize().as_slice().into(),
            Hasher::Sha512(hasher) => hasher.finalize().as_slice().into(),
            Hasher::Sha512To256(hasher) => hasher.finalize().as_slice().into(),
        })
    }
}

/// How long a file is, and its digests.
pub(crate) struct Sums {
    pub(crate) bytes: u64,
    digests: Vec<(Algorithm, Digest)>,
}

impl Sums {
    pub(crate) fn get(&self, algorithm: Algorithm) -> Option<&Digest> {
        self.digests.iter().find(|(other, _)| *other == algorithm).map(|(_, digest)| digest)
    }
}

/// Reads to the end, once, for all the digests that are wanted.
pub(crate) fn sums(mut source: impl Read, algorithms: &[Algorithm]) -> io::Result<Sums> {
    let mut hashers: Vec<(Algorithm, Hasher)> = Vec::new();
    for algorithm in algorithms {
        if !hashers.iter().any(|(other, _)| other == algorithm) {
            hashers.push((*algorithm, Hasher::new(*algorithm)));
        }
    }
    let mut bytes = 0;
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let piece = buffer.get(..count).unwrap_or_default();
        hashers.iter_mut().for_each(|(_, hasher)| hasher.update(piece));
        bytes += count as u64;
    }
    let digests = hashers.into_iter().map(|(algorithm, hasher)| (algorithm, hasher.finish())).collect();
    Ok(Sums { bytes, digests })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_nothing_are_the_known_ones() {
        #[track_caller]
        fn check(name: &str, start: &str) {
            let algorithm = Algorithm::named(name).unwrap();
            let digest = algorithm.of(b"").to_string();
            assert!(digest.starts_with(start) && digest.len() == algorithm.bytes() * 2, "{name}: {digest}");
            let sums = sums(&b""[..], &[algorithm, algorithm]).unwrap();
            assert_eq!(sums.get(algorithm).unwrap().to_string(), digest);
            assert_eq!(Digest::parse(algorithm, &digest.to_uppercase()).unwrap().to_string(), digest);
        }
        check("md5", "d41d8cd98f00b204");
        check("SHA-1", "da39a3ee5e6b4b0d");
        check("sha256", "e3b0c44298fc1c14");
        check("sha384", "38b060a751ac9638");
        check("sha512", "cf83e1357eefb8bd");
        check("sha512/256", "c672b8d1ef56ed28");
    }

    #[test]
    fn a_digest_of_another_length_is_none() {
        assert_eq!(Digest::parse(Algorithm::Md5, "d41d8cd98f00b204"), None);
        assert_eq!(Digest::parse(Algorithm::Md5, "z41d8cd98f00b204e9800998ecf8427e"), None);
    }
}
