//! Locks that a panic elsewhere leaves usable.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A panic elsewhere leaves these as they were between two steps, which is sound.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
