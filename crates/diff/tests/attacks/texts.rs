//! Any bytes as two texts: whatever is shown, both come back from it, by every unit and within any bound.

use diff::{Kind, Limits, chars, lines, words};

/// Tries the halves of the bytes, cut at each of a few places.
pub(crate) fn attack(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for part in [2, 3] {
        let mut at = text.len() / part;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let (old, new) = text.split_at(at);
        for tokens_max in [3, 100, 10_000] {
            let limits = Limits { tokens_max, ..Limits::default() };
            for difference in [lines(old, new, &limits), words(old, new, &limits), chars(old, new, &limits)] {
                for spans in [difference.spans(), difference.inline()] {
                    let without = |kind| {
                        spans
                            .iter()
                            .filter(|span| span.kind != kind)
                            .map(|span| span.text)
                            .collect::<String>()
                    };
                    assert!(without(Kind::Added) == old && without(Kind::Removed) == new);
                }
                assert_eq!(difference.is_empty(), old == new);
                let rows = difference.rows(Some(2));
                let shown = rows.iter().filter(|row| !row.same).count();
                assert!(shown >= difference.hunks().len());
                assert!(difference.unified("a", "b", 3).is_empty() == difference.is_empty());
                assert!(difference.html(2, 500).len() <= 500);
                serde_json::to_string(&difference.report()).unwrap();
            }
        }
    }
}
