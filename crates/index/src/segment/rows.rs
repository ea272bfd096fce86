//! Leaves of rows: CDXJ lines in the order of key, time and commit.
//!
//! ```text
//! for each row: commit │ length │ line
//! ```
//! The commit is the number that it has in this segment. `key time` at the front of a line is what rows are sorted by.

use memchr::memchr;

use super::bytes::{Bytes, put_run, put_varint};

/// Digits of a time, and the space before it.
const TIME_BYTES: usize = 15;

/// A row, as it lies in a leaf.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    /// The CDXJ line, without a line end.
    pub(crate) line: &'a [u8],
    /// `key time`: the front of the line, by which rows are sorted.
    pub(crate) order: &'a [u8],
    /// Number of the commit in its segment.
    pub(crate) commit: usize,
}

impl<'a> Row<'a> {
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
pub(crate) struct Rows {
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

impl Rows {
    /// What the bytes of a page say; `None` where they make no sense.
    pub(crate) fn parse(bytes: Vec<u8>) -> Option<Rows> {
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
        (!rows.is_empty()).then_some(Rows { bytes, rows })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn get(&self, row: usize) -> Option<Row<'_>> {
        self.rows.get(row).map(|bounds| self.row(bounds))
    }

    /// How many rows sort before this.
    pub(crate) fn count_before(&self, order: &[u8]) -> usize {
        self.rows.partition_point(|bounds| self.row(bounds).order < order)
    }

    /// Bytes that it takes in memory.
    pub(crate) fn weight(&self) -> usize {
        self.bytes.len() + self.rows.len() * size_of::<Bounds>()
    }

    fn row(&self, bounds: &Bounds) -> Row<'_> {
        let part = |end: u32| self.bytes.get(bounds.start as usize..end as usize).unwrap_or_default();
        Row { line: part(bounds.end), order: part(bounds.order_end), commit: bounds.commit as usize }
    }
}

/// `key time` at the front of a line.
pub(crate) fn order_of(line: &[u8]) -> Option<&[u8]> {
    let key = memchr(b' ', line)?;
    line.get(..key + TIME_BYTES).filter(|_| line.get(key + TIME_BYTES) == Some(&b' '))
}

/// Appends a row to a leaf that is being written.
pub(crate) fn put(leaf: &mut Vec<u8>, commit: u32, line: &[u8]) {
    put_varint(leaf, u64::from(commit));
    put_run(leaf, line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_in_their_order() {
        let mut leaf = Vec::new();
        put(&mut leaf, 0, b"a)/ 20140101000000 {}");
        put(&mut leaf, 300, b"a)/ 20150101000000 {\"x\": \"\xc3\xa9\"}");
        put(&mut leaf, 1, b"b)/ 20140101000000 {}");
        let rows = Rows::parse(leaf).unwrap();
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
            assert!(Rows::parse(leaf.get(..cut).unwrap().to_vec()).is_none(), "{cut}");
        }
        for line in ["", "a", "a ", "a 2014 {}", "a 20140101000000"] {
            let mut leaf = Vec::new();
            put(&mut leaf, 7, line.as_bytes());
            assert!(Rows::parse(leaf).is_none(), "{line}");
        }
    }
}
