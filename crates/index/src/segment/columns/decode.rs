//! From the bytes of a leaf to its rows. Lines are made again when they are asked for.

use super::super::bytes::Bytes;
use super::digest::Digests;
use super::encode::Form;
use super::front::{self, Texts};
use super::text::Dictionary;
use super::url::Urls;
use super::{Kind, ROWS_MAX, Source, number};

/// A leaf as read.
#[derive(Debug)]
pub(crate) struct Columns {
    /// `key time` of each row.
    orders: Texts,
    commits: Vec<u32>,
    shapes: Vec<Vec<u8>>,
    which: Vec<u8>,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    /// As it stands in a line: `"name": "`.
    opening: Vec<u8>,
    form: Form,
    /// For each row the number of its value; `None` where every row has one.
    places: Option<Vec<u16>>,
    values: Values,
}

#[derive(Debug)]
enum Values {
    Plain(Texts),
    Dictionary(Dictionary),
    Numbers(Vec<u64>),
    Digests(Digests),
    Urls(Urls),
}

impl Columns {
    /// What the bytes of a page say; `None` where they make no sense. `unpack` unfolds a frame to so many bytes.
    pub(crate) fn parse(
        page: &[u8],
        bytes_max: usize,
        unpack: impl FnOnce(&[u8], usize) -> Option<Vec<u8>>,
    ) -> Option<Columns> {
        let mut rest = Bytes(page);
        let random = Bytes(rest.run()?);
        let unpacked = rest.size().filter(|unpacked| *unpacked <= bytes_max)?;
        let text = unpack(rest.0, unpacked)?;
        let mut source = Source { random, text: Bytes(&text), room: bytes_max };
        let count = source.text.size().filter(|count| (1..=ROWS_MAX).contains(count))?;
        let commits: Option<Vec<u32>> =
            (0..count).map(|_| source.text.varint().and_then(|commit| u32::try_from(commit).ok())).collect();
        let orders = orders(&mut source, count)?;
        let mut columns =
            Columns { orders, commits: commits?, shapes: Vec::new(), which: Vec::new(), columns: Vec::new() };
        columns.read_shapes(&mut source, count)?;
        (source.text.0.is_empty() && source.random.0.is_empty()).then_some(columns)
    }

    pub(crate) fn len(&self) -> usize {
        self.commits.len()
    }

    /// Key and time of a row.
    pub(crate) fn order(&self, row: usize) -> Option<&[u8]> {
        self.orders.get(row)
    }

    /// Number of the commit of a row in its segment.
    pub(crate) fn commit(&self, row: usize) -> Option<usize> {
        self.commits.get(row).map(|commit| *commit as usize)
    }

    /// Appends the line of a row.
    pub(crate) fn write_line(&self, row: usize, out: &mut Vec<u8>) -> Option<()> {
        let order = self.orders.get(row)?;
        out.extend_from_slice(order);
        let shape = self.shapes.get(usize::from(*self.which.get(row)?))?;
        if let [only] = shape.as_slice()
            && let Some(column) =
                self.columns.get(usize::from(*only)).filter(|column| column.form == Form::Whole)
        {
            out.push(b' ');
            return column.write(row, order, out);
        }
        out.extend_from_slice(b" {");
        for (at, number) in shape.iter().enumerate() {
            if at > 0 {
                out.extend_from_slice(b", ");
            }
            let column = self.columns.get(usize::from(*number))?;
            out.extend_from_slice(&column.opening);
            column.write(row, order, out)?;
            if column.form == Form::Text {
                out.push(b'"');
            }
        }
        out.push(b'}');
        Some(())
    }

    /// Bytes that it takes in memory.
    pub(crate) fn weight(&self) -> usize {
        let columns = self.columns.iter().map(|column| column.weight() + 100);
        self.orders.weight() + self.commits.len() * 5 + columns.sum::<usize>() + 200
    }

    fn read_shapes(&mut self, source: &mut Source<'_>, count: usize) -> Option<()> {
        let names = source.text.size().filter(|names| *names <= 256)?;
        for _ in 0..names {
            let [form] = *source.text.take(1)? else { return None };
            let name = source.text.run()?;
            self.columns.push(Column::named(form, name)?);
        }
        let shapes = source.text.size().filter(|shapes| *shapes <= 256)?;
        for _ in 0..shapes {
            self.shapes.push(source.text.run()?.to_vec());
        }
        self.which = source.text.take(count)?.to_vec();
        let mut holders = vec![Vec::new(); names];
        for (row, which) in (0..).zip(&self.which) {
            for column in self.shapes.get(usize::from(*which))? {
                let rows: &mut Vec<u16> = holders.get_mut(usize::from(*column))?;
                if rows.last() == Some(&row) {
                    return None;
                }
                rows.push(row);
            }
        }
        for (column, rows) in self.columns.iter_mut().zip(holders) {
            column.read(source, &rows, count)?;
        }
        Some(())
    }
}

/// Keys and times, which are what rows are sorted by.
fn orders(source: &mut Source<'_>, count: usize) -> Option<Texts> {
    // Times stand behind the keys, and both are wanted in one piece: so keys are gone over twice.
    let mut ahead = source.text;
    let mut room = source.room;
    skip_texts(&mut ahead, count)?;
    let keys = source.text;
    source.text = ahead;
    let times = number::read(source, count)?;
    let mut keys = keys;
    let texts = front::read(&mut keys, count, &mut room, |at, out| {
        let time = number::to_time(*times.get(at)?)?;
        out.push(b' ');
        push_digits(time, out);
        Some(())
    })?;
    source.room = room;
    Some(texts)
}

fn skip_texts(rest: &mut Bytes<'_>, count: usize) -> Option<()> {
    for _ in 0..count {
        rest.varint()?;
    }
    let mut bytes = 0_usize;
    for _ in 0..count {
        bytes = bytes.checked_add(rest.size()?)?;
    }
    rest.take(bytes).map(|_| ())
}

/// 14 digits.
fn push_digits(time: u64, out: &mut Vec<u8>) {
    let mut digits = [b'0'; 14];
    let mut rest = time;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.extend_from_slice(&digits);
}

impl Column {
    fn named(form: u8, name: &[u8]) -> Option<Column> {
        let form = match form {
            0 => Form::Json,
            1 => Form::Text,
            2 => Form::Whole,
            _ => return None,
        };
        let mut opening = Vec::with_capacity(name.len() + 5);
        opening.push(b'"');
        opening.extend_from_slice(name);
        opening.extend_from_slice(if form == Form::Text { b"\": \"" } else { b"\": " });
        Some(Column { opening, form, places: None, values: Values::Numbers(Vec::new()) })
    }

    fn read(&mut self, source: &mut Source<'_>, rows: &[u16], count: usize) -> Option<()> {
        if rows.len() < count {
            let mut places = vec![u16::MAX; count];
            for (place, row) in (0..).zip(rows) {
                *places.get_mut(usize::from(*row))? = place;
            }
            self.places = Some(places);
        }
        let [kind] = *source.text.take(1)? else { return None };
        let count = rows.len();
        self.values = match Kind::of_byte(kind)? {
            Kind::Plain => {
                Values::Plain(front::read(&mut source.text, count, &mut source.room, |_, _| Some(()))?)
            }
            Kind::Dictionary => Values::Dictionary(Dictionary::read(source, count)?),
            Kind::Number => Values::Numbers(number::read(source, count)?),
            Kind::Digest => Values::Digests(Digests::read(source, count)?),
            Kind::Url => Values::Urls(Urls::read(source, count)?),
        };
        Some(())
    }

    /// Appends the value of a row.
    fn write(&self, row: usize, order: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let at = match &self.places {
            Some(places) => usize::from(*places.get(row)?),
            None => row,
        };
        match &self.values {
            Values::Plain(texts) => out.extend_from_slice(texts.get(at)?),
            Values::Dictionary(dictionary) => out.extend_from_slice(dictionary.get(at)?),
            Values::Numbers(numbers) => number::write(*numbers.get(at)?, out),
            Values::Digests(digests) => digests.write(at, out)?,
            Values::Urls(urls) => urls.write(at, order.get(..order.len().checked_sub(15)?)?, out)?,
        }
        Some(())
    }

    fn weight(&self) -> usize {
        let values = match &self.values {
            Values::Plain(texts) => texts.weight(),
            Values::Dictionary(dictionary) => dictionary.weight(),
            Values::Numbers(numbers) => numbers.len() * 8,
            Values::Digests(digests) => digests.weight(),
            Values::Urls(urls) => urls.weight(),
        };
        values + self.places.as_ref().map_or(0, |places| places.len() * 2)
    }
}
