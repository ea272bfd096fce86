//! What we write is what we find sound, on disk as in memory, and says what it was given.

use std::io;

use bagit_ocfl::{Algorithm, Error, Limits, Memory, Verdict, bagit, ocfl};

use crate::folder::Folder;

const FILES: [(&str, &[u8]); 5] = [
    ("a.warc.gz", b"one"),
    ("folder/b.warc.gz", b"two"),
    ("folder/copy.warc.gz", b"one"),
    ("empty", b""),
    ("100% N\u{fa}\u{f1}ez.txt", b"three"),
];

fn about() -> ocfl::About {
    ocfl::About {
        id: "urn:example:written".to_owned(),
        created: "2026-11-18T08:00:00.123Z".parse().unwrap(),
        message: "As \"harvested\"".to_owned(),
        user: "A. Curator".to_owned(),
        address: "mailto:curator@example.org".to_owned(),
    }
}

#[test]
fn a_bag_on_disk_is_sound() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = bagit::Writer::new(Folder(dir.path().to_owned()));
    for (path, bytes) in FILES {
        assert_eq!(writer.file(path, bytes).unwrap(), bytes.len() as u64);
    }
    let folder = writer.finish(&[("Bagging-Date", "2026-11-18"), ("Bag-Software-Agent", "varve")]).unwrap();
    let report = bagit::check(&folder, &Limits::default()).unwrap();
    assert_eq!(report.verdict(), Verdict::Valid, "{:?}", report.problems);
    assert_eq!(report.files, FILES.len() as u64 + 3);
    let info = std::fs::read_to_string(dir.path().join("bag-info.txt")).unwrap();
    assert_eq!(info, "Bagging-Date: 2026-11-18\nBag-Software-Agent: varve\nPayload-Oxum: 14.5\n");
    let manifest = std::fs::read_to_string(dir.path().join("manifest-sha256.txt")).unwrap();
    let line = format!("{}  data/100%25 N\u{fa}\u{f1}ez.txt", Algorithm::Sha256.of(b"three"));
    assert_eq!(manifest.lines().next(), Some(line.as_str()));
}

#[test]
fn an_object_on_disk_is_sound() {
    for is_short in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = ocfl::Writer::new(Folder(dir.path().to_owned()));
        if is_short {
            writer = writer.with_sha256();
        }
        for (path, bytes) in FILES {
            writer.file(path, bytes).unwrap();
        }
        let folder = writer.finish(&about()).unwrap();
        let report = ocfl::check(&folder, &Limits::default()).unwrap();
        let expect = if is_short { Verdict::Warned } else { Verdict::Valid };
        assert_eq!(report.verdict(), expect, "{:?}", report.problems);
        assert_eq!(report.files, FILES.len() as u64);
    }
}

#[test]
fn an_empty_object_is_sound_and_an_empty_bag_is_not_written() {
    let object = ocfl::Writer::new(Memory::new()).finish(&about()).unwrap();
    let report = ocfl::check(&object, &Limits::default());
    assert_eq!(report.unwrap().problems, []);
    // A folder that nothing is in cannot be written, and a bag must have one.
    assert!(matches!(bagit::Writer::new(Memory::new()).finish(&[]), Err(Error::Empty)));
}

#[test]
fn paths_that_lead_out_or_clash_are_not_written() {
    let mut bag = bagit::Writer::new(Memory::new());
    let mut object = ocfl::Writer::new(Memory::new());
    bag.file("a.txt", &b""[..]).unwrap();
    object.file("a.txt", &b""[..]).unwrap();
    bag.file("folder/b", &b""[..]).unwrap();
    object.file("folder/b", &b""[..]).unwrap();
    for path in
        ["../x", "/x", "", "a/", "~x", "C:x", "a.txt", "A.txt", "a.txt/b", "Folder", "x\0", &"x".repeat(5000)]
    {
        assert!(matches!(bag.file(path, &b""[..]), Err(Error::Path { .. })), "{path}");
        assert!(matches!(object.file(path, &b""[..]), Err(Error::Path { .. })), "{path}");
    }
    assert_eq!(bag.finish(&[]).unwrap().files().count(), 6);
}

#[test]
fn fields_that_do_not_fit_are_refused() {
    for (label, value) in
        [("", "x"), ("a:b", "x"), (" a", "x"), ("A", "x\ny"), ("A", ""), ("A", " x"), ("Payload-Oxum", "1.1")]
    {
        let mut writer = bagit::Writer::new(Memory::new());
        writer.file("a", &b""[..]).unwrap();
        assert!(matches!(writer.finish(&[(label, value)]), Err(Error::Field { .. })), "{label}: {value}");
    }
    let writer = ocfl::Writer::new(Memory::new());
    assert!(matches!(writer.finish(&ocfl::About::default()), Err(Error::Field { .. })));
}

#[test]
fn a_package_that_was_not_finished_is_none() {
    struct Fails;
    impl io::Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let mut writer = bagit::Writer::new(Folder(dir.path().to_owned()));
    assert!(matches!(writer.file("a", Fails), Err(Error::Content { .. })));
    drop(writer);
    let report = bagit::check(&Folder(dir.path().to_owned()), &Limits::default()).unwrap();
    assert_eq!(report.verdict(), Verdict::Invalid);
    let mut writer = ocfl::Writer::new(Folder(dir.path().to_owned()));
    writer.file("a", &b""[..]).unwrap();
    drop(writer);
    assert!(
        ocfl::check(&Folder(dir.path().to_owned()), &Limits::default()).unwrap().has(bagit_ocfl::Kind::E003)
    );
}

/// Flips a bit of each byte of each file, and asks whether it is found. Nothing vouches for the files that vouch for the rest.
#[track_caller]
fn check_flips(package: &Memory, check: impl Fn(&Memory) -> bool) {
    let vouches = |path: &str| path.starts_with("tagmanifest-") || path.ends_with("inventory.json.sha512");
    assert!(check(package));
    for (path, bytes) in package.files().filter(|(path, _)| !vouches(path)) {
        for at in 0..bytes.len() {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= 1 << (at % 8);
            let mut changed = package.clone();
            changed.put(path, bytes);
            assert!(!check(&changed), "bit {} of byte {at} of {path}", at % 8);
        }
    }
}

#[test]
fn a_flipped_bit_is_found_wherever_it_is() {
    let (mut bag, mut object) = (bagit::Writer::new(Memory::new()), ocfl::Writer::new(Memory::new()));
    for (path, bytes) in FILES {
        bag.file(path, bytes).unwrap();
        object.file(path, bytes).unwrap();
    }
    let bag = bag.finish(&[("External-Identifier", "urn:example:flipped")]).unwrap();
    check_flips(&bag, |bag| bagit::check(bag, &Limits::default()).unwrap().is_valid());
    let object = object.finish(&about()).unwrap();
    check_flips(&object, |object| ocfl::check(object, &Limits::default()).unwrap().is_valid());
}
