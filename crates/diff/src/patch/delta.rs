//! Differences to stretches of the older version.
//!
//! Six streams, each packed on its own because each is of its own kind:
//!
//! - *steps*: how many bytes to take as they are, where the next stretch begins relative to the end of the last, its length;
//! - *same*: within all stretches, how many bytes are the same before the next run that differs, as two streams, because the
//!   first byte of such a number is anything and the others are nearly always the same;
//! - *differ*: how many bytes such a run has;
//! - *values*: what they differ by;
//! - *extra*: the bytes that are taken as they are.

use super::matcher::{Stretch, stretches};
use super::{Effort, number, pack};
use crate::Error;

/// Runs of fewer same bytes do not end a run of different ones.
const SAME_MIN: usize = 3;

/// The body of a patch.
pub(super) fn make(old: &[u8], new: &[u8], effort: Effort) -> Result<Vec<u8>, Error> {
    let stretches = stretches(old, new);
    let mut streams = Streams::default();
    let (mut old_at, mut new_at) = (0, 0);
    for stretch in &stretches {
        let taken = new.get(new_at..stretch.new).unwrap_or_default();
        streams.extra.extend_from_slice(taken);
        number::put(&mut streams.steps, taken.len() as u64);
        number::put_signed(&mut streams.steps, stretch.old as i64 - old_at as i64);
        number::put(&mut streams.steps, stretch.length as u64);
        streams.subtract(old, new, stretch);
        (old_at, new_at) = (stretch.old + stretch.length, stretch.new + stretch.length);
    }
    streams.extra.extend_from_slice(new.get(new_at..).unwrap_or_default());
    streams.end_run();
    let mut body = Vec::new();
    let Streams { steps, same_low, same_high, differ, values, .. } = &streams;
    for stream in [steps, same_low, same_high, differ, values] {
        pack::put(&mut body, stream, effort)?;
    }
    pack::put_text(&mut body, &streams.extra, old, effort)?;
    Ok(body)
}

#[derive(Default)]
struct Streams {
    steps: Vec<u8>,
    same_low: Vec<u8>,
    same_high: Vec<u8>,
    differ: Vec<u8>,
    values: Vec<u8>,
    extra: Vec<u8>,
    /// Bytes since the last that differed.
    same_run: usize,
    /// Bytes of the run that differs.
    differ_run: usize,
}

impl Streams {
    /// What a stretch differs by. Runs go on from one stretch to the next.
    fn subtract(&mut self, old: &[u8], new: &[u8], stretch: &Stretch) {
        let Stretch { old: old_at, new: new_at, length } = *stretch;
        let old = old.get(old_at..old_at + length).unwrap_or_default();
        let new = new.get(new_at..new_at + length).unwrap_or_default();
        let (old_words, old_rest) = old.as_chunks::<8>();
        let (new_words, new_rest) = new.as_chunks::<8>();
        for (old, new) in old_words.iter().zip(new_words) {
            if old == new {
                self.same_run += 8;
            } else {
                self.bytes(old, new);
            }
        }
        self.bytes(old_rest, new_rest);
    }

    fn bytes(&mut self, old: &[u8], new: &[u8]) {
        for (old, new) in old.iter().zip(new) {
            if old == new {
                self.same_run += 1;
                continue;
            }
            if self.differ_run > 0 && self.same_run < SAME_MIN {
                self.values.extend(std::iter::repeat_n(0, self.same_run));
                self.differ_run += self.same_run;
            } else {
                self.end_run();
                number::put_apart(&mut self.same_low, &mut self.same_high, self.same_run as u64);
            }
            self.same_run = 0;
            self.differ_run += 1;
            self.values.push(new.wrapping_sub(*old));
        }
    }

    fn end_run(&mut self) {
        if self.differ_run > 0 {
            number::put(&mut self.differ, self.differ_run as u64);
            self.differ_run = 0;
        }
    }
}

/// The newer version, from the older one and the body of a patch. It is exactly so long or there is an error.
pub(super) fn apply(old: &[u8], mut body: &[u8], length: usize) -> Result<Vec<u8>, Error> {
    // A step has no more than 30 bytes, and takes at least one byte: a stretch of nothing is not written.
    let steps = pack::take(&mut body, length.saturating_mul(30))?;
    let same_low = pack::take(&mut body, length)?;
    let same_high = pack::take(&mut body, length.saturating_mul(9))?;
    let differ = pack::take(&mut body, length.saturating_mul(10))?;
    let values = pack::take(&mut body, length)?;
    let extra = pack::take_text(&mut body, old, length)?;
    let mut made = Making { new: Vec::with_capacity(length.min(1 << 26)), length };
    let (mut steps, mut extra) = (steps.as_slice(), extra.as_slice());
    let streams = (same_low.as_slice(), same_high.as_slice(), differ.as_slice());
    let mut differences = Differences { streams, values: &values, same: 0, differ: 0 };
    differences.next_run();
    let mut old_at = 0_i64;
    while !steps.is_empty() {
        let mut step = || {
            let taken = usize::try_from(number::take(&mut steps)?).ok()?;
            Some((taken, number::take_signed(&mut steps)?, usize::try_from(number::take(&mut steps)?).ok()?))
        };
        let (taken, jump, stretch) = step().ok_or(Error::PatchDamaged("a step"))?;
        let (bytes, rest) = extra.split_at_checked(taken).ok_or(Error::PatchDamaged("a step"))?;
        made.push(bytes)?;
        extra = rest;
        old_at = old_at.checked_add(jump).ok_or(Error::PatchDamaged("a place"))?;
        let from = usize::try_from(old_at).map_err(|_| Error::PatchDamaged("a place"))?;
        let end = from.checked_add(stretch).ok_or(Error::PatchDamaged("a place"))?;
        let bytes = old.get(from..end).ok_or(Error::PatchDamaged("a place"))?;
        let begin = made.new.len();
        made.push(bytes)?;
        differences.add(made.new.get_mut(begin..).unwrap_or_default())?;
        old_at = i64::try_from(end).map_err(|_| Error::PatchDamaged("a place"))?;
    }
    made.push(extra)?;
    Ok(made.new)
}

/// What has been made so far, and how much it will be.
struct Making {
    new: Vec<u8>,
    length: usize,
}

impl Making {
    fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.new.len() + bytes.len() > self.length {
            return Err(Error::PatchDamaged("the length"));
        }
        self.new.extend_from_slice(bytes);
        Ok(())
    }
}

/// What is added to the stretches, one after the other.
struct Differences<'a> {
    /// Both of *same*, and *differ*.
    streams: (&'a [u8], &'a [u8], &'a [u8]),
    values: &'a [u8],
    /// So many bytes stay as they are.
    same: usize,
    /// Then so many change.
    differ: usize,
}

impl Differences<'_> {
    /// The next run; behind the last one everything stays as it is.
    fn next_run(&mut self) {
        let (low, high, differ) = &mut self.streams;
        let mut take = || Some((number::take_apart(low, high)?, number::take(differ)?));
        let (same, differ) = take().unwrap_or((u64::MAX, 0));
        self.same = usize::try_from(same).unwrap_or(usize::MAX);
        self.differ = usize::try_from(differ).unwrap_or(usize::MAX);
    }

    fn add(&mut self, mut bytes: &mut [u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            let same = self.same.min(bytes.len());
            self.same -= same;
            bytes = bytes.split_at_mut(same).1;
            let differ = self.differ.min(bytes.len());
            let (changed, rest) = bytes.split_at_mut(differ);
            let (values, left) =
                self.values.split_at_checked(differ).ok_or(Error::PatchDamaged("a value"))?;
            changed.iter_mut().zip(values).for_each(|(byte, value)| *byte = byte.wrapping_add(*value));
            self.values = left;
            self.differ -= differ;
            bytes = rest;
            if self.same == 0 && self.differ == 0 {
                self.next_run();
                if self.same == 0 && self.differ == 0 {
                    return Err(Error::PatchDamaged("an empty run"));
                }
            }
        }
        Ok(())
    }
}
