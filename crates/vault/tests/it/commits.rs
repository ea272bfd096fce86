//! Audits while files are committed, and after commits and deposits that were killed. (Issue 20.)

use std::fs;
use std::sync::{Arc, Mutex};

use catalogue::{AuditState, State};
use store::Store;
use vault::{Commits, JobFiles, Vault};

use crate::world::{COMPLETE, World, go_on};

/// The jobs of a store, of which one may be committing.
struct Jobs {
    store: Store,
    committing: Mutex<Option<String>>,
}

impl Commits for Jobs {
    fn job(&self, job: &str) -> Result<JobFiles, store::Error> {
        match self.committing.lock().unwrap().as_deref() == Some(job) {
            true => Ok(JobFiles::Committing),
            false => self.store.files_of(job).map(JobFiles::Sealed),
        }
    }
}

/// A vault with one replica, and the jobs that seal files there.
fn vault(world: &World) -> (Vault, Arc<Jobs>) {
    let store = Store::open(&world.folder.path().join("store")).unwrap();
    let jobs = Arc::new(Jobs { store, committing: Mutex::new(None) });
    (world.vault.clone().with_commits(Arc::clone(&jobs) as Arc<dyn Commits>), jobs)
}

/// Seals a file of a job without recording it.
fn seal(world: &World, jobs: &Jobs, job: &str, name: &str) -> String {
    let work = world.folder.path().join(name);
    fs::write(&work, name).unwrap();
    jobs.store.seal(job, &work).unwrap().name
}

#[test]
fn files_of_a_commit_in_progress_are_not_unknown() {
    let world = World::with_one_replica();
    let (vault, jobs) = vault(&world);
    *jobs.committing.lock().unwrap() = Some("crawl".to_owned());
    let name = seal(&world, &jobs, "crawl", "a");
    assert_eq!(vault.audit("house", COMPLETE, &mut go_on).unwrap().unknown, 0);
    assert_eq!(vault.catalogue().file(&name).unwrap(), None, "it may yet be withdrawn");
}

#[test]
fn files_of_a_commit_that_ended_before_they_were_recorded_are_recorded() {
    let world = World::with_one_replica();
    let (vault, jobs) = vault(&world);
    let names = ["a", "b"].map(|name| seal(&world, &jobs, "crawl", name));
    let audit = vault.audit("house", COMPLETE, &mut go_on).unwrap();
    assert_eq!((audit.files, audit.unknown, audit.is_sound()), (2, 0, true));
    let known = names.map(|name| vault.catalogue().file(&name).unwrap().unwrap());
    assert!(known.iter().all(|file| vault.catalogue().copies(file).unwrap()[0].state == State::Verified));
    let audit = vault.audit("house", COMPLETE, &mut go_on).unwrap();
    assert_eq!((audit.files, audit.is_sound()), (2, true));
    assert!(!world.told().iter().any(|event| event.starts_with("unknown")));
}

#[test]
fn a_job_that_is_withdrawn_while_an_audit_lists_it_is_not_unknown() {
    let world = World::with_one_replica();
    let (vault, jobs) = vault(&world);
    let name = seal(&world, &jobs, "crawl", "a");
    // Withdrawn between listing and asking: the pace is asked once for each name.
    let mut is_listed = false;
    let audit = vault.audit("house", COMPLETE, &mut |_| {
        is_listed = true;
        jobs.store.withdraw("crawl").unwrap();
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(audit.unwrap().unknown, 0);
    assert!(is_listed && vault.catalogue().file(&name).unwrap().is_none());
}

#[test]
fn a_file_that_no_list_names_stays_unknown() {
    let world = World::with_one_replica();
    let (vault, jobs) = vault(&world);
    seal(&world, &jobs, "deposit", "a");
    fs::write(world.folder.path().join("store/deposit/stray"), "who am I?").unwrap();
    let audit = vault.audit("house", COMPLETE, &mut go_on).unwrap();
    assert_eq!((audit.unknown, audit.is_sound()), (1, false));
    assert!(vault.catalogue().file("deposit/stray").unwrap().is_none());
    assert!(vault.catalogue().file("deposit/a").unwrap().is_some());
}

/// D12: what somebody took out with a reason does not come back by itself.
#[test]
fn a_forgotten_file_that_is_put_back_by_hand_stays_unknown() {
    let world = World::with_one_replica();
    let (vault, jobs) = vault(&world);
    let name = seal(&world, &jobs, "deposit", "a");
    assert_eq!(vault.audit("house", COMPLETE, &mut go_on).unwrap().unknown, 0);
    vault.forget(&name, "a court has said so", &mut go_on).unwrap();
    fs::write(world.folder.path().join("store").join(&name), "a").unwrap();
    assert_eq!(vault.audit("house", COMPLETE, &mut go_on).unwrap().unknown, 1);
}

#[test]
fn unfinished_copies_are_removed_where_only_the_vault_makes_them() {
    let world = World::new();
    let (vault, jobs) = vault(&world);
    seal(&world, &jobs, "deposit", "a");
    seal(&world, &jobs, "crawl", "b");
    vault.audit("house", COMPLETE, &mut go_on).unwrap();
    vault.bring(&mut go_on).unwrap();
    let part = |path: &str| world.folder.path().join(path);
    let parts = ["store/deposit/.part-c", "cellar/crawl/.part-c", "store/crawl/.part-c"].map(part);
    parts.iter().for_each(|path| fs::write(path, "half a co").unwrap());
    for replica in ["house", "cellar", "notary"] {
        assert!(vault.audit(replica, COMPLETE, &mut go_on).unwrap().is_sound(), "{replica}");
    }
    // Jobs seal their files themselves, whoever holds the vault.
    assert_eq!(parts.map(|path| path.exists()), [false, false, true]);
    assert!(world.told().contains(&"removed cellar".to_owned()));
    // That a copy was removed once does not keep a later one out.
    let name = seal(&world, &jobs, "deposit", "c");
    assert_eq!(vault.audit("house", COMPLETE, &mut go_on).unwrap().unknown, 0);
    let file = vault.catalogue().file(&name).unwrap().unwrap();
    assert_eq!(vault.catalogue().copies(&file).unwrap()[0].state, State::Verified);
}

/// The audit that records the files of a commit reads them.
#[test]
fn a_damaged_file_of_a_commit_that_was_not_recorded_is_found() {
    let world = World::with_one_replica();
    let (vault, jobs) = vault(&world);
    for name in ["a", "b"] {
        seal(&world, &jobs, "crawl", name);
    }
    let path = world.folder.path().join("store/crawl/b");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "c").unwrap();
    let audit = vault.audit("house", COMPLETE, &mut go_on).unwrap();
    assert_eq!((audit.files, audit.changed, audit.unknown, audit.is_sound()), (2, 1, 0, false));
}

/// `put` of a file whose name another file has leaves its checksum in the list.
#[test]
fn a_file_that_has_another_checksum_than_its_list_says_is_not_recorded_as_a_deposit() {
    let world = World::with_one_replica();
    let (vault, _) = vault(&world);
    let folder = world.folder.path();
    fs::create_dir(folder.join("store/deposit")).unwrap();
    fs::write(folder.join("store/deposit/a"), "by hand").unwrap();
    fs::write(folder.join("a"), "another").unwrap();
    vault.deposit("deposit", &folder.join("a"), &mut go_on).unwrap_err();
    let audit = vault.audit("house", COMPLETE, &mut go_on).unwrap();
    assert_eq!((audit.unknown, audit.changed), (1, 0));
    assert!(vault.catalogue().file("deposit/a").unwrap().is_none());
}

#[test]
fn stray_files_and_a_damaged_list_do_not_end_an_audit() {
    let world = World::with_one_replica();
    let (vault, jobs) = vault(&world);
    seal(&world, &jobs, "deposit", "a");
    assert!(vault.audit("house", COMPLETE, &mut go_on).unwrap().is_sound());
    let own = world.folder.path().join("store/deposit");
    for name in [".DS_Store", "a (1).warc"] {
        fs::write(own.join(name), "stray").unwrap();
    }
    let audit = vault.audit("house", COMPLETE, &mut go_on).unwrap();
    assert_eq!((audit.state, audit.files, audit.unknown), (AuditState::Done, 1, 2));
    let list = fs::read_to_string(own.join("SHA256SUMS")).unwrap();
    fs::write(own.join("SHA256SUMS"), format!("no line of ours\n{list}")).unwrap();
    let audit = vault.audit("house", COMPLETE, &mut go_on).unwrap();
    assert_eq!((audit.state, audit.files, audit.unknown), (AuditState::Done, 1, 2));
}

/// However much has happened to a file since somebody took it out.
#[test]
fn a_file_that_was_forgotten_long_ago_stays_unknown() {
    let world = World::with_one_replica();
    let (vault, jobs) = vault(&world);
    let name = seal(&world, &jobs, "deposit", "a");
    assert_eq!(vault.audit("house", COMPLETE, &mut go_on).unwrap().unknown, 0);
    vault.forget(&name, "a court has said so", &mut go_on).unwrap();
    let part = world.folder.path().join("store/deposit/.part-a");
    for _ in 0..12 {
        fs::write(&part, "half a co").unwrap();
        vault.audit("house", COMPLETE, &mut go_on).unwrap();
    }
    fs::write(world.folder.path().join("store").join(&name), "a").unwrap();
    assert_eq!(vault.audit("house", COMPLETE, &mut go_on).unwrap().unknown, 1);
}

/// A harvest whose name begins as those of deposits do removes its own unfinished files.
#[test]
fn unfinished_files_of_a_harvest_named_like_a_deposit_stay() {
    let world = World::with_one_replica();
    let (vault, jobs) = vault(&world);
    let job = "deposit-photos.example-1";
    *jobs.committing.lock().unwrap() = Some(job.to_owned());
    seal(&world, &jobs, job, "a");
    let part = world.folder.path().join("store").join(job).join(".part-b");
    fs::write(&part, "half a fi").unwrap();
    vault.audit("house", COMPLETE, &mut go_on).unwrap();
    *jobs.committing.lock().unwrap() = None;
    seal(&world, &jobs, job, &format!("{job}-metadata.warc.gz"));
    vault.audit("house", COMPLETE, &mut go_on).unwrap();
    assert!(part.exists());
}
