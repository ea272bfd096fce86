//! How a person meets what keeps the files: three replicas, two copies come to harm, an audit finds it, a repair mends it, and the pages
//! say so. (Issue 6, acceptance 1; D11, D12, D13.)

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::chromium::{Chromium, Page};

use crate::http;
use crate::look::{PATIENCE, click, expect, follow, keep};
use crate::program::Up;

/// What the files are kept under.
const JOB: &str = "deposit-papers-20261012080000";
/// The file that gets lost.
const LOST: &str = "b.warc.gz";

/// Nothing is done by itself, so that the test sees each step.
const SETTINGS: &str = r#"format = 1

[vault]
repair = "ask"
audit_every = "none"
presence_every = "none"
backup_every = "none"

[[replicas]]
name = "cellar"
folders = ["../cellar"]
spare = "0"

[[replicas]]
name = "notary"
checksums = "../notary"
"#;

fn varve(folder: &Path, words: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(words)
        .current_dir(folder)
        .env_remove("VARVE_ARCHIVE")
        .env_remove("VARVE_CONFIG")
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// An archive in `archive`, with these settings and some files.
fn archive(settings: &str, files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    varve(folder.path(), &["init", "archive"]);
    fs::write(folder.path().join("archive/varve.toml"), settings).unwrap();
    for name in files {
        fs::write(folder.path().join(name), format!("what {name} says, ").repeat(20_000)).unwrap();
        varve(folder.path(), &["--archive", "archive", "vault", "put", name, "--job", JOB]);
    }
    folder
}

/// Goes to a page that keeps asking how things stand, and so never comes to rest.
#[track_caller]
fn go(page: &Page, up: &Up, path: &str) {
    page.call("Page.navigate", json!({ "url": format!("{}{path}", up.pages) }));
    let path = Value::from(path.split(['#', '?']).next().unwrap());
    expect(page, &format!("location.pathname === {path} && document.readyState === 'complete'"));
}

/// Presses something that leads to another page.
#[track_caller]
fn press(page: &Page, selector: &str, path: &str) {
    click(page, selector);
    let path = Value::from(path);
    expect(page, &format!("location.pathname === {path} && document.readyState === 'complete'"));
}

/// The sentence that says whether all is well.
#[track_caller]
fn says(page: &Page, sentence: &str) {
    let sentence = Value::from(sentence);
    expect(page, &format!("document.querySelector('.verdict .sentence').textContent === {sentence}"));
}

/// Keeps pictures of the whole page on a laptop, on a telephone, and in the dark; it is never wider than what shows it, and what is
/// pressed or filled in has a name.
fn pictures(page: &Page, name: &str) {
    for (width, suffix, scheme) in
        [(400, "phone", "light"), (1280, "dark", "dark"), (1280, "laptop", "light")]
    {
        page.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        );
        page.viewport(width, 900);
        let height = page.evaluate("document.documentElement.scrollHeight").as_u64().unwrap();
        page.viewport(width, u32::try_from(height).unwrap().clamp(600, 4000));
        expect(page, "document.documentElement.scrollWidth <= document.documentElement.clientWidth");
        keep(page, &format!("vault-{name}-{suffix}"));
    }
    page.viewport(1280, 900);
    let nameless = page.evaluate(
        "[...document.querySelectorAll('a, button, input:not([type=hidden]), progress')].filter((one) => \
         !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length)).map((one) => one.outerHTML)",
    );
    assert_eq!(nameless, json!([]));
    let headless = page.evaluate(
        "[...document.querySelectorAll('table')].filter((table) => !table.querySelector('th[scope=col]')).length",
    );
    assert_eq!(headless, 0);
    assert_eq!(page.evaluate("document.querySelectorAll('h1').length"), 1);
    let ids = "[...document.querySelectorAll('[id]')].map((one) => one.id)";
    assert_eq!(page.evaluate(&format!("{ids}.length === new Set({ids}).size")), true);
}

/// Without anybody asking: audits when they are due, repair of what they find, copies of the catalogue.
#[test]
fn d13_damage_is_found_and_repaired_by_itself() {
    let settings = SETTINGS
        .replace("repair = \"ask\"", "repair = \"auto\"")
        .replace("audit_every = \"none\"", "audit_every = \"1s\"")
        .replace("presence_every = \"none\"", "presence_every = \"1s\"")
        .replace("backup_every = \"none\"", "backup_every = \"1s\"\nbackups = 2");
    let folder = archive(&settings, &["a.warc.gz", LOST]);
    let damaged = folder.path().join("cellar").join(JOB).join("a.warc.gz");
    let lost = folder.path().join("archive/store").join(JOB).join(LOST);
    let [first, second] = [&damaged, &lost].map(|path| fs::read(path).unwrap());
    fs::remove_file(&damaged).unwrap();
    fs::write(&damaged, "something else").unwrap();
    fs::remove_file(&lost).unwrap();
    let up = Up::start_in(folder, &["--archive", "archive"]);
    let backups = || fs::read_dir(up.archive.join("backups")).map_or(0, Iterator::count);
    let is_done = || {
        let is = |path: &Path, bytes: &[u8]| fs::read(path).is_ok_and(|found| found == bytes);
        is(&damaged, &first) && is(&lost, &second) && backups() > 0
    };
    let started = Instant::now();
    while !is_done() {
        // Each question takes its time, and what it says helps when it does not come to an end.
        let stands = http::get(&format!("{}/api/v1/vault", up.pages));
        assert!(started.elapsed() < PATIENCE * 3, "{}", String::from_utf8_lossy(&stands.body));
    }
    assert!(backups() <= 3, "the oldest are removed");
    let log = http::get(&format!("{}/api/v1/vault/events", up.pages));
    let log = String::from_utf8_lossy(&log.body).into_owned();
    assert!(log.contains("repaired") && log.contains("set aside"), "{log}");
}

#[test]
fn d12_d13_a_person_finds_damage_and_repairs_it() {
    let Some(browser) = Chromium::start() else { return };
    let folder = archive(SETTINGS, &["a.warc.gz", LOST, "c.warc.gz"]);
    let damaged = folder.path().join("cellar").join(JOB).join("a.warc.gz");
    let lost = folder.path().join("archive/store").join(JOB).join(LOST);
    let up = Up::start_in(folder, &["--archive", "archive"]);
    let page = browser.page();
    up.sign_in(&page);
    page.viewport(1280, 900);

    // All is well: it says so, and how it knows.
    go(&page, &up, "/");
    press(&page, "nav a[href='/preservation']", "/preservation");
    says(&page, "All 3 files are in all 3 replicas.");
    expect(
        &page,
        "document.querySelector('.verdict').textContent.includes('Every copy was read and compared today.')",
    );
    pictures(&page, "1-well");

    // One copy is damaged, another deleted.
    let mut bytes = fs::read(&damaged).unwrap();
    bytes[1000] ^= 1;
    fs::remove_file(&damaged).unwrap();
    fs::write(&damaged, &bytes).unwrap();
    fs::remove_file(&lost).unwrap();
    audit(&page);
    look_closer(&page);
    go(&page, &up, "/preservation");
    press(&page, "#dry", "/preservation/repairs");
    expect(&page, "document.querySelectorAll('.run.dry tbody tr').length === 2");
    pictures(&page, "6-dry");
    assert!(fs::read(&damaged).unwrap() == bytes && !lost.exists(), "nothing is touched");
    repair(&page);
    go(&page, &up, "/preservation");
    says(&page, "All 3 files are in all 3 replicas.");
    bytes[1000] ^= 1;
    assert!(fs::read(&damaged).unwrap() == bytes && lost.is_file());

    // A copy of the catalogue, and the whole story.
    press(&page, "#backup", "/preservation/tasks/backup");
    press(&page, "#confirm", "/preservation");
    expect(&page, "document.querySelector('#last')?.textContent.includes('the catalogue was copied to')");
    // The catalogue, and beside it the database of watched pages, which `varve up` has.
    assert_eq!(fs::read_dir(up.archive.join("backups")).unwrap().count(), 2);
    pictures(&page, "9-after");
    story(&page);
    assert_eq!(page.console(), Vec::<String>::new());
    nothing_outside(&page, &up);
}

/// An audit of each replica finds what came to harm; the page is told without being loaded again.
fn audit(page: &Page) {
    for (replica, kind) in [("cellar", "checksum"), ("store", "presence")] {
        press(page, &format!("#audit-{replica}-{kind}"), "/preservation/tasks/audit");
        expect(page, "document.querySelector('h1').textContent.endsWith('?')");
        if kind == "checksum" {
            pictures(page, "2-audit");
        }
        press(page, "#confirm", "/preservation");
        page.evaluate("window.sameAsBefore = true");
        let done = format!("document.querySelector('#last')?.textContent.includes('audit of {replica}')");
        expect(page, &format!("{done} && window.sameAsBefore"));
    }
    says(page, "1 copy is missing, 1 has changed.");
    pictures(page, "3-harm");
}

/// Which copies they are, and all about one.
fn look_closer(page: &Page) {
    press(page, "td.bad a[href*='replica=store']", "/preservation/files");
    expect(page, &format!("document.querySelector('td a').textContent === '{JOB}/{LOST}'"));
    pictures(page, "4-missing");
    press(page, "td a", &format!("/preservation/files/{JOB}/{LOST}"));
    expect(page, "document.querySelectorAll('b.verified').length === 2");
    expect(page, "document.querySelector('b.missing') !== null");
    expect(page, "document.querySelector('.events').textContent.includes('accepted')");
    pictures(page, "5-file");
}

/// Repairs, when it was said what will happen.
fn repair(page: &Page) {
    press(page, "#repair", "/preservation/tasks/repair");
    expect(page, "document.querySelector('h1').textContent === 'Repair 2 copies?'");
    expect(page, "document.querySelectorAll('.copies li').length === 2");
    pictures(page, "7-confirm");
    press(page, "#confirm", "/preservation/repairs");
    expect(page, "document.querySelectorAll('.run:not(.dry) tbody tr').length === 2");
    pictures(page, "8-repaired");
}

/// All that happened is in the log.
fn story(page: &Page) {
    press(page, "#events .aside a", "/preservation/events");
    let kinds = page.evaluate("[...document.querySelectorAll('.events b')].map((kind) => kind.textContent)");
    for kind in
        ["repaired", "set aside", "changed", "missing", "audited", "accepted", "stored", "noted", "added"]
    {
        assert!(kinds.as_array().unwrap().contains(&json!(kind)), "{kind} is not in {kinds}");
    }
    pictures(page, "10-log");
}

#[test]
fn without_scripts_everything_can_be_done_too() {
    let Some(browser) = Chromium::start() else { return };
    let folder = archive(SETTINGS, &["a.warc.gz"]);
    let copy = folder.path().join("cellar/deposit-papers-20261012080000/a.warc.gz");
    let up = Up::start_in(folder, &["--archive", "archive"]);
    fs::remove_file(&copy).unwrap();
    let page = browser.page();
    up.sign_in(&page);
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    // What is under way is over when the API says so; whoever has no scripts loads the page again.
    let over = |what: &str| {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            let status: Value =
                serde_json::from_slice(&http::get(&format!("{}/api/v1/vault", up.pages)).body).unwrap();
            let last = status["last"]["what"].as_str().unwrap_or_default();
            if last.contains(what) && status["doing"] == json!([]) && status["waiting"] == json!([]) {
                return;
            }
        }
        panic!("{what} has not come");
    };
    let sentence = |expected: &str| {
        page.go(&format!("{}/preservation", up.pages));
        assert_eq!(page.evaluate("document.querySelector('.verdict .sentence').textContent"), expected);
    };
    sentence("The one file is in all 3 replicas.");
    follow(&page, "#audit-cellar-presence");
    follow(&page, "#confirm");
    over("audit of cellar");
    sentence("1 copy is missing.");
    follow(&page, "#repair");
    follow(&page, "#confirm");
    over("1 copy repaired");
    sentence("The one file is in all 3 replicas.");
    assert!(copy.is_file());
}

#[test]
fn an_archive_of_one_replica_says_how_to_add_another() {
    let Some(browser) = Chromium::start() else { return };
    let up = Up::start_in(archive("format = 1\n", &["a.warc.gz"]), &["--archive", "archive"]);
    let page = browser.page();
    up.sign_in(&page);
    go(&page, &up, "/preservation");
    says(&page, "The one file is here, and nowhere else.");
    expect(&page, "document.querySelector('#replicas pre').textContent.includes('[[replicas]]')");
    pictures(&page, "11-alone");
    press(&page, "#repair", "/preservation/tasks/repair");
    expect(&page, "document.querySelector('h1').textContent === 'There is nothing to repair'");
    expect(&page, "document.querySelector('#confirm') === null");
    pictures(&page, "12-nothing");

    let empty = Up::start_in(archive("format = 1\n", &[]), &["--archive", "archive"]);
    empty.sign_in(&page);
    go(&page, &empty, "/preservation");
    says(&page, "No files are kept yet.");
    pictures(&page, "13-empty");
}

/// Nothing was asked of anybody but us, and all of it was answered.
#[track_caller]
fn nothing_outside(page: &Page, up: &Up) {
    for request in page.requests() {
        assert!(up.is_ours(&request.url), "{}", request.url);
        assert!(request.status.is_none_or(|status| status < 400), "{request:?}");
    }
}
