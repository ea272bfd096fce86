//! The symbols of a block, and how often each occurs.

/// Copies are at most so long.
pub(super) const LENGTH_MAX: usize = 258;

/// Literals, the end of a block, and lengths.
pub(super) const LITERALS: usize = 288;
pub(super) const END: usize = 256;
pub(super) const DISTANCES: usize = 32;

/// Entries of a table of first or of second symbols.
pub(super) const TABLE: usize = 512;

/// A second symbol that is none.
pub(super) const NONE: u32 = 31;

/// Second symbols from here on are literals; below are distances.
pub(super) const SECOND_LITERALS: usize = 32;

/// Symbols of a block. More than that, and codes no longer fit what they stand for.
const SYMBOLS_MAX: usize = 12 << 10;

/// Places beyond, so that room need not be asked for before each.
const SPARE: usize = 256;

/// The symbols of each length from three up.
pub(super) const LENGTHS: [Length; 256] = lengths();

/// How a length is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Length {
    pub(super) symbol: u16,
    /// How many further bits follow its code.
    pub(super) bits: u8,
    /// And what they are.
    pub(super) value: u8,
}

/// One or two symbols: a literal, two of them, or the length of a copy and its distance. The first is the byte, or 253 more
/// than a length; the second that of the distance, or 32 more than a byte; then the further bits of the distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Symbol(u32);

impl Symbol {
    #[inline(always)]
    pub(super) fn first(self) -> usize {
        (self.0 & 511) as usize
    }

    #[inline(always)]
    pub(super) fn second(self) -> usize {
        (self.0 >> 9 & 511) as usize
    }

    #[inline(always)]
    pub(super) fn further(self) -> u32 {
        self.0 >> 18
    }
}

#[derive(Debug)]
pub(super) struct Symbols {
    list: Box<[Symbol; SYMBOLS_MAX + SPARE]>,
    count: usize,
    firsts: [u32; TABLE],
    seconds: [u32; TABLE],
}

impl Symbols {
    pub(super) fn new() -> Symbols {
        let list = Box::new([Symbol(0); SYMBOLS_MAX + SPARE]);
        Symbols { list, count: 0, firsts: [0; TABLE], seconds: [0; TABLE] }
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.firsts = [0; TABLE];
        self.seconds = [0; TABLE];
    }

    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        self.count < SYMBOLS_MAX
    }

    pub(super) fn list(&self) -> &[Symbol] {
        self.list.get(..self.count).unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn literal(&mut self, byte: u8) {
        self.push(u32::from(byte), NONE, 0);
    }

    #[inline(always)]
    pub(super) fn literals(&mut self, byte: u8, next: u8) {
        self.push(u32::from(byte), SECOND_LITERALS as u32 + u32::from(next), 0);
    }

    /// A copy of 3 to 258 bytes from 1 to 32,768 further up.
    #[inline(always)]
    pub(super) fn copy(&mut self, length: usize, distance: usize) {
        let (symbol, further) = distance_symbol(distance as u32);
        self.push(253 + length as u32, symbol, further);
    }

    #[inline(always)]
    fn push(&mut self, first: u32, second: u32, further: u32) {
        let symbol = Symbol(first & 511 | (second & 511) << 9 | further << 18);
        if let Some(count) = self.firsts.get_mut(symbol.first()) {
            *count += 1;
        }
        if let Some(count) = self.seconds.get_mut((second & 511) as usize) {
            *count += 1;
        }
        if let Some(place) = self.list.get_mut(self.count) {
            *place = symbol;
        }
        self.count += 1;
    }

    /// How many lengths from three up may occur.
    pub(super) fn longest(&self) -> usize {
        let (parts, _) = self.firsts.as_chunks::<16>();
        let last = parts.iter().rposition(|part| part.iter().any(|count| *count > 0));
        last.map_or(0, |last| (16 * last + 16).saturating_sub(256))
    }

    /// How often literals, the end and lengths occur, and distances.
    pub(super) fn counts(&self) -> ([u32; LITERALS], [u32; DISTANCES]) {
        let mut literals = [0; LITERALS];
        let (of_literals, of_lengths) = self.firsts.split_at(256);
        let (of_distances, of_second_literals) = self.seconds.split_at(SECOND_LITERALS);
        for ((place, first), second) in literals.iter_mut().zip(of_literals).zip(of_second_literals) {
            *place = first + second;
        }
        for (count, length) in of_lengths.iter().zip(&LENGTHS).take(self.longest()) {
            if let Some(place) = literals.get_mut(usize::from(length.symbol)) {
                *place += count;
            }
        }
        if let Some(end) = literals.get_mut(END) {
            *end = 1;
        }
        let mut distances = [0; DISTANCES];
        for (place, count) in distances.iter_mut().zip(of_distances).take(NONE as usize) {
            *place = *count;
        }
        (literals, distances)
    }
}

/// How many further bits the symbol of a distance has.
pub(super) fn further_bits(distance: u32) -> u32 {
    (distance / 2).saturating_sub(1)
}

/// The symbol of a distance, and its further bits. The symbol is the place of the highest bit and the bit below it: just what
/// the top of a floating-point number holds, and that is quicker made than asked for.
#[inline(always)]
fn distance_symbol(distance: u32) -> (u32, u32) {
    let over = distance.wrapping_sub(1) & 0x7fff;
    let top = (over as f32).to_bits() >> 22;
    let symbol = if over < 2 { over } else { top.wrapping_sub(2 * 127) };
    (symbol, over & ((1 << (further_bits(symbol) & 15)) - 1))
}

/// RFC 1951, 3.2.5.
const fn lengths() -> [Length; 256] {
    let mut all = [Length { symbol: 285, bits: 0, value: 0 }; 256];
    let mut over: u32 = 0;
    let mut rest = all.as_mut_slice();
    while let Some((length, behind)) = rest.split_first_mut() {
        if over < 8 {
            length.symbol = 257 + over as u16;
        } else if over < 255 {
            let bits = over.ilog2() - 2;
            length.symbol = (257 + 4 * (bits + 1) + (over >> bits & 3)) as u16;
            length.bits = bits as u8;
            length.value = (over & ((1 << bits) - 1)) as u8;
        }
        over += 1;
        rest = behind;
    }
    all
}
