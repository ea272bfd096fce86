//! The time of a capture as CDX lines have it: 14 digits, `YYYYMMDDhhmmss`, in UTC.

use std::fmt;

use crate::Error;
use crate::error::excerpt;

/// A time of 14 digits. Orders as its digits do, which is how lines sort.
///
/// The digits need not be a date of the calendar: lines with a 31 February exist and still have their place in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
    const DIGITS: usize = 14;
    const MAX: u64 = 99_999_999_999_999;

    /// Reads 14 digits, or 17 (milliseconds, which are cut off), or a time like `2008-06-10T15:27:54Z`, which some
    /// writers of CDX files leave in.
    ///
    /// # Errors
    /// When the text is something else.
    pub fn parse(text: &str) -> Result<Timestamp, Error> {
        let bad = || Error::BadTimestamp(excerpt(text));
        if matches!(text.len(), Timestamp::DIGITS | 17) && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return number(text.bytes().take(Timestamp::DIGITS)).map(Timestamp).ok_or_else(bad);
        }
        Timestamp::from_iso(text).ok_or_else(bad)
    }

    /// The earliest time that begins with these digits, at most 14 of them.
    ///
    /// # Errors
    /// When the text is empty, too long or not digits.
    pub fn earliest(digits: &str) -> Result<Timestamp, Error> {
        padded(digits, b'0')
    }

    /// The latest time that begins with these digits, at most 14 of them.
    ///
    /// # Errors
    /// When the text is empty, too long or not digits.
    pub fn latest(digits: &str) -> Result<Timestamp, Error> {
        padded(digits, b'9')
    }

    /// The digits as a number, such as 20140126200624.
    #[must_use]
    pub fn as_number(self) -> u64 {
        self.0
    }

    /// From the digits as a number; `None` where they are more than 14.
    #[must_use]
    pub fn from_number(number: u64) -> Option<Timestamp> {
        (number <= Timestamp::MAX).then_some(Timestamp(number))
    }

    /// Seconds since 1970-01-01, for comparing how far apart two times are. What the calendar lacks is the nearest that it has.
    #[must_use]
    pub fn seconds(self) -> i64 {
        urlkey::time::parse_14_clamped(&self.to_string()).as_second()
    }

    /// The 14 digits.
    #[must_use]
    pub fn digits(self) -> [u8; 14] {
        let mut digits = [b'0'; Timestamp::DIGITS];
        let mut rest = self.0;
        for digit in digits.iter_mut().rev() {
            // The remainder is below 10, so it fits.
            *digit = b'0' + u8::try_from(rest % 10).unwrap_or_default();
            rest /= 10;
        }
        digits
    }

    /// `YYYY-MM-DDThh:mm:ss`, then perhaps a fraction, then `Z`.
    fn from_iso(text: &str) -> Option<Timestamp> {
        let (seconds, fraction) = text.strip_suffix('Z')?.split_at_checked(19)?;
        let shape_holds = seconds.bytes().zip(b"dddd-dd-ddTdd:dd:dd").all(|(byte, shape)| match shape {
            b'd' => byte.is_ascii_digit(),
            _ => byte == *shape,
        });
        let fraction_holds = fraction.is_empty()
            || fraction
                .strip_prefix('.')
                .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        if !(shape_holds && fraction_holds) {
            return None;
        }
        number(seconds.bytes().filter(u8::is_ascii_digit)).map(Timestamp)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:014}", self.0)
    }
}

fn padded(digits: &str, pad: u8) -> Result<Timestamp, Error> {
    let is_sound = (1..=Timestamp::DIGITS).contains(&digits.len());
    let all = digits.bytes().chain(std::iter::repeat(pad)).take(Timestamp::DIGITS);
    match number(all) {
        Some(number) if is_sound => Ok(Timestamp(number)),
        _ => Err(Error::BadDigits(excerpt(digits))),
    }
}

/// The number that at most 19 digits make; `None` where one is not a digit.
fn number(digits: impl Iterator<Item = u8>) -> Option<u64> {
    digits.into_iter().try_fold(0_u64, |sum, digit| {
        digit.is_ascii_digit().then(|| sum.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        let found = Timestamp::parse(text).ok().map(|timestamp| timestamp.to_string());
        assert_eq!(found.as_deref(), expect, "{text}");
    }

    #[test]
    fn times_are_read_in_the_shapes_that_occur() {
        check("20140126200624", Some("20140126200624"));
        check("20140126200624123", Some("20140126200624"));
        check("00000000000000", Some("00000000000000"));
        check("2008-06-10T15:27:54Z", Some("20080610152754"));
        check("2008-06-10T15:27:54.123456Z", Some("20080610152754"));
        for bad in
            ["", "2014", "2014012620062x", "201401262006245", "2008-06-10", "2008-06-10T15:27:54.xZ", "é"]
        {
            check(bad, None);
        }
    }

    #[test]
    fn partial_times_are_padded_both_ways() {
        assert_eq!(Timestamp::earliest("2013").unwrap().to_string(), "20130000000000");
        assert_eq!(Timestamp::latest("2013").unwrap().to_string(), "20139999999999");
        assert!(Timestamp::latest("").is_err() && Timestamp::latest("201301010101011").is_err());
    }

    #[test]
    fn seconds_follow_the_calendar() {
        let seconds = |text| Timestamp::parse(text).unwrap().seconds();
        assert_eq!(seconds("19700101000000"), 0);
        assert_eq!(seconds("20000301000000"), 951_868_800);
        assert_eq!(seconds("20140126201306"), 1_390_767_186);
        assert_eq!(seconds("20140231000000"), seconds("20140228000000"));
        seconds("99999999999999");
        seconds("00000000000000");
    }
}
