//! Binary patches: from the older version and a patch the newer one is made again, to the byte.
//!
//! Two ways lead there. One is bsdiff's: stretches that are nearly the same are subtracted, which leaves mostly zeros, also
//! where every address in a program has moved; but they are found by hashes and not by sorting all suffixes, which is fifty
//! times as quick (`matcher`, `delta`). The other is zstd with the older version as what it may refer to. The
//! smaller one is kept.
//!
//! ```text
//! bytes    what
//! 4        "VPCH"
//! 1        version of the format, 1
//! 1        way: 0 whole, 1 zstd, 2 delta
//! 1 to 10  length of the older version, seven bits to a byte, lowest first
//! 1 to 10  length of the newer version
//! 32       SHA-256 of the newer version
//! rest     as the way has it
//! ```

mod apply;
mod delta;
mod matcher;
mod number;
mod pack;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

pub use apply::{apply, describe};

use crate::{Error, Limits};

/// What a patch begins with.
const MAGIC: &[u8; 4] = b"VPCH";
/// The version of the format.
const VERSION: u8 = 1;

/// How a patch leads from one version to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Way {
    /// It holds the newer version whole: the older one was of no help.
    Whole,
    /// zstd, which may refer to the older version.
    Zstd,
    /// Differences to stretches of the older version, as bsdiff has them.
    Delta,
}

impl Way {
    fn number(self) -> u8 {
        match self {
            Way::Whole => 0,
            Way::Zstd => 1,
            Way::Delta => 2,
        }
    }

    fn of(number: u8) -> Option<Way> {
        [Way::Whole, Way::Zstd, Way::Delta].into_iter().find(|way| way.number() == number)
    }
}

/// How much time a patch is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Effort {
    /// The second way is tried only where the first has not led to a small patch.
    #[default]
    Quick,
    /// Both ways are tried, and both pack as tightly as they can.
    Thorough,
}

/// A patch, and what the ways that were tried came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The patch, to be kept as it is.
    pub bytes: Vec<u8>,
    /// The way that was chosen.
    pub way: Way,
    /// Bytes of each way that was tried, the chosen one included.
    pub tried: Vec<(Way, usize)>,
}

/// Makes the patch that leads from one version to the next.
///
/// ```
/// let old = "Herring, cod, eel and pike. ".repeat(400);
/// let new = old.replacen("pike", "perch", 7);
/// let limits = diff::Limits::default();
/// let patch = diff::patch::make(old.as_bytes(), new.as_bytes(), diff::patch::Effort::Quick, &limits)?;
/// assert!(patch.bytes.len() < 200);
/// assert_eq!(diff::patch::apply(old.as_bytes(), &patch.bytes, &limits)?, new.as_bytes());
/// # Ok::<(), diff::Error>(())
/// ```
///
/// # Errors
/// If one of the versions is longer than is allowed.
pub fn make(old: &[u8], new: &[u8], effort: Effort, limits: &Limits) -> Result<Patch, Error> {
    for bytes in [old, new] {
        if bytes.len() > limits.patched_bytes_max.min(u32::MAX as usize / 2) {
            return Err(Error::TooLong { bytes: bytes.len() as u64, max: limits.patched_bytes_max as u64 });
        }
    }
    let mut head = MAGIC.to_vec();
    head.extend([VERSION, 0]);
    number::put(&mut head, old.len() as u64);
    number::put(&mut head, new.len() as u64);
    head.extend(Sha256::digest(new));

    let mut ways = Vec::new();
    if !old.is_empty() && !new.is_empty() {
        ways.push((Way::Delta, delta::make(old, new, effort)?));
    }
    let best = ways.first().map_or(usize::MAX, |(_, body)| body.len());
    if !old.is_empty() && (effort == Effort::Thorough || best > new.len() / 16) {
        ways.push((Way::Zstd, pack::against(old, new, effort)?));
    }
    if ways.iter().all(|(_, body)| body.len() > new.len() / 2) {
        ways.push((Way::Whole, pack::alone(new, effort)?));
    }
    let tried = ways.iter().map(|(way, body)| (*way, head.len() + body.len())).collect();
    let Some((way, body)) = ways.into_iter().min_by_key(|(_, body)| body.len()) else {
        return Err(Error::PatchTruncated);
    };
    if let Some(place) = head.get_mut(MAGIC.len() + 1) {
        *place = way.number();
    }
    head.extend(body);
    Ok(Patch { bytes: head, way, tried })
}
