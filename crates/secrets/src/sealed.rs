//! A user name and password as they are stored: AES-256-GCM with a random nonce, bound to their origin and key.
//!
//! ```text
//! plain    length of the user name (2 bytes, big-endian) · user name · length of the password (2) · password · zeros to a multiple of 64
//! bound to "varve-secret-1" · 0 · id of the key · 0 · origin
//! sealed   plain, encrypted · tag (16 bytes)
//! ```
//!
//! The zeros hide how long a password is, and the binding makes a row that was moved to another origin unreadable.

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use urlkey::Login;

use crate::error::Error;
use crate::key::Key;

/// User name and password together have at most this many bytes.
pub const LOGIN_BYTES_MAX: usize = 8 << 10;
const BLOCK_BYTES: usize = 64;

/// An encrypted user name and password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Used once.
    pub nonce: [u8; NONCE_LEN],
    /// What was encrypted, and the tag behind it.
    pub bytes: Vec<u8>,
}

impl Sealed {
    /// Encrypts a login.
    ///
    /// # Errors
    /// When it is too long, or the system has no random numbers.
    pub fn seal(login: &Login, key: &Key) -> Result<Sealed, Error> {
        if login.user.len() + login.password.len() > LOGIN_BYTES_MAX {
            return Err(Error::TooLong { most: LOGIN_BYTES_MAX });
        }
        let mut bytes = Vec::new();
        for part in [&login.user, &login.password] {
            bytes.extend_from_slice(&u16::try_from(part.len()).unwrap_or(u16::MAX).to_be_bytes());
            bytes.extend_from_slice(part);
        }
        bytes.resize(bytes.len().next_multiple_of(BLOCK_BYTES), 0);
        let aead = aead(key)?;
        let nonce = aead
            .seal_in_place_append_tag(Aad::from(binding(&login.origin, key)), &mut bytes)
            .map_err(|_| Error::Crypto("encrypt a secret"))?;
        Ok(Sealed { nonce: *nonce.as_ref(), bytes })
    }

    /// Decrypts a login; `None` if it was damaged, or encrypted for another origin or by another key.
    ///
    /// # Errors
    /// When the key cannot be used.
    pub fn open(&self, origin: &str, key: &Key) -> Result<Option<Login>, Error> {
        let mut bytes = self.bytes.clone();
        let nonce = Nonce::assume_unique_for_key(self.nonce);
        let opened = aead(key)?.open_in_place(nonce, Aad::from(binding(origin, key)), &mut bytes);
        Ok(opened.ok().and_then(|plain| parts(plain)).map(|(user, password)| Login {
            origin: origin.to_owned(),
            user,
            password,
        }))
    }
}

fn aead(key: &Key) -> Result<RandomizedNonceKey, Error> {
    RandomizedNonceKey::new(&AES_256_GCM, key.bytes()).map_err(|_| Error::Crypto("use the key"))
}

fn binding(origin: &str, key: &Key) -> Vec<u8> {
    ["varve-secret-1", key.id().as_str(), origin].join("\0").into_bytes()
}

fn parts(plain: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let part = |plain: &[u8]| -> Option<(Vec<u8>, usize)> {
        let (length, rest) = plain.split_first_chunk::<2>()?;
        let length = usize::from(u16::from_be_bytes(*length));
        Some((rest.get(..length)?.to_vec(), 2 + length))
    };
    let (user, end) = part(plain)?;
    let (password, _) = part(plain.get(end..)?)?;
    Some((user, password))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn login(user: &[u8], password: &[u8]) -> Login {
        Login { origin: "https://example.org".to_owned(), user: user.to_vec(), password: password.to_vec() }
    }

    proptest! {
        #[test]
        fn a_login_is_read_back(user: Vec<u8>, password: Vec<u8>) {
            let (key, login) = (Key::from_bytes([7; 32]), login(&user, &password));
            let sealed = Sealed::seal(&login, &key).unwrap();
            prop_assert_eq!(sealed.open(&login.origin, &key).unwrap(), Some(login));
        }

        #[test]
        fn no_flipped_bit_goes_unnoticed(place in 0usize..92, bit in 0u8..8) {
            let (key, login) = (Key::from_bytes([7; 32]), login(b"me", b"pw"));
            let mut sealed = Sealed::seal(&login, &key).unwrap();
            let (nonce, bytes) = (&mut sealed.nonce, &mut sealed.bytes);
            if place < 12 { nonce[place] ^= 1 << bit } else { bytes[place - 12] ^= 1 << bit }
            prop_assert_eq!(sealed.open(&login.origin, &key).unwrap(), None);
        }
    }

    #[test]
    fn a_secret_belongs_to_its_origin_and_key() {
        let (key, login) = (Key::from_bytes([7; 32]), login(b"me", b"pw"));
        let sealed = Sealed::seal(&login, &key).unwrap();
        assert_eq!(sealed.open("https://example.com", &key).unwrap(), None);
        assert_eq!(sealed.open(&login.origin, &Key::from_bytes([8; 32])).unwrap(), None);
        assert_ne!(Sealed::seal(&login, &key).unwrap(), sealed);
    }

    #[test]
    fn the_length_of_a_short_password_does_not_show() {
        let key = Key::from_bytes([7; 32]);
        let length = |password: &[u8]| Sealed::seal(&login(b"me", password), &key).unwrap().bytes.len();
        assert_eq!(length(b""), length(b"a password of thirty characters"));
        assert!(matches!(
            Sealed::seal(&login(b"", &vec![b'a'; LOGIN_BYTES_MAX + 1]), &key),
            Err(Error::TooLong { .. })
        ));
    }
}
