//! How the codes of a block are told: the lengths of all of them, themselves in codes.

use super::bits::Bits;
use super::codes::Codes;
use super::symbol::{DISTANCES, LITERALS};

/// Codes of code lengths, in the order in which they are sent (RFC 1951, 3.2.7).
const ORDER: [usize; LENGTHS] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Symbols that tell lengths: the lengths themselves, and three that repeat.
const LENGTHS: usize = 19;

/// How many further bits follow the code of each of them.
const FURTHER: [u8; LENGTHS] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 7];

const BITS_MAX: usize = 7;

/// Of the codes of one block.
#[derive(Debug)]
pub(super) struct Header {
    literals: usize,
    distances: usize,
    told: Told,
    codes: Codes<LENGTHS>,
    codes_sent: usize,
}

/// Symbols that tell lengths, with the further bits of each.
#[derive(Debug)]
struct Told {
    list: [(u8, u8); LITERALS + DISTANCES],
    count: usize,
    counts: [u32; LENGTHS],
}

impl Header {
    pub(super) fn new() -> Header {
        let told = Told { list: [(0, 0); LITERALS + DISTANCES], count: 0, counts: [0; LENGTHS] };
        Header { literals: 0, distances: 0, told, codes: Codes::new(), codes_sent: 0 }
    }

    /// Becomes that of these lengths.
    pub(super) fn fit(&mut self, literals: &[u8; LITERALS], distances: &[u8; DISTANCES]) {
        let used = |lengths: &[u8], least: usize| {
            lengths.iter().rposition(|length| *length > 0).map_or(least, |last| least.max(last + 1))
        };
        (self.literals, self.distances) = (used(literals, 257), used(distances, 1));
        let mut all = [0_u8; LITERALS + DISTANCES];
        for (place, lengths) in [(0, literals.as_slice()), (self.literals, distances.as_slice())] {
            if let Some(place) = all.get_mut(place..place + lengths.len()) {
                place.copy_from_slice(lengths);
            }
        }
        self.told.count = 0;
        self.told.counts = [0; LENGTHS];
        let all = all.get(..self.literals + self.distances).unwrap_or_default();
        for run in all.chunk_by(|a, b| a == b) {
            self.told.run(run.first().copied().unwrap_or_default(), run.len());
        }
        self.codes.fit(&self.told.counts, BITS_MAX);
        let is_sent = |symbol: &usize| self.codes.lengths.get(*symbol).is_some_and(|length| *length > 0);
        self.codes_sent = ORDER.iter().rposition(is_sent).map_or(4, |last| (last + 1).max(4));
    }

    /// How many it takes.
    pub(super) fn bits(&self) -> u32 {
        let each =
            self.codes.lengths.iter().zip(&FURTHER).map(|(length, further)| u32::from(length + further));
        let told = self.told.counts.iter().zip(each).map(|(count, bits)| count * bits);
        14 + 3 * self.codes_sent as u32 + told.sum::<u32>()
    }

    pub(super) fn write(&self, out: &mut Bits<'_>) {
        out.add(self.literals as u64 - 257, 5);
        out.add(self.distances as u64 - 1, 5);
        out.add(self.codes_sent as u64 - 4, 4);
        let length = |symbol: &usize| self.codes.lengths.get(*symbol).copied().unwrap_or_default();
        out.add_all(ORDER.iter().take(self.codes_sent).map(|symbol| (u64::from(length(symbol)), 3)));
        out.add_all(self.told.list.iter().take(self.told.count).map(|(symbol, value)| {
            let place = usize::from(*symbol);
            let code = self.codes.codes.get(place).copied().unwrap_or_default();
            let further = FURTHER.get(place).copied().unwrap_or_default();
            let bits = code & 0xff_ffff | u32::from(*value) << (code >> 24);
            (u64::from(bits), (code >> 24) + u32::from(further))
        }));
    }
}

impl Told {
    /// So many times the same length.
    fn run(&mut self, length: u8, mut times: usize) {
        let mut is_first = length > 0;
        while times > 0 {
            let (symbol, further, taken) = match times {
                11.. if length == 0 => (18, times.min(138) - 11, times.min(138)),
                3.. if length == 0 => (17, times - 3, times),
                3.. if !is_first => (16, times.min(6) - 3, times.min(6)),
                _ => (usize::from(length), 0, 1),
            };
            is_first = false;
            times -= taken;
            if let (Some(place), Some(count)) = (self.list.get_mut(self.count), self.counts.get_mut(symbol)) {
                *place = (symbol as u8, further as u8);
                *count += 1;
                self.count += 1;
            }
        }
    }
}
