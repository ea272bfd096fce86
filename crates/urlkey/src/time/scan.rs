//! A cursor over the bytes of a short text, for the date readers.

/// What is left to read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scanner<'a> {
    rest: &'a [u8],
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text.as_bytes() }
    }

    pub(super) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next byte, left in place.
    pub(super) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Takes the next byte if it is one of these.
    pub(super) fn take_any(&mut self, wanted: &[u8]) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        wanted.contains(first).then(|| {
            self.rest = rest;
            *first
        })
    }

    /// Takes the next byte if it is this one.
    pub(super) fn take(&mut self, wanted: u8) -> bool {
        self.take_any(&[wanted]).is_some()
    }

    /// Takes exactly this many digits, four at most.
    pub(super) fn number(&mut self, count: usize) -> Option<i16> {
        let (digits, rest) = self.rest.split_at_checked(count)?;
        let value = decimal(digits)?;
        self.rest = rest;
        i16::try_from(value).ok()
    }

    /// Takes all digits that follow.
    pub(super) fn digits(&mut self) -> &'a [u8] {
        self.while_true(u8::is_ascii_digit)
    }

    /// Takes all ASCII letters that follow.
    pub(super) fn letters(&mut self) -> &'a [u8] {
        self.while_true(u8::is_ascii_alphabetic)
    }

    /// Passes over whatever satisfies the test.
    pub(super) fn while_true(&mut self, test: impl Fn(&u8) -> bool) -> &'a [u8] {
        let count = self.rest.iter().take_while(|byte| test(byte)).count();
        let (taken, rest) = self.rest.split_at_checked(count).unwrap_or((self.rest, &[]));
        self.rest = rest;
        taken
    }
}

/// Digits to a number; `None` for anything else and for more than nine of them.
pub(super) fn decimal(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 9 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
}

/// The digits after a decimal point, as nanoseconds. What lies below a nanosecond is cut off.
pub(super) fn nanoseconds(digits: &[u8]) -> i32 {
    let padded = digits.iter().copied().chain(std::iter::repeat(b'0')).take(9);
    padded.fold(0, |sum, digit| sum * 10 + i32::from(digit.wrapping_sub(b'0')))
}
