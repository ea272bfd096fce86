//! Ctrl-C: once and a harvest stops cleanly, twice and it ends at once; either way it is gone on with.

use crate::held::{Archive, Harvest, Held};

fn begun(held: &Held, archive: &Archive) -> Harvest {
    let harvest = archive.harvest(&[&held.url("a.test"), "--resolve", "a.test:127.0.0.1", "--per-host", "1"]);
    held.wait_for(1);
    held.let_through(1);
    held.wait_for(2);
    harvest
}

/// Every page is in the archive, once.
#[track_caller]
fn is_whole(archive: &Archive, held: &Held, pages: usize) {
    let rows = archive.rows(&["cdx", &held.url("a.test"), "--match", "host"]);
    let mut urls: Vec<&str> = rows.iter().map(|row| row["url"].as_str().unwrap()).collect();
    urls.retain(|url| !url.ends_with("/robots.txt"));
    let count = urls.len();
    urls.dedup();
    assert_eq!((urls.len(), count), (pages + 1, pages + 1), "{urls:?}");
}

#[test]
fn an_interrupted_harvest_ends_what_is_under_way_and_is_resumed() {
    let (held, archive) = (Held::start(5), Archive::new());
    let mut harvest = begun(&held, &archive);
    harvest.interrupt();
    harvest.until("Ctrl-C again ends at once");
    held.open();
    let (code, said) = harvest.end();
    assert_eq!(code, Some(1), "{said}");
    let (name, state) = archive.jobs().remove(0);
    assert_eq!(state, "stopped");
    assert!(said.contains(&format!("{name}: stopped; 3 documents")), "{said}");
    assert!(said.contains("Stopped by the operator; 4 URLs left"), "{said}");
    assert!(said.contains(&format!("hint: `varve harvest --resume {name}` goes on")), "{said}");

    let (code, said) = archive.harvest(&["--resume", "last"]).end();
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains(&format!("{name}: committed; 8 documents")),
        "six pages, and robots.txt twice: {said}"
    );
    is_whole(&archive, &held, 5);
    assert!((1..=5).all(|page| held.asked_for(&format!("a.test/{page}")) == 1), "each is asked for once");
}

#[test]
fn a_second_interrupt_ends_at_once_and_loses_nothing() {
    let (held, archive) = (Held::start(5), Archive::new());
    let mut harvest = begun(&held, &archive);
    harvest.interrupt();
    harvest.until("Ctrl-C again ends at once");
    harvest.interrupt();
    let (code, said) = harvest.end();
    assert_eq!(code, Some(1), "{said}");
    let (name, state) = archive.jobs().remove(0);
    assert_eq!(state, "killed", "nobody has had time to say that it stopped");
    let shown = archive.text(&["jobs", "show"]);
    assert_eq!(shown, format!("{name}: killed; no report is written yet\n"));
    let row = &archive.rows(&["jobs", "show"])[0];
    assert_eq!((&row["state"], &row["documents"]), (&"killed".into(), &serde_json::Value::Null));

    held.open();
    let (code, said) = archive.harvest(&["--resume", &name]).end();
    assert_eq!(code, Some(0), "{said}");
    is_whole(&archive, &held, 5);
    assert_eq!(held.asked_for("a.test/"), 1, "what was written down is not asked for again");
}
