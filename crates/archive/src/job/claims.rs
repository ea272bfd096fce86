//! Payloads that a job is about to store: whoever comes first has the claim, all others refer to it.
//!
//! A claim lives as long as a [`Packed`](super::Packed) holds it, or until its record is with the system and the
//! [digests](super::known) know of it. Nobody waits for anybody: the first of its holders that is appended stores the payload,
//! whichever packed it first, and the others become revisits of that one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use warc::{Algorithm, Hasher};

use crate::about::Dedup;
use crate::original::Original;

/// What is the same: the payload's digest, and the URL if only its own captures count.
pub(super) type Key = [u8; 24];

/// The key of a payload.
pub(super) fn key(dedup: Dedup, digest: &[u8], url: &str) -> Key {
    let mut key = Key::default();
    let fill = |key: &mut Key, bytes: &[u8]| {
        for (place, byte) in key.iter_mut().zip(bytes) {
            *place = *byte;
        }
    };
    if dedup == Dedup::Url {
        let mut hasher = Hasher::new(Algorithm::Sha256);
        hasher.update(digest);
        hasher.update(url.as_bytes());
        fill(&mut key, hasher.finish().value());
    } else {
        fill(&mut key, digest);
    }
    key
}

type Table = Mutex<HashMap<Key, Weak<Claim>, foldhash::fast::RandomState>>;

/// All claims of a job.
#[derive(Debug, Default)]
pub(super) struct Claims(Arc<Table>);

/// A payload that is about to be stored, or has just been.
#[derive(Debug)]
pub(super) struct Claim {
    key: Key,
    table: Weak<Table>,
    placed: Mutex<Option<Stored>>,
}

/// Where a payload was stored.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    pub(super) original: Original,
    /// Where its line begins in `captures.cdxj`.
    pub(super) line: u64,
}

impl Claims {
    /// The claim to this payload: a new one, or that of another. Says whether it is new.
    pub(super) fn claim(&self, key: Key) -> (Arc<Claim>, bool) {
        let mut table = lock(&self.0);
        if let Some(claim) = table.get(&key).and_then(Weak::upgrade) {
            return (claim, false);
        }
        let claim = Arc::new(Claim { key, table: Arc::downgrade(&self.0), placed: Mutex::new(None) });
        table.insert(key, Arc::downgrade(&claim));
        (claim, true)
    }

    /// The claim to this payload, if there is one.
    pub(super) fn get(&self, key: &Key) -> Option<Arc<Claim>> {
        lock(&self.0).get(key).and_then(Weak::upgrade)
    }
}

impl Claim {
    /// Where the payload was stored, if it has been.
    pub(super) fn stored(&self) -> Option<Stored> {
        lock(&self.placed).clone()
    }

    /// The payload and where its line begins, once it has been stored.
    pub(super) fn place(&self) -> Option<(Key, u64)> {
        Some((self.key, self.stored()?.line))
    }

    /// Notes where the payload was stored; `None` when the file was cut back and it is not there any more.
    pub(super) fn set_stored(&self, stored: Option<Stored>) {
        *lock(&self.placed) = stored;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let Some(table) = self.table.upgrade() else { return };
        let mut table = lock(&table);
        // Another claim may have taken the place between the last holder's end and now.
        if table.get(&self.key).is_some_and(|claim| claim.strong_count() == 0) {
            table.remove(&self.key);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing in here panics half way.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_released_when_nobody_holds_it() {
        let claims = Claims::default();
        let (first, is_new) = claims.claim([1; 24]);
        assert!(is_new);
        let (second, is_new) = claims.claim([1; 24]);
        assert!(!is_new && Arc::ptr_eq(&first, &second));
        drop(first);
        assert!(claims.get(&[1; 24]).is_some());
        drop(second);
        assert!(claims.get(&[1; 24]).is_none() && lock(&claims.0).is_empty());
        assert!(claims.claim([1; 24]).1);
    }

    #[test]
    fn the_url_counts_only_where_it_is_asked_to() {
        let (one, other) = ("http://a/", "http://b/");
        assert_eq!(key(Dedup::Content, &[7; 32], one), key(Dedup::Content, &[7; 32], other));
        assert_ne!(key(Dedup::Url, &[7; 32], one), key(Dedup::Url, &[7; 32], other));
    }
}
