//! Any bytes as lines to sort, merge, pack and search: nothing is lost, and searching finds what looking at every line finds.

use std::io::{self, Cursor};

use cdx::merge::{self, Merge};
use cdx::query::KeyRange;
use cdx::search::SortedFile;
use cdx::sort::{self, Sorter, Spill};
use cdx::zipnum::{self, Entry, ZipNum, read_block};
use cdx::{Error, compare, is_header};

use super::lines::LIMITS;

/// Bytes that are sorted, packed and searched: more of them say nothing new, and each search looks at all of them.
const BYTES_MAX: usize = 4 << 10;

pub(crate) fn attack(bytes: &[u8]) {
    let bytes = bytes.get(..BYTES_MAX).unwrap_or(bytes);
    let lines: Vec<&[u8]> = bytes
        .split(|&byte| byte == b'\n')
        .filter(|line| {
            !line.is_empty() && line.len() <= LIMITS.line_bytes && !is_header(line) && !line.ends_with(b"\r")
        })
        .collect();
    let mut expected = lines.clone();
    expected.sort_unstable();
    let sorted = sort(&lines);
    assert!(sorted.iter().eq(&expected), "sorting lost, added or moved a line");

    let halves = [0, 1].map(|first| joined(expected.iter().skip(first).step_by(2).copied()));
    let mut merge = Merge::new(halves.iter().map(Vec::as_slice), &options()).unwrap();
    assert!(
        all(|| Ok(merge.next_line()?.map(<[u8]>::to_vec))).iter().eq(&expected),
        "merging is not sorting"
    );

    // The order of an index holds only where no key has a character that sorts before a space.
    expected.retain(|line| !line.iter().any(u8::is_ascii_control));
    find(&expected);
    hostile(bytes);
}

fn options() -> merge::Options {
    merge::Options { unique: false, limits: LIMITS }
}

fn sort(lines: &[&[u8]]) -> Vec<Vec<u8>> {
    // So little memory that runs are put aside, and so few at once that they are merged more than once.
    let settings = sort::Settings { memory_bytes: 1000, runs_max: 2, unique: false, limits: LIMITS };
    let mut sorter = Sorter::new(Memory, settings);
    lines.iter().for_each(|line| sorter.push(line).unwrap());
    let mut sorted = sorter.finish().unwrap();
    all(|| Ok(sorted.next_line()?.map(<[u8]>::to_vec)))
}

/// Halving and ZipNum find what looking at every line finds.
fn find(sorted: &[&[u8]]) {
    let file = joined(sorted.iter().copied());
    let mut plain = SortedFile::new(Cursor::new(&file), LIMITS).unwrap();
    let settings = zipnum::Settings { lines_per_block: 1 + sorted.len() / 4, level: 1, limits: LIMITS };
    let mut writer = zipnum::Writer::new(Vec::new(), Vec::new(), "part", settings);
    // A line whose key no index can hold is refused, and then there is no ZipNum file.
    let is_packed = sorted.iter().all(|line| writer.push(line).is_ok());
    let (data, index) = writer.finish().unwrap();
    let blocks = |entry: &Entry, packed: &mut Vec<u8>| read_block(&mut Cursor::new(&data), entry, packed);
    let mut packed = ZipNum::new(Cursor::new(&index), blocks, LIMITS).unwrap();

    for range in ranges(sorted) {
        let expected = || sorted.iter().filter(|line| !range.is_before(line) && !range.is_behind(line));
        let mut found = plain.find(&range).unwrap();
        let found = all(|| Ok(found.next_line()?.map(<[u8]>::to_vec)));
        assert!(found.iter().eq(expected()), "halving finds other lines");
        if is_packed {
            let mut found = packed.find(&range).unwrap();
            let found = all(|| Ok(found.next_line()?.map(<[u8]>::to_vec)));
            assert!(found.iter().eq(expected()), "ZipNum finds other lines");
        }
    }
}

/// What to look for: lines, keys and starts of keys that are there, and keys that are not.
fn ranges(sorted: &[&[u8]]) -> Vec<KeyRange> {
    let some = sorted.iter().step_by(sorted.len() / 3 + 1).filter_map(|line| str::from_utf8(line).ok());
    let texts =
        some.flat_map(|line| [line, line.split(' ').next().unwrap_or_default(), line.get(..3).unwrap_or("")]);
    texts.flat_map(|text| [KeyRange::prefix(text), KeyRange::exact(text)]).collect()
}

/// The bytes as they are, sorted or not, as a file and as a ZipNum index of themselves.
fn hostile(bytes: &[u8]) {
    let range = KeyRange::prefix("a");
    if let Ok(mut found) = SortedFile::new(Cursor::new(bytes), LIMITS).unwrap().find_with_before(&range, 2) {
        while let Ok(Some(_)) = found.next_line() {}
    }
    let blocks = |entry: &Entry, packed: &mut Vec<u8>| read_block(&mut Cursor::new(bytes), entry, packed);
    if let Ok(mut zipnum) = ZipNum::new(Cursor::new(bytes), blocks, LIMITS)
        && let Ok(mut found) = zipnum.find(&range)
    {
        for _ in 0..10 {
            let _ = found.next_line();
        }
    }
    if let Ok(mut merge) = Merge::new([bytes, bytes], &options()) {
        let mut last: Vec<u8> = Vec::new();
        while let Ok(Some(line)) = merge.next_line() {
            assert!(compare(&last, line).is_le() || last.is_empty(), "merging gives lines out of order");
            last = line.to_vec();
        }
    }
}

fn joined<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    lines.into_iter().flat_map(|line| [line, b"\n"]).flatten().copied().collect()
}

fn all(mut next: impl FnMut() -> Result<Option<Vec<u8>>, Error>) -> Vec<Vec<u8>> {
    std::iter::from_fn(|| next().unwrap()).collect()
}

/// Runs put aside in memory.
struct Memory;

impl Spill for Memory {
    type Writer = Vec<u8>;
    type Reader = Cursor<Vec<u8>>;

    fn create(&mut self) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn reopen(&mut self, run: Vec<u8>) -> io::Result<Cursor<Vec<u8>>> {
        Ok(Cursor::new(run))
    }
}
