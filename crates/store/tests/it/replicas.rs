//! Replicas: what is put is there, what is wrong is told, and nothing is overwritten.

use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use store::replica::{Checksums, Folders, Replica};
use store::{Error, Reference, Sealed, Store};

/// Of `layer`.
const SHA256: &str = "4be5aa26a6e8a4b9b9d2a1f8d0d7a1d0a1b0c3c0b0f0f7d4e4c9b5b1d1f6c8f2";

fn file(name: &str, text: &str) -> Sealed {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("a");
    fs::write(&work, text).unwrap();
    let store = Store::create(&folder.path().join("store")).unwrap();
    Sealed { name: name.to_owned(), ..store.seal("job", &work).unwrap() }
}

fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn put(replica: &dyn Replica, file: &Sealed, text: &str) -> Result<(), Error> {
    replica.put(file, &mut text.as_bytes(), &mut go_on)
}

fn names(replica: &dyn Replica) -> Vec<String> {
    let mut names = Vec::new();
    let gather = &mut |name: &str| {
        names.push(name.to_owned());
        Ok(())
    };
    replica.each_name(gather).unwrap();
    names
}

/// Runs a test on a replica of each kind, in a folder of its own.
fn with_each(test: impl Fn(&dyn Replica, &Path)) {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("folder");
    test(&Folders::open([&place], 0).unwrap(), &place);
    let place = folder.path().join("checksums");
    test(&Checksums::open(&place).unwrap(), &place);
}

#[test]
fn d11_what_is_put_is_there() {
    with_each(|replica, _| {
        let layer = file("job/a.warc.gz", "layer");
        assert_eq!(replica.read(&layer.name, &mut go_on).unwrap(), None);
        assert_eq!(replica.look(&layer.name).unwrap(), None);
        put(replica, &layer, "layer").unwrap();
        put(replica, &layer, "layer").unwrap();
        let found = replica.read(&layer.name, &mut go_on).unwrap().unwrap();
        assert_eq!(found.sha256, layer.sha256);
        let bytes = replica.is_full().then_some(5);
        assert_eq!((found.bytes, replica.look(&layer.name).unwrap()), (bytes, Some(bytes)));
        assert_eq!(names(replica), ["job/a.warc.gz"]);
        if replica.is_full() {
            let mut text = String::new();
            replica.open(&layer.name, 0).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "layer");
        } else {
            assert!(matches!(replica.open(&layer.name, 0), Err(Error::OnlyChecksums(_))));
        }
    });
}

#[test]
fn d11_nothing_is_overwritten() {
    with_each(|replica, _| {
        let (layer, other) = (file("job/a", "layer"), file("job/a", "sediment"));
        put(replica, &layer, "layer").unwrap();
        put(replica, &other, "sediment").unwrap();
        assert_eq!(replica.read("job/a", &mut go_on).unwrap().unwrap().sha256, layer.sha256);
    });
}

#[test]
fn what_is_not_what_it_should_be_is_not_taken() {
    with_each(|replica, place| {
        let layer = file("job/a", "layer");
        for wrong in ["laser", "lay", "layers"] {
            assert!(matches!(put(replica, &layer, wrong), Err(Error::Source(_))), "{wrong}");
        }
        let mut broken = Broken;
        assert!(matches!(replica.put(&layer, &mut broken, &mut go_on), Err(Error::Copy { .. })));
        let stopped = replica.put(&layer, &mut "layer".as_bytes(), &mut |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(Error::Stopped)));
        assert_eq!((names(replica), replica.look("job/a").unwrap()), (Vec::new(), None));
        assert!(!place.join("job/.part-a").exists());
        put(replica, &layer, "layer").unwrap();
    });
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    with_each(|replica, _| {
        let layer = Sealed { name: "job/../../a".to_owned(), ..file("job/a", "layer") };
        assert!(matches!(put(replica, &layer, "layer"), Err(Error::Name(_))));
        assert!(matches!(replica.look("../a"), Err(Error::Name(_))));
    });
}

#[test]
fn what_a_crash_has_left_is_no_hindrance() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Folders::open([folder.path()], 0).unwrap();
    let layer = file("job/a", "layer");
    fs::create_dir(folder.path().join("job")).unwrap();
    let (part, old) = (folder.path().join("job/.part-a"), folder.path().join("job/a.part"));
    fs::write(&part, "lay").unwrap();
    fs::write(&old, "lay").unwrap();
    assert_eq!(names(&replica), Vec::<String>::new());
    put(&replica, &layer, "layer").unwrap();
    assert!(!part.exists() && names(&replica) == ["job/a"]);
    // Whether that is what a crash has left, or a file that was once taken in, nobody knows.
    assert_eq!(fs::read_to_string(&old).unwrap(), "lay");
}

#[test]
fn d11_no_file_is_called_as_what_the_store_has_of_its_own() {
    with_each(|replica, place| {
        put(replica, &file("job/a", "layer"), "layer").unwrap();
        let list = fs::read_to_string(place.join("job/SHA256SUMS")).unwrap();
        for name in ["job/b.part", "job/b.ref", "job/SHA256SUMS", "job/FORMAT"] {
            let refused = put(replica, &file(name, "layer"), "layer").unwrap_err();
            assert!(matches!(refused, Error::Reserved(_)), "{name}: {refused}");
            assert!(refused.to_string().contains("a name of the store's own"), "{refused}");
        }
        assert_eq!(fs::read_to_string(place.join("job/SHA256SUMS")).unwrap(), list);
        assert_eq!(names(replica), ["job/a"]);
    });
}

#[test]
fn d13_a_bad_copy_is_kept_aside_if_it_is_the_one_that_was_named() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Folders::open([folder.path()], 0).unwrap();
    let (layer, bad) = (file("job/a", "layer"), file("job/a", "laser"));
    put(&replica, &layer, "layer").unwrap();
    let path = folder.path().join("job/a");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "laser").unwrap();
    assert!(matches!(replica.set_aside("job/a", SHA256), Err(Error::Other { .. })));
    assert!(path.exists());
    replica.set_aside("job/a", &bad.sha256).unwrap();
    assert_eq!(replica.look("job/a").unwrap(), None);
    let aside = folder.path().join(".aside/job").join(format!("a.{}", bad.sha256));
    assert_eq!(fs::read_to_string(aside).unwrap(), "laser");
    put(&replica, &layer, "layer").unwrap();
    assert_eq!(names(&replica), ["job/a"]);
    assert!(matches!(replica.set_aside("job/b", SHA256), Err(Error::Missing(_))));
}

#[test]
fn d13_a_wrong_checksum_is_taken_out_and_stays_in_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Checksums::open(folder.path()).unwrap();
    let (layer, bad) = (file("job/a", "layer"), file("job/a", "laser"));
    put(&replica, &bad, "laser").unwrap();
    assert!(matches!(replica.set_aside("job/a", &layer.sha256), Err(Error::Other { .. })));
    replica.set_aside("job/a", &bad.sha256).unwrap();
    assert_eq!((replica.look("job/a").unwrap(), names(&replica)), (None, Vec::new()));
    put(&replica, &layer, "layer").unwrap();
    assert_eq!(replica.read("job/a", &mut go_on).unwrap().unwrap().sha256, layer.sha256);
    assert!(fs::read_to_string(folder.path().join("job/SHA256SUMS")).unwrap().contains(&bad.sha256));
}

#[test]
fn where_there_is_no_room_nothing_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Folders::open([folder.path()], u64::MAX).unwrap();
    let refused = put(&replica, &file("job/a", "layer"), "layer").unwrap_err();
    assert!(refused.is_full(), "{refused}");
    assert!(!folder.path().join("job").exists());
}

#[test]
fn a_file_lies_in_one_of_several_folders_and_is_found_in_each() {
    let folder = tempfile::tempdir().unwrap();
    let places = ["one", "two"].map(|name| folder.path().join(name));
    let (layer, other) = (file("job/a", "layer"), file("job/b", "sediment"));
    put(&Folders::open([&places[0]], 0).unwrap(), &layer, "layer").unwrap();
    put(&Folders::open([&places[1]], 0).unwrap(), &other, "sediment").unwrap();
    let both = Folders::open(&places, 0).unwrap();
    assert_eq!(names(&both), ["job/a", "job/b"]);
    put(&both, &other, "sediment").unwrap();
    assert!(!places[0].join("job/b").exists());
    assert_eq!(both.read("job/b", &mut go_on).unwrap().unwrap().sha256, other.sha256);
}

#[test]
fn what_lies_elsewhere_is_read_there() {
    let folder = tempfile::tempdir().unwrap();
    let (elsewhere, place) = (folder.path().join("tape.warc"), folder.path().join("store"));
    fs::write(&elsewhere, "layer").unwrap();
    let note = folder.path().join("tape.warc.ref");
    fs::write(&note, Reference::to(&elsewhere, 0, 5).unwrap().to_text()).unwrap();
    Store::create(&place).unwrap().seal("job", &note).unwrap();
    let replica = Folders::open([&place], 0).unwrap();
    assert_eq!(names(&replica), ["job/tape.warc"]);
    assert_eq!(replica.look("job/tape.warc").unwrap(), Some(Some(5)));
    let sha256 = file("job/a", "layer").sha256;
    assert_eq!(replica.read("job/tape.warc", &mut go_on).unwrap().unwrap().sha256, sha256);
    assert!(matches!(replica.set_aside("job/tape.warc", &sha256), Err(Error::Elsewhere { .. })));
    fs::remove_file(&elsewhere).unwrap();
    assert_eq!(replica.read("job/tape.warc", &mut go_on).unwrap(), None);
    assert_eq!(replica.look("job/tape.warc").unwrap(), None);
}

#[test]
fn folders_of_another_kind_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    Checksums::open(folder.path()).unwrap();
    assert!(matches!(Folders::open([folder.path()], 0), Err(Error::Format { .. })));
}

/// A source that fails in the middle.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn a_damaged_line_of_a_list_is_of_no_file() {
    for damage in ["0123", "x", "no name", &"y".repeat(700)] {
        let folder = tempfile::tempdir().unwrap();
        let replica = Checksums::open(folder.path()).unwrap();
        let (first, second) = (file("job/a", "layer"), file("job/b", "another"));
        put(&replica, &first, "layer").unwrap();
        put(&replica, &second, "another").unwrap();
        let list = folder.path().join("job/SHA256SUMS");
        let text = fs::read_to_string(&list).unwrap();
        let (_, rest) = text.split_once('\n').unwrap();
        fs::write(&list, format!("{damage}\n{rest}")).unwrap();
        let read = |file: &Sealed| replica.read(&file.name, &mut go_on).unwrap().map(|found| found.sha256);
        assert_eq!((read(&first), read(&second)), (None, Some(second.sha256.clone())), "{damage}");
        assert_eq!(names(&replica), ["job/b"], "{damage}");
        put(&replica, &first, "layer").unwrap();
        assert_eq!(read(&first), Some(first.sha256.clone()), "{damage}");
    }
}

/// A replica with a note of a file that lies elsewhere, which is called `job/tape.warc`: it, its folder, and where the file lies.
fn noted(folder: &Path) -> (Folders, std::path::PathBuf, std::path::PathBuf) {
    let (elsewhere, place) = (folder.join("tape.warc"), folder.join("store"));
    fs::write(&elsewhere, "layer").unwrap();
    let note = folder.join("tape.warc.ref");
    fs::write(&note, Reference::to(&elsewhere, 0, 5).unwrap().to_text()).unwrap();
    Store::create(&place).unwrap().seal("job", &note).unwrap();
    (Folders::open([&place], 0).unwrap(), place, elsewhere)
}

#[test]
fn what_lies_elsewhere_gets_no_line_until_it_lies_here() {
    let folder = tempfile::tempdir().unwrap();
    let (replica, place, elsewhere) = noted(folder.path());
    let layer = file("job/tape.warc", "layer");
    let list = || fs::read_to_string(place.join("job/SHA256SUMS")).unwrap();
    put(&replica, &layer, "layer").unwrap();
    assert_eq!(list().lines().count(), 1);
    fs::write(&elsewhere, "laser").unwrap();
    assert_eq!(replica.look(&layer.name).unwrap(), None);
    put(&replica, &layer, "layer").unwrap();
    assert!(list().contains(&format!("{}  tape.warc\n", layer.sha256)));
    assert_eq!(replica.look(&layer.name).unwrap(), Some(Some(5)));
    assert_eq!(replica.read(&layer.name, &mut go_on).unwrap().unwrap().sha256, layer.sha256);
    assert_eq!(names(&replica), ["job/tape.warc"]);
    let store = Store::open(&place).unwrap();
    assert_eq!(store.verify(&layer.name).unwrap(), store::Verdict::Sound);
    assert_eq!(store.files_of("job").unwrap(), [layer]);
}

#[test]
fn d12_a_disk_that_is_gone_is_no_empty_one() {
    with_each(|replica, place| {
        let layer = file("job/a", "layer");
        put(replica, &layer, "layer").unwrap();
        let away = place.with_extension("away");
        fs::rename(place, &away).unwrap();
        fs::create_dir(place).unwrap();
        let told = |error: Error| {
            assert!(matches!(error, Error::Unreachable { .. }), "{error}");
            let why = std::error::Error::source(&error).unwrap().to_string();
            assert!(why.contains("is its disk mounted?"), "{why}");
        };
        told(replica.look("job/a").unwrap_err());
        told(replica.read("job/a", &mut go_on).unwrap_err());
        told(replica.each_name(&mut |_| Ok(())).unwrap_err());
        told(put(replica, &layer, "layer").unwrap_err());
        told(replica.set_aside("job/a", &layer.sha256).unwrap_err());
        assert_eq!(fs::read_dir(place).unwrap().count(), 0);
        fs::remove_dir(place).unwrap();
        fs::rename(&away, place).unwrap();
        assert!(replica.look("job/a").unwrap().is_some());
    });
}

#[test]
fn d12_while_one_disk_is_gone_the_others_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let places = ["one", "two"].map(|name| folder.path().join(name));
    let (layer, other) = (file("job/a", "layer"), file("job/b", "sediment"));
    let both = Folders::open(&places, 0).unwrap();
    put(&Folders::open([&places[1]], 0).unwrap(), &layer, "layer").unwrap();
    fs::remove_file(places[0].join("FORMAT")).unwrap();
    assert_eq!(both.read("job/a", &mut go_on).unwrap().unwrap().sha256, layer.sha256);
    assert!(matches!(both.look("job/b"), Err(Error::Unreachable { .. })));
    assert!(matches!(both.open("job/b", 0), Err(Error::Unreachable { .. })));
    put(&both, &other, "sediment").unwrap();
    assert!(places[1].join("job/b").exists() && !places[0].join("job").exists());
}

#[test]
fn a_wrong_length_with_the_right_checksum_is_no_hindrance() {
    with_each(|replica, _| {
        let layer = Sealed { bytes: 4, ..file("job/a", "layer") };
        put(replica, &layer, "layer").unwrap();
    });
}

#[test]
fn a_line_is_put_right_if_the_copy_is_what_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Folders::open([folder.path()], 0).unwrap();
    let (layer, other) = (file("job/a", "layer"), file("job/a", "laser"));
    put(&replica, &layer, "layer").unwrap();
    put(&replica, &other, "laser").unwrap();
    assert_eq!(replica.recorded("job/a").unwrap(), Some(layer.sha256.clone()));
    let list = folder.path().join("job/SHA256SUMS");
    fs::write(&list, format!("damage\n{}  a\n", other.sha256)).unwrap();
    assert_eq!(replica.recorded("job/a").unwrap(), Some(other.sha256));
    put(&replica, &layer, "layer").unwrap();
    assert_eq!(replica.recorded("job/a").unwrap(), Some(layer.sha256));
}

#[test]
fn d13_a_copy_is_set_aside_unread_and_nothing_aside_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Folders::open([folder.path()], 0).unwrap();
    for text in ["layer", "laser"] {
        put(&replica, &file("job/a", text), text).unwrap();
        replica.set_aside_unread("job/a").unwrap();
        assert_eq!(replica.look("job/a").unwrap(), None);
    }
    let aside = |name: &str| fs::read_to_string(folder.path().join(".aside/job").join(name)).unwrap();
    assert_eq!((aside("a.unreadable").as_str(), aside("a.unreadable-2").as_str()), ("layer", "laser"));
    assert!(matches!(replica.set_aside_unread("job/a"), Err(Error::Missing(_))));
}

#[test]
fn d13_of_two_copies_in_one_replica_the_one_that_is_named_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let places = ["one", "two"].map(|name| folder.path().join(name));
    let (layer, bad) = (file("job/a", "layer"), file("job/a", "laser"));
    put(&Folders::open([&places[0]], 0).unwrap(), &layer, "layer").unwrap();
    put(&Folders::open([&places[1]], 0).unwrap(), &bad, "laser").unwrap();
    let both = Folders::open(&places, 0).unwrap();
    both.set_aside("job/a", &bad.sha256).unwrap();
    assert!(!places[1].join("job/a").exists());
    assert_eq!(both.read("job/a", &mut go_on).unwrap().unwrap().sha256, layer.sha256);
}

#[test]
fn copies_of_two_disks_are_told_apart() {
    let memory = Path::new("/dev/shm");
    if !memory.is_dir() {
        eprintln!("store: no second disk at /dev/shm; skipping the test of two");
        return;
    }
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir_in(memory).unwrap());
    let near = [one.path().join("a"), one.path().join("b"), two.path().join("c")];
    let names = ["job/a", "job/b", "job/c"];
    for (place, name) in near.iter().zip(names) {
        put(&Folders::open([place], 0).unwrap(), &file(name, "layer"), "layer").unwrap();
    }
    let replica = Folders::open(&near, 0).unwrap();
    let [a, b, c] = names.map(|name| replica.disk(name));
    assert!(a.is_some() && a == b && c.is_some() && a != c);
    assert_eq!((replica.disk("job/none"), replica.disks()), (None, 3));
}
