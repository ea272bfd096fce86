//! Bags: what is sound, and what is told of those that are not.

use bagit_ocfl::{EntryKind, Kind, Limits, Memory, Report, Verdict, bagit};

/// A sound bag of two files, written by us.
pub(crate) fn sound() -> Memory {
    let mut writer = bagit::Writer::new(Memory::new());
    writer.file("a.txt", &b"one"[..]).unwrap();
    writer.file("folder/b.txt", &b"two"[..]).unwrap();
    writer.finish(&[("External-Identifier", "urn:example:bag")]).unwrap()
}

/// A bag of a draft, with one file and no tag manifest: the least that there is.
pub(crate) fn draft(version: &str, manifest: &str) -> Memory {
    let mut bag = Memory::new();
    bag.put("bagit.txt", format!("BagIt-Version: {version}\nTag-File-Character-Encoding: UTF-8\n"));
    bag.put("data/a.txt", *b"one");
    bag.put("manifest-md5.txt", manifest);
    bag
}

/// The digest of `data/a.txt` by MD5.
pub(crate) const ONE: &str = "f97c5d29941bfb1b2fdab0874906ab82";

pub(crate) fn judge(bag: &Memory) -> Report {
    bagit::check(bag, &Limits::default()).unwrap()
}

/// The bag has this verdict, and exactly these kinds are told.
#[track_caller]
fn check(bag: &Memory, verdict: Verdict, kinds: &[Kind]) {
    let report = judge(bag);
    let mut told: Vec<Kind> = report.problems.iter().map(|problem| problem.kind).collect();
    told.sort_unstable();
    told.dedup();
    let mut expect = kinds.to_vec();
    expect.sort_unstable();
    assert_eq!((report.verdict(), told), (verdict, expect), "{:#?}", report.problems);
}

/// A sound bag without its tag manifest, changed in one way.
fn changed(change: impl FnOnce(&mut Memory)) -> Memory {
    let mut bag = sound();
    bag.remove("tagmanifest-sha256.txt");
    change(&mut bag);
    bag
}

fn text(bag: &Memory, path: &str) -> String {
    String::from_utf8(bag.get(path).unwrap().to_vec()).unwrap()
}

#[test]
fn a_sound_bag_is_valid_and_all_of_it_is_read() {
    let report = judge(&sound());
    assert_eq!(
        (report.verdict(), report.files, report.format.as_deref()),
        (Verdict::Valid, 5, Some("BagIt 1.0"))
    );
    assert_eq!(report.identifier.as_deref(), Some("urn:example:bag"));
    check(&draft("0.97", &format!("{ONE} data/a.txt\n")), Verdict::Valid, &[]);
}

#[test]
fn what_is_missing_is_told() {
    use Kind::{Absent, Missing, WrongSize};
    check(&changed(|bag| assert!(bag.remove("bagit.txt"))), Verdict::Invalid, &[Missing]);
    check(&changed(|bag| assert!(bag.remove("manifest-sha256.txt"))), Verdict::Invalid, &[Missing]);
    check(&changed(|bag| assert!(bag.remove("data/a.txt"))), Verdict::Invalid, &[Absent, WrongSize]);
    check(&Memory::new(), Verdict::Invalid, &[Missing]);
    let mut bag = sound();
    bag.remove("bag-info.txt");
    check(&bag, Verdict::Invalid, &[Absent]);
    let mut empty = draft("1.0", "");
    empty.remove("data/a.txt");
    check(&empty, Verdict::Invalid, &[Missing]);
    empty.put_odd("data", EntryKind::Folder);
    check(&empty, Verdict::Valid, &[]);
}

#[test]
fn what_was_changed_or_added_is_told() {
    use Kind::{Unlisted, WrongDigest, WrongSize};
    check(&changed(|bag| bag.put("data/a.txt", *b"onf")), Verdict::Invalid, &[WrongDigest]);
    check(&changed(|bag| bag.put("data/a.txt", *b"on")), Verdict::Invalid, &[WrongDigest, WrongSize]);
    check(&changed(|bag| bag.put("data/c.txt", *b"")), Verdict::Invalid, &[Unlisted, WrongSize]);
    let mut bag = sound();
    bag.put("bag-info.txt", *b"External-Identifier: other\nPayload-Oxum: 6.2\n");
    check(&bag, Verdict::Invalid, &[WrongDigest]);
    check(&changed(|bag| bag.put("other-tags/x.txt", *b"whatever")), Verdict::Valid, &[]);
}

#[test]
fn declarations_that_are_none_are_told() {
    use Kind::{Declaration, Encoding, Tolerated};
    let declared = |bagit: &[u8]| {
        let bagit = bagit.to_vec();
        changed(|bag| bag.put("bagit.txt", bagit))
    };
    check(&declared(b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8"), Verdict::Valid, &[]);
    check(&declared(b"BagIt-Version: 1.0\r\nTag-File-Character-Encoding: UTF-8\r\n"), Verdict::Valid, &[]);
    check(
        &declared(b"\xef\xbb\xbfBagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"),
        Verdict::Invalid,
        &[Declaration],
    );
    check(&declared(b"BagIt-Version: 1.0\n"), Verdict::Invalid, &[Declaration]);
    check(
        &declared(b"BagIt-Version: 3.0\nTag-File-Character-Encoding: UTF-8\n"),
        Verdict::Invalid,
        &[Declaration],
    );
    check(
        &declared(b"BagIt-Version: x\nTag-File-Character-Encoding: UTF-8\n"),
        Verdict::Invalid,
        &[Declaration],
    );
    check(
        &declared(b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-9\n"),
        Verdict::Invalid,
        &[Encoding],
    );
    check(
        &declared(b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\nMore: x\n"),
        Verdict::Invalid,
        &[Declaration],
    );
    check(
        &declared(b"BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\nMore: x\n"),
        Verdict::Warned,
        &[Tolerated],
    );
    check(&declared(b"\xff\xfe"), Verdict::Invalid, &[Declaration]);
}

#[test]
fn manifests_in_other_encodings_are_read() {
    let digest = "d41d8cd98f00b204e9800998ecf8427e";
    let mut bag = Memory::new();
    bag.put("data/N\u{fa}.txt", *b"");
    bag.put("bagit.txt", *b"BagIt-Version: 1.0\nTag-File-Character-Encoding: ISO-8859-1\n");
    bag.put("manifest-md5.txt", [digest.as_bytes(), b"  data/N\xfa.txt\n"].concat());
    check(&bag, Verdict::Valid, &[]);
    let wide = format!("\u{feff}{digest}  data/N\u{fa}.txt\n")
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect::<Vec<u8>>();
    bag.put("manifest-md5.txt", wide);
    bag.put("bagit.txt", *b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-16\n");
    check(&bag, Verdict::Valid, &[]);
    bag.put("bagit.txt", *b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n");
    bag.put("manifest-md5.txt", [digest.as_bytes(), b"  data/N\xfa.txt\n"].concat());
    assert!(judge(&bag).has(Kind::Encoding));
}

#[test]
fn lines_of_manifests() {
    use Kind::{Asterisk, DotSlash, Duplicate, Manifest, Misplaced, Repeated, Tolerated};
    let other = "00000000000000000000000000000000";
    let plain = format!("{ONE}  data/a.txt\n");
    check(&draft("1.0", &format!("{}\t data/a.txt", ONE.to_uppercase())), Verdict::Valid, &[]);
    check(&draft("0.97", &format!("{ONE} *data/a.txt\n")), Verdict::Warned, &[Asterisk]);
    check(&draft("0.97", &format!("{ONE} ./data/a.txt\n")), Verdict::Warned, &[DotSlash]);
    check(&draft("0.96", &format!("{ONE} ./data/a.txt\n")), Verdict::Valid, &[]);
    check(&draft("0.97", &plain.repeat(2)), Verdict::Warned, &[Repeated]);
    check(&draft("1.0", &plain.repeat(2)), Verdict::Invalid, &[Duplicate]);
    check(&draft("0.97", &format!("{plain}{other} data/a.txt\n")), Verdict::Invalid, &[Duplicate]);
    check(&draft("1.0", &format!("{plain}\n")), Verdict::Warned, &[Tolerated]);
    check(&draft("1.0", &format!("{plain}nonsense\n")), Verdict::Invalid, &[Manifest]);
    check(&draft("1.0", &format!("{plain}abc data/b.txt\n")), Verdict::Invalid, &[Manifest]);
    check(&draft("1.0", &format!("{plain}{ONE} bagit.txt\n")), Verdict::Invalid, &[Misplaced]);
}

#[test]
fn every_manifest_of_version_1_0_lists_everything() {
    let plain = format!("{ONE}  data/a.txt\n");
    let mut bag = draft("1.0", &plain);
    bag.put("manifest-sha1.txt", *b"");
    check(&bag, Verdict::Invalid, &[Kind::Unlisted]);
    let mut bag = draft("0.97", &plain);
    bag.put("manifest-sha1.txt", *b"");
    check(&bag, Verdict::Valid, &[]);
    let mut bag = draft("1.0", &plain);
    bag.put("tagmanifest-md5.txt", *b"");
    check(&bag, Verdict::Invalid, &[Kind::Unlisted]);
}

#[test]
fn digests_of_unknown_kinds_are_told() {
    let mut bag = draft("0.97", &format!("{ONE}  data/a.txt\n"));
    bag.put("manifest-blake9.txt", *b"0123  data/a.txt\n");
    check(&bag, Verdict::Warned, &[Kind::UnknownDigest]);
    bag.remove("manifest-md5.txt");
    check(&bag, Verdict::Invalid, &[Kind::UnknownDigest, Kind::Unvouched]);
}

#[test]
fn escapes_of_paths_are_those_of_the_version() {
    let mut bag = draft("1.0", &format!("{ONE}  data/100%25\n{ONE}  data/a%0Ab\n"));
    bag.remove("data/a.txt");
    bag.put("data/100%", *b"one");
    bag.put("data/a\nb", *b"one");
    check(&bag, Verdict::Warned, &[Kind::Unportable]);
    let mut bag = draft("0.97", &format!("{ONE}  data/100%25\n"));
    bag.remove("data/a.txt");
    bag.put("data/100%25", *b"one");
    check(&bag, Verdict::Valid, &[]);
}

#[test]
fn files_to_fetch_make_a_bag_incomplete() {
    use Kind::{Duplicate, Fetch, Hostile, Misplaced, Unfetched, WrongSize};
    let manifest = format!("{ONE}  data/a.txt\n{ONE}  data/b c.txt\n");
    let with = |fetch: &str| {
        let mut bag = draft("1.0", &manifest);
        bag.put("fetch.txt", fetch);
        bag
    };
    let far = "http://example.org/b - data/b c.txt\n";
    check(&with(far), Verdict::Invalid, &[Unfetched]);
    let mut bag = with(far);
    bag.put("data/b c.txt", *b"one");
    check(&bag, Verdict::Valid, &[]);
    bag.put("fetch.txt", *b"http://example.org/b 4 data/b c.txt\n");
    check(&bag, Verdict::Invalid, &[WrongSize]);
    check(&with(&format!("{far}http://example.org/c - data/c.txt\n")), Verdict::Invalid, &[Fetch, Unfetched]);
    check(&with(&far.repeat(2)), Verdict::Invalid, &[Fetch, Unfetched]);
    check(&with(&format!("{far}nonsense\n")), Verdict::Invalid, &[Fetch, Unfetched]);
    check(
        &with(&format!("{far}http://example.org/c 12x data/a.txt\n")),
        Verdict::Invalid,
        &[Fetch, Unfetched],
    );
    check(
        &with(&format!("{far}http://example.org/c - bag-info.txt\n")),
        Verdict::Invalid,
        &[Misplaced, Unfetched],
    );
    check(&with(&format!("{far}http://example.org/c - ../x\n")), Verdict::Invalid, &[Hostile, Unfetched]);
    assert!(!judge(&with(far)).has(Duplicate));
}

#[test]
fn names_that_are_one_elsewhere_are_warnings() {
    use Kind::{Absent, LetterCase, Normalisation, Unlisted};
    let both = format!("{ONE}  data/a.txt\n{ONE}  data/A.txt\n");
    check(&draft("1.0", &both), Verdict::Warned, &[LetterCase]);
    check(&draft("1.0", &format!("{ONE}  data/A.txt\n")), Verdict::Invalid, &[Absent, LetterCase, Unlisted]);
    let mut bag = draft("1.0", &format!("{ONE}  data/N\u{fa}\n"));
    bag.remove("data/a.txt");
    bag.put("data/Nu\u{301}", *b"one");
    check(&bag, Verdict::Warned, &[Normalisation]);
    bag.put("data/Nu\u{301}", *b"two");
    check(&bag, Verdict::Invalid, &[Normalisation, Kind::WrongDigest]);
}

#[test]
fn what_systems_leave_behind_is_a_warning() {
    let mut bag =
        draft("0.97", &format!("{ONE}  data/a.txt\n{ONE}  data/.DS_Store\n{ONE}  data/Thumbs.db\n"));
    bag.put("data/.DS_Store", *b"one");
    bag.put("data/Thumbs.db", *b"one");
    check(&bag, Verdict::Warned, &[Kind::SystemFile]);
}

#[test]
fn facts_of_the_bag_are_compared() {
    use Kind::{TagFile, Tolerated, WrongSize};
    let info = |version: &str, info: &str| {
        let mut bag = draft(version, &format!("{ONE}  data/a.txt\n"));
        bag.put("bag-info.txt", info);
        bag
    };
    check(&info("1.0", "A: b\n  and more\nA: again\nPayload-Oxum: 3.1\n"), Verdict::Valid, &[]);
    check(&info("1.0", "Payload-Oxum: 4.1\n"), Verdict::Invalid, &[WrongSize]);
    check(&info("1.0", "payload-oxum: 3.2\n"), Verdict::Invalid, &[WrongSize]);
    check(&info("1.0", "Payload-Oxum: many\n"), Verdict::Invalid, &[TagFile]);
    check(&info("1.0", "Payload-Oxum: 3.1\nPayload-Oxum: 3.1\n"), Verdict::Invalid, &[TagFile]);
    check(&info("1.0", "nonsense\n"), Verdict::Invalid, &[TagFile]);
    check(&info("0.97", "nonsense\n"), Verdict::Warned, &[Tolerated]);
}

#[test]
fn tag_manifests_list_tag_files() {
    use Kind::{Absent, Misplaced, WrongDigest};
    let mut bag = sound();
    let tags = text(&bag, "tagmanifest-sha256.txt");
    let digest = &tags[..64];
    for (line, kind) in
        [("data/a.txt", Misplaced), ("tagmanifest-sha256.txt", Misplaced), ("nowhere.txt", Absent)]
    {
        bag.put("tagmanifest-sha256.txt", format!("{tags}{digest}  {line}\n"));
        assert!(judge(&bag).has(kind), "{line}");
    }
    bag.put("tagmanifest-sha256.txt", tags);
    bag.put("manifest-sha256.txt", text(&bag, "manifest-sha256.txt") + "\n");
    assert!(judge(&bag).has(WrongDigest));
}
