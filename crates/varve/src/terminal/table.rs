//! Columns of text: [`Columns`] row by row for endless listings, [`Table`] measured first for short ones.
//!
//! Cells are archived text, so they are escaped here. No line ends in spaces.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::{Paint, escape};

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

/// A short table: it is held in memory until it is printed, as wide as its widest cells.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    heads: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these heads.
    pub(crate) fn new<'head>(heads: impl IntoIterator<Item = (&'head str, Align)>) -> Self {
        let heads = heads.into_iter().map(|(head, align)| (head.to_owned(), align)).collect();
        Self { heads, rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row<Cell: Into<String>>(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// All lines, the heads first.
    pub(crate) fn lines(&self, paint: Paint) -> Vec<String> {
        let columns = self.measure();
        let heads = columns.row(self.heads.iter().map(|(head, _)| head.as_str()));
        let mut lines = vec![paint.strong(heads).to_string()];
        lines.extend(self.rows.iter().map(|row| columns.row(row.iter().map(String::as_str))));
        lines
    }

    /// The columns, each as wide as its widest cell.
    fn measure(&self) -> Columns {
        let width = |cell: &str| escape(cell).width();
        let widest =
            |index: usize| self.rows.iter().filter_map(|row| row.get(index)).map(|cell| width(cell)).max();
        let columns = self.heads.iter().enumerate();
        Columns::new(
            columns
                .map(|(index, (head, align))| (*align, widest(index).unwrap_or(0).max(width(head))))
                .collect::<Vec<_>>(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Color;

    #[test]
    fn numbers_lean_right_and_no_line_ends_in_spaces() {
        let mut table = Table::new([("type", Align::Left), ("records", Align::Right), ("note", Align::Left)]);
        table.row(["response", "12", "x"]);
        table.row(["dns", "1234567890", ""]);
        let lines = table.lines(Paint::decide(Color::Never, false, false));
        assert_eq!(lines, ["type         records  note", "response          12  x", "dns       1234567890"]);
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
