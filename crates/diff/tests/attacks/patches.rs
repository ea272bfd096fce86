//! Any bytes as a patch, and as two versions of something.
//!
//! A patch leads to what it says, by length and digest, or to an error; never to more than is allowed. Two versions, cut out of the
//! bytes at any place, come back exactly by both efforts.

use diff::Limits;
use diff::patch::{Effort, apply, describe, make};

/// What hostile patches start from.
const OLD: &[u8] =
    b"The older version, which is neither long nor short, and repeats itself: version, version, version.";

/// Tries the bytes as both.
pub(crate) fn attack(bytes: &[u8]) {
    let limits = Limits { patched_bytes_max: 1 << 16, ..Limits::default() };
    for old in [OLD, b""] {
        // A seed may be for this very version, whatever its head says of lengths.
        if let Ok(new) = apply(old, bytes, &limits) {
            let description = describe(bytes).unwrap();
            assert_eq!(description.new_bytes, new.len() as u64);
            assert_eq!(description.old_bytes, old.len() as u64);
        }
    }
    let at = bytes.first().map_or(0, |first| bytes.len() * usize::from(*first) / 256);
    let (old, new) = bytes.split_at(at);
    for effort in [Effort::Quick, Effort::Thorough] {
        if let Ok(patch) = make(old, new, effort, &limits) {
            assert_eq!(apply(old, &patch.bytes, &limits).unwrap(), new);
        } else {
            assert!(old.len().max(new.len()) > 1 << 16);
        }
    }
}
