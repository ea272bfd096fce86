//! Names of jobs and files: safe in any path, on any disk, in any list.

use crate::error::Error;

/// Bytes of a name at most.
const NAME_BYTES_MAX: usize = 200;

/// Whether this may be the name of a job or of a file: letters, digits, `.`, `-` and `_`, the first of them not a `.`.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_sound = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (1..=NAME_BYTES_MAX).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(is_sound)
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
}
