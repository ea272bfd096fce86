//! Budgets of the job, of domains and of hosts, and what the operator can do about them (B11, D10).

use std::collections::BTreeSet;
use std::time::Duration;

use crawl::{Budget, Crawl, NewLimits, OnBudget};
use job::State;

use crate::web::{Page, Web};

fn web() -> Web {
    let links: Vec<String> = (0..20).map(|number| format!("/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).chain(["http://b.test/"]).collect();
    let web = Web::start([("a.test/", Page::linking(&links))]);
    for number in 0..20 {
        web.set(&format!("a.test/{number}"), Page::html(&format!("page {number}")));
    }
    web.set("b.test/", Page::linking(&["/1", "/2"]));
    web.set("b.test/1", Page::html("one"));
    web.set("b.test/2", Page::html("two"));
    web
}

const BOTH: &str = "http://a.test/\nhttp://b.test/\n";

fn of(web: &Web, host: &str) -> usize {
    web.urls().iter().filter(|url| url.starts_with(host)).count()
}

#[test]
fn a_job_ends_when_its_objects_are_spent() {
    let web = web();
    let ended = web.crawl(BOTH, |settings| settings.budgets.job.objects = Some(7));
    assert!(ended.is_committed && !ended.is_complete);
    assert_eq!((ended.counts.got.urls, web.urls().len()), (7 + 2, 7), "robots.txt is asked for besides");
    assert!(ended.how.contains("documents"), "{}", ended.how);
}

#[test]
fn d10_a_domain_has_a_budget_of_its_own_and_the_others_go_on() {
    let web = web();
    let ended = web.crawl(BOTH, |settings| settings.budgets.domain.objects = Some(5));
    assert!(ended.is_committed && !ended.is_complete);
    assert!(ended.how.contains("domains") && ended.counts.over_budget > 0, "{ended:?}");
    assert_eq!((of(&web, "a.test"), of(&web, "b.test")), (5, 3));
    let report = web.archive().note("job0", "domains-report.txt").unwrap().unwrap();
    let report = std::io::read_to_string(report).unwrap();
    assert!(report.contains(" a.test object-limit "), "{report}");
    assert!(report.contains(" b.test completed "), "{report}");
}

#[test]
fn bytes_and_time_are_bounds_too() {
    let web = web();
    let ended = web.crawl(BOTH, |settings| {
        settings.budgets.host.bytes = Some(1);
        settings.gate.per_host = 1;
    });
    assert_eq!((of(&web, "a.test"), of(&web, "b.test")), (1, 1));
    // Of pages that were cut after their first byte no link is known that could be left out.
    assert!(ended.is_complete && ended.counts.over_budget == 0);
    let web = self::web();
    let ended = web.crawl(BOTH, |settings| {
        settings.budgets.job.time = Some(Duration::from_millis(300));
        settings.gate.delay_min = Duration::from_secs(3600);
        settings.gate.delay_max = Duration::from_secs(3600);
    });
    assert!(!ended.is_complete && ended.how.contains("time"), "{ended:?}");
}

#[test]
fn b11_the_operator_is_asked_and_raises_the_budget() {
    let web = web();
    let mut settings = web.settings("http://a.test/");
    settings.on_budget = OnBudget::Ask;
    settings.budgets.domain.objects = Some(5);
    let job = web.job();
    let crawl = Crawl::start(job, settings, None).unwrap();
    testkit::until("the operator is asked", || crawl.progress().why.is_some());
    let progress = crawl.progress();
    assert_eq!(progress.state, "paused");
    assert!(progress.why.unwrap().contains("budget"), "it says why");
    let more = Budget { objects: Some(1000), ..Budget::default() };
    let domains = vec![("a.test".to_owned(), more)];
    crawl.control().set_limits(NewLimits { domains, ..NewLimits::default() });
    let ended = crawl.wait().unwrap();
    assert!(ended.is_complete && ended.is_committed);
    assert_eq!(of(&web, "a.test"), 21);
}

#[test]
fn b11_the_operator_is_asked_and_ends_it() {
    let web = web();
    let mut settings = web.settings("http://a.test/");
    settings.on_budget = OnBudget::Ask;
    settings.budgets.domain.objects = Some(5);
    let crawl = Crawl::start(web.job(), settings.clone(), None).unwrap();
    testkit::until("the operator is asked", || crawl.progress().why.is_some());
    crawl.control().stop();
    let ended = crawl.wait().unwrap();
    assert!(!ended.is_committed);
    assert_eq!(web.urls(), BTreeSet::new(), "nothing is visible before the commit");
    let job = crawl::Job::open(&web.archive(), &ended.job).unwrap();
    assert_eq!(job.state(), State::Stopped);
    assert!(job.commit(settings).unwrap().is_committed);
    assert_eq!(of(&web, "a.test"), 5);
}
