//! A vault with three replicas: two with files, one with checksums, and a clock to turn.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use catalogue::{Audit, AuditKind, Catalogue, Kind, State};
use jiff::Timestamp;
use store::replica::{Checksums, Folders, Replica};
use store::{Sealed, Store};
use tempfile::TempDir;
use vault::{Extent, Look, Place, Remedy, Vault};

use crate::faulty::Faulty;

pub(crate) const COMPLETE: Look = Look { kind: AuditKind::Checksum, extent: Extent::Complete };

pub(crate) struct World {
    pub(crate) vault: Vault,
    pub(crate) folder: TempDir,
    /// The second replica's door, which a test may jam.
    pub(crate) cellar: Arc<Faulty>,
    seconds: Arc<AtomicI64>,
}

pub(crate) fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

impl World {
    pub(crate) fn new() -> World {
        World::in_folder(tempfile::tempdir().unwrap(), Arc::default(), 3)
    }

    /// The house alone, as in an archive whose settings name no replicas.
    pub(crate) fn with_one_replica() -> World {
        World::in_folder(tempfile::tempdir().unwrap(), Arc::default(), 1)
    }

    /// The same archive, as another process finds it.
    pub(crate) fn again(self) -> World {
        let replicas = self.vault.places().len();
        World::in_folder(self.folder, self.seconds, replicas)
    }

    fn in_folder(folder: TempDir, seconds: Arc<AtomicI64>, replicas: usize) -> World {
        let at = |name: &str| folder.path().join(name);
        let house = Arc::new(Folders::open([at("store")], 0).unwrap());
        let cellar = Arc::new(Faulty::new(Folders::open([at("cellar")], 0).unwrap()));
        let notary = Arc::new(Checksums::open(&at("notary")).unwrap());
        let place =
            |name: &str, kind, replica: Arc<dyn Replica>| Place { name: name.to_owned(), kind, replica };
        let mut places = vec![
            place("house", Kind::Folder, house),
            place("cellar", Kind::Folder, Arc::clone(&cellar) as Arc<dyn Replica>),
            place("notary", Kind::Checksums, notary),
        ];
        places.truncate(replicas);
        let turned = Arc::clone(&seconds);
        // A millisecond passes whenever somebody asks, so that no two things happen at once.
        let clock = move || {
            Timestamp::from_millisecond(1_794_960_000_000 + turned.fetch_add(1, Ordering::Relaxed)).unwrap()
        };
        let catalogue = Catalogue::open(&at("catalogue.db")).unwrap();
        let vault = Vault::open(catalogue, places, Arc::new(clock)).unwrap();
        World { vault, folder, cellar, seconds }
    }

    pub(crate) fn wait_seconds(&self, seconds: i64) {
        self.seconds.fetch_add(seconds * 1000, Ordering::Relaxed);
    }

    /// Seals a file in the first replica, and takes note of it.
    pub(crate) fn seal(&self, name: &str, bytes: &[u8]) -> Sealed {
        self.seal_for("job", name, bytes)
    }

    /// The same as a file of another job.
    pub(crate) fn seal_for(&self, job: &str, name: &str, bytes: &[u8]) -> Sealed {
        let work = self.folder.path().join(name);
        fs::write(&work, bytes).unwrap();
        let sealed = Store::open(&self.folder.path().join("store")).unwrap().seal(job, &work).unwrap();
        self.vault.take_note(std::slice::from_ref(&sealed)).unwrap();
        sealed
    }

    /// A file that every replica has.
    pub(crate) fn kept(&self, name: &str, bytes: &[u8]) -> Sealed {
        let sealed = self.seal(name, bytes);
        assert_eq!(self.vault.bring(&mut go_on).unwrap().accepted, 1);
        sealed
    }

    pub(crate) fn path(&self, replica: &str, file: &Sealed) -> PathBuf {
        let folder = if replica == "house" { "store" } else { replica };
        self.folder.path().join(folder).join(&file.name)
    }

    /// Puts other bytes into the place of a file.
    pub(crate) fn overwrite(&self, replica: &str, file: &Sealed, bytes: &[u8]) {
        let path = self.path(replica, file);
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }

    pub(crate) fn audit(&self, replica: &str) -> Audit {
        self.vault.audit(replica, COMPLETE, &mut go_on).unwrap()
    }

    pub(crate) fn repair(&self) -> Vec<Remedy> {
        self.remedies(false)
    }

    pub(crate) fn remedies(&self, is_dry: bool) -> Vec<Remedy> {
        let mut remedies = Vec::new();
        self.vault.repair(is_dry, &mut |remedy| remedies.push(remedy), &mut go_on).unwrap();
        remedies
    }

    /// How it stands with a file in the house, the cellar and at the notary's.
    pub(crate) fn states(&self, file: &Sealed) -> Vec<State> {
        let catalogue = self.vault.catalogue();
        let file = catalogue.file(&file.name).unwrap().unwrap();
        catalogue.copies(&file).unwrap().into_iter().map(|copy| copy.state).collect()
    }

    /// What the log says, newest last.
    pub(crate) fn told(&self) -> Vec<String> {
        let events = self.vault.catalogue().events(0, 1000).unwrap();
        events
            .into_iter()
            .map(|event| format!("{} {}", event.happened.kind, event.happened.replica))
            .collect()
    }
}
