//! From the bytes of a leaf to its rows. Lines are made again when they are asked for.

use super::super::bytes::Bytes;
use super::arena::{Arena, Marks, Source};
use super::digest::Digests;
use super::encode::Form;
use super::front::{self, Texts};
use super::text::Dictionary;
use super::url::Urls;
use super::{Kind, ROWS_MAX, number};

/// Marks and numbers that a usual row needs, of which there are a dozen members.
const MARKS_PER_ROW: usize = 20;
const NUMBERS_PER_ROW: usize = 6;

/// A leaf as read.
#[derive(Debug)]
pub(crate) struct Columns {
    arena: Arena,
    count: usize,
    /// `key time` of each row.
    orders: Texts,
    commits: Marks,
    shapes: Vec<Shape>,
    /// Where in the text the list of the shape of each row begins.
    which: usize,
    columns: Vec<Column>,
}

/// Which columns a row has, and in which order.
#[derive(Debug, Clone, Copy)]
struct Shape {
    /// Where in the text the numbers of the columns stand.
    start: usize,
    end: usize,
    /// The same as bits.
    has: [u64; 4],
}

impl Shape {
    fn has(&self, column: usize) -> bool {
        self.has.get(column / 64).is_some_and(|bits| bits & (1 << (column % 64)) != 0)
    }
}

#[derive(Debug, Clone, Copy)]
struct Column {
    /// Where in the text its name begins and ends.
    name: (usize, usize),
    form: Form,
    /// For each row the number of its value; `None` where every row has one.
    places: Option<Marks>,
    values: Values,
}

#[derive(Debug, Clone, Copy)]
enum Values {
    Plain(Texts),
    Dictionary(Dictionary),
    Numbers(usize),
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
        let mut arena = Arena::default();
        let mut source = Source { random, text: Bytes(&text), text_bytes: text.len(), room: bytes_max };
        let count = source.text.size().filter(|count| (1..=ROWS_MAX).contains(count))?;
        // As much as usual rows need: growing bit by bit would cost as much as all the rest.
        arena.bytes.reserve(text.len().saturating_mul(4));
        arena.marks.reserve(count * MARKS_PER_ROW);
        arena.numbers.reserve(count * NUMBERS_PER_ROW);
        let commits = arena.marks_begin();
        for _ in 0..count {
            let commit = source.text.size()?;
            arena.push_mark(commit)?;
        }
        let orders = orders(&mut source, &mut arena, count)?;
        let mut columns =
            Columns { arena, count, orders, commits, shapes: Vec::new(), which: 0, columns: Vec::new() };
        columns.read_columns(&mut source)?;
        let is_over = source.text.0.is_empty() && source.random.0.is_empty();
        columns.arena.text = text;
        is_over.then_some(columns)
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Key and time of a row.
    pub(crate) fn order(&self, row: usize) -> Option<&[u8]> {
        if row < self.count { self.orders.get(&self.arena, row) } else { None }
    }

    /// Number of the commit of a row in its segment.
    pub(crate) fn commit(&self, row: usize) -> Option<usize> {
        self.arena.mark(self.commits, row).filter(|_| row < self.count).map(|commit| commit as usize)
    }

    /// Appends the line of a row.
    pub(crate) fn write_line(&self, row: usize, out: &mut Vec<u8>) -> Option<()> {
        let order = self.order(row)?;
        out.extend_from_slice(order);
        let which = *self.arena.text.get(self.which.checked_add(row)?)?;
        let shape = self.shapes.get(usize::from(which))?;
        let shape = self.arena.text.get(shape.start..shape.end)?;
        if let [only] = shape
            && let Some(column) =
                self.columns.get(usize::from(*only)).filter(|column| column.form == Form::Whole)
        {
            out.push(b' ');
            return column.write(&self.arena, row, order, out);
        }
        out.extend_from_slice(b" {");
        for (at, number) in shape.iter().enumerate() {
            let column = self.columns.get(usize::from(*number))?;
            out.extend_from_slice(if at > 0 { b", \"" } else { b"\"" });
            out.extend_from_slice(self.arena.text.get(column.name.0..column.name.1)?);
            out.extend_from_slice(if column.form == Form::Text { b"\": \"" } else { b"\": " });
            column.write(&self.arena, row, order, out)?;
            if column.form == Form::Text {
                out.push(b'"');
            }
        }
        out.push(b'}');
        Some(())
    }

    /// Bytes that it takes in memory.
    pub(crate) fn weight(&self) -> usize {
        self.arena.weight()
            + self.columns.len() * size_of::<Column>()
            + self.shapes.len() * size_of::<Shape>()
            + 300
    }

    fn read_columns(&mut self, source: &mut Source<'_>) -> Option<()> {
        let names = source.text.size().filter(|names| *names <= 256)?;
        self.columns.reserve(names);
        for _ in 0..names {
            let form = Form::of_byte(source.byte()?)?;
            let name = source.text.run()?.len();
            let end = source.place();
            self.columns.push(Column {
                name: (end - name, end),
                form,
                places: None,
                values: Values::Numbers(0),
            });
        }
        let shapes = source.text.size().filter(|shapes| *shapes <= 256)?;
        for _ in 0..shapes {
            let members = source.text.run()?;
            let end = source.place();
            let mut shape = Shape { start: end - members.len(), end, has: [0; 4] };
            for member in members.iter().map(|member| usize::from(*member)) {
                if shape.has(member) || member >= names {
                    return None;
                }
                *shape.has.get_mut(member / 64)? |= 1 << (member % 64);
            }
            self.shapes.push(shape);
        }
        self.which = source.place();
        let which = source.text.take(self.count)?;
        if which.iter().any(|which| usize::from(*which) >= shapes) {
            return None;
        }
        for (number, column) in self.columns.iter_mut().enumerate() {
            let is_everywhere = self.shapes.iter().all(|shape| shape.has(number));
            let mut held = self.count;
            if !is_everywhere {
                column.places = Some(self.arena.marks_begin());
                held = 0;
                for which in which {
                    let has = self.shapes.get(usize::from(*which)).is_some_and(|shape| shape.has(number));
                    self.arena.push_mark(held)?;
                    held += usize::from(has);
                }
            }
            column.read(source, &mut self.arena, held)?;
        }
        Some(())
    }
}

/// Keys and times, which are what rows are sorted by.
fn orders(source: &mut Source<'_>, arena: &mut Arena, count: usize) -> Option<Texts> {
    // Times stand behind the keys, and both are wanted in one piece: so the keys are passed over first.
    let keys = source.text;
    skip_texts(&mut source.text, count)?;
    let times = number::read(source, arena, count)?;
    let behind = source.text;
    source.text = keys;
    let numbers = std::mem::take(&mut arena.numbers);
    let texts = front::read(source, arena, count, |at, out| {
        let time = number::to_time(*numbers.get(times + at)?)?;
        out.push(b' ');
        push_digits(time, out);
        Some(())
    })?;
    // Nobody asks for them any more, but their room is used again.
    arena.numbers = numbers;
    arena.numbers.clear();
    source.text = behind;
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
    fn read(&mut self, source: &mut Source<'_>, arena: &mut Arena, count: usize) -> Option<()> {
        self.values = match Kind::of_byte(source.byte()?)? {
            Kind::Plain => Values::Plain(front::read(source, arena, count, |_, _| Some(()))?),
            Kind::Dictionary => Values::Dictionary(Dictionary::read(source, arena, count)?),
            Kind::Number => Values::Numbers(number::read(source, arena, count)?),
            Kind::Digest => Values::Digests(Digests::read(source, arena, count)?),
            Kind::Url => Values::Urls(Urls::read(source, arena, count)?),
        };
        Some(())
    }

    /// Appends the value of a row.
    fn write(&self, arena: &Arena, row: usize, order: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let at = match self.places {
            Some(places) => arena.mark(places, row)? as usize,
            None => row,
        };
        match self.values {
            Values::Plain(texts) => out.extend_from_slice(texts.get(arena, at)?),
            Values::Dictionary(dictionary) => out.extend_from_slice(dictionary.get(arena, at)?),
            Values::Numbers(start) => number::write(*arena.numbers.get(start + at)?, out),
            Values::Digests(digests) => digests.write(arena, at, out)?,
            Values::Urls(urls) => urls.write(arena, at, order.get(..order.len().checked_sub(15)?)?, out)?,
        }
        Some(())
    }
}
