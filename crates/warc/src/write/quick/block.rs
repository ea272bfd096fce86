//! One block: its symbols with codes of their own, or the standard's, or the bytes as they are.

use super::bits::{Bits, VALUES_MAX};
use super::codes::Codes;
use super::header::Header;
use super::symbol::{DISTANCES, END, LENGTHS, LITERALS, NONE, SECOND_LITERALS, Symbols, TABLE, further_bits};

const BITS_MAX: usize = 15;

/// Bytes of a block that is stored.
const STORED_BYTES_MAX: usize = 65_535;

/// Writes blocks, and keeps its memory between them.
#[derive(Debug)]
pub(super) struct Blocks {
    usual: Pair,
    own: Pair,
    header: Header,
    tables: Tables,
}

/// Codes of literals and lengths, and of distances.
#[derive(Debug)]
struct Pair {
    literals: Codes<LITERALS>,
    distances: Codes<DISTANCES>,
}

/// What is sent for first symbols: the code and the further bits of a length, and from bit 24 on how many. And for second
/// ones: the code, from bit 16 on how many bits it has, and from bit 24 on how many with the further ones.
#[derive(Debug)]
struct Tables {
    firsts: [u32; TABLE],
    seconds: [u32; TABLE],
    /// And for the end.
    end: u32,
}

impl Blocks {
    pub(super) fn new() -> Blocks {
        let own = Pair { literals: Codes::new(), distances: Codes::new() };
        let tables = Tables { firsts: [0; TABLE], seconds: [0; TABLE], end: 0 };
        Blocks { usual: Pair::usual(), own, header: Header::new(), tables }
    }

    /// Writes the block of `part`, which the symbols tell.
    pub(super) fn write(&mut self, part: &[u8], symbols: &Symbols, is_last: bool, out: &mut Bits<'_>) {
        let (literals, distances) = symbols.counts();
        self.own.literals.fit(&literals, BITS_MAX);
        self.own.distances.fit(&distances, BITS_MAX);
        self.header.fit(&self.own.literals.lengths, &self.own.distances.lengths);
        let own = self.own.cost(&literals, &distances) + self.header.bits();
        let usual = self.usual.cost(&literals, &distances);
        let least = own.min(usual) + further(&literals, &distances);
        let stored = part.len() + 5 * part.len().div_ceil(STORED_BYTES_MAX).max(1);
        if 8 * stored <= least as usize {
            return store(part, is_last, out);
        }
        out.add(u64::from(is_last), 1);
        out.add(if own < usual { 2 } else { 1 }, 2);
        if own < usual {
            self.header.write(out);
            self.tables.fit(symbols.longest(), &self.own);
        } else {
            self.tables.fit(symbols.longest(), &self.usual);
        }
        self.tables.send(symbols, out);
    }
}

impl Pair {
    /// The codes of the standard (RFC 1951, 3.2.6).
    fn usual() -> Pair {
        let mut lengths = [8; LITERALS];
        for (symbol, length) in lengths.iter_mut().enumerate() {
            *length = match symbol {
                144..256 => 9,
                256..280 => 7,
                _ => 8,
            };
        }
        Pair { literals: Codes::of(lengths), distances: Codes::of([5; DISTANCES]) }
    }

    /// Bits of all codes.
    fn cost(&self, literals: &[u32; LITERALS], distances: &[u32; DISTANCES]) -> u32 {
        total(literals, &self.literals.lengths) + total(distances, &self.distances.lengths)
    }
}

impl Tables {
    fn fit(&mut self, longest: usize, codes: &Pair) {
        let (first_literals, first_lengths) = self.firsts.split_at_mut(256);
        let (second_distances, second_literals) = self.seconds.split_at_mut(SECOND_LITERALS);
        for ((first, second), code) in
            first_literals.iter_mut().zip(second_literals).zip(&codes.literals.codes)
        {
            *first = *code;
            *second = *code | code >> 24 << 16;
        }
        for (first, length) in first_lengths.iter_mut().zip(&LENGTHS).take(longest) {
            let code = codes.literals.codes.get(usize::from(length.symbol)).copied().unwrap_or_default();
            *first = (code | u32::from(length.value) << (code >> 24 & 15)) + (u32::from(length.bits) << 24);
        }
        for ((second, code), symbol) in second_distances.iter_mut().zip(&codes.distances.codes).zip(0..NONE) {
            *second = (*code | code >> 24 << 16) + (further_bits(symbol) << 24);
        }
        self.end = codes.literals.codes.get(END).copied().unwrap_or_default();
    }

    /// Sends all symbols, without a branch for any of them: what has no second symbol has one without bits.
    #[inline(never)]
    fn send(&self, symbols: &Symbols, out: &mut Bits<'_>) {
        for part in symbols.list().chunks(VALUES_MAX) {
            out.add_all(part.iter().map(|symbol| {
                let first = self.firsts.get(symbol.first()).copied().unwrap_or_default();
                let second = self.seconds.get(symbol.second()).copied().unwrap_or_default();
                let behind = u64::from(second & 0xffff) | u64::from(symbol.further()) << (second >> 16 & 15);
                let bits = u64::from(first & 0xff_ffff) | behind << (first >> 24 & 31);
                (bits, (first >> 24) + (second >> 24))
            }));
        }
        out.add(u64::from(self.end & 0xff_ffff), self.end >> 24);
        out.settle();
    }
}

fn total<const N: usize>(counts: &[u32; N], lengths: &[u8; N]) -> u32 {
    counts.iter().zip(lengths).map(|(count, length)| count * u32::from(*length)).sum()
}

/// Bits behind the codes.
fn further(literals: &[u32; LITERALS], distances: &[u32; DISTANCES]) -> u32 {
    let lengths = literals.iter().skip(265).take(20).zip(4_u32..);
    let distances = distances.iter().take(30).zip(0_u32..);
    lengths.map(|(count, place)| count * (place / 4)).sum::<u32>()
        + distances.map(|(count, symbol)| count * further_bits(symbol)).sum::<u32>()
}

fn store(part: &[u8], is_last: bool, out: &mut Bits<'_>) {
    let mut rest = part;
    loop {
        let (piece, behind) = rest.split_at_checked(STORED_BYTES_MAX).unwrap_or((rest, &[]));
        rest = behind;
        out.add(u64::from(is_last && rest.is_empty()), 3);
        out.align();
        let length = piece.len() as u16;
        out.append(&length.to_le_bytes());
        out.append(&(!length).to_le_bytes());
        out.append(piece);
        if rest.is_empty() {
            return;
        }
    }
}
