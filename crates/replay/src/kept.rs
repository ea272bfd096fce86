//! What was expensive to find out, kept for the next who asks.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// So many values by name. When it is full, all of them go: what is still wanted comes back.
pub(crate) struct Kept<V> {
    values: Mutex<HashMap<String, V>>,
    max: usize,
}

impl<V: Clone> Kept<V> {
    pub(crate) fn new(max: usize) -> Kept<V> {
        Kept { values: Mutex::new(HashMap::new()), max }
    }

    pub(crate) fn get(&self, name: &str) -> Option<V> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    pub(crate) fn put(&self, name: String, value: V) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= self.max {
            values.clear();
        }
        values.insert(name, value);
    }
}

impl<V> fmt::Debug for Kept<V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Kept").finish_non_exhaustive()
    }
}
