//! Any bytes as the records of an ARC file, behind the version block that makes it one.

use super::{records, rewritten};

const VERSION_BLOCK: &[u8] = b"filedesc://attack.arc 0.0.0.0 20080430204825 text/plain 69\n\
    1 0 varve\nURL IP-address Archive-date Content-type Archive-length\n\n\n";

pub(crate) fn attack(bytes: &[u8]) {
    let file = [VERSION_BLOCK, bytes].concat();
    let lenient = records::check(&file);
    assert!(
        lenient.first().is_some_and(|record| record.head.version().is_arc()),
        "the version block is lost"
    );
    rewritten::check(&lenient);
}
