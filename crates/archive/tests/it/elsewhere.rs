//! Reads that fail in one place succeed in another, and nothing is handed out that is not what was captured.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use archive::{Archive, Form, ReadFault};
use proptest::prelude::*;
use store::replica::{Checksums, Folders, Replica};

use crate::world::{World, about, at, page, text};

const A: &str = "http://example.org/a";
const B: &str = "http://example.org/b";
const LONG: &str = "http://example.org/long";

/// An archive with two captures, one of them long, and a revisit; and a second place that has the same files.
struct Two {
    world: World,
    archive: Archive,
    told: Arc<Mutex<Vec<ReadFault>>>,
    long: String,
}

impl Two {
    fn new(gzip_level: u32) -> Two {
        let world = World::new();
        let long: String = (0..150_000).map(|number| format!("{number} ")).collect();
        for (job, seconds) in [("one", 0), ("two", 100)] {
            let mut about = about(seconds);
            about.gzip_level = gzip_level;
            world.job(
                job,
                &about,
                &[page(A, seconds, "words"), page(B, seconds, job), page(LONG, seconds, &long)],
            );
        }
        let second = world.folder.path().join("second");
        copy_store(&world, &second);
        let told: Arc<Mutex<Vec<ReadFault>>> = Arc::default();
        let tell = Arc::clone(&told);
        // A place that only has checksums can give nothing, and is passed over.
        let checksums = Checksums::open(&world.folder.path().join("checksums")).unwrap();
        let others: Vec<Arc<dyn Replica>> =
            vec![Arc::new(checksums), Arc::new(Folders::open([&second], 0).unwrap())];
        let archive = world
            .archive
            .clone()
            .with_others(others)
            .on_fault(Arc::new(move |fault| tell.lock().unwrap().push(fault.clone())));
        Two { world, archive, told, long }
    }

    /// The files with captures, in the first place.
    fn files(&self) -> Vec<PathBuf> {
        ["one/one-00001.warc.gz", "two/two-00001.warc.gz"]
            .map(|name| self.world.folder.path().join("store").join(name))
            .to_vec()
    }

    fn told(&self) -> Vec<ReadFault> {
        std::mem::take(&mut self.told.lock().unwrap())
    }

    /// Every capture is there as it was.
    #[track_caller]
    fn check(&self) {
        for (url, seconds, expected) in [
            (A, 0, "words"),
            (A, 100, "words"),
            (B, 0, "one"),
            (B, 100, "two"),
            (LONG, 0, self.long.as_str()),
            (LONG, 100, self.long.as_str()),
        ] {
            let found = self.archive.get(url, Some(at(seconds))).unwrap().unwrap();
            assert_eq!(found.at.as_second(), at(seconds).as_second(), "{url}");
            for _ in 0..2 {
                assert!(text(&found, Form::Decoded) == expected, "{url} {seconds}");
            }
        }
    }
}

pub(crate) fn copy_store(world: &World, to: &Path) {
    let replica = Folders::open([to], 0).unwrap();
    for file in world.archive.store().files().unwrap() {
        let file = file.unwrap();
        let mut source = world.archive.store().read(&file.name, 0).unwrap();
        replica.put(&file, &mut source, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    }
}

/// Changes a sealed file behind the store's back.
fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn d13_what_is_gone_from_the_first_place_is_read_in_the_second() {
    let two = Two::new(6);
    two.check();
    assert_eq!(two.told(), []);
    two.files().iter().for_each(|file| std::fs::remove_file(file).unwrap());
    two.check();
    let told = two.told();
    assert!(!told.is_empty());
    for fault in told {
        assert_eq!((fault.place, fault.served), (0, Some(2)), "{fault}");
        assert!(fault.why.contains("there is no file"), "{fault}");
    }
}

#[test]
fn notes_are_read_in_another_place_too() {
    let two = Two::new(6);
    let notes = || {
        let read = |name: &String| {
            let mut note = Vec::new();
            two.archive.note("one", name).unwrap().unwrap().read_to_end(&mut note).unwrap();
            note
        };
        let names = two.archive.notes("one").unwrap();
        let notes: Vec<Vec<u8>> = names.iter().map(read).collect();
        (names, notes)
    };
    let before = notes();
    assert!(!before.0.is_empty());
    std::fs::remove_file(two.world.folder.path().join("store/one/one-metadata.warc.gz")).unwrap();
    assert_eq!(notes(), before);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Damage anywhere in the first place: either it is overcome, or, of what is too long to be checked beforehand, the reading ends
    /// with an error. Never is there anything else than what was captured.
    #[test]
    fn d13_no_damage_to_the_first_place_changes_what_is_read(
        which in 0..2_usize,
        at_share in 0.0..1.0_f64,
        bit in 0..8_u8,
        is_cut in any::<bool>(),
        gzip_level in prop_oneof![Just(0_u32), Just(6)],
    ) {
        let two = Two::new(gzip_level);
        let path = &two.files()[which];
        change(path, |bytes| {
            let place = (bytes.len() as f64 * at_share) as usize;
            if is_cut {
                bytes.truncate(place);
            } else {
                bytes[place] ^= 1 << bit;
            }
        });
        for (url, expected) in [(A, None), (B, None), (LONG, Some(&two.long))] {
            for (seconds, job) in [(0, "one"), (100, "two")] {
                let found = two.archive.get(url, Some(at(seconds))).unwrap().unwrap();
                prop_assert_eq!(found.at.as_second(), at(seconds).as_second());
                let mut read = String::new();
                let outcome = found.payload(Form::Decoded).unwrap().read_to_string(&mut read);
                match expected {
                    None => {
                        prop_assert!(outcome.is_ok());
                        prop_assert_eq!(&read, if url == A { "words" } else { job });
                    }
                    Some(long) if outcome.is_err() => {
                        prop_assert!(read.len() < long.len());
                        // Who asks again has it from the other place.
                        let found = two.archive.get(url, Some(at(seconds))).unwrap().unwrap();
                        prop_assert!(&text(&found, Form::Decoded) == long);
                    }
                    Some(long) => prop_assert!(&read == long),
                }
            }
        }
    }

    /// With no other place to turn to, damage is an error or an older capture, never wrong bytes.
    #[test]
    fn d13_damage_without_another_place_is_never_handed_out(
        at_share in 0.0..1.0_f64,
        bit in 0..8_u8,
        gzip_level in prop_oneof![Just(0_u32), Just(6)],
    ) {
        let two = Two::new(gzip_level);
        change(&two.files()[1], |bytes| {
            let place = (bytes.len() as f64 * at_share) as usize;
            bytes[place] ^= 1 << bit;
        });
        let alone = &two.world.archive;
        for (url, expected) in [(A, ["words", "words"]), (B, ["one", "two"]), (LONG, [two.long.as_str(); 2])] {
            let Ok(Some(found)) = alone.get(url, Some(at(100))) else { continue };
            let mut read = String::new();
            if found.payload(Form::Decoded).and_then(|mut payload| {
                payload.read_to_string(&mut read).map_err(|source| warc::Error::Read { offset: 0, source }.into())
            }).is_ok() {
                let is_newer = found.at.as_second() == at(100).as_second();
                prop_assert!(read == expected[usize::from(is_newer)]);
            }
        }
    }
}

/// Makes the words of a record others, with a checksum of its member that agrees; only the digests can tell.
pub(crate) fn falsify(path: &Path, url: &str, world: &World, seconds: i64, from: &[u8], to: &[u8]) {
    let row = world.get(url, seconds).row;
    let start = usize::try_from(row.offset.unwrap()).unwrap();
    let end = start + usize::try_from(row.length.unwrap()).unwrap();
    change(path, |bytes| {
        let found = bytes[start..end].windows(from.len()).rposition(|window| window == from).unwrap();
        bytes[start + found..start + found + to.len()].copy_from_slice(to);
        let mut inflated = Vec::new();
        flate2::read::DeflateDecoder::new(&bytes[start + 10..end]).read_to_end(&mut inflated).unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(&inflated);
        bytes[end - 8..end - 4].copy_from_slice(&crc.sum().to_le_bytes());
    });
}

#[test]
fn what_only_a_digest_tells_is_read_in_another_place() {
    let two = Two::new(0);
    falsify(&two.files()[1], B, &two.world, 100, b"two", b"owt");
    assert_eq!(text(&two.archive.get(B, Some(at(100))).unwrap().unwrap(), Form::Decoded), "two");
    let told = two.told();
    assert_eq!((told.len(), told[0].served), (1, Some(2)));
    assert!(told[0].why.contains("digest"), "{}", told[0]);
}

#[test]
fn a_long_payload_that_only_its_digest_tells_wrong_never_comes_to_a_clean_end() {
    let two = Two::new(0);
    falsify(&two.files()[0], LONG, &two.world, 0, b"149999 ", b"149998 ");
    let found = two.archive.get(LONG, Some(at(0))).unwrap().unwrap();
    let mut payload = found.payload(Form::Decoded).unwrap();
    let length = payload.length().unwrap();
    let mut read = Vec::new();
    let error = payload.read_to_end(&mut read).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    // Whoever counts bytes is not deceived either: the last are held back.
    assert!((read.len() as u64) < length, "{} of {length}", read.len());
    assert!(payload.read(&mut [0; 9]).is_err(), "an end with an error stays one");
    let told = two.told();
    assert_eq!((told.len(), told[0].served), (1, None));
    // Who asks again gets it from the other place; and from the first, once that is mended.
    assert!(text(&found, Form::Decoded) == two.long);
    assert!(text(&two.archive.get(LONG, Some(at(0))).unwrap().unwrap(), Form::Decoded) == two.long);
    assert_eq!(two.told(), []);
}

/// Some files come with digests that were wrong from the start. They were accepted so, and are given so.
#[test]
fn what_was_accepted_with_a_wrong_digest_stays_readable() {
    for long in [10, 400_000] {
        let world = World::new();
        world.job("job", &about(0), &[page(A, 0, "words")]);
        let body = "x".repeat(long);
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{body}");
        let record = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {A}\r\nWARC-Date: 2026-11-16T08:00:00Z\r\n\
             WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000abcd>\r\n\
             WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        );
        let path = world.folder.path().join("old.warc");
        std::fs::write(&path, &record).unwrap();
        let sealed = world.archive.store().seal("old", &path).unwrap();
        let mut row = world.rows().remove(0);
        row.filename = Some(sealed.name.clone().into());
        (row.offset, row.length) = (Some(0), Some(record.len() as u64));
        let snapshot = world.archive.snapshot().unwrap();
        let told: Arc<Mutex<Vec<ReadFault>>> = Arc::default();
        let tell = Arc::clone(&told);
        let archive =
            world.archive.clone().on_fault(Arc::new(move |fault| tell.lock().unwrap().push(fault.clone())));
        let get = || {
            let found = archive.found(&row, &snapshot).ok()??;
            let mut read = String::new();
            found.payload(Form::Decoded).ok()?.read_to_string(&mut read).ok()?;
            Some(read)
        };
        assert!(get().unwrap() == body);
        assert_eq!(told.lock().unwrap()[0].served, Some(0));
        // Once it is not what was accepted, it is not given any more; though what rots keeps its length and its time.
        let path = world.folder.path().join("store").join(&sealed.name);
        let written = std::fs::metadata(&path).unwrap().modified().unwrap();
        change(&path, |bytes| {
            let place = bytes.windows(5).rposition(|window| window == b"xxxxx").unwrap();
            bytes[place] = b'y';
        });
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
        assert_eq!(get(), None);
    }
}
