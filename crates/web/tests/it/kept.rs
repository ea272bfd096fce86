//! A real vault of three replicas, and somebody who does at once what is asked.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use api::jobs::Refused;
use api::vault::{Doing, Habits, Keeper, Last, Remedied, Room, Task};
use archive::Archive;
use catalogue::{AuditKind, Catalogue, Kind, Moved, State};
use jiff::SignedDuration;
use store::Sealed;
use store::replica::{Checksums, Folders, Replica};
use vault::{Extent, Look, Place, Vault};

use crate::archived::began;
use crate::served::Served;

/// A name that must not become part of a page.
pub(crate) const ODD: &str = "job/<i>\"&.warc.gz";

/// Does at once what is asked, and remembers it.
pub(crate) struct Prompt {
    vault: Vault,
    pub(crate) asked: Mutex<Vec<Task>>,
    remedies: Mutex<Vec<Remedied>>,
    /// What is said to be going on.
    pub(crate) doing: Mutex<Vec<Doing>>,
}

impl Keeper for Prompt {
    fn vault(&self) -> &Vault {
        &self.vault
    }

    fn ask(&self, task: Task) -> Result<(), Refused> {
        let mut go_on = |_| ControlFlow::Continue(());
        match &task {
            Task::Bring => drop(self.vault.bring_now(&mut go_on).unwrap()),
            Task::Audit { replica, kind } => {
                let look = Look { kind: *kind, extent: Extent::Complete };
                drop(self.vault.audit(replica, look, &mut go_on).unwrap());
            }
            Task::Repair { is_dry } => {
                let mut remedies = self.remedies.lock().unwrap();
                let mut told = |remedy| remedies.insert(0, Remedied { at: began(), is_dry: *is_dry, remedy });
                self.vault.repair(*is_dry, &mut told, &mut go_on).unwrap();
            }
            Task::BackUp => {}
        }
        self.asked.lock().unwrap().push(task);
        Ok(())
    }

    fn doing(&self) -> Vec<Doing> {
        self.doing.lock().unwrap().clone()
    }

    fn waiting(&self) -> Vec<Task> {
        Vec::new()
    }

    fn last(&self) -> Option<Last> {
        let last = self.asked.lock().unwrap().last().cloned()?;
        Some(Last { at: began(), what: format!("{} <done>", last.name()), is_done: true })
    }

    fn remedies(&self) -> Vec<Remedied> {
        self.remedies.lock().unwrap().clone()
    }

    fn rooms(&self) -> Vec<Room> {
        Vec::new()
    }

    fn habits(&self) -> Habits {
        Habits { repairs: false, backups: 7 }
    }
}

/// Pages over a vault.
pub(crate) struct Kept {
    /// How much later it is for the vault.
    seconds: Arc<AtomicI64>,
    pub(crate) served: Served,
    pub(crate) keeper: Arc<Prompt>,
    folder: PathBuf,
}

impl Kept {
    /// Two files in so many replicas.
    pub(crate) fn of(replicas: usize) -> Kept {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().to_owned();
        let archive = Archive::create(&folder).unwrap();
        let place =
            |name: &str, kind, replica: Arc<dyn Replica>| Place { name: name.to_owned(), kind, replica };
        let folders = |name: &str| Arc::new(Folders::open([folder.join(name)], 0).unwrap());
        let mut places = vec![
            place("store", Kind::Folder, folders("store")),
            place("cellar", Kind::Folder, folders("cellar")),
            place("notary", Kind::Checksums, Arc::new(Checksums::open(&folder.join("notary")).unwrap())),
        ];
        places.truncate(replicas);
        let seconds = Arc::new(AtomicI64::new(0));
        let turned = seconds.clone();
        let clock = move || began() + SignedDuration::from_secs(turned.load(Ordering::Relaxed));
        let catalogue = Catalogue::open(&folder.join("catalogue.db")).unwrap();
        let vault = Vault::open(catalogue, places, Arc::new(clock)).unwrap();
        for name in ["a.warc.gz", "b.warc.gz"] {
            let work = folder.join(name);
            fs::write(&work, format!("what is in {name}")).unwrap();
            vault.take_note(&[archive.store().seal("job", &work).unwrap()]).unwrap();
        }
        vault.bring(&mut |_| ControlFlow::Continue(())).unwrap();
        let keeper = Arc::new(Prompt {
            vault,
            asked: Mutex::default(),
            remedies: Mutex::default(),
            doing: Mutex::default(),
        });
        let served = Served::with((temporary, archive), Some(keeper.clone()));
        Kept { seconds, served, keeper, folder }
    }

    /// One copy is damaged, another deleted; audits have found both.
    pub(crate) fn damaged() -> Kept {
        let kept = Kept::of(3);
        fs::write(kept.folder.join("cellar/job/a.warc.gz"), "something else").unwrap();
        fs::remove_file(kept.folder.join("store/job/b.warc.gz")).unwrap();
        kept.seconds.fetch_add(60, Ordering::Relaxed);
        for replica in ["store", "cellar"] {
            let task = Task::Audit { replica: replica.to_owned(), kind: AuditKind::Checksum };
            kept.keeper.ask(task).unwrap();
        }
        kept.keeper.asked.lock().unwrap().clear();
        kept
    }

    /// A copy of `store` is to be made anew, as one whose repair has failed.
    pub(crate) fn want_anew(&self, name: &str) {
        let catalogue = self.keeper.vault.catalogue();
        let file = catalogue.file(name).unwrap().unwrap();
        let moved = Moved::new(State::Missing, State::Wanted, began());
        assert!(catalogue.change(|change| change.move_copy(&file, "store", &moved)).unwrap());
    }

    /// A file with an odd name, which no replica takes, and which is said to be missing. Names are checked long before; pages do not rely on it.
    pub(crate) fn add_odd(&self) {
        let sealed = Sealed { name: ODD.to_owned(), bytes: 1, sha256: "0".repeat(64) };
        let file = self.keeper.vault.take_note(&[sealed]).unwrap().remove(0);
        self.keeper.ask(Task::Bring).unwrap();
        let change = |from, to| {
            let moved = Moved::new(from, to, began());
            self.keeper.vault.catalogue().change(|change| change.move_copy(&file, "store", &moved)).unwrap()
        };
        assert!(change(State::Failed, State::Verified) && change(State::Verified, State::Missing));
    }

    #[track_caller]
    pub(crate) fn page(&self, path: &str) -> String {
        let answer = self.served.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }
}
