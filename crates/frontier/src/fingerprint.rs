//! What stands for a URL or a host name in keys: the first 128 bits of its BLAKE3 hash.
//!
//! Two different texts with one fingerprint would have to be looked for on purpose for longer than anybody has time.

use std::hash::{BuildHasherDefault, Hasher};

/// The fingerprint of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fingerprint(u128);

impl Fingerprint {
    pub(crate) fn of(text: &str) -> Fingerprint {
        let hash = blake3::hash(text.as_bytes());
        let (head, _) = hash.as_bytes().split_at(16);
        // The head has sixteen bytes, whatever happens.
        Fingerprint(head.try_into().map_or(0, u128::from_be_bytes))
    }

    /// One that stood in a key.
    pub(crate) fn read(bytes: &[u8]) -> Option<Fingerprint> {
        bytes.try_into().ok().map(u128::from_be_bytes).map(Fingerprint)
    }

    /// As it stands in keys.
    pub(crate) fn bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// The upper and the lower half; each is as good as random.
    pub(crate) fn halves(self) -> (u64, u64) {
        let [upper, lower] = [self.0 >> 64, self.0].map(|half| u64::try_from(half & u128::from(u64::MAX)));
        (upper.unwrap_or(0), lower.unwrap_or(0))
    }
}

impl std::hash::Hash for Fingerprint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.halves().0);
    }
}

/// Fingerprints are random already, so a table of them needs no hashing.
pub(crate) type ByFingerprint = BuildHasherDefault<Itself>;

/// Takes a fingerprint for its own hash.
#[derive(Debug, Default)]
pub(crate) struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, half: u64) {
        self.0 = half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_head_of_the_hash() {
        let hash = blake3::hash(b"http://example.org/");
        let fingerprint = Fingerprint::of("http://example.org/");
        assert_eq!(fingerprint.bytes(), hash.as_bytes()[..16]);
        assert_eq!(Fingerprint::read(&fingerprint.bytes()), Some(fingerprint));
        let (upper, lower) = fingerprint.halves();
        assert_eq!(upper.to_be_bytes(), hash.as_bytes()[..8]);
        assert_eq!(lower.to_be_bytes(), hash.as_bytes()[8..16]);
    }
}
