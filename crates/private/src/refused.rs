//! Why a path is not used.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Somebody else may have put something in the place of a file or folder of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// It is a symbolic link.
    Link(PathBuf),
    /// It is neither a file nor a folder, or not the one that it should be.
    Kind(PathBuf),
    /// It belongs to another user.
    Owner(PathBuf),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Link(path) => {
                write!(f, "`{}` is a symbolic link, which is not followed here", path.display())
            }
            Refused::Kind(path) => write!(f, "`{}` is of another kind than expected", path.display()),
            Refused::Owner(path) => write!(f, "`{}` belongs to another user", path.display()),
        }
    }
}

impl std::error::Error for Refused {}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, refused)
    }
}

/// Says why a path could not be opened: the operating system's words for a link are hard to understand.
pub(crate) fn explain(path: &Path, error: io::Error) -> io::Error {
    match path.symlink_metadata() {
        Ok(facts) if facts.is_symlink() => Refused::Link(path.to_owned()).into(),
        _ => error,
    }
}
