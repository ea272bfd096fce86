//! Events: what was done and found, each with the hash of the one before it in its own, so that none can be changed, left out or
//! put in without all that follow it telling.
//!
//! ```text
//! hash = SHA-256( hash of the event before (32 bytes; zeros for the first)
//!                 then of each of number, at, kind, file, replica, who, what:
//!                 its length in bytes (8 bytes, big-endian), its bytes in UTF-8 )
//! ```

use data_encoding::HEXLOWER;
use db::Row;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use std::fmt;

use crate::error::Error;
use crate::moment;

/// What stands for an event and all before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hash([u8; 32]);

/// Something that happened and is to be written down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Happened {
    /// What kind of thing, in a word or two, such as `stored` or `repaired`.
    pub kind: String,
    /// Which file, if it was about one.
    pub file: String,
    /// In which replica, if it was about one.
    pub replica: String,
    /// Who did it: a user, or the name of a part of the program.
    pub who: String,
    /// The particulars, as prose.
    pub what: String,
}

/// Something that was written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Counted from 1, without gaps.
    pub number: u64,
    /// When.
    pub at: Timestamp,
    /// What.
    pub happened: Happened,
    /// What stands for it and all before it.
    pub hash: Hash,
}

impl Happened {
    /// PostgreSQL stores no text with a zero byte; each becomes U+FFFD, before the hash is made.
    pub(crate) fn without_zero_bytes(self) -> Happened {
        let clean = |text: String| if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text };
        let Happened { kind, file, replica, who, what } = self;
        let (kind, file, replica, who, what) =
            (clean(kind), clean(file), clean(replica), clean(who), clean(what));
        Happened { kind, file, replica, who, what }
    }
}

impl Event {
    /// What comes behind an event, or first.
    pub(crate) fn behind(last: Option<(u64, Hash)>, at: Timestamp, happened: Happened) -> Event {
        let (number, before) = last.map_or((1, Hash::default()), |(number, hash)| (number + 1, hash));
        let hash = hash_of(before, number, at, &happened);
        Event { number, at, happened, hash }
    }

    /// Whether its hash is what follows from it and the one before.
    pub(crate) fn follows(&self, before: Hash) -> bool {
        hash_of(before, self.number, self.at, &self.happened) == self.hash
    }

    pub(crate) fn of(row: &Row) -> Result<Event, Error> {
        let failed = || Error::database("read an event's row");
        let text = |column| row.get::<String>(column).map_err(failed());
        let happened = Happened {
            kind: text("kind")?,
            file: text("file")?,
            replica: text("replica")?,
            who: text("who")?,
            what: text("what")?,
        };
        let hash: Vec<u8> = row.get("hash").map_err(failed())?;
        Ok(Event {
            number: row.get("number").map_err(failed())?,
            at: row.get("at_us").map_err(failed())?,
            happened,
            hash: Hash::of_bytes(&hash)?,
        })
    }
}

impl Hash {
    /// What was written down elsewhere.
    ///
    /// # Errors
    /// When it is not of 32 bytes.
    pub fn of_bytes(bytes: &[u8]) -> Result<Hash, Error> {
        let array = bytes.try_into();
        array.map(Hash).map_err(|_| Error::Damaged { what: "hash", found: HEXLOWER.encode(bytes) })
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

fn hash_of(before: Hash, number: u64, at: Timestamp, happened: &Happened) -> Hash {
    let Happened { kind, file, replica, who, what } = happened;
    let mut hasher = Sha256::new();
    hasher.update(before.0);
    for field in [&number.to_string(), &moment::to_text(at), kind, file, replica, who, what] {
        hasher.update((field.len() as u64).to_be_bytes());
        hasher.update(field.as_bytes());
    }
    Hash(hasher.finalize().into())
}
