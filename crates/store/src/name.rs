//! Names of jobs and files: safe in any path, on any disk, in any list.

use crate::error::Error;
use crate::part::OLD_ENDING;
use crate::reference::REFERENCE_ENDING;
use crate::{format, sums};

/// Bytes of a name at most.
const NAME_BYTES_MAX: usize = 200;

/// Whether this may be the name of a job or of a file: letters, digits, `.`, `-` and `_`, the first of them not a `.`.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_sound = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (1..=NAME_BYTES_MAX).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(is_sound)
}

/// Whether a file of this name would be taken in: it is a name, and none that the store itself uses.
#[must_use]
pub fn is_file_name(name: &str) -> bool {
    is_name(name) && !is_own(name) && !name.ends_with(REFERENCE_ENDING)
}

/// Whether the store itself has, or had, files of this name beside those that it keeps.
fn is_own(name: &str) -> bool {
    name == sums::FILE || name == format::FILE || name.ends_with(OLD_ENDING)
}

pub(crate) fn checked(name: &str) -> Result<&str, Error> {
    if is_name(name) { Ok(name) } else { Err(Error::Name(name.chars().take(NAME_BYTES_MAX).collect())) }
}

/// What jobs are called whose files somebody has handed in, alone or with a `-` and more behind it: they are kept, and nothing is known of
/// what is in them.
pub const DEPOSIT: &str = "deposit";

/// Whether a job has files that somebody has handed in.
#[must_use]
pub fn is_deposit(job: &str) -> bool {
    job.strip_prefix(DEPOSIT).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Job and file of a name such as `example.org-20261116080000/a.warc.gz`.
pub(crate) fn parts(name: &str) -> Result<(&str, &str), Error> {
    match name.split_once('/') {
        Some((job, file)) => Ok((checked(job)?, checked(file)?)),
        None => Err(Error::Name(name.chars().take(NAME_BYTES_MAX).collect())),
    }
}

/// The same of a file that is to be taken in. What was taken in before, under whatever name, can still be read.
pub(crate) fn new_parts(name: &str) -> Result<(&str, &str), Error> {
    let (job, file) = parts(name)?;
    if is_file_name(file) { Ok((job, file)) } else { Err(Error::Reserved(file.to_owned())) }
}

/// The name of a file that is to be sealed, which may be the note about one that lies elsewhere.
pub(crate) fn sealable(file: &str) -> Result<&str, Error> {
    if is_own(checked(file)?) { Err(Error::Reserved(file.to_owned())) } else { Ok(file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leads_out_of_the_folder() {
        for name in ["a", "example.org-20261116080000-2", "A_b.warc.gz"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", ".", "..", ".hidden", "a/b", "a b", "a\n", "é", &"x".repeat(201)] {
            assert!(!is_name(name), "{name}");
        }
        assert_eq!(parts("job/file").unwrap(), ("job", "file"));
        for name in ["job", "job/", "/file", "job/../x", "job/a/b"] {
            assert!(parts(name).is_err(), "{name}");
        }
    }

    #[test]
    fn what_the_store_calls_its_own_files_no_other_is_called() {
        for name in ["a", "part", "a.parts", "SHA256SUMS.txt", "a.ref.gz"] {
            assert!(is_file_name(name) && sealable(name).is_ok(), "{name}");
        }
        for name in ["SHA256SUMS", "FORMAT", "a.part", "a.ref", ".part-a"] {
            assert!(!is_file_name(name) && new_parts(&format!("job/{name}")).is_err(), "{name}");
        }
        assert_eq!(sealable("a.ref").unwrap(), "a.ref");
        assert!(matches!(sealable("SHA256SUMS"), Err(Error::Reserved(_))));
    }
}
