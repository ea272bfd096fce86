//! A column of texts: each as it comes, or each once with a list of which row has which.

use std::collections::BTreeMap;

use super::super::bytes::put_varint;
use super::arena::{Arena, Source};
use super::front::{self, Texts};
use super::{Kind, Parts};

/// Appends a column; which way it was written.
pub(super) fn put(parts: &mut Parts, values: &[&[u8]]) -> Kind {
    // Where hardly any comes twice, the list of which is which would be all that is gained.
    if put_dictionary(parts, values, values.len() * 3 / 4 + 1) {
        Kind::Dictionary
    } else {
        front::put(&mut parts.text, values.iter().copied());
        Kind::Plain
    }
}

/// Appends a column as a dictionary, if it has no more different texts than this; whether it was.
pub(super) fn put_dictionary(parts: &mut Parts, values: &[&[u8]], distinct_max: usize) -> bool {
    let mut distinct: BTreeMap<&[u8], u8> = BTreeMap::new();
    let mut last: Option<&[u8]> = None;
    for value in values {
        if last == Some(value) {
            continue;
        }
        last = Some(value);
        distinct.entry(value).or_default();
        if distinct.len() > distinct_max.min(255) {
            return false;
        }
    }
    for (number, (_, at)) in (0..).zip(distinct.iter_mut()) {
        *at = number;
    }
    put_varint(&mut parts.text, distinct.len() as u64);
    front::put(&mut parts.text, distinct.keys().copied());
    parts.text.extend(values.iter().map(|value| distinct.get(value).copied().unwrap_or_default()));
    true
}

/// A list of texts, and which of them each row has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Dictionary {
    texts: Texts,
    /// Where in the text the list of which is which begins.
    which: usize,
}

impl Dictionary {
    pub(super) fn read(source: &mut Source<'_>, arena: &mut Arena, count: usize) -> Option<Dictionary> {
        let distinct = source.text.size().filter(|distinct| *distinct <= 256)?;
        let texts = front::read(source, arena, distinct, |_, _| Some(()))?;
        Some(Dictionary { texts, which: source.skip(count)? })
    }

    pub(super) fn get(self, arena: &Arena, at: usize) -> Option<&[u8]> {
        let which = arena.text.get(self.which.checked_add(at)?)?;
        self.texts.get(arena, usize::from(*which))
    }
}
