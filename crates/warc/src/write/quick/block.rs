//! One block: its symbols with codes of their own, or the standard's, or the bytes as they are.

use super::bits::{Bits, VALUES_MAX};
use super::codes::Codes;
use super::header::Header;
use super::symbol::{DISTANCES, END, LENGTHS, LITERALS, NONE, SECOND_LITERALS, Symbols, TABLE, further_bits};

const BITS_MAX: usize = 15;

/// Bytes of a block that is stored.
const STORED_BYTES_MAX: usize = 65_535;

/// Longer blocks have codes of their own.
const SAMPLED_BYTES_MAX: usize = 2 << 10;

/// Writes blocks, and keeps its memory between them.
#[derive(Debug)]
pub(super) struct Blocks {
    usual: Pair,
    sample: Sample,
    own: Pair,
    header: Header,
    tables: Tables,
}

/// Codes that are made once, of records as short ones usually are: to make codes for them alone would take longer than all
/// the rest, and win little.
#[derive(Debug)]
struct Sample {
    codes: Pair,
    header: Header,
    tables: Tables,
    /// Bits of all codes of the sample, and how many they are.
    cost: u32,
    count: u32,
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
    /// With the symbols of a sample of short blocks.
    pub(super) fn new(sample: &Symbols) -> Blocks {
        let own = Pair { literals: Codes::new(), distances: Codes::new() };
        let (usual, sample) = (Pair::usual(), Sample::of(sample));
        Blocks { usual, sample, own, header: Header::new(), tables: Tables::new() }
    }

    /// Writes the block of `part`, which the symbols tell.
    pub(super) fn write(&mut self, part: &[u8], symbols: &Symbols, is_last: bool, out: &mut Bits<'_>) {
        let (literals, distances) = symbols.counts();
        let is_sample = part.len() <= SAMPLED_BYTES_MAX && self.sample.is_like(&literals, &distances);
        let (codes, header) = if is_sample {
            (&self.sample.codes, &self.sample.header)
        } else {
            self.own.fit(&literals, &distances);
            self.header.fit(&self.own.literals.lengths, &self.own.distances.lengths);
            (&self.own, &self.header)
        };
        let own = codes.cost(&literals, &distances) + header.bits();
        let usual = self.usual.cost(&literals, &distances);
        let least = own.min(usual) + further(&literals, &distances);
        let stored = part.len() + 5 * part.len().div_ceil(STORED_BYTES_MAX).max(1);
        if 8 * stored <= least as usize {
            return store(part, is_last, out);
        }
        out.add(u64::from(is_last), 1);
        out.add(if own < usual { 2 } else { 1 }, 2);
        if own < usual {
            header.write(out);
        }
        if own < usual && is_sample {
            return self.sample.tables.send(symbols, out);
        }
        self.tables.fit(symbols.longest(), if own < usual { codes } else { &self.usual });
        self.tables.send(symbols, out);
    }
}

impl Sample {
    fn of(symbols: &Symbols) -> Sample {
        let (literals, distances) = symbols.counts();
        // What does not occur in it may occur in another, unless it is no text. And counts are rounded, because the fewer
        // lengths there are, the shorter is what tells them.
        let (mut of_literals, mut of_distances) = (literals, distances);
        for (count, symbol) in of_literals.iter_mut().zip(0..) {
            let may_occur = matches!(symbol, 10 | 13 | 32..127 | 257..275);
            *count = if *count > 0 { count.next_power_of_two() } else { u32::from(may_occur) };
        }
        for count in of_distances.iter_mut().take(30) {
            *count = count.next_power_of_two();
        }
        let mut codes = Pair { literals: Codes::new(), distances: Codes::new() };
        codes.fit(&of_literals, &of_distances);
        let cost = codes.cost(&literals, &distances);
        let count = literals.iter().chain(&distances).sum();
        let (mut header, mut tables) = (Header::new(), Tables::new());
        header.fit(&codes.literals.lengths, &codes.distances.lengths);
        tables.fit(LENGTHS.len(), &codes);
        Sample { codes, header, tables, cost, count }
    }

    /// Whether all have codes, and symbols that occur so often take hardly more bits each than those of the sample.
    fn is_like(&self, literals: &[u32; LITERALS], distances: &[u32; DISTANCES]) -> bool {
        let lengths = self.codes.literals.lengths.iter().chain(&self.codes.distances.lengths);
        if literals.iter().chain(distances).zip(lengths).any(|(count, length)| *count > 0 && *length == 0) {
            return false;
        }
        let count: u32 = literals.iter().chain(distances).sum();
        let cost = self.codes.cost(literals, distances);
        u64::from(cost) * u64::from(self.count) * 16 <= u64::from(self.cost) * u64::from(count) * 17
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

    fn fit(&mut self, literals: &[u32; LITERALS], distances: &[u32; DISTANCES]) {
        self.literals.fit(literals, BITS_MAX);
        self.distances.fit(distances, BITS_MAX);
    }

    /// Bits of all codes.
    fn cost(&self, literals: &[u32; LITERALS], distances: &[u32; DISTANCES]) -> u32 {
        total(literals, &self.literals.lengths) + total(distances, &self.distances.lengths)
    }
}

impl Tables {
    fn new() -> Tables {
        Tables { firsts: [0; TABLE], seconds: [0; TABLE], end: 0 }
    }

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

/// Writes the bytes as they are.
pub(super) fn store(part: &[u8], is_last: bool, out: &mut Bits<'_>) {
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
