//! Somebody's own program.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use batch::{Command, Why};

use super::{World, page};

/// A script for the shell; `$0` is `argument`.
fn sh(script: &str, argument: &Path) -> Command {
    Command::new("sh".into(), vec!["-c".into(), script.into(), argument.into()])
}

fn world() -> World {
    World::with(&[("a.warc.gz", &page("a")), ("b.warc.gz", &page("b"))])
}

#[test]
fn a_program_reads_the_file_and_what_it_prints_is_the_result() {
    let world = world();
    let ran = world.run(&Command::new("sha256sum".into(), Vec::new())).sound();
    let expect: String = world.files().iter().map(|file| format!("{}  -\n", file.sha256)).collect();
    assert_eq!(ran.text(), expect);
}

#[test]
fn a_program_is_told_which_file_it_is() {
    let world = world();
    let script = "cat >/dev/null; echo \"$VARVE_JOB $VARVE_FILE $VARVE_SHA256\"";
    let ran = world.run(&sh(script, Path::new(""))).sound();
    let expect: String =
        world.files().iter().map(|file| format!("job {} {}\n", file.name, file.sha256)).collect();
    assert_eq!(ran.text(), expect);
}

#[test]
fn a_program_need_not_read() {
    let mut bytes = Vec::new();
    // More than any pipe holds.
    (0..200_000u32).for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    let world = World::with(&[("a.warc", &bytes), ("b.warc", &bytes)]);
    for script in ["exec <&-; echo done", "echo done", "head -c 10 >/dev/null; echo done"] {
        let ran = world.run(&sh(script, Path::new(""))).sound();
        assert_eq!(ran.text(), "done\ndone\n", "{script}");
        // What was not wanted is read all the same, for its checksum.
        assert_eq!(ran.report.bytes, 1_600_000, "{script}");
    }
}

#[test]
fn a_program_that_fails_is_quoted() {
    let script =
        "cat >/dev/null; echo half; echo 'no herring' >&2; test $VARVE_FILE = job/a.warc.gz || exit 3";
    let ran = world().run(&sh(script, Path::new("")));
    assert_eq!(ran.told(), ["job/b.warc.gz task: `sh` ended with 3: no herring"]);
    assert_eq!(ran.text(), "half\n");
    let ran = world().run(&sh("kill -9 $$", Path::new("")));
    assert_eq!(ran.told()[0], "job/a.warc.gz task: `sh` was ended by signal 9");
    let ran = world().run(&Command::new("no-such-program".into(), Vec::new()));
    assert!(
        ran.told()[0].starts_with("job/a.warc.gz task: cannot run `no-such-program`"),
        "{:?}",
        ran.told()
    );
}

#[test]
fn what_a_program_complains_of_is_kept_in_part() {
    let script = "cat >/dev/null; head -c 3000000 /dev/zero | tr '\\0' x >&2; echo the end >&2; exit 1";
    let ran = world().run(&sh(script, Path::new("")));
    assert!(ran.told()[0].ends_with("xthe end") && ran.told()[0].len() < 5_000);
}

#[test]
fn a_program_that_prints_without_end_is_stopped() {
    let world = world();
    let mut settings = world.settings();
    settings.result_bytes_max = 100_000;
    let ran = world.run_with(&Command::new("yes".into(), Vec::new()), &settings);
    assert_eq!(ran.failed.len(), 2);
    assert!(ran.failed.iter().all(|failed| failed.why == Why::TooMuch), "{:?}", ran.told());
}

/// Waits until a process is dead, buried or not: it was killed, and the system takes a moment for it.
#[track_caller]
fn assert_dies(pid: &str) {
    testkit::until("the process is dead", || {
        std::fs::read_to_string(format!("/proc/{pid}/stat"))
            .map_or(true, |stat| stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
    });
}

#[test]
fn a_program_that_takes_too_long_is_ended_with_all_that_it_started() {
    let world = World::with(&[("a.warc.gz", &page("a"))]);
    let note = world.folder().join("pids");
    let mut settings = world.settings();
    let watched = note.clone();
    // An hour passes as soon as it has begun.
    settings.stopwatch = Arc::new(move || {
        let is_there = std::fs::read_to_string(&watched).is_ok_and(|text| text.lines().count() == 2);
        Duration::from_secs(if is_there { 3600 } else { 0 })
    });
    let script = "sleep 1000 & echo $! >\"$0\"; echo $$ >>\"$0\"; wait";
    let ran = world.run_with(&sh(script, &note), &settings);
    assert_eq!(ran.told(), ["job/a.warc.gz time: it took longer than it may"]);
    let pids = std::fs::read_to_string(&note).unwrap();
    assert_eq!(pids.lines().count(), 2);
    pids.lines().for_each(assert_dies);
}

#[test]
fn what_a_program_leaves_behind_does_not_hold_up_its_result() {
    let world = World::with(&[("a.warc.gz", &page("a"))]);
    let note = world.folder().join("pid");
    let ran = world.run(&sh("cat >/dev/null; sleep 1000 & echo $! >\"$0\"; echo done", &note)).sound();
    assert_eq!(ran.text(), "done\n");
    assert_dies(std::fs::read_to_string(&note).unwrap().trim());
}

#[test]
fn what_goes_its_own_way_and_keeps_the_output_open_is_told() {
    let world = World::with(&[("a.warc.gz", &page("a"))]);
    let note = world.folder().join("pid");
    let alone = "echo $$ >\"$0.part\"; mv \"$0.part\" \"$0\"; exec sleep 1000";
    let script = format!(
        "cat >/dev/null; setsid sh -c '{alone}' \"$0\" & while ! test -e \"$0\"; do :; done; echo done"
    );
    let ran = world.run(&sh(&script, &note));
    let pid = std::fs::read_to_string(&note).unwrap();
    let killed = std::process::Command::new("kill").arg(pid.trim()).status().unwrap();
    assert!(killed.success());
    let told = "job/a.warc.gz task: it ended, and something that it started keeps its output open";
    assert_eq!(ran.told(), [told]);
}
