//! Reads a patch and makes the newer version of the older one.

use sha2::{Digest as _, Sha256};

use super::{MAGIC, VERSION, Way, delta, number, pack};
use crate::{Error, Limits};

/// What a patch says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// How it leads from one version to the next.
    pub way: Way,
    /// Bytes of the version that it starts from.
    pub old_bytes: u64,
    /// Bytes of the version that it leads to.
    pub new_bytes: u64,
    /// SHA-256 of the version that it leads to.
    pub new_sha256: [u8; 32],
}

/// What a patch says of itself, without applying it.
///
/// # Errors
/// If it is no patch, or one of a later version of the format.
pub fn describe(patch: &[u8]) -> Result<Description, Error> {
    head(patch).map(|(description, _)| description)
}

fn head(patch: &[u8]) -> Result<(Description, &[u8]), Error> {
    let rest = patch.strip_prefix(MAGIC).ok_or(Error::NoPatch)?;
    let (version, rest) = rest.split_first().ok_or(Error::PatchTruncated)?;
    if *version != VERSION {
        return Err(Error::PatchVersion(*version));
    }
    let (way, mut rest) = rest.split_first().ok_or(Error::PatchTruncated)?;
    let way = Way::of(*way).ok_or(Error::PatchDamaged("the way"))?;
    let old_bytes = number::take(&mut rest).ok_or(Error::PatchTruncated)?;
    let new_bytes = number::take(&mut rest).ok_or(Error::PatchTruncated)?;
    let (new_sha256, rest) = rest.split_first_chunk::<32>().ok_or(Error::PatchTruncated)?;
    Ok((Description { way, old_bytes, new_bytes, new_sha256: *new_sha256 }, rest))
}

/// Makes the newer version from the older one. What comes back is what the patch was made from, or there is an error.
///
/// # Errors
/// If it is no patch, is damaged, starts from another version, or leads to more bytes than are allowed.
pub fn apply(old: &[u8], patch: &[u8], limits: &Limits) -> Result<Vec<u8>, Error> {
    let (description, body) = head(patch)?;
    let max = limits.patched_bytes_max;
    let length = usize::try_from(description.new_bytes).ok().filter(|length| *length <= max);
    let length = length.ok_or(Error::TooLong { bytes: description.new_bytes, max: max as u64 })?;
    if description.old_bytes != old.len() as u64 {
        return Err(Error::OtherVersion { expected: description.old_bytes, found: old.len() as u64 });
    }
    let new = match description.way {
        Way::Whole => pack::unpack(&[], body, length)?,
        Way::Zstd => pack::unpack(old, body, length)?,
        Way::Delta => delta::apply(old, body, length)?,
    };
    if new.len() != length || Sha256::digest(&new).as_slice() != description.new_sha256 {
        return Err(Error::WrongResult);
    }
    Ok(new)
}
