//! Compares two sequences that are too long to be compared in full.
//!
//! A stretch of tokens that is found exactly once in each is an anchor: one token at first, more where single tokens are
//! too common. The longest run of anchors that is in order in both cuts the sequences into short pieces, which are compared
//! on their own until the work is used up. What is then left is called changed without a look inside. All of it but
//! the pieces is a few passes and one sort.

use imara_diff::Token;

use super::Hunk;
use super::compare::{common_edges, exact};

/// How long the stretches are, one length after the other.
const WINDOWS: [usize; 3] = [1, 8, 32];

/// Stretches that are kept in mind at once; of more only some are, chosen by what is in them.
const KEPT_MAX: usize = 1 << 19;

/// Pieces are put together again up to so many tokens: one comparison of many is quicker than many of few.
const PIECE_TOKENS: usize = 2048;

/// What has been found so far.
pub(super) struct Search {
    hunks: Vec<Hunk>,
    coarse: bool,
    tokens_max: usize,
    /// How much work is left; see [`work`].
    left: usize,
    /// For every kind of token the piece it was last met in, and its number there.
    local: Vec<(u32, u32)>,
    pieces: u32,
}

impl Search {
    pub(super) fn new(kinds: u32, tokens_max: usize) -> Search {
        Search {
            hunks: Vec::new(),
            coarse: false,
            tokens_max,
            left: work(tokens_max).saturating_mul(2),
            local: vec![(0, 0); kinds as usize],
            pieces: 0,
        }
    }

    /// Hunks, and whether they are coarse.
    pub(super) fn run(mut self, old: &[Token], new: &[Token]) -> (Vec<Hunk>, bool) {
        self.piece(old, new, (0, 0), 0, &WINDOWS);
        (self.hunks, self.coarse)
    }

    /// A piece that begins at these places, and that has so many anchors in it.
    fn piece(&mut self, old: &[Token], new: &[Token], at: (usize, usize), known: usize, windows: &[usize]) {
        let all = old.len() + new.len();
        let (start, end) = common_edges(old, new);
        let old = old.get(start..old.len() - end).unwrap_or_default();
        let new = new.get(start..new.len() - end).unwrap_or_default();
        let at = (at.0 + start, at.1 + start);
        let size = old.len() + new.len();
        if old.is_empty() || new.is_empty() {
            self.push(at, 0..old.len(), 0..new.len());
        } else if let price = price(size, all - known.min(all / 2) * 2)
            && size <= self.tokens_max
            && price <= self.left
        {
            self.left -= price;
            for hunk in self.exact(old, new) {
                self.push(at, hunk.old, hunk.new);
            }
        } else if let Some((&window, windows)) = windows.split_first() {
            self.pieces(old, new, at, window, windows);
        } else {
            self.coarse = true;
            self.push(at, 0..old.len(), 0..new.len());
        }
    }

    fn pieces(&mut self, old: &[Token], new: &[Token], at: (usize, usize), window: usize, windows: &[usize]) {
        let (mut done, mut known) = ((0, 0), 0);
        for end in anchors(old, new, window).into_iter().chain([(old.len(), new.len())]) {
            let size = (end.0 - done.0) + (end.1 - done.1);
            let is_last = end.0 == old.len() && end.1 == new.len();
            if size < PIECE_TOKENS && !is_last {
                known += 1;
                continue;
            }
            let old_piece = old.get(done.0..end.0).unwrap_or_default();
            let new_piece = new.get(done.1..end.1).unwrap_or_default();
            self.piece(old_piece, new_piece, (at.0 + done.0, at.1 + done.1), known, windows);
            known = 0;
            done = (end.0 + 1, end.1 + 1);
        }
    }

    /// The whole truth about a piece. Its tokens are numbered anew: who compares keeps a table of all numbers.
    fn exact(&mut self, old: &[Token], new: &[Token]) -> Vec<Hunk> {
        self.pieces += 1;
        let mut kinds = 0;
        let mut number = |token: &Token| match self.local.get_mut(token.0 as usize) {
            Some(local) => {
                if local.0 != self.pieces {
                    *local = (self.pieces, kinds);
                    kinds += 1;
                }
                Token(local.1)
            }
            None => *token,
        };
        let old: Vec<Token> = old.iter().map(&mut number).collect();
        let new: Vec<Token> = new.iter().map(&mut number).collect();
        exact(&old, &new, kinds)
    }

    /// Adds a hunk of the piece that begins there; two that touch are one.
    fn push(&mut self, at: (usize, usize), old: std::ops::Range<usize>, new: std::ops::Range<usize>) {
        let hunk = Hunk { old: old.start + at.0..old.end + at.0, new: new.start + at.1..new.end + at.1 };
        if hunk.old.is_empty() && hunk.new.is_empty() {
            return;
        }
        match self.hunks.last_mut() {
            Some(last) if last.old.end == hunk.old.start && last.new.end == hunk.new.start => {
                last.old.end = hunk.old.end;
                last.new.end = hunk.new.end;
            }
            _ => self.hunks.push(hunk),
        }
    }
}

/// About how many steps the comparison of so many tokens takes at worst.
fn work(tokens: usize) -> usize {
    tokens.saturating_mul(tokens.isqrt())
}

/// The same, where no more than so many of them differ.
fn price(tokens: usize, differ: usize) -> usize {
    tokens.saturating_mul(tokens.isqrt().min(differ + 1))
}

const NEVER: u32 = u32::MAX;
const OFTEN: u32 = u32::MAX - 1;

/// Where a stretch is found.
#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    old: u32,
    new: u32,
}

/// Places of stretches that are found once in each, as many as are in order in both.
fn anchors(old: &[Token], new: &[Token], window: usize) -> Vec<(usize, usize)> {
    let longest = old.len().max(new.len());
    let one_in = (longest / KEPT_MAX + 1) as u64;
    let size = longest.min(KEPT_MAX).next_power_of_two() * 2;
    let mut slots = vec![Slot { hash: 0, old: NEVER, new: NEVER }; size];
    let slot = |hash: u64| (hash >> 20) as usize & (size - 1);
    let chosen = |(_, hash): &(usize, u64)| (hash >> 1) % one_in == 0;
    for (at, hash) in hashes(old, window).filter(chosen) {
        if let Some(slot) = slots.get_mut(slot(hash)) {
            if slot.old == NEVER {
                *slot = Slot { hash, old: at as u32, new: NEVER };
            } else if slot.hash == hash {
                slot.old = OFTEN;
            }
        }
    }
    for (at, hash) in hashes(new, window).filter(chosen) {
        if let Some(slot) = slots.get_mut(slot(hash)).filter(|slot| slot.hash == hash) {
            slot.new = if slot.new == NEVER { at as u32 } else { OFTEN };
        }
    }
    let mut pairs: Vec<(u32, u32)> = slots
        .into_iter()
        .filter(|slot| slot.old < OFTEN && slot.new < OFTEN)
        .map(|slot| (slot.old, slot.new))
        .filter(|(left, right)| old.get(*left as usize) == new.get(*right as usize))
        .collect();
    pairs.sort_unstable();
    increasing(&pairs).into_iter().map(|(old, new)| (old as usize, new as usize)).collect()
}

/// Each stretch's place and a number for what is in it, never 0.
fn hashes(tokens: &[Token], window: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let value = |token: &Token| u64::from(token.0) + 1;
    let leaving = (1..window).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut sum = tokens
        .iter()
        .take(window - 1)
        .fold(0_u64, |sum, token| sum.wrapping_mul(BASE).wrapping_add(value(token)));
    let starts = tokens.iter();
    let ends = tokens.iter().skip(window - 1);
    starts.zip(ends).enumerate().map(move |(at, (first, last))| {
        sum = sum.wrapping_mul(BASE).wrapping_add(value(last));
        let mixed = (sum ^ (sum >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        sum = sum.wrapping_sub(value(first).wrapping_mul(leaving));
        (at, (mixed ^ (mixed >> 32)) | 1)
    })
}

/// The longest run of pairs whose second values rise as the first do, by sorting into piles as in the game of patience.
fn increasing(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let value = |at: usize| pairs.get(at).map_or(0, |pair| pair.1);
    for (at, pair) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|top| value(*top) < pair.1);
        before.push(pile.checked_sub(1).and_then(|left| piles.get(left).copied()));
        match piles.get_mut(pile) {
            Some(top) => *top = at,
            None => piles.push(at),
        }
    }
    let mut run = Vec::with_capacity(piles.len());
    let mut next = piles.last().copied();
    while let Some(at) = next {
        run.extend(pairs.get(at));
        next = before.get(at).copied().flatten();
    }
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<Token> {
        text.bytes().map(|byte| Token(u32::from(byte))).collect()
    }

    fn check(old: &[Token], new: &[Token], tokens_max: usize) -> bool {
        let (hunks, coarse) = Search::new(256, tokens_max).run(old, new);
        let mut at = (0, 0);
        for hunk in hunks {
            assert!(!hunk.old.is_empty() || !hunk.new.is_empty());
            assert_eq!(old[at.0..hunk.old.start], new[at.1..hunk.new.start]);
            at = (hunk.old.end, hunk.new.end);
        }
        assert_eq!(old[at.0..], new[at.1..]);
        coarse
    }

    #[test]
    fn the_longest_rising_run_is_found() {
        assert_eq!(increasing(&[]), []);
        assert_eq!(increasing(&[(0, 3), (1, 1), (2, 2), (3, 0), (4, 5)]), [(1, 1), (2, 2), (4, 5)]);
    }

    #[test]
    fn stretches_that_are_the_same_have_the_same_number() {
        let tokens = tokens("abcabcab");
        let found: Vec<u64> = hashes(&tokens, 3).map(|(_, hash)| hash).collect();
        assert_eq!(found.len(), 6);
        assert_eq!((found[0], found[1], found[2]), (found[3], found[4], found[5]));
        assert_ne!(found[0], found[1]);
        assert_eq!(hashes(&tokens, 9).count(), 0);
    }

    #[test]
    fn what_is_not_looked_at_is_said_to_be_coarse() {
        let (old, new) = (tokens("abXcdYef--------"), tokens("11X22Y33-4-4-4-4"));
        assert!(check(&old, &new, 10));
        assert!(!check(&old, &new, 100));
    }

    proptest! {
        #[test]
        fn what_is_called_the_same_is_the_same(old in "[a-d]{0,60}", new in "[a-d]{0,60}", tokens_max in 0usize..60) {
            check(&tokens(&old), &tokens(&new), tokens_max);
        }
    }
}
