//! A column of numbers: what all are at least, then their bytes by place, the lowest first.
//!
//! Bytes of one place that look random go into the part that is not packed.

use super::super::bytes::put_varint;
use super::Parts;
use super::arena::{Arena, Source};

/// The number that these digits write, if they are how we would write it.
pub(super) fn parse(digits: &[u8]) -> Option<u64> {
    let is_usual = match digits {
        [b'0'] => true,
        [first, ..] => *first != b'0' && digits.len() <= 18,
        [] => false,
    };
    if !is_usual {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, digit| {
        digit.is_ascii_digit().then(|| number * 10 + u64::from(digit - b'0'))
    })
}

/// Appends the digits of a number.
pub(super) fn write(number: u64, out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = number;
    loop {
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.get_mut(start..).unwrap_or_default().reverse();
}

pub(super) fn put(parts: &mut Parts, numbers: &[u64]) {
    let least = numbers.iter().min().copied().unwrap_or_default();
    let most = numbers.iter().max().copied().unwrap_or_default() - least;
    let width = 8 - (most | 1).leading_zeros() as usize / 8;
    let width = if most == 0 { 0 } else { width };
    put_varint(&mut parts.text, least);
    parts.text.push(width as u8);
    let mut plane = Vec::with_capacity(numbers.len());
    for place in 0..width {
        plane.clear();
        plane.extend(numbers.iter().map(|number| ((number - least) >> (place * 8)).to_le_bytes()[0]));
        let is_random = is_random(&plane);
        parts.text.push(u8::from(is_random));
        let out = if is_random { &mut parts.random } else { &mut parts.text };
        out.extend_from_slice(&plane);
    }
}

/// Whether most bytes differ from each other, as far as so many can.
fn is_random(plane: &[u8]) -> bool {
    let mut seen = [false; 256];
    let mut distinct = 0;
    for byte in plane {
        if let Some(seen) = seen.get_mut(usize::from(*byte)) {
            distinct += usize::from(!*seen);
            *seen = true;
        }
    }
    distinct * 2 > plane.len()
}

/// Reads so many numbers; where they begin among the numbers of the leaf.
pub(super) fn read(source: &mut Source<'_>, arena: &mut Arena, count: usize) -> Option<usize> {
    let start = arena.numbers.len();
    let least = source.text.varint()?;
    let width = source.byte().filter(|width| *width <= 8)?;
    arena.numbers.resize(start + count, least);
    for place in 0..width {
        let is_random = source.byte()? != 0;
        let from = if is_random { &mut source.random } else { &mut source.text };
        let plane = from.take(count)?;
        for (number, byte) in arena.numbers.get_mut(start..)?.iter_mut().zip(plane) {
            *number = number.wrapping_add(u64::from(*byte) << (place * 8));
        }
    }
    Some(start)
}

/// 14 digits of a time as a smaller number; digits that are no time at all as a larger one.
pub(super) fn of_time(time: u64) -> u64 {
    let parts = [10_000_000_000, 100_000_000, 1_000_000, 10_000, 100, 1].map(|unit| time / unit % 100);
    let [_, month, day, hour, minute, second] = parts;
    let year = time / 10_000_000_000;
    let is_usual =
        (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 60;
    if is_usual && year < 10_000 {
        ((((year * 12 + month - 1) * 31 + day - 1) * 24 + hour) * 60 + minute) * 60 + second
    } else {
        time.saturating_add(TIMES)
    }
}

/// More than any time is as a number.
const TIMES: u64 = 10_000 * 12 * 31 * 86_400;

/// The other way.
pub(super) fn to_time(number: u64) -> Option<u64> {
    let time = match number.checked_sub(TIMES) {
        Some(time) => time,
        None => {
            let (rest, second) = (number / 60, number % 60);
            let (rest, minute) = (rest / 60, rest % 60);
            let (rest, hour) = (rest / 24, rest % 24);
            let (rest, day) = (rest / 31, rest % 31 + 1);
            let (year, month) = (rest / 12, rest % 12 + 1);
            ((((year * 100 + month) * 100 + day) * 100 + hour) * 100 + minute) * 100 + second
        }
    };
    (time <= 99_999_999_999_999).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::super::super::bytes::Bytes;
    use super::*;

    #[test]
    fn numbers_come_back() {
        for numbers in [
            vec![],
            vec![5],
            vec![7; 100],
            vec![0, u64::MAX],
            (0..200_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 30).collect(),
        ] {
            let mut parts = Parts::default();
            put(&mut parts, &numbers);
            let (mut arena, text_bytes) = (Arena::default(), parts.text.len());
            let (random, text) = (Bytes(&parts.random), Bytes(&parts.text));
            let mut source = Source { random, text, text_bytes, room: 0 };
            assert_eq!(read(&mut source, &mut arena, numbers.len()), Some(0));
            assert_eq!(arena.numbers, numbers);
            assert!(source.text.0.is_empty() && source.random.0.is_empty());
        }
    }

    #[test]
    fn only_digits_as_we_write_them_are_numbers() {
        for digits in ["0", "7", "10", "999999999999999999"] {
            let mut out = Vec::new();
            write(parse(digits.as_bytes()).unwrap(), &mut out);
            assert_eq!(out, digits.as_bytes());
        }
        for other in ["", "-", "-1", "00", "01", "1 ", "1e5", "1000000000000000000000"] {
            assert_eq!(parse(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn times_come_back_and_keep_their_order() {
        let times =
            [0, 101_000_000, 19_991_231_235_959, 20_000_101_000_000, 20_260_230_000_000, 99_991_231_235_959];
        for time in times.into_iter().chain([
            20_261_301_000_000,
            20_260_100_000_000,
            20_260_101_240_000,
            99_999_999_999_999,
        ]) {
            assert_eq!(to_time(of_time(time)), Some(time));
        }
        assert!(times.iter().skip(1).map(|time| of_time(*time)).is_sorted());
    }
}
