//! Any bytes as a page, and as XML of every kind.

use rewrite::Kind;

use super::through;

pub(crate) fn attack(bytes: &[u8]) {
    for kind in [Kind::Html, Kind::Xhtml, Kind::Xml, Kind::Dash, Kind::Hls] {
        through::both(kind, bytes);
    }
    // Text without anything special passes as it is.
    if bytes.iter().all(|byte| byte.is_ascii_lowercase()) {
        assert_eq!(through::both(Kind::Xml, bytes), bytes);
    }
}
