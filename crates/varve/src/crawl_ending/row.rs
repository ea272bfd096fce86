//! What became of a crawl, for programs.

use crawl::Ended;
use serde::Serialize;

/// One crawl.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    job: &'a str,
    committed: bool,
    complete: bool,
    ended: &'a str,
    documents: u64,
    bytes: u64,
    novel: u64,
    duplicates: u64,
    not_modified: u64,
    gone: u64,
    filtered: u64,
    failed: u64,
    robots: u64,
    queued: u64,
}

impl<'a> Row<'a> {
    pub(super) fn of(ended: &'a Ended) -> Row<'a> {
        let counts = &ended.counts;
        Row {
            job: &ended.job,
            committed: ended.is_committed,
            complete: ended.is_complete,
            ended: &ended.how,
            documents: counts.got.urls,
            bytes: counts.got.bytes,
            novel: counts.novel.urls,
            duplicates: counts.duplicate.urls,
            not_modified: counts.not_modified.urls,
            gone: counts.gone,
            filtered: counts.filtered.urls,
            failed: counts.failed,
            robots: counts.robots,
            queued: ended.queued,
        }
    }
}
