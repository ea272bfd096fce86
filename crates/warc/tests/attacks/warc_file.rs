//! Any bytes as a whole archive file: plain, gzip or zstd, WARC or ARC, as their start says.

use super::{records, rewritten};

pub(crate) fn attack(bytes: &[u8]) {
    let lenient = records::check(bytes);
    rewritten::check(&lenient);
}
