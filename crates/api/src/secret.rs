//! Secrets that programs and browsers present: 256 random bits, compared in constant time.

use std::{fmt, io};

use constant_time_eq::constant_time_eq;
use data_encoding::HEXLOWER;

/// 256 bits.
const BYTES: usize = 32;

/// Hexadecimal digits of a secret.
const DIGITS: usize = BYTES * 2;

/// 256 bits from the random source of the operating system, as 64 hexadecimal digits. Neither `Debug` nor a log shows them.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// When the operating system has no random bytes.
    pub fn random() -> io::Result<Secret> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Secret(HEXLOWER.encode(&bytes)))
    }

    /// One that was written down; `None` unless the text is 64 hexadecimal digits in lower case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Secret> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == DIGITS && text.bytes().all(is_digit)).then(|| Secret(text.to_owned()))
    }

    /// Whether somebody presents this secret. Takes the same time however many digits are right.
    #[must_use]
    pub fn matches(&self, presented: &str) -> bool {
        constant_time_eq(self.0.as_bytes(), presented.as_bytes())
    }

    /// The digits, for the file, form or address that carries them.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn secrets_have_256_bits_and_differ() {
        let all: HashSet<String> = (0..1000).map(|_| Secret::random().unwrap().0).collect();
        assert_eq!(all.len(), 1000);
        assert!(all.iter().all(|digits| HEXLOWER.decode(digits.as_bytes()).unwrap().len() * 8 == 256));
        // Each of the 256 bits is set in some and clear in others.
        let bits = |digits: &String| HEXLOWER.decode(digits.as_bytes()).unwrap();
        let (mut ones, mut zeros) = ([0_u8; BYTES], [0_u8; BYTES]);
        for digits in &all {
            for (at, byte) in bits(digits).into_iter().enumerate() {
                ones[at] |= byte;
                zeros[at] |= !byte;
            }
        }
        assert_eq!((ones, zeros), ([0xff; BYTES], [0xff; BYTES]));
    }

    #[test]
    fn only_the_whole_secret_matches() {
        let secret = Secret::random().unwrap();
        assert!(secret.matches(secret.reveal()));
        assert!(!secret.matches(""));
        assert!(!secret.matches(&secret.reveal()[1..]));
        assert!(!secret.matches(&format!("{}0", secret.reveal())));
        assert!(!secret.matches(Secret::random().unwrap().reveal()));
    }

    #[test]
    fn debug_does_not_show_the_digits() {
        assert_eq!(format!("{:?}", Secret::random().unwrap()), "Secret(…)");
    }

    #[test]
    fn only_64_hexadecimal_digits_are_a_secret() {
        let secret = Secret::random().unwrap();
        assert_eq!(Secret::parse(secret.reveal()).unwrap().reveal(), secret.reveal());
        for wrong in ["", "0", &"g".repeat(64), &"A".repeat(64), &"0".repeat(65)] {
            assert!(Secret::parse(wrong).is_none(), "{wrong}");
        }
    }
}
