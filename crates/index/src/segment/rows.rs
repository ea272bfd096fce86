//! Leaves of rows, in the order of key, time and commit: those of version 1, and rows of either.
//!
//! ```text
//! version 1, for each row: commit │ length │ line
//! ```
//! The commit is the number that it has in this segment. `key time` at the front of a line is what rows are sorted by. What leaves
//! are since, `columns` says.

use memchr::memchr;

use super::bytes::Bytes;
use super::columns::Columns;

/// Digits of a time, and the space before it.
const TIME_BYTES: usize = 15;

/// A row, as it lies in a leaf.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    content: Content<'a>,
    /// `key time`: the front of the line, by which rows are sorted.
    pub(crate) order: &'a [u8],
    /// Number of the commit in its segment.
    pub(crate) commit: usize,
}

/// Where the rest of a row stands.
#[derive(Debug, Clone, Copy)]
enum Content<'a> {
    Line(&'a [u8]),
    Columns(&'a Columns, usize),
}

impl<'a> Row<'a> {
    /// Appends the CDXJ line, without a line end; `None` where it makes no sense.
    pub(crate) fn write_line(&self, out: &mut Vec<u8>) -> Option<()> {
        match self.content {
            Content::Line(line) => out.extend_from_slice(line),
            Content::Columns(columns, row) => columns.write_line(row, out)?,
        }
        Some(())
    }

    /// The key, with the space behind it.
    pub(crate) fn key(&self) -> &'a [u8] {
        self.order.get(..self.order.len().saturating_sub(TIME_BYTES - 1)).unwrap_or_default()
    }

    /// The 14 digits as a number.
    pub(crate) fn time(&self) -> Option<cdx::Timestamp> {
        let digits = self.order.get(self.order.len().saturating_sub(TIME_BYTES - 1)..)?;
        str::from_utf8(digits).ok().and_then(|digits| cdx::Timestamp::parse(digits).ok())
    }
}

/// A leaf as read.
#[derive(Debug)]
pub(crate) enum Rows {
    /// Of version 1.
    Lines(Lines),
    /// Of the versions since.
    Columns(Columns),
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        match self {
            Rows::Lines(lines) => lines.rows.len(),
            Rows::Columns(columns) => columns.len(),
        }
    }

    pub(crate) fn get(&self, row: usize) -> Option<Row<'_>> {
        match self {
            Rows::Lines(lines) => lines.rows.get(row).map(|bounds| lines.row(bounds)),
            Rows::Columns(columns) => {
                let (order, commit) = (columns.order(row)?, columns.commit(row)?);
                Some(Row { content: Content::Columns(columns, row), order, commit })
            }
        }
    }

    /// How many rows sort before this.
    pub(crate) fn count_before(&self, order: &[u8]) -> usize {
        match self {
            Rows::Lines(lines) => lines.rows.partition_point(|bounds| lines.row(bounds).order < order),
            Rows::Columns(columns) => {
                let (mut low, mut high) = (0, columns.len());
                while low < high {
                    let middle = low.midpoint(high);
                    if columns.order(middle).is_some_and(|found| found < order) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                low
            }
        }
    }

    /// Bytes that it takes in memory.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Rows::Lines(lines) => lines.bytes.len() + lines.rows.len() * size_of::<Bounds>(),
            Rows::Columns(columns) => columns.weight(),
        }
    }
}

/// A leaf of version 1.
#[derive(Debug)]
pub(crate) struct Lines {
    bytes: Vec<u8>,
    rows: Vec<Bounds>,
}

/// Where a row lies in its leaf.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    start: u32,
    order_end: u32,
    end: u32,
    commit: u32,
}

impl Lines {
    /// What the bytes of a page say; `None` where they make no sense.
    pub(crate) fn parse(bytes: Vec<u8>) -> Option<Lines> {
        let mut rest = Bytes(&bytes);
        let mut rows = Vec::with_capacity(bytes.len() / 256);
        while !rest.0.is_empty() {
            let commit = u32::try_from(rest.varint()?).ok()?;
            let line = rest.run()?;
            let order = order_of(line)?;
            let end = bytes.len() - rest.0.len();
            let start = end - line.len();
            let small = |place: usize| u32::try_from(place).ok();
            let order_end = small(start + order.len())?;
            rows.push(Bounds { start: small(start)?, order_end, end: small(end)?, commit });
        }
        (!rows.is_empty()).then_some(Lines { bytes, rows })
    }

    fn row(&self, bounds: &Bounds) -> Row<'_> {
        let part = |end: u32| self.bytes.get(bounds.start as usize..end as usize).unwrap_or_default();
        Row {
            content: Content::Line(part(bounds.end)),
            order: part(bounds.order_end),
            commit: bounds.commit as usize,
        }
    }
}

/// `key time` at the front of a line.
pub(crate) fn order_of(line: &[u8]) -> Option<&[u8]> {
    let key = memchr(b' ', line)?;
    line.get(..key + TIME_BYTES).filter(|_| line.get(key + TIME_BYTES) == Some(&b' '))
}

#[cfg(test)]
mod tests {
    use super::super::bytes::{put_run, put_varint};
    use super::*;

    /// Appends a row as version 1 did.
    fn put(leaf: &mut Vec<u8>, commit: u32, line: &[u8]) {
        put_varint(leaf, u64::from(commit));
        put_run(leaf, line);
    }

    #[test]
    fn rows_come_back_in_their_order() {
        let mut leaf = Vec::new();
        put(&mut leaf, 0, b"a)/ 20140101000000 {}");
        put(&mut leaf, 300, b"a)/ 20150101000000 {\"x\": \"\xc3\xa9\"}");
        put(&mut leaf, 1, b"b)/ 20140101000000 {}");
        let rows = Rows::Lines(Lines::parse(leaf).unwrap());
        let row = rows.get(1).unwrap();
        assert_eq!((row.order, row.commit), (b"a)/ 20150101000000".as_slice(), 300));
        assert_eq!(row.time().unwrap().to_string(), "20150101000000");
        for (order, count) in
            [("", 0), ("a)/ ", 0), ("a)/ 2015", 1), ("a)/ 20150101000000", 1), ("b", 2), ("c", 3)]
        {
            assert_eq!(rows.count_before(order.as_bytes()), count, "{order}");
        }
        assert_eq!((rows.len(), rows.get(3).is_none()), (3, true));
    }

    #[test]
    fn nonsense_is_refused() {
        let mut leaf = Vec::new();
        put(&mut leaf, 7, b"a)/ 20140101000000 {}");
        for cut in 0..leaf.len() {
            assert!(Lines::parse(leaf.get(..cut).unwrap().to_vec()).is_none(), "{cut}");
        }
        for line in ["", "a", "a ", "a 2014 {}", "a 20140101000000"] {
            let mut leaf = Vec::new();
            put(&mut leaf, 7, line.as_bytes());
            assert!(Lines::parse(leaf).is_none(), "{line}");
        }
    }
}
