//! The key: 32 random bytes, an id that tells one key from another, and the text of its file.
//!
//! ```text
//! varve-secrets-key 1
//! id 5f0c…          16 hexadecimal digits, from the SHA-256 of the key
//! key 3b7e…         64 hexadecimal digits
//! ```

use std::fmt;

use aws_lc_rs::rand::{SecureRandom as _, SystemRandom};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// The first line of a key file: what it is, and the version of its format.
const TITLE: &str = "varve-secrets-key 1";
const KEY_BYTES: usize = 32;
const ID_BYTES: usize = 8;

/// A key. `Debug` shows its id alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    bytes: [u8; KEY_BYTES],
    id: KeyId,
}

/// Which key it is: the same for the same key, and of no use without it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyId(String);

impl Key {
    /// A new key from the system's random numbers.
    ///
    /// # Errors
    /// When the system has none.
    pub fn generate() -> Result<Key, Error> {
        let mut bytes = [0; KEY_BYTES];
        SystemRandom::new().fill(&mut bytes).map_err(|_| Error::Crypto("get random numbers for a key"))?;
        Ok(Key::from_bytes(bytes))
    }

    /// A key of these bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; KEY_BYTES]) -> Key {
        let sum = Sha256::new().chain_update(b"varve-secrets-key-id").chain_update(bytes).finalize();
        let id = KeyId(HEXLOWER.encode(sum.get(..ID_BYTES).unwrap_or_default()));
        Key { bytes, id }
    }

    /// Reads the text of a key file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Key, &'static str> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        match lines.next() {
            Some(TITLE) => {}
            Some(other) if other.starts_with("varve-secrets-key ") => {
                return Err("the key file was made by a later version of this program");
            }
            _ => return Err("not a key file of varve"),
        }
        let mut field = |name: &str| lines.next().and_then(|line| line.strip_prefix(name)).map(str::trim);
        let (id, key) = (field("id "), field("key "));
        let bytes = key.and_then(|key| HEXLOWER.decode(key.as_bytes()).ok());
        let bytes = bytes.and_then(|bytes| <[u8; KEY_BYTES]>::try_from(bytes).ok());
        let key = bytes.map(Key::from_bytes).ok_or("the key file is damaged")?;
        // The id is made from the key, so it also shows a damaged one.
        if id == Some(key.id.as_str()) { Ok(key) } else { Err("the key file is damaged") }
    }

    /// The text of its file.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{TITLE}\nid {}\nkey {}\n", self.id.0, HEXLOWER.encode(&self.bytes))
    }

    /// Which key it is.
    #[must_use]
    pub fn id(&self) -> &KeyId {
        &self.id
    }

    pub(crate) fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.bytes
    }
}

impl KeyId {
    /// As it is written in the database.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn new(text: String) -> KeyId {
        KeyId(text)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("id", &self.id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_file_is_read_back() {
        let key = Key::generate().unwrap();
        assert_eq!(Key::parse(&key.text()), Ok(key.clone()));
        assert_ne!(key, Key::generate().unwrap());
    }

    /// The format of version 1, kept for ever.
    #[test]
    fn a_key_file_of_version_1_is_read() {
        let text = "varve-secrets-key 1\nid 33920bf593c62600\nkey 0707070707070707070707070707070707070707070707070707070707070707\n";
        assert_eq!(Key::from_bytes([7; 32]).text(), text);
        assert_eq!(Key::parse(text), Ok(Key::from_bytes([7; 32])));
    }

    #[test]
    fn a_damaged_key_file_is_refused() {
        let text = Key::from_bytes([7; 32]).text();
        assert_eq!(Key::parse(""), Err("not a key file of varve"));
        assert_eq!(Key::parse(&text.replace("key 1", "key 2")).unwrap_err().split(' ').nth(6), Some("a"));
        assert_eq!(Key::parse(&text.replace("0707", "0706")), Err("the key file is damaged"));
        assert_eq!(Key::parse(text.trim_end_matches("07\n")), Err("the key file is damaged"));
    }

    #[test]
    fn debug_shows_no_key() {
        let key = Key::from_bytes([7; 32]);
        assert!(!format!("{key:?}").contains("07, 07") && !format!("{key:?}").contains("0707"));
    }
}
