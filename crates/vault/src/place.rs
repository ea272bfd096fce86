//! A replica with its name.

use std::fmt;
use std::sync::Arc;

use catalogue::Kind;
use store::replica::Replica;

/// A replica as the settings name it.
#[derive(Clone)]
pub struct Place {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Where files are put and read.
    pub replica: Arc<dyn Replica>,
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.kind)
    }
}
