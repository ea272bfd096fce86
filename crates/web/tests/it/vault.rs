//! The pages on how the files are kept. (D11, D12, D13)

use api::vault::{Doing, Task};
use catalogue::AuditKind;

use crate::archived::began;
use crate::kept::{Kept, ODD};
use crate::served::{Served, TOKEN};

/// The odd name as it stands in an address.
const ODD_ADDRESS: &str = "job/%3Ci%3E%22%26.warc.gz";

#[track_caller]
fn has(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
}

#[test]
fn d11_the_overview_says_whether_all_is_well() {
    let page = Kept::of(3).page("/preservation");
    has(
        &page,
        &[
            "Both files are in all 3 replicas.",
            "Every copy was read and compared today.",
            "aria-current=\"page\">Preservation</a>",
            "<th scope=\"row\">cellar<small>folder</small></th>",
            "checksums alone",
            "never looked",
            "data-poll=\"15\"",
        ],
    );
    has(&Kept::of(2).page("/preservation"), &["Both files are in both replicas.", "A third one decides"]);
    has(&Kept::of(1).page("/preservation"), &["here, and nowhere else.", "[[replicas]]"]);
}

#[test]
fn d13_what_is_wrong_leads_to_the_files() {
    let kept = Kept::damaged();
    let page = kept.page("/preservation");
    has(
        &page,
        &[
            "1 copy is missing, 1 has changed.",
            "href=\"/preservation/files?replica=store&amp;state=missing\"",
            "href=\"/preservation/files?replica=cellar&amp;state=changed\"",
            "<span class=\"bad\">1 missing</span>",
            "1 changed, 1 of another length",
        ],
    );
    let missing = kept.page("/preservation/files?replica=store&state=missing");
    has(
        &missing,
        &["Files missing in store", "href=\"/preservation/files/job/b.warc.gz\"", "2 of 3 verified"],
    );
    assert!(!missing.contains("a.warc.gz"), "{missing}");
    let all = kept.page("/preservation/files");
    has(&all, &["Files that are kept", "job/a.warc.gz"]);
    has(&kept.page("/preservation/files?behind=job/z"), &["There is none further on"]);
    has(&kept.page("/preservation/files?replica=store&state=changed"), &["There is none any more"]);
}

#[test]
fn a_file_has_its_copies_and_its_story() {
    let kept = Kept::damaged();
    let page = kept.page("/preservation/files/job/a.warc.gz");
    has(
        &page,
        &[
            "<b class=\"changed\">changed</b><small>it has SHA-256 ",
            "<b>accepted</b>",
            "<b>noted</b>",
            "SHA-256 <span",
        ],
    );
    assert!(!page.contains("of the job"), "{page}");
    assert_eq!(kept.served.get("/preservation/files/job/none").status, 404);
}

#[test]
fn names_are_escaped_everywhere() {
    let kept = Kept::damaged();
    kept.add_odd();
    kept.served.post("/preservation/tasks/repair", &kept.served.origin(), &format!("token={TOKEN}&dry=true"));
    for path in [
        "/preservation",
        "/preservation/files",
        &format!("/preservation/files/{ODD_ADDRESS}"),
        "/preservation/events",
        "/preservation/repairs",
        "/preservation/tasks/repair",
    ] {
        let page = kept.page(path);
        assert!(!page.contains("<i>") && !page.contains("<done>") && !page.contains(ODD), "{path}: {page}");
        has(&page, &["&#60;"]);
    }
}

#[test]
fn d12_every_remedy_says_first_what_will_happen() {
    let kept = Kept::damaged();
    for (path, parts) in [
        ("bring", ["There is nothing to bring", "Back to the overview"].as_slice()),
        (
            "audit?replica=cellar&kind=presence",
            &[
                "Look through cellar?",
                "2 files are each there",
                "Nothing is repaired by it.",
                "id=\"confirm\"",
            ],
        ),
        ("audit?replica=cellar", &["Read all of cellar?", "40 B in all", "value=\"checksum\""]),
        (
            "repair",
            &[
                "Repair 2 copies?",
                "1 copy is missing: copied anew",
                "1 copy has changed: the bad copy is set aside, never deleted",
                "<b class=\"changed\">changed</b> in cellar",
            ],
        ),
        ("repair?dry=true", &["See what a repair of 2 copies would do?", "name=\"dry\" value=\"true\""]),
        ("backup", &["Copy the catalogue of files?", "The newest 7 such copies are kept"]),
    ] {
        has(&kept.page(&format!("/preservation/tasks/{path}")), parts);
    }
    assert!(kept.keeper.asked.lock().unwrap().is_empty());
    assert!(!kept.page("/preservation/tasks/repair").contains("name=\"dry\""));
    for (path, status) in [
        ("burn", 422),
        ("audit", 422),
        ("audit?replica=attic", 422),
        ("audit?replica=cellar&kind=x", 422),
        ("bring?dry=true", 422),
    ] {
        assert_eq!(kept.served.get(&format!("/preservation/tasks/{path}")).status, status, "{path}");
    }
}

#[test]
fn what_is_confirmed_is_done_and_told() {
    let kept = Kept::damaged();
    let origin = kept.served.origin();
    let send = |task: &str, form: &str| {
        let answer = kept.served.post(
            &format!("/preservation/tasks/{task}"),
            &origin,
            &format!("token={TOKEN}&{form}"),
        );
        assert_eq!(answer.status, 303, "{}", answer.body);
        answer.head
    };
    assert!(send("repair", "dry=true").contains("location: /preservation/repairs\r"));
    has(
        &kept.page("/preservation/repairs"),
        &["What a repair would do", "can be repaired", "2 copies are known"],
    );
    send("repair", "");
    let page = kept.page("/preservation/repairs");
    has(&page, &["<h2>Repaired</h2>", "<b class=\"good\">repaired</b>", "No copy is known to be missing"]);
    assert!(send("audit", "replica=cellar&kind=presence").contains("location: /preservation#now"));
    send("backup", "");
    let audit = Task::Audit { replica: "cellar".to_owned(), kind: AuditKind::Presence };
    let expected = [Task::Repair { is_dry: true }, Task::Repair { is_dry: false }, audit, Task::BackUp];
    assert_eq!(*kept.keeper.asked.lock().unwrap(), expected);
    let page = kept.page("/preservation");
    has(
        &page,
        &[
            "Both files are in all 3 replicas.",
            "backup &#60;done&#62;",
            "<b>repaired</b>",
            "<span class=\"fair\">1 missing; mended since</span>",
            "<b>set aside</b>",
        ],
    );
}

#[test]
fn nothing_is_mended_while_a_copy_is_still_to_be_made() {
    let kept = Kept::damaged();
    kept.want_anew("job/b.warc.gz");
    let page = kept.page("/preservation");
    has(&page, &["<span class=\"bad\">1 missing</span>", "Every verified copy was read and compared today."]);
    assert!(!page.contains("mended since"), "{page}");
}

#[test]
fn a_remedy_needs_its_token_and_our_own_origin() {
    let kept = Kept::damaged();
    let good = format!("token={TOKEN}");
    for (origin, form) in [
        (kept.served.origin(), ""),
        (kept.served.origin(), "token="),
        (kept.served.origin(), &format!("token={}", TOKEN.replace("f0", "f1"))),
        ("http://localhost:8471".to_owned(), good.as_str()),
        ("http://evil.example".to_owned(), good.as_str()),
        ("null".to_owned(), good.as_str()),
    ] {
        for task in ["repair", "bring", "backup"] {
            let answer = kept.served.post(&format!("/preservation/tasks/{task}"), &origin, form);
            assert_eq!(answer.status, 403, "{task} {origin} {form}");
        }
    }
    assert!(kept.keeper.asked.lock().unwrap().is_empty());
}

#[test]
fn what_goes_on_is_shown_with_how_far_it_is() {
    let kept = Kept::of(3);
    let task = Task::Audit { replica: "cellar".to_owned(), kind: AuditKind::Checksum };
    *kept.keeper.doing.lock().unwrap() =
        vec![Doing { task, since: began(), bytes: 1500, of_bytes: Some(3000) }];
    let page = kept.page("/preservation");
    has(
        &page,
        &[
            "Reading every file in cellar",
            "<progress max=\"3000\" value=\"1500\"",
            "1.5 kB of 3.0 kB",
            "data-poll=\"2\"",
        ],
    );
}

#[test]
fn the_log_comes_page_by_page() {
    let kept = Kept::of(3);
    has(&kept.page("/preservation/events"), &["13 events, the newest first", "<b>added</b> in cellar"]);
    let older = kept.page("/preservation/events?before=3");
    has(&older, &["before=103\" rel=\"prev\">Newer"]);
    assert!(!older.contains("rel=\"next\""), "{older}");
    has(&kept.page("/preservation/events?before=1"), &["There is none this far back"]);
}

#[test]
fn where_nobody_looks_after_files_a_page_says_so() {
    let served = Served::empty();
    for path in ["/preservation", "/preservation/files", "/preservation/events", "/preservation/repairs"] {
        let answer = served.get(path);
        assert_eq!(answer.status, 404);
        has(&answer.body, &["This server looks after no files."]);
    }
}
