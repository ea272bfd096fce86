//! A catalogue in a folder of its own, with two replicas.

use catalogue::{Catalogue, Error, File, Kind, Moved, Replica, State};
use jiff::Timestamp;
use tempfile::TempDir;

pub(crate) struct World {
    pub(crate) catalogue: Catalogue,
    pub(crate) folder: TempDir,
}

/// So many seconds after the beginning.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_794_960_000 + seconds).unwrap()
}

/// A checksum that stands for a number.
pub(crate) fn sha256(number: u64) -> String {
    format!("{number:064x}")
}

impl World {
    pub(crate) fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = Catalogue::open(&folder.path().join("catalogue.db")).unwrap();
        let world = World { catalogue, folder };
        world.replica("one", Kind::Folder);
        world.replica("two", Kind::Checksums);
        world
    }

    pub(crate) fn replica(&self, name: &str, kind: Kind) {
        let replica = Replica { name: name.to_owned(), kind };
        self.catalogue.change(|change| change.add_replica(&replica, at(0))).unwrap();
    }

    pub(crate) fn file(&self, number: u64) -> File {
        let name = format!("job/{number}.warc.gz");
        self.catalogue.change(|change| change.add_file(&name, number, &sha256(number), at(0))).unwrap()
    }

    /// Moves a copy; says whether it could.
    pub(crate) fn go(
        &self,
        file: &File,
        replica: &str,
        from: State,
        to: State,
        seconds: i64,
    ) -> Result<bool, Error> {
        let moved = Moved::new(from, to, at(seconds));
        self.catalogue.change(|change| change.move_copy(file, replica, &moved))
    }
}
