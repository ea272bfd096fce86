//! Documents on their way through, whole and in pieces, within ample limits and narrow ones.

use rewrite::{Kind, Limits, Modifier, Place, Rewriter, Settings};

/// Rewrites in one piece and in several, with the same result, which it gives back.
pub(crate) fn both(kind: Kind, bytes: &[u8]) -> Vec<u8> {
    let length = bytes.iter().fold(0usize, |sum, byte| sum + usize::from(*byte)) % 37 + 1;
    let narrow =
        Limits { value_bytes_max: 64, depth_max: 5, nesting_max: 1, map_bytes_max: 20, ..Limits::default() };
    let [whole, _] = [Limits::default(), narrow].map(|limits| {
        let whole = rewrite(kind, bytes, bytes.len().max(1), &limits);
        assert!(whole == rewrite(kind, bytes, length, &limits), "in pieces of {length}");
        whole
    });
    whole
}

fn rewrite(kind: Kind, bytes: &[u8], length: usize, limits: &Limits) -> Vec<u8> {
    let place = Place::new("/web/", "2026", Modifier::Page, "http://e.org/a/b.html").unwrap();
    let mut settings = Settings::new(place, kind);
    settings.limits = limits.clone();
    (settings.head, settings.foot) = (b"<i/>".to_vec(), b"<b/>".to_vec());
    let mut rewriter = Rewriter::new(settings).unwrap();
    let mut out = Vec::new();
    for piece in bytes.chunks(length) {
        rewriter.feed(piece, &mut out).unwrap();
    }
    rewriter.finish(&mut out).unwrap();
    out
}
