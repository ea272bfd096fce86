//! A column of digests: the usual spellings become their bytes.
//!
//! ```text
//! number of forms │ for each: label (run), spelling │ for each digest: form │ for each: 0, or how far back its equal stands
//! texts of those that have no usual spelling (runs)         not packed: the bytes of the others
//! ```

use std::collections::HashMap;

use super::super::bytes::{put_run, put_varint};
use super::Parts;
use super::arena::{Arena, Marks, Source};

const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &[u8; 16] = b"0123456789abcdef";

/// How the bytes of a digest are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// In no way that we know: the text stands as it is.
    Other,
    /// Base 32, upper case, without padding.
    Base32(usize),
    /// Hexadecimal, lower case.
    Hex(usize),
}

const SPELLINGS: [Spelling; 6] = [
    Spelling::Other,
    Spelling::Base32(20),
    Spelling::Base32(32),
    Spelling::Hex(16),
    Spelling::Hex(20),
    Spelling::Hex(32),
];

impl Spelling {
    fn bytes(self) -> usize {
        match self {
            Spelling::Other => 0,
            Spelling::Base32(bytes) | Spelling::Hex(bytes) => bytes,
        }
    }

    fn letters(self) -> usize {
        match self {
            Spelling::Other => 0,
            Spelling::Base32(bytes) => (bytes * 8).div_ceil(5),
            Spelling::Hex(bytes) => bytes * 2,
        }
    }

    /// The bytes that are spelled so, if this is how we would spell them.
    fn decode(self, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
        if text.len() != self.letters() || text.is_empty() {
            return None;
        }
        let (alphabet, bits): (&[u8], u32) = match self {
            Spelling::Other => return None,
            Spelling::Base32(_) => (LETTERS, 5),
            Spelling::Hex(_) => (HEX, 4),
        };
        let start = out.len();
        let (mut buffer, mut held) = (0_u32, 0);
        for letter in text {
            let Some(value) = value_of(*letter, alphabet) else {
                out.truncate(start);
                return None;
            };
            buffer = (buffer << bits | u32::from(value)) & 0xffff;
            held += bits;
            if held >= 8 {
                held -= 8;
                out.push((buffer >> held) as u8);
            }
        }
        // Bits that are left over must be none, or they would not come back.
        if buffer & ((1 << held) - 1) != 0 {
            out.truncate(start);
            return None;
        }
        Some(())
    }

    fn encode(self, bytes: &[u8], out: &mut Vec<u8>) {
        let (alphabet, bits): (&[u8], u32) = match self {
            Spelling::Other => return,
            Spelling::Base32(_) => (LETTERS, 5),
            Spelling::Hex(_) => (HEX, 4),
        };
        let mask = (1 << bits) - 1;
        let (mut buffer, mut held) = (0_u32, 0);
        let mut push = |value: u32| out.extend(alphabet.get((value & mask) as usize));
        for byte in bytes {
            buffer = (buffer << 8 | u32::from(*byte)) & 0xf_ffff;
            held += 8;
            while held >= bits {
                held -= bits;
                push(buffer >> held);
            }
        }
        if held > 0 {
            push(buffer << (bits - held));
        }
    }
}

fn value_of(letter: u8, alphabet: &[u8]) -> Option<u8> {
    let value = match (alphabet.len(), letter) {
        (32, b'A'..=b'Z') => letter - b'A',
        (32, b'2'..=b'7') => letter - b'2' + 26,
        (16, b'0'..=b'9') => letter - b'0',
        (16, b'a'..=b'f') => letter - b'a' + 10,
        _ => return None,
    };
    Some(value)
}

/// Label and digest: `sha1:` and what stands behind it.
fn split(text: &[u8]) -> (&[u8], &[u8]) {
    let label = memchr::memchr(b':', text).map_or(0, |colon| colon + 1);
    text.split_at_checked(label).unwrap_or((&[], text))
}

/// Appends a column.
pub(super) fn put(parts: &mut Parts, values: &[&[u8]]) {
    let mut forms: Vec<(&[u8], u8)> = Vec::new();
    let mut which = Vec::with_capacity(values.len());
    let mut equals = Vec::with_capacity(values.len());
    let mut texts = Vec::new();
    let mut seen: HashMap<&[u8], usize> = HashMap::with_capacity(values.len());
    let before = parts.random.len();
    for (at, value) in values.iter().enumerate() {
        if let Some(other) = seen.insert(value, at).filter(|other| at - other <= 255) {
            which.push(which.get(other).copied().unwrap_or_default());
            equals.push((at - other) as u8);
            continue;
        }
        let (mut label, digest) = split(value);
        let spellings = SPELLINGS.iter().enumerate().skip(1);
        let mut usual = spellings
            .filter_map(|(number, spelling)| spelling.decode(digest, &mut parts.random).map(|()| number));
        let spelling = usual.next().unwrap_or_default();
        if spelling == 0 {
            label = &[];
            put_run(&mut texts, value);
        }
        let form = (label, spelling as u8);
        let number = forms.iter().position(|other| *other == form).unwrap_or(forms.len());
        if number == forms.len() {
            forms.push(form);
        }
        which.push(number as u8);
        equals.push(0);
    }
    if forms.len() > 255 {
        // Labels without end: no hashes of ours. All of them stand as they are.
        parts.random.truncate(before);
        return put_as_they_are(parts, values);
    }
    put_forms(parts, &forms);
    parts.text.extend_from_slice(&which);
    parts.text.extend_from_slice(&equals);
    parts.text.extend_from_slice(&texts);
}

fn put_as_they_are(parts: &mut Parts, values: &[&[u8]]) {
    put_forms(parts, &[(&[], 0)]);
    parts.text.extend(std::iter::repeat_n(0, values.len() * 2));
    values.iter().for_each(|value| put_run(&mut parts.text, value));
}

fn put_forms(parts: &mut Parts, forms: &[(&[u8], u8)]) {
    put_varint(&mut parts.text, forms.len() as u64);
    for (label, spelling) in forms {
        put_run(&mut parts.text, label);
        parts.text.push(*spelling);
    }
}

/// A column as read. Texts are made when they are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Digests {
    /// For each form: where its label begins and ends in the text, and its spelling.
    forms: Marks,
    /// Where in the text the list of which form each has begins.
    which: usize,
    /// For each: where its bytes begin and end.
    spans: Marks,
}

impl Digests {
    pub(super) fn read(source: &mut Source<'_>, arena: &mut Arena, count: usize) -> Option<Digests> {
        let forms = arena.marks_begin();
        let forms_count = source.text.size().filter(|count| *count <= 256)?;
        for _ in 0..forms_count {
            let label = source.text.run()?.len();
            let end = source.place();
            let spelling = source.byte().filter(|spelling| usize::from(*spelling) < SPELLINGS.len())?;
            arena.push_mark(end - label)?;
            arena.push_mark(end)?;
            arena.push_mark(usize::from(spelling))?;
        }
        let which = source.place();
        let (whiches, equals) = (source.text.take(count)?, source.text.take(count)?);
        let spans = arena.marks_begin();
        for (at, (form, back)) in whiches.iter().zip(equals).enumerate() {
            if usize::from(*form) >= forms_count {
                return None;
            }
            if *back > 0 {
                let other = at.checked_sub(usize::from(*back))?;
                let (start, end) = (arena.mark(spans, other * 2)?, arena.mark(spans, other * 2 + 1)?);
                arena.marks.extend([start, end]);
                continue;
            }
            let bytes = match spelling(arena, forms, *form)? {
                Spelling::Other => source.text.run()?,
                usual => source.random.take(usual.bytes())?,
            };
            arena.push_mark(arena.bytes.len())?;
            arena.bytes.extend_from_slice(bytes);
            arena.push_mark(arena.bytes.len())?;
        }
        Some(Digests { forms, which, spans })
    }

    /// Appends a digest as it is spelled.
    pub(super) fn write(self, arena: &Arena, at: usize, out: &mut Vec<u8>) -> Option<()> {
        let form = *arena.text.get(self.which.checked_add(at)?)?;
        let label = usize::from(form) * 3;
        let (start, end) = (arena.mark(self.forms, label)?, arena.mark(self.forms, label + 1)?);
        out.extend_from_slice(arena.text.get(start as usize..end as usize)?);
        let (start, end) = (arena.mark(self.spans, at * 2)?, arena.mark(self.spans, at * 2 + 1)?);
        let bytes = arena.bytes.get(start as usize..end as usize)?;
        match spelling(arena, self.forms, form)? {
            Spelling::Other => out.extend_from_slice(bytes),
            usual => usual.encode(bytes, out),
        }
        Some(())
    }
}

fn spelling(arena: &Arena, forms: Marks, form: u8) -> Option<Spelling> {
    SPELLINGS.get(arena.mark(forms, usize::from(form) * 3 + 2)? as usize).copied()
}
