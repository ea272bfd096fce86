//! Numbers in as few bytes as they need: seven bits to a byte, lowest first, the eighth says that more follow.

/// Appends a number.
pub(super) fn put(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Appends a number with a sign, small ones of either sign in few bytes.
pub(super) fn put_signed(to: &mut Vec<u8>, number: i64) {
    put(to, ((number << 1) ^ (number >> 63)) as u64);
}

/// Appends a number, its first byte to one stream and the rest to another.
pub(super) fn put_apart(low: &mut Vec<u8>, high: &mut Vec<u8>, number: u64) {
    if number < 0x80 {
        low.push(number as u8);
    } else {
        low.push(number as u8 | 0x80);
        put(high, (number >> 7) - 1);
    }
}

/// Takes such a number off the fronts of both.
pub(super) fn take_apart(low: &mut &[u8], high: &mut &[u8]) -> Option<u64> {
    let (byte, rest) = low.split_first()?;
    *low = rest;
    if byte & 0x80 == 0 {
        return Some(u64::from(*byte));
    }
    let high = take(high)?.checked_add(1).filter(|high| *high < 1 << 57)?;
    Some(high << 7 | u64::from(byte & 0x7f))
}

/// Takes a number off the front; `None` if there is none.
pub(super) fn take(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Takes a number with a sign off the front.
pub(super) fn take_signed(from: &mut &[u8]) -> Option<i64> {
    let number = take(from)?;
    Some((number >> 1) as i64 ^ -((number & 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            assert_eq!(take(&mut bytes.as_slice()), Some(number));
            assert_eq!(take(&mut &bytes[..bytes.len() - 1]), None);
        }
        for number in [0, 1, 127, 128, 300, 1 << 40] {
            let (mut low, mut high) = (Vec::new(), Vec::new());
            put_apart(&mut low, &mut high, number);
            assert_eq!(take_apart(&mut low.as_slice(), &mut high.as_slice()), Some(number));
        }
        for number in [0, 1, -1, 63, -64, i64::MAX, i64::MIN] {
            let mut bytes = Vec::new();
            put_signed(&mut bytes, number);
            assert_eq!(take_signed(&mut bytes.as_slice()), Some(number));
        }
        assert_eq!(take(&mut [0xff_u8; 12].as_slice()), None);
    }
}
