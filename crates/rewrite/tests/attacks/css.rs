//! Any bytes as a style sheet.

use rewrite::Kind;

use super::through;

pub(crate) fn attack(bytes: &[u8]) {
    let out = through::both(Kind::Css, bytes);
    // Without a function or a rule there is no address.
    if !bytes.contains(&b'(') && !bytes.contains(&b'@') {
        assert!(out == bytes, "changed without a reason");
    }
    // Addresses that lead into the archive stay there.
    if bytes.is_ascii() && !bytes.contains(&b'\\') {
        assert!(through::both(Kind::Css, &out) == out, "rewritten twice");
    }
}
