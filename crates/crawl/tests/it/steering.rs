//! A second terminal: the socket in the job's folder (B8).

use std::time::Duration;

use crawl::{Crawl, Job, Politeness};
use job::Error;
use job::limits::LimitChange;
use job::socket::{Command, ask};

use crate::web::{Page, Web};

#[test]
fn b8_a_running_job_is_looked_at_paused_resumed_limited_and_stopped() {
    let web = Web::start([("a.test/", Page::linking(&["/1"])), ("a.test/1", Page::html("one"))]);
    let job = web.job();
    let folder = job.folder();
    let mut settings = web.settings("http://a.test/");
    settings.gate.delay_min = std::time::Duration::from_secs(3600);
    settings.gate.delay_max = std::time::Duration::from_secs(3600);
    let crawl = Crawl::start(job, settings, None).unwrap();
    assert_eq!(ask(&folder, &Command::Status).unwrap().job, "job0");
    assert_eq!(ask(&folder, &Command::Pause).unwrap().state, "paused");
    assert_eq!(ask(&folder, &Command::Resume).unwrap().state, "running");
    let limits = Command::Limits(LimitChange { objects: Some(5), ..LimitChange::default() });
    assert_eq!(ask(&folder, &limits).unwrap().state, "running");
    assert_eq!(ask(&folder, &Command::Stop).unwrap().state, "stopping");
    assert!(!crawl.wait().unwrap().is_committed);
    assert!(matches!(ask(&folder, &Command::Status), Err(Error::NotRunning { .. })));
}

/// A paused job leaves its hosts at the gate, so that its pauses and limits hold for no other job, and waits for them again when it resumes.
#[test]
fn b8_a_paused_job_waits_for_no_host_until_it_resumes() {
    let web = Web::start([("a.test/", Page::linking(&["/1"])), ("a.test/1", Page::html("one"))]);
    let mut settings = web.settings("http://a.test/");
    (settings.gate.delay_min, settings.gate.delay_max) =
        (Duration::from_secs(3600), Duration::from_secs(3600));
    let politeness = Politeness::new(settings.gate);
    let crawl = Crawl::start(web.job(), settings, Some(&politeness)).unwrap();
    let wait_for = |counts: &str| {
        testkit::until(counts, || format!("{politeness:?}").contains(counts));
    };
    // It has fetched robots.txt, and its page waits in the queue for an hour.
    testkit::until("a page is queued", || !web.seen().is_empty() && crawl.progress().queued > 0);
    wait_for("wanting: 1, active: 0");
    crawl.control().pause();
    wait_for("wanting: 0, active: 0");
    assert_eq!((crawl.progress().hosts, crawl.progress().queued), (1, 1));
    crawl.control().resume();
    wait_for("wanting: 1, active: 0");
    crawl.control().stop();
    crawl.wait().unwrap();
}

/// A chain of pages, a job that fetches one of them and then waits, and the limits that the operator gives to it. Its process is gone
/// without a word, as after a kill, when the limits are acknowledged.
fn limited_then_killed(web: &Web) -> crawl::Settings {
    for number in 0..20 {
        web.set(&format!("a.test/{number}"), Page::linking(&[&format!("/{}", number + 1)]));
    }
    let mut settings = web.settings("http://a.test/0");
    let job = web.job();
    let folder = job.folder();
    let mut slow = settings.clone();
    (slow.gate.delay_min, slow.gate.delay_max) = (Duration::from_secs(3600), Duration::from_secs(3600));
    let crawl = Crawl::start(job, slow, None).unwrap();
    for change in [
        LimitChange { objects: Some(9), ..LimitChange::default() },
        LimitChange { domain: Some("*".to_owned()), objects: Some(7), ..LimitChange::default() },
        LimitChange { domain: Some("a.test".to_owned()), objects: Some(5), ..LimitChange::default() },
    ] {
        ask(&folder, &Command::Limits(change)).unwrap();
    }
    // Whatever the process would do at its end is of no account: only what lies in the folder by now counts.
    let limits = std::fs::read(folder.join("limits.jsonl")).unwrap();
    crawl.control().stop();
    crawl.wait().unwrap();
    std::fs::write(folder.join("limits.jsonl"), limits).unwrap();
    settings.retries = 0;
    settings
}

#[test]
fn b8_changed_limits_survive_a_kill_and_the_archive_tells_of_them() {
    let web = Web::start([]);
    let settings = limited_then_killed(&web);
    let job = Job::open(&web.archive(), "job0").unwrap();
    let ended = Crawl::start(job, settings, None).unwrap().wait().unwrap();
    assert!(ended.is_committed, "{ended:?}");
    assert_eq!(web.urls().len(), 5);
    let report = web.note("job0", "limits-report.txt");
    assert!(report.contains("job 9 - -") && report.contains("each-domain 7 - -"), "{report}");
    assert!(report.contains("\na.test 5 - -\n"), "{report}");
    assert_eq!(web.note("job0", "limits.jsonl").lines().count(), 3);
}

#[test]
fn b8_limits_given_on_resume_hold_over_changed_ones_and_are_kept() {
    let web = Web::start([]);
    let mut settings = limited_then_killed(&web);
    let own = |objects| LimitChange {
        domain: Some("a.test".to_owned()),
        objects: Some(objects),
        ..LimitChange::default()
    };
    settings.limit_changes = vec![own(3), LimitChange::default()];
    let crawl = Crawl::start(Job::open(&web.archive(), "job0").unwrap(), settings.clone(), None).unwrap();
    crawl.control().stop();
    let stopped = crawl.wait().unwrap();
    if !stopped.is_committed {
        settings.limit_changes.clear();
        let job = Job::open(&web.archive(), "job0").unwrap();
        assert!(Crawl::start(job, settings, None).unwrap().wait().unwrap().is_committed);
    }
    assert_eq!(web.urls().len(), 3);
    assert_eq!(web.note("job0", "limits.jsonl").lines().count(), 4);
}
