//! Columns of text, row by row, for endless listings.
//!
//! Cells are archived text, so they are escaped here. No line ends in spaces.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::escape;

/// Between two columns.
const GAP: &str = "  ";

/// Which side of its column a cell leans to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Columns of a width that is known beforehand. A cell that is wider pushes the rest of its row to the right.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    columns: Vec<(Align, usize)>,
}

impl Columns {
    /// Each column's side and least width.
    pub(crate) fn new(columns: impl Into<Vec<(Align, usize)>>) -> Self {
        Self { columns: columns.into() }
    }

    /// One row without its line end. Cells beyond the known columns are set one after another.
    pub(crate) fn row<'cell>(&self, cells: impl IntoIterator<Item = &'cell str>) -> String {
        let mut row = String::new();
        let columns = self.columns.iter().copied().chain(std::iter::repeat((Align::Left, 0)));
        for (index, (cell, (align, width))) in cells.into_iter().zip(columns).enumerate() {
            let cell = escape(cell);
            let missing = width.saturating_sub(cell.width());
            let gap = if index > 0 { GAP } else { "" };
            // Writing to a string cannot fail.
            let _ = match align {
                Align::Left => write!(row, "{gap}{cell}{:missing$}", ""),
                Align::Right => write!(row, "{gap}{:missing$}{cell}", ""),
            };
        }
        row.truncate(row.trim_end().len());
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lean_right_and_no_line_ends_in_spaces() {
        let columns = Columns::new([(Align::Left, 8), (Align::Right, 10), (Align::Left, 4)]);
        assert_eq!(columns.row(["response", "12", "x"]), "response          12  x");
        assert_eq!(columns.row(["dns", "1234567890", ""]), "dns       1234567890");
    }

    #[test]
    fn width_counts_columns_of_the_screen_not_characters() {
        let columns = Columns::new([(Align::Left, 6), (Align::Left, 0)]);
        assert_eq!(columns.row(["日本", "x"]), "日本    x");
        assert_eq!(columns.row(["ab", "x"]), "ab      x");
    }

    #[test]
    fn cells_are_escaped() {
        let columns = Columns::new([(Align::Left, 0)]);
        assert_eq!(columns.row(["a\x1b[2J"]), "a\\x1b[2J");
    }

    #[test]
    fn a_wide_cell_pushes_the_rest() {
        let columns = Columns::new([(Align::Right, 3), (Align::Left, 2)]);
        assert_eq!(columns.row(["12345", "x"]), "12345  x");
    }
}
