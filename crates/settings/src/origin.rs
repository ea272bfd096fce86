//! Who said what a setting is.

use std::fmt;
use std::path::PathBuf;

/// Where a value comes from, from what is overridden first to what is overridden by nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file, at this line of it.
    File {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
    },
    /// A profile that comes with the program.
    Profile {
        /// Its name.
        name: &'static str,
    },
    /// The command line, by this option.
    Flag {
        /// With its dashes.
        name: String,
    },
}

impl Origin {
    /// Whether it is the command line.
    pub fn is_flag(&self) -> bool {
        matches!(self, Origin::Flag { .. })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File { path, line } => write!(f, "{}:{line}", path.display()),
            Origin::Profile { name } => write!(f, "profile {name}"),
            Origin::Flag { name } => f.write_str(name),
        }
    }
}
