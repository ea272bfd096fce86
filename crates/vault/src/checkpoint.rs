//! Checkpoints: what stands for the log up to an event, signed, to be kept where nobody who can change the log can change it, too.
//!
//! A signed note as the logs of certificates and packages have them (<https://c2sp.org/signed-note>), with an Ed25519 signature, so that
//! other people's programs can check it:
//!
//! ```text
//! varve/house                                            whose log
//! 1234                                                   the number of the event
//! cfPiJh6m9Ln6ttXfTfkzkXDc4J2XxQf4ER8qX7mPUuo=           its hash, base64
//! 2026-11-18T02:00:00Z                                   when this was signed
//!
//! — varve/house Qm9vSGFo…                                key id (4 bytes) and signature (64 bytes), base64
//! ```
//! The key that checks it is one line: `varve/house+a1b2c3d4+AXn0…`: name, key id in hex, and base64 of a 1 and the public key.

use std::fmt;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use catalogue::Hash;
use data_encoding::{BASE64, HEXLOWER};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

/// The kind of signature, as signed notes number them.
const ALGORITHM: u8 = 1;
/// No checkpoint is longer.
const TEXT_BYTES_MAX: usize = 4096;

/// What stands for the log up to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Whose log.
    pub origin: String,
    /// The number of the event.
    pub number: u64,
    /// What stands for it and all before it.
    pub hash: Hash,
    /// When it was signed.
    pub at: Timestamp,
}

/// What signs.
pub struct Key {
    name: String,
    pair: Ed25519KeyPair,
}

/// Why a key or a checkpoint is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It is no key.
    #[error("this is no key of ours")]
    NoKey,
    /// A name that cannot stand in a note.
    #[error("`{0}` cannot be the name of a key: it has a blank or a `+` in it")]
    Name(String),
    /// It is no checkpoint.
    #[error("this is no checkpoint: {0}")]
    NoCheckpoint(&'static str),
    /// Nobody has signed it with this key.
    #[error("the signature is not by this key")]
    NotSigned,
}

impl Key {
    /// A new one, and what is to be kept of it in secret.
    ///
    /// # Errors
    /// When the name cannot stand in a note, or the system has no randomness.
    pub fn generate(name: &str) -> Result<(Key, Vec<u8>), Refusal> {
        let secret = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(|_| Refusal::NoKey)?;
        let secret = secret.as_ref().to_vec();
        Ok((Key::read(name, &secret)?, secret))
    }

    /// One that was kept.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(name: &str, secret: &[u8]) -> Result<Key, Refusal> {
        if name.is_empty() || name.contains(|c: char| c == '+' || c.is_whitespace()) {
            return Err(Refusal::Name(name.to_owned()));
        }
        let pair = Ed25519KeyPair::from_pkcs8(secret).map_err(|_| Refusal::NoKey)?;
        Ok(Key { name: name.to_owned(), pair })
    }

    /// Whose it is.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The line that others check signatures by.
    #[must_use]
    pub fn public(&self) -> String {
        let public = self.pair.public_key().as_ref();
        let id = HEXLOWER.encode(&key_id(&self.name, public));
        format!("{}+{id}+{}", self.name, BASE64.encode(&typed(public)))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.name)
    }
}

impl Checkpoint {
    /// The note, signed.
    #[must_use]
    pub fn sign(&self, key: &Key) -> String {
        let body = self.body();
        let mut signature = key_id(&key.name, key.pair.public_key().as_ref()).to_vec();
        signature.extend_from_slice(key.pair.sign(body.as_bytes()).as_ref());
        format!("{body}\n\u{2014} {} {}\n", key.name, BASE64.encode(&signature))
    }

    /// Reads a note, if somebody with this key has signed it.
    ///
    /// # Errors
    /// When the key is none, the note is none, or it was not signed with that key.
    pub fn open(text: &str, public: &str) -> Result<Checkpoint, Refusal> {
        let (name, id, public) = parse_public(public)?;
        let (body, signatures) = parts(text)?;
        let mut ours = signatures.lines().filter_map(|line| {
            let (signer, signature) = line.strip_prefix("\u{2014} ")?.split_once(' ')?;
            let signature = BASE64.decode(signature.as_bytes()).ok().filter(|_| signer == name)?;
            signature.strip_prefix(&id).map(<[u8]>::to_vec)
        });
        let is_signed = ours.any(|signature| {
            UnparsedPublicKey::new(&ED25519, &public).verify(body.as_bytes(), &signature).is_ok()
        });
        if is_signed { Checkpoint::of_body(body) } else { Err(Refusal::NotSigned) }
    }

    fn body(&self) -> String {
        let Checkpoint { origin, number, hash, at } = self;
        format!("{origin}\n{number}\n{}\n{at}\n", BASE64.encode(hash.bytes()))
    }

    fn of_body(body: &str) -> Result<Checkpoint, Refusal> {
        let mut lines = body.lines();
        let mut line = |what| lines.next().ok_or(Refusal::NoCheckpoint(what));
        let origin = line("it does not say whose it is")?.to_owned();
        let number =
            line("it has no number")?.parse().map_err(|_| Refusal::NoCheckpoint("its number is none"))?;
        let hash = BASE64.decode(line("it has no hash")?.as_bytes()).ok();
        let hash = hash
            .and_then(|hash| Hash::of_bytes(&hash).ok())
            .ok_or(Refusal::NoCheckpoint("its hash is none"))?;
        let at = line("it has no time")?.parse().map_err(|_| Refusal::NoCheckpoint("its time is none"))?;
        Ok(Checkpoint { origin, number, hash, at })
    }
}

/// The text that is signed, with its last line end, and the lines of signatures.
fn parts(text: &str) -> Result<(&str, &str), Refusal> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Refusal::NoCheckpoint("it is far too long"));
    }
    let split = text.find("\n\n").ok_or(Refusal::NoCheckpoint("it has no signature"))?;
    let body = text.get(..=split).unwrap_or_default();
    Ok((body, text.get(split + 2..).unwrap_or_default()))
}

fn parse_public(line: &str) -> Result<(String, [u8; 4], Vec<u8>), Refusal> {
    let mut parts = line.trim().splitn(3, '+');
    let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(Refusal::NoKey);
    };
    let key = BASE64.decode(key.as_bytes()).map_err(|_| Refusal::NoKey)?;
    let public = key.strip_prefix(&[ALGORITHM]).filter(|public| public.len() == 32).ok_or(Refusal::NoKey)?;
    let expected = key_id(name, public);
    if HEXLOWER.encode(&expected) != id {
        return Err(Refusal::NoKey);
    }
    Ok((name.to_owned(), expected, public.to_vec()))
}

/// The first bytes of SHA-256 over name, line end, kind and public key.
fn key_id(name: &str, public: &[u8]) -> [u8; 4] {
    let mut hasher = Sha256::new();
    hasher.update(name.as_bytes());
    hasher.update(b"\n");
    hasher.update(typed(public));
    let [a, b, c, d, ..] = <[u8; 32]>::from(hasher.finalize());
    [a, b, c, d]
}

fn typed(public: &[u8]) -> Vec<u8> {
    [&[ALGORITHM], public].concat()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let at = "2026-11-18T02:00:00Z".parse().unwrap();
        Checkpoint {
            origin: "varve/house".to_owned(),
            number: 1234,
            hash: Hash::of_bytes(&[7; 32]).unwrap(),
            at,
        }
    }

    #[test]
    fn what_was_signed_is_read_again() {
        let (key, secret) = Key::generate("varve/house").unwrap();
        let note = checkpoint().sign(&key);
        assert_eq!(Checkpoint::open(&note, &key.public()), Ok(checkpoint()));
        let again = Key::read("varve/house", &secret).unwrap();
        assert_eq!(again.public(), key.public());
    }

    #[test]
    fn any_change_shows() {
        let (key, _) = Key::generate("varve/house").unwrap();
        let (other, _) = Key::generate("varve/house").unwrap();
        let note = checkpoint().sign(&key);
        assert_eq!(Checkpoint::open(&note, &other.public()), Err(Refusal::NotSigned));
        for at in 0..note.find("\n\n").unwrap() {
            let mut changed = note.clone().into_bytes();
            changed[at] ^= 1;
            let Ok(changed) = String::from_utf8(changed) else { continue };
            assert!(Checkpoint::open(&changed, &key.public()).is_err(), "byte {at}");
        }
    }

    #[test]
    fn whatever_is_no_note_or_key_is_refused() {
        let (key, _) = Key::generate("varve/house").unwrap();
        for text in
            ["", "\n", "\n\n", "a\n\n\u{2014} ", &"x".repeat(10_000), "a\nb\n\n\u{2014} varve/house AAAA\n"]
        {
            assert!(Checkpoint::open(text, &key.public()).is_err(), "{text}");
        }
        for line in ["", "a+b+c", "varve/house+00000000+AQ==", "++"] {
            assert_eq!(Checkpoint::open("", line), Err(Refusal::NoKey), "{line}");
        }
        assert!(matches!(Key::generate("two words"), Err(Refusal::Name(_))));
        assert!(matches!(Key::read("name", b"no key"), Err(Refusal::NoKey)));
    }
}
