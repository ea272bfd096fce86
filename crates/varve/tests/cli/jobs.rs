//! `varve jobs`: a job that runs in another process is looked at and steered, and one that has stopped is dealt with (B8).

use std::time::Instant;

use serde_json::Value;

use crate::held::{Archive, Harvest, Held, PATIENCE};

/// A job of eleven pages whose front page has been answered, and which waits for the next.
fn under_way(held: &Held, archive: &Archive) -> (Harvest, String) {
    let harvest = archive.harvest(&[&held.url("a.test"), "--resolve", "a.test:127.0.0.1", "--per-host", "1"]);
    held.wait_for(1);
    held.let_through(1);
    held.wait_for(2);
    let (name, state) = archive.jobs().remove(0);
    assert_eq!(state, "running");
    (harvest, name)
}

#[test]
fn b8_a_running_job_is_looked_at_and_steered_from_another_terminal() {
    let (held, archive) = (Held::start(10), Archive::new());
    let (harvest, name) = under_way(&held, &archive);
    assert!(name.starts_with("a.test-"), "{name}");

    let rows = archive.rows(&["jobs", "ls"]);
    assert_eq!((rows.len(), &rows[0]["state"], &rows[0]["documents"]), (1, &"running".into(), &2.into()));
    let line = archive.text(&["jobs", "ls"]);
    assert!(line.contains(" running ") && line.trim_end().ends_with(&name), "{line}");

    let shown = &archive.rows(&["jobs", "show"])[0];
    assert_eq!((&shown["job"], &shown["active"]), (&name.as_str().into(), &1.into()));
    let shown = archive.text(&["jobs", "show", &name]);
    assert!(shown.contains("running: 2 documents") && shown.contains("9 queued"), "{shown}");

    // Paused: what is under way ends, and nothing is begun.
    assert_eq!(archive.text(&["jobs", "pause"]), format!("{name}: paused\n"));
    held.open();
    wait_until(&archive, |row| row["state"] == "paused" && row["active"] == 0 && row["documents"] == 3);
    assert_eq!(archive.jobs()[0].1, "paused");
    assert_eq!(held.log().len(), 4, "two were asked for, two were answered");

    let limits = archive.text(&["jobs", "limits", "last", "--max-objects", "5"]);
    assert_eq!(limits, format!("{name}: limits changed, paused\n"));
    let log = archive.text(&["jobs", "log"]);
    assert!(log.contains(&held.url("a.test")), "{log}");
    let resumed = &archive.rows(&["jobs", "resume", &name])[0];
    assert_eq!((&resumed["job"], &resumed["state"]), (&name.as_str().into(), &"running".into()));

    // It ends by the new limit, and what it has is committed.
    let (code, said) = harvest.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(&format!("{name}: committed; 6 documents")), "robots.txt and five: {said}");
    assert_eq!(held.log().len(), 10);
    assert_eq!(archive.jobs(), [(name.clone(), "committed".to_owned())]);
    let report = &archive.rows(&["jobs", "show"])[0];
    assert_eq!((&report["state"], &report["domains"][0]["domain"]), (&"committed".into(), &"a.test".into()));
    assert_eq!(report["domains"][0]["stop_reason"], "object-limit");
    for (name, count) in [
        ("documents", 6),
        ("novel", 6),
        ("failed", 0),
        ("queued", 6),
        ("start_urls", 1),
        ("start_urls_answered", 1),
    ] {
        assert_eq!(report[name], count, "{name}: {report}");
    }
    assert!(
        report["bytes"].is_u64() && report["seconds"].is_f64() && report["per_second"].is_f64(),
        "{report}"
    );
    assert_eq!((&report["domains"][0]["documents"], &report["domains"][0]["failed"]), (&6.into(), &0.into()));
    let told = archive.text(&["jobs", "show"]);
    assert!(told.starts_with(&format!("{name}: committed; the limit of documents was met\n")), "{told}");
    assert!(told.contains("\nstart URLs            1  1 answered\n"), "{told}");
    assert!(told.ends_with("limit of documents     a.test\n"), "{told}");
    for jargon in ["URI", "Crawl", "Novel", "hash", "Seeds", "#"] {
        assert!(!told.contains(jargon), "`{jargon}` in {told}");
    }
    let report = archive.text(&["jobs", "log", "last", "crawl-report.txt"]);
    assert!(report.contains("Crawl Status: Finished - Maximum number of documents"), "{report}");
    assert!(archive.text(&["jobs", "log", "last", "--list"]).contains("crawl.log"));
}

#[test]
fn b8_changed_limits_survive_kill_9_and_resume() {
    let (held, archive) = (Held::start(10), Archive::new());
    let (harvest, name) = under_way(&held, &archive);
    archive.text(&["jobs", "limits", "last", "--max-objects", "5"]);
    // As kill -9 does.
    drop(harvest);
    held.open();
    let (code, said) = archive.harvest(&["--resume", &name]).end();
    assert_eq!(code, Some(0), "{said}");
    let report = archive.text(&["jobs", "log", &name, "crawl-report.txt"]);
    assert!(report.contains("Crawl Status: Finished - Maximum number of documents"), "{report}");
    let limits = archive.text(&["jobs", "log", &name, "limits-report.txt"]);
    assert!(limits.contains("\njob 5 - -\n") && limits.contains("Z job 5 - -\n"), "{limits}");
}

#[test]
fn a_committed_job_cannot_be_steered_and_says_that_it_is_committed() {
    let (held, archive) = (Held::start(1), Archive::new());
    held.open();
    let (code, said) = archive.harvest(&[&held.url("a.test"), "--resolve", "a.test:127.0.0.1"]).end();
    assert_eq!(code, Some(0), "{said}");
    let (name, state) = archive.jobs().remove(0);
    assert_eq!(state, "committed");
    for verb in ["pause", "stop", "resume", "limits"] {
        let more: &[&str] = if verb == "limits" { &["--max-objects", "1"] } else { &[] };
        for job in [name.as_str(), "last"] {
            let shown = archive.varve(&[&["jobs", verb, job], more].concat()).shown();
            let told = format!("error: job `{name}` is committed: all of it is in the archive");
            assert!(shown.starts_with("exit: 1") && shown.contains(&told), "{shown}");
            assert!(shown.contains(&format!("`varve jobs show {name}`")), "{shown}");
        }
    }
}

#[test]
fn a_stopped_job_is_committed_or_discarded() {
    for verb in ["commit", "discard"] {
        let (held, archive) = (Held::start(10), Archive::new());
        let (harvest, name) = under_way(&held, &archive);
        // Nobody else may have it while it runs.
        let refused = archive.varve(&["jobs", verb, &name]).shown();
        assert!(refused.starts_with("exit: 1") && refused.contains("is being run by another process"));
        assert!(refused.contains(&format!("hint: `varve jobs show {name}`")), "{refused}");

        assert_eq!(archive.text(&["jobs", "stop"]), format!("{name}: stopping\n"));
        held.open();
        let (code, said) = harvest.end();
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(&format!("{name}: stopped; 3 documents")), "{said}");
        assert!(said.contains(&format!("`varve harvest --resume {name}` goes on")), "{said}");
        assert_eq!(archive.jobs(), [(name.clone(), "stopped".to_owned())]);
        let row = &archive.rows(&["jobs", "show"])[0];
        assert_eq!((&row["state"], &row["documents"]), (&"stopped".into(), &3.into()));
        let row = &archive.rows(&["jobs", "ls"])[0];
        assert_eq!((&row["state"], &row["documents"]), (&"stopped".into(), &3.into()));
        assert!(row["bytes"].is_u64(), "{row}");
        let line = archive.text(&["jobs", "ls"]);
        assert!(line.contains(" stopped             3  "), "{line}");
        for verb in ["pause", "stop", "resume", "limits"] {
            let more: &[&str] = if verb == "limits" { &["--max-objects", "1"] } else { &[] };
            let shown = archive.varve(&[&["jobs", verb, &name], more].concat()).shown();
            assert!(shown.contains(&format!("error: no process runs job `{name}`")), "{shown}");
        }

        if verb == "discard" {
            // What cannot be had again is thrown away by its name only.
            let shown = archive.varve(&["jobs", "discard"]).shown();
            assert!(shown.starts_with("exit: 2") && shown.contains("<JOB>"), "{shown}");
        }
        let done = archive.text(&["jobs", verb, &name]);
        let captures = archive.varve(&["cdx", &held.url("a.test"), "--match", "host"]).output().stdout;
        if verb == "commit" {
            assert!(done.contains(&format!("{name}: committed; 3 documents")), "{done}");
            assert_eq!(archive.jobs(), [(name, "committed".to_owned())]);
            assert_eq!(captures.split(|byte| *byte == b'\n').count(), 4);
        } else {
            assert_eq!(done, format!("{name}: discarded\n"));
            assert!(archive.jobs().is_empty() && captures.is_empty());
        }
    }
}

/// Looks at the job until this holds of it.
#[track_caller]
fn wait_until(archive: &Archive, holds: impl Fn(&Value) -> bool) {
    let until = Instant::now() + PATIENCE;
    loop {
        // At its very beginning there is no job yet.
        let output = archive.varve(&["jobs", "show", "--json"]).output();
        let row: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        if holds(&row) {
            return;
        }
        assert!(Instant::now() < until, "{row}");
    }
}

#[test]
fn a_job_that_was_stopped_before_anything_came_is_still_there() {
    let archive = Archive::new();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://a.test:{}/", nobody.port());
    let harvest = archive.harvest(&[&url, "--resolve", "a.test:127.0.0.1"]);
    wait_until(&archive, |row| row["postponed"] == 1);
    harvest.interrupt();
    let (code, said) = harvest.end();
    assert_eq!(code, Some(1), "{said}");
    let (name, state) = archive.jobs().remove(0);
    assert_eq!(state, "stopped");
    assert!(said.contains(&format!("{name}: stopped; 0 documents")), "{said}");
    assert!(said.contains(&format!("`varve jobs discard {name}`")), "{said}");
    assert_eq!(archive.text(&["jobs", "discard", &name]), format!("{name}: discarded\n"));
}

#[test]
fn what_is_not_there_is_said() {
    let archive = Archive::new();
    for verb in ["show", "pause", "resume", "stop", "commit", "discard", "log"] {
        let shown = archive.varve(&["jobs", verb]).shown();
        let (exit, said) = match verb {
            "discard" => ("exit: 2\n", "<JOB>"),
            _ => ("exit: 1\n", "there is no job in this archive"),
        };
        assert!(shown.starts_with(exit) && shown.contains(said), "{shown}");
        let shown = archive.varve(&["jobs", verb, "a.test-20261116000000"]).shown();
        assert!(shown.contains("there is no job `a.test-20261116000000`"), "{verb}: {shown}");
        assert!(shown.contains("hint: `varve jobs ls`"), "{verb}: {shown}");
    }
    let shown = archive.varve(&["jobs", "limits"]).shown();
    assert!(shown.starts_with("exit: 1\n"), "{shown}");
    let shown = archive.varve(&["jobs", "limits", "no-job"]).shown();
    assert!(shown.starts_with("exit: 2\n") && shown.contains("hint: name one: --max-objects"), "{shown}");
    let shown = archive.varve(&["jobs", "limits", "no-job", "--max-objects", "3"]).shown();
    assert!(shown.contains("there is no job `no-job`"), "{shown}");
    assert_eq!(archive.text(&["jobs", "ls", "--json"]), "");
}
