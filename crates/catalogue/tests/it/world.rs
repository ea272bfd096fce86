//! A catalogue with two replicas, in a folder of its own or on the server of this process.

use std::path::PathBuf;

use catalogue::{Catalogue, Error, File, Kind, Moved, Replica, State};
use db::Location;
use jiff::Timestamp;
use tempfile::TempDir;
use testkit::postgres::{self, Kind as DatabaseKind};

pub(crate) struct World {
    pub(crate) catalogue: Catalogue,
    pub(crate) folder: TempDir,
    /// Of the database, if it is on the server.
    pub(crate) url: Option<String>,
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
        let url = match postgres::kind() {
            DatabaseKind::Sqlite => None,
            DatabaseKind::Postgres => postgres::database(),
        };
        let path = folder.path().join("catalogue.db");
        let location =
            url.as_ref().map_or(Location::Sqlite(path.clone()), |url| Location::parse(url).unwrap());
        let world = World { catalogue: Catalogue::open_at(&location, &path).unwrap(), folder, url };
        world.replica("one", Kind::Folder);
        world.replica("two", Kind::Checksums);
        world
    }

    /// The file of the catalogue, or its place.
    pub(crate) fn path(&self) -> PathBuf {
        self.catalogue.path().to_owned()
    }

    /// A place of the same kind where no database is yet.
    pub(crate) fn empty_place(&self, name: &str) -> Location {
        match self.url {
            None => Location::Sqlite(self.folder.path().join(name)),
            Some(_) => Location::parse(&postgres::database().unwrap()).unwrap(),
        }
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
