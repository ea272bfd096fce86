//! Imports onto disks that fail: killed, full, cut short by a power loss.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use archive::disk::{Disk, Small};
use archive::room::{Amount, Room, Space};
use archive::{About, Error};
use transfer::import::Settings;

use crate::disks::{Mortal, Syncs, Unmount, noise};
use crate::imports::{Imports, import_into, warc};
use crate::world::about;

#[test]
fn an_import_that_is_killed_at_any_write_is_repeated() {
    for operations in 0.. {
        let imports = Imports::new();
        let pages = [("http://example.org/a", "herring"), ("http://example.org/b", "eel")];
        let whole = warc(&pages, &warc::Encoding::Gzip(6));
        imports.file("a.warc.gz", &whole);
        imports.file("b.warc.gz", &whole[..whole.len() - 20]);
        let settings = Settings { salvage: true, ..Settings::default() };
        let import = |job: &str, disk: Arc<dyn Disk>| {
            let about = About { disk, ..about(0) };
            let paths = [imports.files.path().to_owned()];
            imports.import_with(job, &paths, &settings, &about)
        };
        let is_done = import("first", Mortal::with(operations)).is_ok();
        assert!(matches!(imports.world.rows().len(), 0 | 4), "all or nothing: {operations}");
        import("second", Arc::new(archive::disk::Plain)).unwrap();
        assert_eq!(imports.world.rows().len(), 4, "{operations}");
        let left = fs::read_dir(imports.world.folder.path().join("work")).unwrap().count();
        assert_eq!(left, 0, "{operations}");
        if is_done {
            assert!(operations > 10, "{operations}");
            return;
        }
    }
}

/// An import that failed when its first file was to be sealed, and what it was synced by.
fn import_cut_short(settings: &Settings) -> (Imports, Arc<Syncs>, PathBuf) {
    let imports = Imports::new();
    let pages = [("http://example.org/a", "herring"), ("http://example.org/b", "eel")];
    let file = imports.file("a.warc.gz", warc(&pages, &warc::Encoding::Gzip(6)));
    let damaged = fs::read(&file).unwrap();
    let damaged = imports.file("b.warc.gz", &damaged[..damaged.len() - 20]);
    let store = imports.world.folder.path().join("store/job");
    fs::create_dir(&store).unwrap();
    for name in ["a.warc.gz", "a.warc.gz.ref"] {
        fs::write(store.join(name), "in the way").unwrap();
    }
    let disk = Arc::new(Syncs::default());
    let mut about = about(0);
    about.disk = disk.clone();
    let paths = [file.clone(), damaged];
    imports.import_with("job", &paths, settings, &about).unwrap_err();
    fs::remove_dir_all(&store).unwrap();
    (imports, disk, file)
}

#[test]
fn what_an_import_seals_is_on_the_disk_before_and_is_what_was_checked() {
    for reference in [false, true] {
        let settings = Settings { salvage: true, reference, ..Settings::default() };
        let names = ["b-salvaged.warc.gz", if reference { "a.warc.gz.ref" } else { "a.warc.gz" }];
        for name in names {
            let (imports, disk, file) = import_cut_short(&settings);
            let waiting = imports.world.folder.path().join("work/job/warc");
            for name in names {
                let inode = fs::metadata(waiting.join(name)).unwrap().ino();
                assert!(disk.synced.lock().unwrap().contains(&inode), "{name}");
            }
            cut(&waiting.join(name), 3);
            let error = imports.try_import("next", &[&file], &settings).unwrap_err();
            assert!(matches!(&error, Error::Changed { path } if path.ends_with(name)), "{error}");
            assert_eq!(imports.archive().store().jobs().unwrap(), [""; 0], "nothing of it is sealed");
            // Once told, it is over; the same files can be imported.
            let report = imports.try_import("next", &[&file], &settings).unwrap();
            assert_eq!(report.committed.unwrap().captures, 2);
        }
        let (imports, _, file) = import_cut_short(&settings);
        let report = imports.try_import("next", &[&file], &settings).unwrap();
        assert!(report.committed.is_none() && report.is_sound(), "the first was brought to its end");
    }
}

#[test]
fn an_import_that_finds_no_room_leaves_nothing_and_can_be_asked_again() {
    let mut was_full = 0;
    for left in (0..6000).step_by(97) {
        let imports = Imports::new();
        let pages = [("http://example.org/a", "herring"), ("http://example.org/b", "eel")];
        let file = imports.file("a.warc.gz", warc(&pages, &warc::Encoding::Gzip(6)));
        let disk = Small::new(left);
        let mut about = about(0);
        about.disk = disk.clone();
        let import = || imports.import_with("job", std::slice::from_ref(&file), &Settings::default(), &about);
        if let Err(error) = import() {
            assert!(error.is_full(), "{left}: {error}");
            assert_eq!(imports.world.rows().len(), 0, "{left}");
            was_full += 1;
            disk.set_left(u64::MAX);
            import().unwrap();
        }
        assert_eq!(imports.world.rows().len(), 2, "{left}");
    }
    assert!(was_full > 5, "{was_full}");
}

/// Bounds on a disk of 1000 bytes, of which so many are free as the number says.
fn bounded(free: &Arc<AtomicU64>) -> Settings {
    let free = Arc::clone(free);
    let room = Room::new(Amount::Percent(20), Amount::Percent(10))
        .asking(move |_| Some(Space { disk: 1, free: free.load(Ordering::SeqCst), total: 1_000_000 }));
    Settings { room, threads: 1, ..Settings::default() }
}

#[test]
fn an_import_does_not_begin_where_there_is_less_room_than_is_kept_free() {
    let (imports, free) = (Imports::new(), Arc::new(AtomicU64::new(99_999)));
    let file =
        imports.file("a.warc.gz", warc(&[("http://example.org/a", "herring")], &warc::Encoding::Gzip(6)));
    let error = imports.try_import("job", &[&file], &bounded(&free)).unwrap_err();
    assert!(matches!(error, Error::NoRoom { .. }) && error.is_full(), "{error}");
    assert!(error.to_string().ends_with("(0 MB, 9 %)"), "{error}");
    assert!(!imports.archive().work().join("job").exists());
    free.store(100_000_000, Ordering::SeqCst);
    imports.import("job", &[&file], &bounded(&free));
    assert_eq!(imports.world.rows().len(), 1);
}

#[test]
fn an_import_stops_before_a_file_that_would_leave_too_little_room_and_leaves_nothing() {
    let (imports, free) = (Imports::new(), Arc::new(AtomicU64::new(150_000)));
    let pages = |name: &str, bytes: usize| {
        let body: String = noise(bytes as u64).chars().cycle().take(bytes).collect();
        imports.file(name, warc(&[(&format!("http://example.org/{name}"), &body)], &warc::Encoding::Plain))
    };
    let files: Vec<PathBuf> =
        [("a.warc", 100), ("b.warc", 60_000), ("c.warc", 100)].map(|(name, bytes)| pages(name, bytes)).into();
    let files: Vec<_> = files.iter().map(PathBuf::as_path).collect();
    let error = imports.try_import("job", &files, &bounded(&free)).unwrap_err();
    assert!(matches!(error, Error::NoRoom { .. }), "{error}");
    assert_eq!(imports.world.rows().len(), 0);
    assert!(imports.archive().store().files_of("job").unwrap().is_empty());
    // What needs no copy needs no room for one.
    let settings = Settings { reference: true, ..bounded(&free) };
    imports.import("there", &files, &settings);
    assert_eq!(imports.world.rows().len(), 3);
}

/// The same on a disk that really is small, where this machine lets us mount one.
#[test]
fn an_import_onto_a_small_tmpfs_stops_in_time() {
    let mount = tempfile::tempdir().unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"])
        .arg(mount.path())
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("transfer: no tmpfs can be mounted here; skipping the import onto a disk that is small");
        return;
    }
    let unmounted = Unmount(mount.path().to_owned());
    let archive = archive::Archive::create(mount.path()).unwrap();
    let imports = Imports::new();
    let body: String = noise(1).chars().cycle().take(4 << 20).collect();
    let files: Vec<PathBuf> = (0..5)
        .map(|number| {
            let url = format!("http://example.org/{number}");
            imports.file(&format!("{number}.warc"), warc(&[(&url, &body)], &warc::Encoding::Plain))
        })
        .collect();
    let room = Room::new(Amount::Bytes(1 << 30), Amount::Percent(25));
    let settings = Settings { room: room.clone(), ..Settings::default() };
    let error = import_into(&archive, "job", &files, &settings, &about(0)).unwrap_err();
    assert!(matches!(error, Error::NoRoom { .. }), "{error}");
    assert!(room.short([mount.path()]).is_none(), "the next finds the disk as this one did");
    import_into(&archive, "job", &files[..2], &settings, &about(0)).unwrap();
    assert!(archive.get("http://example.org/1", None).unwrap().is_some());
    drop(unmounted);
}

fn cut(path: &Path, by: u64) {
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() - by).unwrap();
}
