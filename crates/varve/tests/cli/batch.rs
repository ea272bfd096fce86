//! D12: `varve vault batch` as a person meets it.

use std::process::{Command, Stdio};

use insta::assert_snapshot;
use serde_json::Value;

use crate::held::Archive;
use crate::importing::{timeless, warc};
use crate::run::varve;

/// An archive with two pages in its own collection, and one in another.
fn archive() -> Archive {
    let archive = Archive::new();
    let pages = [
        ("a", "http://example.org/", "<title>Herring</title><p>It is here."),
        ("b", "http://example.com/", "<title>Cod</title>"),
        ("c", "http://example.net/", "<title>Eel</title>"),
    ];
    for (name, url, body) in pages {
        std::fs::write(archive.folder().join(format!("{name}.warc")), warc(url, body)).unwrap();
    }
    archive.text(&["import", "a.warc", "b.warc"]);
    archive.text(&["import", "c.warc", "--collection", "fish"]);
    archive
}

/// `varve vault batch` with these words, on files of pages alone. Sorted, for which job comes first depends on whether both began in the
/// same second.
fn batch(archive: &Archive, words: &[&str]) -> String {
    let text = archive.text(&[&["vault", "batch"], words, &["--files", "?.warc"]].concat());
    sorted(&text)
}

/// The same lines, those of the page's name first, without what stands before it.
fn sorted(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_by_key(|line| {
        line.rsplit_once("import-")
            .map_or(*line, |(_, rest)| rest.split_once('/').map_or(rest, |(_, name)| name))
    });
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// What of a file's name does not depend on the time.
fn names(text: &str) -> Vec<String> {
    let name = |line: &str| line.split('\t').next().unwrap().rsplit('/').next().unwrap().to_owned();
    let mut names: Vec<String> = text.lines().map(name).collect();
    names.sort();
    names
}

#[test]
fn help_of_batch() {
    let help: String = [&["vault", "batch"][..], &["vault", "batch", "grep"], &["vault", "batch", "run"]]
        .iter()
        .map(|words| varve(words.iter().chain(&["--help"])).shown())
        .collect();
    assert_snapshot!(help);
}

#[test]
fn files_are_chosen_by_name_job_collection_and_time() {
    let archive = archive();
    assert_eq!(names(&batch(&archive, &["list"])), ["a.warc", "b.warc", "c.warc"]);
    let list = |words: &[&str]| names(&archive.text(&[&["vault", "batch", "list"], words].concat()));
    // Each import has a file of its own about itself.
    assert_eq!(list(&[]).len(), 5);
    assert_eq!(list(&["--files", "a*"]), ["a.warc"]);
    assert_eq!(list(&["--collection", "fish", "--files", "?.warc"]), ["c.warc"]);
    assert_eq!(list(&["--collection", "web", "--files", "?.warc"]), ["a.warc", "b.warc"]);
    let job = archive.text(&["vault", "batch", "list", "--files", "c.warc"]);
    let job = job.split('/').next().unwrap().to_owned();
    assert_eq!(list(&["--job", &job, "--files", "?.warc"]), ["c.warc"]);
    assert_eq!(list(&["--from", "2026", "--files", "?.warc"]).len(), 3);
    let run = archive.varve(&["vault", "batch", "list", "--to", "2019"]).shown();
    assert_snapshot!("nothing_is_old", run);
    assert_snapshot!("no_collection", archive.varve(&["vault", "batch", "list", "-c", "birds"]).shown());
    let run = archive.varve(&["vault", "batch", "list", "--from", "soon"]).output();
    assert_eq!(run.status.code(), Some(2));
}

#[test]
fn what_is_built_in_says_the_same_as_the_verbs_for_files() {
    let archive = archive();
    let paths = ["a.warc", "b.warc", "c.warc"];
    let made = archive.text(&[&["cdx", "make"], &paths[..]].concat());
    assert_eq!(batch(&archive, &["cdx"]), sorted(&made));
    let verdicts = |text: &str| -> Vec<(Value, Value, Value)> {
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| (row["ok"].clone(), row["records"].clone(), row["faults"].clone())).collect()
    };
    // All are sound, and so in any order.
    let checked = archive.text(&[&["warc", "check", "--json"], &paths[..]].concat());
    assert_eq!(verdicts(&batch(&archive, &["validate", "--json"])), verdicts(&checked));
    assert_snapshot!("counted", timeless(&batch(&archive, &["count"])));
    assert_snapshot!("found", timeless(&batch(&archive, &["grep", "-i", "HERRING|eel"])));
    assert_snapshot!("types", batch(&archive, &["mime"]));
}

#[test]
fn texts_and_links_are_warc_files() {
    let archive = archive();
    for what in ["wet", "wat"] {
        let out = format!("out.warc.{what}.gz");
        let told = batch(&archive, &[what, "-o", &out]);
        assert!(told.starts_with("3 files, ") && told.ends_with(&format!("written to {out}\n")), "{told}");
        assert_eq!(archive.varve(&["warc", "check", &out]).output().status.code(), Some(0));
        let again = archive.varve(&["vault", "batch", what, "-o", &out]).output();
        assert_eq!(again.status.code(), Some(1), "a file that is there is not replaced");
    }
    let rows = archive.rows(&["warc", "ls", "out.warc.wet.gz"]);
    assert_eq!(rows.iter().filter(|row| row["type"] == "conversion").count(), 3, "{rows:?}");
}

#[test]
fn files_that_fail_are_told_and_listed_and_the_rest_is_done() {
    let archive = archive();
    let script =
        "cat >/dev/null; echo $VARVE_FILE; case $VARVE_FILE in */b.warc) echo oh no >&2; exit 4;; esac";
    let words = [
        "vault", "batch", "run", "-c", "web", "--files", "?.warc", "--failed", "failed", "--", "sh", "-c",
        script,
    ];
    let mut run = archive.varve(&words);
    assert_snapshot!("one_failed", timeless(&run.shown()));
    let list = std::fs::read_to_string(archive.folder().join("failed")).unwrap();
    let row: Value = serde_json::from_str(list.trim()).unwrap();
    assert_eq!((&row["kind"], &row["result"]), (&"task".into(), &Value::Null));
    assert!(row["file"].as_str().unwrap().ends_with("/b.warc"));
    let rows = archive.varve(&["vault", "batch", "run", "--timeout", "200ms", "--", "sleep", "1000"]).shown();
    assert!(rows.contains("it took longer than it may") && rows.contains("5 failed"), "{rows}");
}

#[test]
fn deposits_that_are_no_warc_files_are_passed_over() {
    let archive = archive();
    for (name, bytes) in [("one.pdf", &b"%PDF-1.4\n\x80\x81\n"[..]), ("two.txt", b"two")] {
        std::fs::write(archive.folder().join(name), bytes).unwrap();
        archive.text(&["vault", "put", name]);
        let run = archive.varve(&["vault", "batch", "validate", "--job", "deposit"]).output();
        assert_eq!((run.status.code(), run.stdout.len()), (Some(0), 0));
    }
    for what in ["count", "cdx", "mime", "validate"] {
        let run = archive.varve(&["vault", "batch", what]).output();
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(0), "{said}");
        assert!(said.contains("7 files, ") && said.contains("; 2 files are no WARC files"), "{said}");
    }
}

#[test]
fn a_program_that_is_not_there_is_told_once() {
    let archive = archive();
    let run = archive.varve(&["vault", "batch", "run", "--", "nosuchprogram"]).output();
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(said.starts_with("error: there is no program `nosuchprogram`\n"), "{said}");
    assert_eq!(said.matches("nosuchprogram").count(), 1, "{said}");
}

#[test]
fn d13_a_file_that_has_changed_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let archive = archive();
    let name = batch(&archive, &["list"]).lines().next().unwrap().split('\t').next().unwrap().to_owned();
    let path = archive.folder().join("a/store").join(&name);
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(7).position(|window| window == b"Herring").unwrap();
    bytes[at] = b'h';
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let run = archive
        .varve(&["vault", "batch", "cdx", "-c", "web", "--files", "?.warc", "--failed", "failed"])
        .shown();
    assert!(run.contains(&format!("warning: {name}: it has the checksum ")), "{run}");
    let list = std::fs::read_to_string(archive.folder().join("failed")).unwrap();
    let row: Value = serde_json::from_str(list.trim()).unwrap();
    assert_eq!((&row["kind"], &row["result"]["offset"]), (&"changed".into(), &0.into()));
}

#[test]
fn a_replica_is_asked_for_its_own_copies() {
    let archive = archive();
    let settings = archive.folder().join("a/varve.toml");
    let mut text = std::fs::read_to_string(&settings).unwrap();
    let folder = |name: &str| archive.folder().join(name).display().to_string();
    let (cellar, notary) = (folder("cellar"), folder("notary"));
    text.push_str(&format!("\n[[replicas]]\nname = \"cellar\"\nfolders = [\"{cellar}\"]\nspare = \"1MB\"\n"));
    text.push_str(&format!("\n[[replicas]]\nname = \"notary\"\nchecksums = \"{notary}\"\n"));
    std::fs::write(&settings, text).unwrap();
    archive.text(&["vault", "bring"]);
    let sums = ["vault", "batch", "checksum"];
    assert_eq!(archive.text(&[&sums[..], &["--replica", "cellar"]].concat()), archive.text(&sums));
    assert_eq!(names(&batch(&archive, &["count", "--replica", "cellar", "-c", "fish"]))[..1], ["c.warc"]);
    // What is lost here is there still; and what is lost there is told.
    let path = |place: &str, name: &str| archive.folder().join(place).join(name);
    let list = batch(&archive, &["list"]);
    let name = |line: usize| list.lines().nth(line).unwrap().split('\t').next().unwrap().to_owned();
    std::fs::remove_file(path("a/store", &name(0))).unwrap();
    std::fs::remove_file(path("cellar", &name(1))).unwrap();
    let run = archive.varve(&["vault", "batch", "list", "--replica", "cellar", "--files", "?.warc"]).shown();
    assert!(run.contains("3 files, ") && run.contains(&name(0)), "{run}");
    let run =
        archive.varve(&["vault", "batch", "checksum", "--replica", "cellar", "--files", "?.warc"]).shown();
    assert!(run.contains(&format!("warning: {}: it cannot be read", name(1))), "{run}");
    assert!(run.contains("3 files, ") && run.contains("1 failed"), "{run}");
    assert_snapshot!("no_replica", archive.varve(&["vault", "batch", "list", "--replica", "attic"]).shown());
    assert_snapshot!(
        "only_checksums",
        archive.varve(&["vault", "batch", "list", "--replica", "notary"]).shown()
    );
}

#[test]
fn a_module_of_ones_own_is_given_the_records() {
    let archive = archive();
    let module = wat::parse_str(
        r#"(module
            (import "varve" "emit" (func $emit (param i32 i32)))
            (memory (export "memory") 4)
            (data (i32.const 8) "\n")
            (func (export "varve_batch_version") (result i32) i32.const 1)
            (func (export "varve_alloc") (param i32) (result i32) i32.const 1024)
            (func (export "varve_record_begin") (param i32 i32) (result i32) i32.const 1)
            (func (export "varve_record_data") (param $at i32) (param $length i32)
                (call $emit (local.get $at) (local.get $length)))
            (func (export "varve_record_end") (call $emit (i32.const 8) (i32.const 1))))"#,
    );
    std::fs::write(archive.folder().join("mine.wasm"), module.unwrap()).unwrap();
    let text = batch(&archive, &["wasm", "mine.wasm"]);
    assert_eq!(text, "<title>Cod</title>\n<title>Eel</title>\n<title>Herring</title><p>It is here.\n");
    assert_snapshot!("no_module", archive.varve(&["vault", "batch", "wasm", "a.warc"]).shown());
}

#[test]
fn ctrl_c_ends_it_with_all_that_was_started_and_says_how_far_it_came() {
    let archive = archive();
    let note = archive.folder().join("pid");
    // The second file does not end by itself.
    let script = "cat >/dev/null; echo $VARVE_FILE; case $VARVE_FILE in */b.warc) sleep 1000 & echo $! >pid.part; mv pid.part pid; wait;; esac";
    let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
    let words = [
        "vault",
        "batch",
        "run",
        "-c",
        "web",
        "--threads",
        "1",
        "--files",
        "?.warc",
        "--",
        "sh",
        "-c",
        script,
    ];
    command.args(words).env("VARVE_ARCHIVE", "a").env_remove("VARVE_CONFIG").current_dir(archive.folder());
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    testkit::until("the program starts", || note.exists());
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(names(&String::from_utf8(output.stdout).unwrap()), ["a.warc"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_snapshot!("stopped", timeless(&said));
    let pid = std::fs::read_to_string(&note).unwrap();
    let stat = format!("/proc/{}/stat", pid.trim());
    testkit::until("the program is dead", || {
        std::fs::read_to_string(&stat)
            .map_or(true, |stat| stat.rsplit(')').next().unwrap().trim_start().starts_with('Z'))
    });
}
