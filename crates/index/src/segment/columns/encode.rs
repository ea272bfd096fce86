//! From the lines of a leaf to its page, and to what the trees have to know of it.

use std::borrow::Cow;
use std::io;

use zstd::bulk::Compressor;

use super::super::bytes::{put_run, put_varint};
use super::super::page::HEAD_BYTES;
use super::super::{bloom, hash};
use super::members::{self, Member};
use super::{Kind, Parts, ROWS_MAX, digest, front, number, text, url};

/// Different members, and different shapes, of one leaf. Rows beyond them stand whole.
const NAMES_MAX: usize = 250;
const REVISIT: &[u8] = b"warc/revisit";

/// Lines that are to become a leaf.
#[derive(Debug, Default)]
pub(crate) struct LeafLines {
    text: Vec<u8>,
    rows: Vec<Span>,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    order_end: u32,
    end: u32,
    commit: u32,
}

impl LeafLines {
    /// With room for a leaf: growing bit by bit would copy it again and again.
    pub(crate) fn with_room(leaf_bytes: usize) -> LeafLines {
        LeafLines { text: Vec::with_capacity(leaf_bytes), rows: Vec::with_capacity(leaf_bytes / 200) }
    }

    /// Takes a line: `order` bytes of it are key and time.
    pub(crate) fn push(&mut self, line: &[u8], order: usize, commit: u32) {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let start = self.text.len();
        self.text.extend_from_slice(line);
        let (end, order_end) = (place(self.text.len()), place(start + order));
        self.rows.push(Span { start: place(start), order_end, end, commit });
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a line of so many bytes still belongs here.
    pub(crate) fn has_room(&self, line_bytes: usize, leaf_bytes: usize) -> bool {
        self.rows.is_empty() || (self.rows.len() < ROWS_MAX && self.text.len() + line_bytes <= leaf_bytes)
    }

    fn line(&self, span: &Span) -> &[u8] {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn order(&self, span: &Span) -> &[u8] {
        self.text.get(span.start as usize..span.order_end as usize).unwrap_or_default()
    }
}

/// A leaf, ready to be written.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    /// The page, with room for its head.
    pub(crate) page: Vec<u8>,
    /// Key and time of the first row, and of the last.
    pub(crate) first: Vec<u8>,
    pub(crate) last: Vec<u8>,
    /// The filter of its keys.
    pub(crate) filter: Vec<u8>,
    /// How many rows each commit has, by its place in the segment.
    pub(crate) commits: Vec<(u32, u64)>,
    /// Hashes of URLs.
    pub(crate) urls: Vec<u64>,
    /// Hashes of digests.
    pub(crate) prints: Vec<PackedPrint>,
}

/// A digest, and which row of the leaf has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedPrint {
    pub(crate) hash: u64,
    pub(crate) time: u64,
    pub(crate) commit: u32,
    pub(crate) row: u16,
}

/// Makes leaves.
pub(crate) struct Encoder {
    compressor: Compressor<'static>,
    seed: u64,
}

/// One member of the rows of a leaf.
struct Column<'a> {
    name: &'a [u8],
    form: Form,
    values: Vec<&'a [u8]>,
    /// Which rows have it.
    rows: Vec<u16>,
}

/// What the values of a member are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON that is no text.
    Json,
    /// A text, without its quotes.
    Text,
    /// The whole object of a row, which is written in a way of its own.
    Whole,
}

impl Form {
    fn to_byte(self) -> u8 {
        match self {
            Form::Json => 0,
            Form::Text => 1,
            Form::Whole => 2,
        }
    }

    pub(super) fn of_byte(byte: u8) -> Option<Form> {
        [Form::Json, Form::Text, Form::Whole].get(usize::from(byte)).copied()
    }
}

/// The rows of a leaf, taken apart.
#[derive(Default)]
struct Table<'a> {
    columns: Vec<Column<'a>>,
    /// Members of each shape.
    shapes: Vec<Vec<u8>>,
    /// The shape of each row.
    which: Vec<u8>,
    /// How many rows there are.
    count: usize,
}

impl Encoder {
    pub(crate) fn new(seed: u64, level: i32) -> io::Result<Encoder> {
        Ok(Encoder { compressor: Compressor::new(level)?, seed })
    }

    pub(crate) fn pack(&mut self, lines: &LeafLines) -> io::Result<Packed> {
        let mut packed = Packed::default();
        self.describe(lines, &mut packed);
        let table = Table::new(lines);
        self.fingerprints(lines, &table, &mut packed);
        let mut parts = Parts {
            random: Vec::with_capacity(lines.rows.len() * 48),
            text: Vec::with_capacity(lines.text.len() / 2),
        };
        put_rows(&mut parts, lines);
        table.put(&mut parts, lines);
        packed.page = self.page(&parts)?;
        Ok(packed)
    }

    /// What the tree has to know: first and last key, a filter of all.
    fn describe(&self, lines: &LeafLines, packed: &mut Packed) {
        let mut hashes = Vec::with_capacity(lines.rows.len());
        let mut last: &[u8] = &[];
        for span in &lines.rows {
            let key = key_of(lines.order(span));
            if key != last {
                hashes.push(hash(self.seed, key));
                last = key;
            }
            match packed.commits.iter_mut().find(|(commit, _)| *commit == span.commit) {
                Some((_, rows)) => *rows += 1,
                None => packed.commits.push((span.commit, 1)),
            }
        }
        packed.filter = bloom::build(&hashes);
        let order = |span: Option<&Span>| span.map(|span| lines.order(span).to_vec()).unwrap_or_default();
        (packed.first, packed.last) = (order(lines.rows.first()), order(lines.rows.last()));
    }

    /// Hashes of URLs and digests. Revisits have none of their digest.
    fn fingerprints(&self, lines: &LeafLines, table: &Table<'_>, packed: &mut Packed) {
        let column = |name: &[u8]| {
            table.columns.iter().find(|column| column.name == name && column.form == Form::Text)
        };
        if let Some(urls) = column(b"url") {
            let mut last: &[u8] = &[];
            for url in urls.values.iter().filter(|url| !url.is_empty()) {
                if *url != last {
                    packed.urls.push(hash(self.seed, &plain(url)));
                    last = url;
                }
            }
        }
        let mut is_revisit = [false; ROWS_MAX];
        for (row, value) in column(b"mime").iter().flat_map(|mimes| mimes.rows.iter().zip(&mimes.values)) {
            if let Some(flag) = is_revisit.get_mut(usize::from(*row)) {
                *flag = *value == REVISIT;
            }
        }
        let Some(digests) = column(b"digest") else { return };
        for (row, value) in digests.rows.iter().zip(&digests.values) {
            let Some(span) = lines.rows.get(usize::from(*row)) else { continue };
            if !is_revisit.get(usize::from(*row)).is_some_and(|is_revisit| *is_revisit) {
                packed.prints.push(PackedPrint {
                    hash: hash(self.seed, &plain(value)),
                    time: time_of(lines.order(span)),
                    commit: span.commit,
                    row: *row,
                });
            }
        }
    }

    fn page(&mut self, parts: &Parts) -> io::Result<Vec<u8>> {
        let bound = zstd::zstd_safe::compress_bound(parts.text.len());
        let mut page = Vec::with_capacity(HEAD_BYTES + parts.random.len() + bound + 20);
        page.resize(HEAD_BYTES, 0);
        put_run(&mut page, &parts.random);
        put_varint(&mut page, parts.text.len() as u64);
        let mut frame = io::Cursor::new(page);
        frame.set_position(frame.get_ref().len() as u64);
        frame.get_mut().reserve(bound);
        self.compressor.compress_to_buffer(&parts.text, &mut frame)?;
        Ok(frame.into_inner())
    }
}

/// Commits, keys and times.
fn put_rows(parts: &mut Parts, lines: &LeafLines) {
    put_varint(&mut parts.text, lines.rows.len() as u64);
    lines.rows.iter().for_each(|span| put_varint(&mut parts.text, u64::from(span.commit)));
    front::put(&mut parts.text, lines.rows.iter().map(|span| bare(key_of(lines.order(span)))));
    let times: Vec<u64> = lines.rows.iter().map(|span| number::of_time(time_of(lines.order(span)))).collect();
    number::put(parts, &times);
}

impl<'a> Table<'a> {
    fn new(lines: &'a LeafLines) -> Table<'a> {
        let mut table = Table { count: lines.rows.len(), ..Table::default() };
        let mut members = Vec::new();
        let mut shape = Vec::new();
        for (row, span) in (0..).zip(&lines.rows) {
            let order = span.order_end - span.start;
            let object = members::object_of(lines.line(span), order as usize).unwrap_or_default();
            let is_split = members::split(object, &mut members).is_some();
            if !is_split || table.shape_of(&members, &mut shape).is_none() {
                let whole = Member { name: &[], value: object, is_text: false };
                members.clear();
                members.push(whole);
                shape.clear();
                shape.push(table.column(&[], Form::Whole));
            }
            for (member, column) in members.iter().zip(&shape) {
                if let Some(column) = table.columns.get_mut(usize::from(*column)) {
                    column.values.push(member.value);
                    column.rows.push(row);
                }
            }
            let known = table.shapes.iter().position(|other| *other == shape);
            let number = known.unwrap_or_else(|| {
                table.shapes.push(shape.clone());
                table.shapes.len() - 1
            });
            table.which.push(number as u8);
        }
        table
    }

    /// Which columns these members belong to; `None` where there would be too many, or one comes twice.
    fn shape_of(&mut self, members: &[Member<'a>], shape: &mut Vec<u8>) -> Option<()> {
        shape.clear();
        if self.columns.len() + members.len() > NAMES_MAX || self.shapes.len() >= NAMES_MAX {
            return None;
        }
        for member in members {
            let form = if member.is_text { Form::Text } else { Form::Json };
            let column = self.column(member.name, form);
            if shape.contains(&column) {
                return None;
            }
            shape.push(column);
        }
        Some(())
    }

    fn column(&mut self, name: &'a [u8], form: Form) -> u8 {
        let known = self.columns.iter().position(|column| column.name == name && column.form == form);
        let number = known.unwrap_or_else(|| {
            let (values, rows) = (Vec::with_capacity(self.count), Vec::with_capacity(self.count));
            self.columns.push(Column { name, form, values, rows });
            self.columns.len() - 1
        });
        number as u8
    }

    fn put(&self, parts: &mut Parts, lines: &LeafLines) {
        put_varint(&mut parts.text, self.columns.len() as u64);
        for column in &self.columns {
            parts.text.push(column.form.to_byte());
            put_run(&mut parts.text, column.name);
        }
        put_varint(&mut parts.text, self.shapes.len() as u64);
        self.shapes.iter().for_each(|shape| put_run(&mut parts.text, shape));
        parts.text.extend_from_slice(&self.which);
        for column in &self.columns {
            column.put(parts, lines);
        }
    }
}

impl Column<'_> {
    fn put(&self, parts: &mut Parts, lines: &LeafLines) {
        let at = parts.text.len();
        parts.text.push(0);
        let kind = self.put_values(parts, lines);
        if let Some(byte) = parts.text.get_mut(at) {
            *byte = kind.to_byte();
        }
    }

    fn put_values(&self, parts: &mut Parts, lines: &LeafLines) -> Kind {
        match (self.form, self.name) {
            (Form::Text, b"digest") => {
                digest::put(parts, &self.values);
                return Kind::Digest;
            }
            (Form::Text, b"url") => {
                let key = |row: &u16| {
                    lines
                        .rows
                        .get(usize::from(*row))
                        .map(|span| bare(key_of(lines.order(span))))
                        .unwrap_or_default()
                };
                let pairs: Vec<(&[u8], &[u8])> =
                    self.rows.iter().map(key).zip(self.values.iter().copied()).collect();
                if url::put(parts, &pairs).is_some() {
                    return Kind::Url;
                }
            }
            _ => {}
        }
        if self.form == Form::Text {
            let numbers: Option<Vec<u64>> = self.values.iter().map(|value| number::parse(value)).collect();
            if let Some(numbers) = numbers {
                number::put(parts, &numbers);
                return Kind::Number;
            }
        }
        text::put(parts, &self.values)
    }
}

/// A text without its escapes.
fn plain(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', text).is_none() {
        return Cow::Borrowed(text);
    }
    let quoted = [b"\"", text, b"\""].concat();
    serde_json::from_slice::<String>(&quoted)
        .map_or(Cow::Borrowed(text), |text| Cow::Owned(text.into_bytes()))
}

/// The key and the space behind it: all of `key time` but 14 digits.
fn key_of(order: &[u8]) -> &[u8] {
    order.get(..order.len().saturating_sub(14)).unwrap_or_default()
}

/// A key without the space behind it.
fn bare(key: &[u8]) -> &[u8] {
    key.strip_suffix(b" ").unwrap_or(key)
}

fn time_of(order: &[u8]) -> u64 {
    let digits = order.get(order.len().saturating_sub(14)..).unwrap_or_default();
    digits.iter().fold(0, |time, digit| time * 10 + u64::from(digit.wrapping_sub(b'0').min(9)))
}
