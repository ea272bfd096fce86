//! Side by side: the old line on the left, the new one on the right.

use serde::Serialize;

use super::spans::refine;
use super::{Difference, Hunk, Kind, Span, Unit};

/// One row: a line on the left, a line on the right, or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row<'a> {
    /// The line of the old text.
    pub old: Option<Half<'a>>,
    /// The line of the new text.
    pub new: Option<Half<'a>>,
    /// Whether both are the same.
    pub same: bool,
    /// So many rows that are the same were left out before this one.
    pub left_out: usize,
}

/// One side of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Half<'a> {
    /// The number of the line, from 1.
    pub number: usize,
    /// The line without its end, with what differs from the other side marked.
    pub spans: Vec<Span<'a>>,
}

impl<'a> Difference<'a> {
    /// Rows side by side, with so many rows that are the same around each change; all of them if `None`.
    #[must_use]
    pub fn rows(&self, context: Option<usize>) -> Vec<Row<'a>> {
        let context = context.unwrap_or(usize::MAX);
        let mut left = self.limits.refined_tokens_max;
        let (mut rows, mut left_out, mut new_at) = (Vec::new(), 0, 0);
        let mut is_first = true;
        for (same, hunk) in self.stretches() {
            // Behind the last hunk, and before the next.
            let (head, tail) = (if is_first { 0 } else { context }, if hunk.is_some() { context } else { 0 });
            is_first = false;
            let length = same.len();
            for (at, old) in same.enumerate() {
                if at >= head && length - at > tail {
                    left_out += 1;
                } else {
                    let new = Some(as_same(self.half(new_at + at, Kind::Added)));
                    let old = Some(as_same(self.half(old, Kind::Removed)));
                    rows.push(Row { old, new, same: true, left_out });
                    left_out = 0;
                }
            }
            new_at += length;
            if let Some(hunk) = hunk {
                self.changed(hunk, &mut left, &mut left_out, &mut rows);
                new_at += hunk.new.len();
            }
        }
        rows
    }

    fn changed(&self, hunk: &Hunk, left: &mut usize, left_out: &mut usize, rows: &mut Vec<Row<'a>>) {
        let (old_count, new_count) = (hunk.old.len(), hunk.new.len());
        for at in 0..old_count.max(new_count) {
            let mut old = (at < old_count).then(|| self.half(hunk.old.start + at, Kind::Removed));
            let mut new = (at < new_count).then(|| self.half(hunk.new.start + at, Kind::Added));
            if let (Some(old), Some(new)) = (&mut old, &mut new)
                && let (Some(old_line), Some(new_line)) = (old.spans.first(), new.spans.first())
                && let Some(spans) = refine(old_line.text, new_line.text, left, &self.limits)
            {
                old.spans = spans.iter().copied().filter(|span| span.kind != Kind::Added).collect();
                new.spans = spans.into_iter().filter(|span| span.kind != Kind::Removed).collect();
            }
            rows.push(Row { old, new, same: false, left_out: std::mem::take(left_out) });
        }
    }

    fn half(&self, token: usize, kind: Kind) -> Half<'a> {
        let text = if kind == Kind::Removed { self.old.get(token) } else { self.new.get(token) };
        let text = if self.unit == Unit::Lines { text.trim_end_matches(['\n', '\r']) } else { text };
        Half { number: token + 1, spans: vec![Span { kind, text }] }
    }
}

fn as_same(half: Half<'_>) -> Half<'_> {
    let spans = half.spans.into_iter().map(|span| Span { kind: Kind::Same, ..span }).collect();
    Half { spans, ..half }
}

#[cfg(test)]
mod tests {
    use crate::{Kind, Limits, lines};

    #[test]
    fn what_changed_stands_side_by_side_and_the_rest_is_left_out() {
        let old = "1\n2\n3\nred fish here\n5\n6\n7\n";
        let new = "1\n2\n3\nblue fish here\nmore\n5\n6\n7\n";
        let limits = Limits::default();
        let difference = lines(old, new, &limits);
        let rows = difference.rows(Some(1));
        let shown: Vec<_> = rows
            .iter()
            .map(|row| (row.old.as_ref().map(|half| half.number), row.new.as_ref().map(|half| half.number)))
            .collect();
        assert_eq!(shown, [(Some(3), Some(3)), (Some(4), Some(4)), (None, Some(5)), (Some(5), Some(6))]);
        assert_eq!(rows[0].left_out, 2);
        let left = &rows[1].old.as_ref().unwrap().spans;
        assert_eq!((left[0].kind, left[0].text), (Kind::Removed, "red"));
        assert_eq!((left[1].kind, left[1].text), (Kind::Same, " fish here"));
        assert_eq!(difference.rows(None).len(), 8);
    }
}
