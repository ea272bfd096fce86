//! Ids of records, never the same twice, and the same in every run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes ids such as `urn:uuid:…`, counted up over the whole process.
#[must_use]
pub fn record_ids() -> Arc<dyn Fn() -> String + Send + Sync> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    Arc::new(|| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        format!("urn:uuid:00000000-0000-4000-8000-{number:012x}")
    })
}
