//! Two texts side by side, as they stand on a page.

use api::watches::Compared;
use diff::{Half, Kind, Limits, Row};

/// So many lines that are the same stand around a change.
const CONTEXT: usize = 3;
/// So many rows, and so many characters of a line, are shown.
const ROWS_MAX: usize = 3000;
const LINE_CHARS: usize = 4000;

/// Both texts.
#[derive(Default)]
pub(super) struct Sides {
    pub(super) lines: Vec<Line>,
    pub(super) is_cut: bool,
}

/// A row.
pub(super) struct Line {
    /// So many that are the same were left out before it.
    pub(super) gap: usize,
    pub(super) is_same: bool,
    pub(super) old: Option<Vec<Piece>>,
    pub(super) new: Option<Vec<Piece>>,
}

/// A stretch of a line.
pub(super) struct Piece {
    /// Whether it differs from what stands on the other side.
    pub(super) is_marked: bool,
    pub(super) text: String,
}

/// What is shown of two texts: what differs, with what is around it, or all.
pub(super) fn sides(compared: &Compared, with_noise: bool, all: bool) -> Sides {
    let (old, new) = match with_noise {
        true => (compared.old_text.clone(), compared.new_text.clone()),
        false => compared.quiet(),
    };
    let limits = Limits::default();
    let difference = diff::lines(&old, &new, &limits);
    if difference.is_empty() && !all {
        return Sides::default();
    }
    let rows = difference.rows((!all).then_some(CONTEXT));
    let is_cut = rows.len() > ROWS_MAX;
    Sides { lines: rows.iter().take(ROWS_MAX).map(line).collect(), is_cut }
}

fn line(row: &Row<'_>) -> Line {
    Line {
        gap: row.left_out,
        is_same: row.same,
        old: row.old.as_ref().map(pieces),
        new: row.new.as_ref().map(pieces),
    }
}

fn pieces(half: &Half<'_>) -> Vec<Piece> {
    // Where nothing is the same, the line is another as a whole, and words need no mark.
    let is_whole = half.spans.iter().all(|span| span.kind != Kind::Same);
    let mut left = LINE_CHARS;
    let mut pieces = Vec::new();
    for (number, span) in half.spans.iter().enumerate() {
        let text: String = span.text.chars().take(left).collect();
        left -= text.chars().count();
        let is_cut = text.len() < span.text.len();
        // A blank between two words that differ belongs to them.
        let is_next_other = half.spans.get(number + 1).is_some_and(|next| next.kind != Kind::Same);
        let is_between = pieces.last().is_some_and(|last: &Piece| last.is_marked) && is_next_other;
        let is_blank = span.text.trim().is_empty();
        let is_marked = !is_whole && (span.kind != Kind::Same || is_blank && is_between);
        match pieces.last_mut().filter(|last| last.is_marked && is_marked) {
            Some(last) => last.text.push_str(&text),
            None => pieces.push(Piece { is_marked, text }),
        }
        if is_cut {
            pieces.push(Piece { is_marked: false, text: " …".to_owned() });
            break;
        }
    }
    pieces
}
