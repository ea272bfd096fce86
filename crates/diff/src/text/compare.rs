//! Finds out which tokens two texts share, within a bound of work.
//!
//! Equal starts and ends are taken off first. What is left is compared by Myers' algorithm if that is affordable: with the
//! heuristics of imara-diff it takes some n√n steps. If not, see [`super::anchors`].

use std::hash::Hash;

use imara_diff::{Algorithm, Diff, Interner, Token};

use super::tokens::Tokens;
use super::{Difference, Hunk, Unit, anchors};
use crate::Limits;

/// So many times as many tokens as are compared in full are cut out at all; of lines four times that, because there are
/// fewer of them in the same memory.
const CUT_TIMES: usize = 64;

pub(super) fn compare<'a>(old: &'a str, new: &'a str, unit: Unit, limits: &Limits) -> Difference<'a> {
    let answer = |unit, old: Tokens<'a>, new: Tokens<'a>, hunks, coarse| Difference {
        unit,
        old,
        new,
        hunks,
        coarse,
        limits: *limits,
    };
    let bytes_max = limits.text_bytes_max.min(u32::MAX as usize - 1);
    let cut_max = limits.tokens_max.saturating_mul(CUT_TIMES);
    let units: &[Unit] = match unit {
        Unit::Chars => &[Unit::Chars, Unit::Words, Unit::Lines],
        Unit::Words => &[Unit::Words, Unit::Lines],
        Unit::Lines => &[Unit::Lines],
    };
    if old.len().max(new.len()) <= bytes_max {
        for &coarser in units {
            let max = if coarser == Unit::Lines { cut_max.saturating_mul(4) } else { cut_max };
            if let (Some(old), Some(new)) = (Tokens::cut(old, coarser, max), Tokens::cut(new, coarser, max))
                && old.len() + new.len() <= max
            {
                let (hunks, coarse) = tokens_apart(&old, &new, limits);
                return answer(coarser, old, new, hunks, coarse || coarser != unit);
            }
        }
    }
    let (tokens_old, tokens_new) = (Tokens::whole(old), Tokens::whole(new));
    let hunks = if old == new {
        Vec::new()
    } else {
        vec![Hunk { old: 0..tokens_old.len(), new: 0..tokens_new.len() }]
    };
    answer(Unit::Lines, tokens_old, tokens_new, hunks, old != new)
}

fn tokens_apart(old: &Tokens<'_>, new: &Tokens<'_>, limits: &Limits) -> (Vec<Hunk>, bool) {
    if old.len() == new.len() && old.iter().eq(new.iter()) {
        return (Vec::new(), false);
    }
    let mut interner = Interner::new(old.len().saturating_add(new.len()) / 2);
    let old: Vec<Token> = old.iter().map(|token| interner.intern(token)).collect();
    let new: Vec<Token> = new.iter().map(|token| interner.intern(token)).collect();
    sequences(&old, &new, interner.num_tokens(), limits.tokens_max)
}

/// Compares any two sequences of things.
pub(crate) fn of<T: Hash + Eq>(
    old: impl Iterator<Item = T>,
    new: impl Iterator<Item = T>,
    limits: &Limits,
) -> (Vec<Hunk>, bool) {
    let mut interner = Interner::new(64);
    let old: Vec<Token> = old.map(|token| interner.intern(token)).collect();
    let new: Vec<Token> = new.map(|token| interner.intern(token)).collect();
    sequences(&old, &new, interner.num_tokens(), limits.tokens_max)
}

/// Compares two sequences of so many kinds of tokens. The second value says whether the answer is coarse.
fn sequences(old: &[Token], new: &[Token], kinds: u32, tokens_max: usize) -> (Vec<Hunk>, bool) {
    let (start, end) = common_edges(old, new);
    let old_middle = old.get(start..old.len() - end).unwrap_or_default();
    let new_middle = new.get(start..new.len() - end).unwrap_or_default();
    let (mut hunks, coarse) = if old_middle.len() + new_middle.len() <= tokens_max {
        (exact(old_middle, new_middle, kinds), false)
    } else {
        anchors::Search::new(kinds, tokens_max).run(old_middle, new_middle)
    };
    for hunk in &mut hunks {
        hunk.old = hunk.old.start + start..hunk.old.end + start;
        hunk.new = hunk.new.start + start..hunk.new.end + start;
    }
    (hunks, coarse)
}

/// How many tokens two sequences begin with alike, and end with alike behind that.
pub(super) fn common_edges(old: &[Token], new: &[Token]) -> (usize, usize) {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let old = old.get(start..).unwrap_or_default();
    let new = new.get(start..).unwrap_or_default();
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    (start, end)
}

/// The whole truth about two sequences that are short enough.
pub(super) fn exact(old: &[Token], new: &[Token], kinds: u32) -> Vec<Hunk> {
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    if old.is_empty() || new.is_empty() {
        return vec![Hunk { old: 0..old.len(), new: 0..new.len() }];
    }
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Myers, old, new, kinds);
    diff.hunks()
        .map(|hunk| Hunk {
            old: hunk.before.start as usize..hunk.before.end as usize,
            new: hunk.after.start as usize..hunk.after.end as usize,
        })
        .collect()
}
