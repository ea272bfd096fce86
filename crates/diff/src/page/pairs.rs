//! Which of the blocks that went became which of those that came.

use std::collections::HashMap;

use super::blocks::Block;
use super::tree::Page;

/// Two blocks with less in common are two blocks.
const ALIKE_MIN: f64 = 0.34;

/// What it counts that one stands where the other stood, though they have little in common.
const SAME_PLACE: f64 = 0.05;

/// So many comparisons of blocks are made for one place; where there are more, blocks are paired by their order.
const COMPARISONS_MAX: usize = 4096;

/// Pairs of indices, in order in both.
pub(super) fn pairs(old_page: &Page, old: &[&Block], new_page: &Page, new: &[&Block]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > COMPARISONS_MAX {
        let by_order = (0..old.len()).zip(0..new.len());
        return by_order
            .filter(|(left, right)| alike(old.get(*left), new.get(*right)) >= ALIKE_MIN)
            .collect();
    }
    let old_words: Vec<Words> = old.iter().map(|block| Words::of(&block.text)).collect();
    let new_words: Vec<Words> = new.iter().map(|block| Words::of(&block.text)).collect();
    let old_paths: Vec<String> = old.iter().map(|block| old_page.path_of(block)).collect();
    let new_paths: Vec<String> = new.iter().map(|block| new_page.path_of(block)).collect();
    // best[i][j]: the most that the blocks from i and j on can have in common.
    let width = new.len() + 1;
    let mut best = vec![0.0_f64; (old.len() + 1) * width];
    let mut score = vec![0.0_f64; old.len() * width];
    let at =
        |table: &[f64], row: usize, column: usize| table.get(row * width + column).copied().unwrap_or(0.0);
    for (row, left) in old_words.iter().enumerate().rev() {
        for (column, right) in new_words.iter().enumerate().rev() {
            let alike = left.alike(right);
            let is_same_place = || old_paths.get(row) == new_paths.get(column);
            let alike = if alike >= ALIKE_MIN {
                alike
            } else if is_same_place() {
                SAME_PLACE
            } else {
                0.0
            };
            if let Some(place) = score.get_mut(row * width + column) {
                *place = alike;
            }
            let with = if alike > 0.0 { alike + at(&best, row + 1, column + 1) } else { 0.0 };
            let without = at(&best, row + 1, column).max(at(&best, row, column + 1));
            if let Some(place) = best.get_mut(row * width + column) {
                *place = with.max(without);
            }
        }
    }
    let (mut row, mut column, mut found) = (0, 0, Vec::new());
    while row < old.len() && column < new.len() {
        let alike = at(&score, row, column);
        let here = at(&best, row, column);
        if alike > 0.0 && (alike + at(&best, row + 1, column + 1) - here).abs() < 1e-9 {
            found.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if at(&best, row + 1, column) >= at(&best, row, column + 1) {
            row += 1;
        } else {
            column += 1;
        }
    }
    found
}

fn alike(old: Option<&&Block>, new: Option<&&Block>) -> f64 {
    match (old, new) {
        (Some(old), Some(new)) => Words::of(&old.text).alike(&Words::of(&new.text)),
        _ => 0.0,
    }
}

/// How often each word is in a text.
pub(crate) struct Words<'a> {
    counts: HashMap<&'a str, usize>,
    all: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn of(text: &'a str) -> Words<'a> {
        let mut counts = HashMap::new();
        let mut all = 0;
        for word in
            text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).take(2000)
        {
            *counts.entry(word).or_insert(0) += 1;
            all += 1;
        }
        Words { counts, all }
    }

    /// How much two texts have in common, from 0 to 1.
    pub(crate) fn alike(&self, other: &Words<'_>) -> f64 {
        if self.all + other.all == 0 {
            return 1.0;
        }
        let both: usize = self
            .counts
            .iter()
            .map(|(word, count)| other.counts.get(word).map_or(0, |there| *count.min(there)))
            .sum();
        2.0 * both as f64 / (self.all + other.all) as f64
    }
}
