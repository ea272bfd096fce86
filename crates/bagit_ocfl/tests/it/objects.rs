//! Objects: what is sound, and which code of the specification is told of those that are not.

use bagit_ocfl::{Algorithm, EntryKind, Kind, Limits, Memory, Report, Verdict, ocfl};

const ID: &str = "urn:example:object";

fn about() -> ocfl::About {
    ocfl::About {
        id: ID.to_owned(),
        created: "2026-11-18T08:00:00Z".parse().unwrap(),
        message: "First".to_owned(),
        user: "A. Curator".to_owned(),
        address: "mailto:curator@example.org".to_owned(),
    }
}

/// A sound object of one file, written by us.
pub(crate) fn sound() -> Memory {
    let mut writer = ocfl::Writer::new(Memory::new());
    writer.file("a.txt", &b"one"[..]).unwrap();
    writer.finish(&about()).unwrap()
}

/// The sound object with another content path and logical path in its inventory.
pub(crate) fn with_path(content: &str, logical: &str) -> Memory {
    let quoted = |path: &str| path.replace('\\', "\\\\").replace('\0', "\\u0000");
    edited(|text| {
        text.replace("v1/content/a.txt", &quoted(content))
            .replace("\"a.txt\"", &format!("\"{}\"", quoted(logical)))
    })
}

/// The sound object with its inventory changed, and everything else made to fit.
fn edited(edit: impl FnOnce(String) -> String) -> Memory {
    let mut object = sound();
    let text = edit(String::from_utf8(object.get("inventory.json").unwrap().to_vec()).unwrap());
    put_inventory(&mut object, "", &text);
    put_inventory(&mut object, "v1/", &text);
    object
}

fn put_inventory(object: &mut Memory, folder: &str, text: &str) {
    object.put(&format!("{folder}inventory.json"), text);
    let sidecar = format!("{} inventory.json\n", Algorithm::Sha512.of(text.as_bytes()));
    object.put(&format!("{folder}inventory.json.sha512"), sidecar);
}

/// Replaces, and fails where there is nothing to replace.
#[track_caller]
fn swap(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replace(from, to)
}

fn judge(object: &Memory) -> Report {
    ocfl::check(object, &Limits::default()).unwrap()
}

/// These are the codes that are told, and the verdict is what they mean.
#[track_caller]
fn check(object: &Memory, codes: &str) {
    let report = judge(object);
    let mut told: Vec<&str> = report.problems.iter().map(|problem| problem.kind.name()).collect();
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.join(" "), codes, "{:#?}", report.problems);
    let verdict = match codes {
        "" => Verdict::Valid,
        codes if codes.split(' ').all(|code| code.starts_with('W')) => Verdict::Warned,
        _ => Verdict::Invalid,
    };
    assert_eq!(report.verdict(), verdict, "{codes}");
}

#[track_caller]
fn check_edit(from: &str, to: &str, codes: &str) {
    check(&edited(|text| swap(&text, from, to)), codes);
}

#[test]
fn a_sound_object_is_valid_and_all_of_it_is_read() {
    let report = judge(&sound());
    assert_eq!((report.verdict(), report.files, report.bytes), (Verdict::Valid, 1, 3));
    assert_eq!((report.format.as_deref(), report.identifier.as_deref()), (Some("OCFL 1.1"), Some(ID)));
}

#[test]
fn files_of_the_root() {
    let with = |path: &str, text: &str| {
        let mut object = sound();
        object.put(path, text);
        object
    };
    check(&with("x", ""), "E001");
    check(&with("folder/x", ""), "E001");
    check(&with("logs/x", ""), "");
    check(&with("v2/x", ""), "E046");
    check(&with("0=ocfl_object_1.1", "ocfl_object_1.1"), "E007");
    check(&with("0=ocfl_object_1.0", "ocfl_object_1.0\n"), "E003");
    check(&with("0=ocfl_object_9.0", "ocfl_object_9.0\n"), "E003 E006");
    check(&with("extensions/x", ""), "E067");
    check(&with("extensions/mine/x", ""), "W013");
    check(&with("extensions/0005-mutable-head/x", ""), "");
    check(&Memory::new(), "E003 E063");
    let mut object = sound();
    object.remove("0=ocfl_object_1.1");
    check(&object, "E003");
    object.put("0=ocfl_object_1.0", "ocfl_object_1.0\n");
    check(&object, "E038");
}

#[test]
fn files_of_a_version() {
    let with = |path: &str, text: &str| {
        let mut object = sound();
        object.put(path, text);
        object
    };
    check(&with("v1/x", ""), "E015");
    check(&with("v1/folder/x", ""), "W002");
    check(&with("v1/content/b.txt", ""), "E023");
    check(&with("v1/content/a.txt", "two"), "E092");
    check(&with("v1/inventory.json", "{}"), "E064");
    let mut object = sound();
    object.put_odd("v1/content/folder", EntryKind::Folder);
    check(&object, "E024");
    let mut object = sound();
    object.remove("v1/content/a.txt");
    check(&object, "E092");
    object.put_odd("v1/content", EntryKind::Folder);
    check(&object, "E092 W003");
    let mut object = sound();
    object.remove("v1/inventory.json");
    check(&object, "E015 W010");
    object.remove("v1/inventory.json.sha512");
    check(&object, "W010");
}

#[test]
fn sidecars() {
    for folder in ["", "v1/"] {
        let path = format!("{folder}inventory.json.sha512");
        let mut object = sound();
        object.put(&path, "nonsense\n");
        check(&object, "E061");
        object.put(&path, format!("{} inventory.json\n", Algorithm::Sha512.of(b"")));
        check(&object, "E060");
        object.remove(&path);
        check(&object, "E058");
    }
}

#[test]
fn keys_of_an_inventory() {
    check_edit("\"id\": \"urn:example:object\",", "", "E036");
    check_edit("\"urn:example:object\"", "\"\"", "E037");
    check_edit("urn:example:object", "object 1", "W005");
    check_edit("ocfl.io/1.1/spec", "ocfl.io/7.1/spec", "E038");
    check_edit("\"sha512\"", "\"md5\"", "E025");
    check_edit("\"head\": \"v1\"", "\"head\": \"v2\"", "E040");
    check_edit("\"head\": \"v1\"", "\"head\": 1", "E040");
    check_edit("\"head\": \"v1\",", "\"head\": \"v1\", \"contentDirectory\": \"a/b\",", "E017");
    check_edit("\"head\": \"v1\",", "\"head\": \"v1\", \"contentDirectory\": \"..\",", "E018");
    check_edit("\"head\": \"v1\",", "\"head\": \"v1\", \"contentDirectory\": \"content\",", "");
    check_edit("\"head\": \"v1\",", "\"head\": \"v1\", \"head\": \"v1\",", "E033");
    check(&edited(|_| "[]".to_owned()), "E033");
    check(&edited(|_| "{".to_owned()), "E033");
}

#[test]
fn times_users_and_messages() {
    check_edit("2026-11-18T08:00:00Z", "2026-11-18T08:00Z", "E049");
    check_edit("2026-11-18T08:00:00Z", "2026-11-18T08:00:00", "E049");
    check_edit("\"created\": \"2026-11-18T08:00:00Z\",", "", "E048");
    check_edit("\"message\": \"First\",", "", "W007");
    check_edit("\"First\"", "[]", "E094");
    check_edit("\"name\": \"A. Curator\",", "", "E054");
    check_edit("mailto:curator@example.org", "room 7", "W009");
    check_edit("\"mailto:curator@example.org\"", "7", "E054");
    check_edit("\"user\"", "\"nobody\"", "W007");
}

#[test]
fn paths_of_an_inventory() {
    check(&with_path("/v1/content/a.txt", "a.txt"), "E023 E100");
    check(&with_path("v1/content/../a.txt", "a.txt"), "E023 E099");
    check(&with_path("v2/content/a.txt", "a.txt"), "E023 E042");
    check(&with_path("v1/stuff/a.txt", "a.txt"), "E023 E042");
    check(&with_path("v1/content/b.txt", "a.txt"), "E023 E092");
    check(&with_path("v1/content/a.txt", "/a.txt"), "E053");
    check(&with_path("v1/content/a.txt", "../a.txt"), "E052");
    check(&with_path("v1/content/a.txt", "C:\\a.txt"), "hostile");
    check(&with_path("v1/content/a.txt", "a.txt\", \"a.txt/b"), "E095");
    check(&with_path("v1/content/a.txt", "a.txt\", \"a.txt"), "E095");
    check(&with_path("v1/content/a.txt\", \"v1/content/a.txt", "a.txt"), "E101");
    let report = judge(&with_path("v1/content/a.txt", "a.txt\", \"A.txt"));
    assert!(report.is_valid() && report.has(Kind::LetterCase));
}

#[test]
fn digests_of_an_inventory() {
    let digest = Algorithm::Sha512.of(b"one").to_string();
    let upper = digest.to_uppercase();
    check(&edited(|text| swap(&text, &digest, &upper)), "");
    check(&edited(|text| text.replacen(&digest, &upper, 1)), "E050 E107");
    check(&edited(|text| swap(&text, &digest, "abc")), "E023 E025 E050");
    let twice = format!("\"{upper}\": [], \"{digest}\": [");
    check(&edited(|text| text.replacen(&format!("\"{digest}\": ["), &twice, 1)), "E096 E107");
}

#[test]
fn fixity_is_compared() {
    let with = |fixity: &str| {
        let fixity = format!("\"head\": \"v1\", \"fixity\": {fixity},");
        edited(|text| swap(&text, "\"head\": \"v1\",", &fixity))
    };
    let md5 = Algorithm::Md5.of(b"one");
    let file = "[\"v1/content/a.txt\"]";
    check(&with("{}"), "");
    check(&with(&format!("{{\"md5\": {{\"{md5}\": {file}}}}}")), "");
    check(&with(&format!("{{\"md5\": {{\"{}\": {file}}}}}", Algorithm::Md5.of(b"two"))), "E093");
    check(&with(&format!("{{\"md5\": {{\"{md5}\": [\"v1/content/b.txt\"]}}}}")), "E057");
    check(
        &with(&format!("{{\"md5\": {{\"{md5}\": {file}, \"{}\": {file}}}}}", md5.to_string().to_uppercase())),
        "E097",
    );
    check(&with("{\"md5\": []}"), "E057");
    check(&with("[]"), "E111");
    let report = judge(&with(&format!("{{\"blake2b-160\": {{\"00\": {file}}}}}")));
    assert!(report.is_valid() && report.has(Kind::UnknownDigest));
}

/// The sound object with a second version, which holds the same file; its first inventory may be changed.
fn two_versions(first: impl FnOnce(String) -> String, names: (&str, &str)) -> Memory {
    let mut object = Memory::new();
    let digest = Algorithm::Sha512.of(b"one");
    let block = |name: &str, path: &str| {
        format!(
            "\"{name}\": {{\"created\": \"2026-11-18T08:00:00Z\", \"message\": \"m\", \
             \"user\": {{\"name\": \"n\", \"address\": \"mailto:n@example.org\"}}, \"state\": {{\"{digest}\": [\"{path}\"]}}}}"
        )
    };
    let (one, two) = names;
    let inventory = |head: &str, versions: &str| {
        format!(
            "{{\"id\": \"{ID}\", \"type\": \"https://ocfl.io/1.1/spec/#inventory\", \"digestAlgorithm\": \"sha512\", \
             \"head\": \"{head}\", \"manifest\": {{\"{digest}\": [\"{one}/content/a.txt\"]}}, \"versions\": {{{versions}}}}}"
        )
    };
    object.put("0=ocfl_object_1.1", "ocfl_object_1.1\n");
    object.put(&format!("{one}/content/a.txt"), *b"one");
    put_inventory(&mut object, &format!("{one}/"), &first(inventory(one, &block(one, "a.txt"))));
    let last = inventory(two, &format!("{}, {}", block(one, "a.txt"), block(two, "b.txt")));
    put_inventory(&mut object, &format!("{two}/"), &last);
    put_inventory(&mut object, "", &last);
    object
}

#[test]
fn the_past_is_the_same_in_every_inventory() {
    let first =
        |from: &'static str, to: &'static str| two_versions(move |text| swap(&text, from, to), ("v1", "v2"));
    check(&two_versions(|text| text, ("v1", "v2")), "");
    check(&first("[\"a.txt\"]", "[\"c.txt\"]"), "E066");
    check(&first("\"m\"", "\"other\""), "W011");
    check(&first(ID, "urn:example:other"), "E037");
    check(&first("\"head\": \"v1\"", "\"head\": \"v1\", \"contentDirectory\": \"stuff\""), "E019 E042");
    check(&first("ocfl.io/1.1", "ocfl.io/1.0"), "");
    let mut object = first("ocfl.io/1.1", "ocfl.io/1.1");
    let last = String::from_utf8(object.get("inventory.json").unwrap().to_vec()).unwrap();
    let older = swap(&last, "ocfl.io/1.1", "ocfl.io/1.0");
    put_inventory(&mut object, "", &older);
    put_inventory(&mut object, "v2/", &older);
    check(&object, "E038 E103");
    object.remove("v2/inventory.json");
    object.remove("v2/inventory.json.sha512");
    check(&object, "E038 E046");
}

#[test]
fn versions_are_numbered() {
    let named = |one: &'static str, two: &'static str| two_versions(|text| text, (one, two));
    check(&named("v01", "v02"), "W001");
    check(&named("v2", "v3"), "E009");
    check(&named("v1", "v3"), "E010");
    check(&named("v1", "v02"), "E012 E013");
    check(&named("v01", "v2"), "E011 E013 W001");
    check(&edited(|text| swap(&text, "\"versions\": {", "\"versions\": {\"first\": {},")), "E046");
    check(&edited(|text| swap(&text, "\"versions\"", "\"none\"")), "E040 E041 E042 E046 E107");
}
