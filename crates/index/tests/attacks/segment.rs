//! Any bytes as a segment of an index: with its checksums, and as if they were right.

use std::path::Path;
use std::sync::Arc;

use cdx::Capture;
use index::segment::{Segment, Shared};
use index::{Error, Limits, Settings, Snapshot};

/// Rows that are looked at; a few bytes can say "the same again" very often.
const ROWS_MAX: usize = 300;

pub(crate) fn attack(bytes: &[u8]) {
    let limits =
        Limits { line_bytes: 8 << 10, page_bytes: 64 << 10, tail_bytes: 64 << 10, ..Limits::default() };
    let settings =
        Settings { limits, leaf_cache_bytes: 1 << 20, branch_cache_bytes: 1 << 20, ..Settings::default() };
    if let Ok(snapshot) = open(bytes, Shared::new(&settings)) {
        sound(&snapshot);
    }
    if let Ok(snapshot) = open(bytes, Shared::trusting(&settings)) {
        hostile(&snapshot);
    }
}

fn open(bytes: &[u8], shared: Shared) -> Result<Snapshot, Error> {
    Segment::open(Box::new(bytes.to_vec()), Path::new("0000000001.segment"), &Arc::new(shared))
        .map(Segment::alone)
}

fn rows(snapshot: &Snapshot) -> impl Iterator<Item = Result<Capture<'static>, Error>> {
    let everything = urlkey::KeyRange { start: String::new(), end: String::new() };
    snapshot.range(&everything).take(ROWS_MAX)
}

/// What the checksums vouch for was written by us: rows are sorted, and each is found in every way.
fn sound(snapshot: &Snapshot) {
    let mut last = (None, None);
    for row in rows(snapshot) {
        // Leaves may be damaged one by one; then there is nothing to compare with.
        let Ok(row) = row else { return };
        let order = (row.key.clone(), row.timestamp);
        assert!(last <= order, "rows are out of order");
        last = order;
        let key = row.key.clone().unwrap_or_default();
        let at = urlkey::time::parse_14_clamped(&row.timestamp.unwrap().to_string());
        if let Ok(nearest) = snapshot.nearest(&key, at) {
            assert_eq!(nearest.unwrap().timestamp, row.timestamp, "another is nearer than itself");
        }
        // Rows that came from elsewhere may have keys that are not those of their URLs; nobody finds those by URL.
        let url = row.url.as_ref().filter(|url| urlkey::key(url) == key);
        if let Some(Ok(latest)) = url.map(|url| snapshot.latest(url)) {
            assert!(latest.unwrap().timestamp >= row.timestamp, "the latest is older");
        }
        if let (Some(digest), false) = (&row.digest, row.is_revisit())
            && let Ok(first) = snapshot.by_digest(digest)
        {
            assert!(first.unwrap().timestamp <= row.timestamp, "the first is newer");
        }
    }
}

/// Nothing panics, hangs or fills the memory, and after an error there is an end.
fn hostile(snapshot: &Snapshot) {
    let mut all = rows(snapshot);
    while let Some(row) = all.next() {
        let Ok(row) = row else {
            assert!(all.next().is_none(), "it goes on behind an error");
            break;
        };
        let key = row.key.clone().unwrap_or_default();
        for at in [jiff::Timestamp::MIN, jiff::Timestamp::UNIX_EPOCH, jiff::Timestamp::MAX] {
            let _ = snapshot.nearest(&key, at);
        }
        let _ = snapshot.versions(&key).take(ROWS_MAX).count();
        let _ = row.url.as_ref().map(|url| snapshot.latest(url));
        let _ = row.digest.as_ref().map(|digest| snapshot.by_digest(digest));
    }
    let _ = (snapshot.by_digest("sha256:x"), snapshot.latest("http://a.org/"));
    let _ = snapshot.nearest("org,a)/", jiff::Timestamp::UNIX_EPOCH);
    let range = urlkey::KeyRange { start: "org,".to_owned(), end: "org-".to_owned() };
    let _ = snapshot.range(&range).take(ROWS_MAX).count();
}
