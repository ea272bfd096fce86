//! Finds what was there before, and tells the input as symbols: bytes that are new, and copies from further up.

use super::symbol::{LENGTH_MAX, Symbols};
use super::window::{DISTANCE_MAX, Window};

/// Places that are remembered: as many as stay in a core's nearest memory beside what is read.
const PLACES_BITS: u32 = 13;

/// And for an input of so few bytes that forgetting them would be most of the work.
const FEW_PLACES_BITS: u32 = 10;
const FEW_BYTES: usize = 2 << 10;

/// Behind a place where copies are looked for lie so many bytes at least, so that words are read without a check of the end.
const TAIL_BYTES: usize = 20;

/// After so many bytes without a copy, bytes are left out of the search, ever more: what is packed already repeats nothing.
const PATIENCE_BYTES: usize = 256;

/// But not more than these at once, for which there is always room.
const SKIPPED_BYTES_MAX: usize = 128;

/// Remembers by their first five bytes where stretches were seen last.
///
/// By four there would be more copies, and shorter ones: slower to tell, and no smaller.
#[derive(Debug)]
pub(super) struct Finder {
    /// What a place stands for is compared before it is believed, so that none needs a mark for having been set.
    places: Box<[u16; 1 << PLACES_BITS]>,
    window: Window,
    at: usize,
    is_short: bool,
}

impl Finder {
    pub(super) fn new() -> Finder {
        Finder { places: Box::new([0; 1 << PLACES_BITS]), window: Window::new(), at: 0, is_short: false }
    }

    /// Forgets everything, because what comes out depends on nothing that was packed before, and takes the beginning of the
    /// input: what is left of it.
    pub(super) fn begin<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        self.is_short = input.len() <= FEW_BYTES;
        let bits = if self.is_short { FEW_PLACES_BITS } else { PLACES_BITS };
        if let Some(places) = self.places.get_mut(..1 << bits) {
            places.fill(0);
        }
        self.at = 0;
        self.window.clear();
        self.window.fill(input)
    }

    /// Takes more of the input, after all was told: what is left.
    pub(super) fn go_on<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        self.window.slide();
        self.at = self.at.saturating_sub(DISTANCE_MAX);
        for place in self.places.iter_mut() {
            *place = place.saturating_sub(DISTANCE_MAX as u16);
        }
        self.window.fill(input)
    }

    /// Tells what it has taken, until there is no room for more symbols, or until only a tail is left where there is more
    /// input: how many bytes it told.
    pub(super) fn find(&mut self, has_more: bool, symbols: &mut Symbols) -> usize {
        let from = self.at;
        if self.is_short {
            self.copies::<FEW_PLACES_BITS>(symbols)
        } else {
            self.copies::<PLACES_BITS>(symbols)
        }
        if !has_more && self.left() <= TAIL_BYTES {
            while self.left() > 0 && symbols.has_room() {
                symbols.literal(self.window.word(self.at, 0) as u8);
                self.at += 1;
            }
        }
        self.at - from
    }

    /// How many bytes are not told yet.
    pub(super) fn left(&self) -> usize {
        self.window.end().saturating_sub(self.at)
    }

    /// Whether it needs more input to go on.
    pub(super) fn is_through(&self) -> bool {
        self.left() <= TAIL_BYTES
    }

    /// Looks at two places at once: half the work of the second is done while the first waits for memory.
    fn copies<const BITS: u32>(&mut self, symbols: &mut Symbols) {
        let end = self.window.end().saturating_sub(TAIL_BYTES);
        let mut at = self.at;
        if at == 0 && end > 0 {
            // Nothing is further up; from here on an empty place stands for this one.
            symbols.literal(self.window.word(0, 0) as u8);
            at = 1;
        }
        let mut patience = at + PATIENCE_BYTES;
        while at < end && symbols.has_room() {
            let (word, next) = (self.window.word(at, 0), self.window.word(at, 1));
            let place = self.put::<BITS>(word, at);
            let next_place = self.put::<BITS>(next, at + 1);
            let difference = self.window.word(place, 0) ^ word;
            let next_difference = self.window.word(next_place, 0) ^ next;
            let (difference, distance) = if is_copy(difference, at - place) {
                (difference, at - place)
            } else if is_copy(next_difference, at + 1 - next_place) {
                symbols.literal(word as u8);
                at += 1;
                (next_difference, at - next_place)
            } else {
                symbols.literals(word as u8, next as u8);
                at += 2;
                if at > patience {
                    at = self.skip(at, end, patience, symbols);
                }
                continue;
            };
            let further = self.window.word(at, 8) ^ self.window.word(at - distance, 8);
            let length = if difference | further == 0 {
                self.length(at, distance)
            } else if difference == 0 {
                8 + (further.trailing_zeros() >> 3) as usize
            } else {
                (difference.trailing_zeros() >> 3) as usize
            };
            symbols.copy(length, distance);
            at += length;
            patience = at + PATIENCE_BYTES;
            let last = self.window.word(at - 2, 0);
            self.put::<BITS>(last, at - 2);
            self.put::<BITS>(last >> 8, at - 1);
        }
        self.at = at;
    }

    /// Remembers a place: the one before it with the same beginning.
    #[inline(always)]
    fn put<const BITS: u32>(&mut self, word: u64, at: usize) -> usize {
        let hash = (word << 24).wrapping_mul(0x9E37_79B1_85EB_CA87) >> (64 - BITS);
        self.places.get_mut(hash as usize).map_or(0, |place| usize::from(std::mem::replace(place, at as u16)))
    }

    /// The length of a copy of sixteen bytes or more.
    fn length(&self, at: usize, distance: usize) -> usize {
        let most = LENGTH_MAX.min(self.window.end() - at);
        let mut length = 16;
        while length < most {
            let difference = self.window.word(at + length, 0) ^ self.window.word(at + length - distance, 0);
            if difference != 0 {
                length += (difference.trailing_zeros() >> 3) as usize;
                break;
            }
            length += 8;
        }
        length.min(most)
    }

    #[cold]
    fn skip(&mut self, at: usize, end: usize, patience: usize, symbols: &mut Symbols) -> usize {
        let to = end.min(at + ((at - patience) >> 7).min(SKIPPED_BYTES_MAX));
        for place in at..to {
            symbols.literal(self.window.word(place, 0) as u8);
        }
        to.max(at)
    }
}

/// Whether a word differs only behind its first four bytes from one so far up, and that is not too far.
#[inline(always)]
fn is_copy(difference: u64, distance: usize) -> bool {
    (difference as u32 | (distance as u32).wrapping_sub(1) & DISTANCE_MAX as u32) == 0
}
