//! A site that wants us to stay for ever, crawled beside one that does not.

use std::time::{Duration, Instant};

use crawl::{Budget, Crawl, Settings};
use testkit::hostile::{HOST, Hostile, TRAPS};

use crate::web::{Page, Web};

const GOOD_PAGES: usize = 40;

/// A site of forty pages, one behind the other.
fn good() -> Web {
    let web = Web::start([]);
    for page in 0..GOOD_PAGES {
        let next = format!("/{}", page + 1);
        let page = if page == 0 { String::new() } else { page.to_string() };
        web.set(&format!("good.test/{page}"), Page::linking(&[&next]));
    }
    web.set(&format!("good.test/{GOOD_PAGES}"), Page::html("the end"));
    web
}

/// Both sites; nobody is waited for longer than a moment.
fn settings(web: &Web, hostile: &Hostile) -> Settings {
    let mut settings = web.settings(&format!("{}\nhttp://good.test/\n", hostile.url()));
    settings.scope.preset = scope::Preset::Domain;
    settings.fetch.dns.overrides.iter_mut().for_each(|found| found.host = "good.test".to_owned());
    settings.fetch.timeouts.first_byte = Duration::from_millis(500);
    settings.fetch.timeouts.idle = Duration::from_secs(2);
    settings.fetch.timeouts.whole = Duration::from_secs(3);
    settings.fetch.limits.body_bytes = 1 << 20;
    settings.document_bytes_max = 1 << 20;
    settings.retries = 0;
    settings
}

/// How much memory this process has had at once, in megabytes.
fn memory_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or_default()
        / 1024
}

#[test]
fn a_hostile_site_ends_within_its_budgets_and_the_one_beside_it_is_crawled_whole() {
    let (web, hostile) = (good(), Hostile::start());
    let mut settings = settings(&web, &hostile);
    settings.budgets.host = Budget { objects: Some(60), bytes: Some(150 << 20), time: None };
    settings.budgets.domain = Budget { objects: Some(400), bytes: Some(200 << 20), time: None };
    settings.budgets.job =
        Budget { objects: Some(600), bytes: Some(400 << 20), time: Some(Duration::from_secs(80)) };
    let began = Instant::now();
    let ended = Crawl::start(web.job(), settings, None).unwrap().wait().unwrap();
    assert!(began.elapsed() < Duration::from_secs(100), "{:?}", began.elapsed());
    assert!(ended.is_committed, "{ended:?}");

    let captured = web.captured();
    let of = |host: &str| captured.keys().filter(|url| url.starts_with(&format!("http://{host}"))).count();
    assert_eq!(of("good.test"), GOOD_PAGES + 1);
    let hostile_urls = captured.keys().filter(|url| url.contains(HOST)).count();
    assert!(hostile_urls <= 400 && of(HOST) <= 60, "{hostile_urls}, {}", of(HOST));
    let asked = hostile.asked();
    // Hosts of their own are entered at once; those of the front page's host below, where no other host uses its budget up.
    for trap in TRAPS.iter().filter(|trap| trap.is_host) {
        assert!(asked.contains_key(trap.name), "{} was not entered: {asked:?}", trap.name);
    }
    // A bomb is stored as it was sent, and what has no end is cut off.
    assert!(ended.counts.got.bytes < 400 << 20, "{:?}", ended.counts);
    assert!(ended.queued < 400_000, "three crowded pages have no more links: {}", ended.queued);
    assert!(memory_mb() < 1000, "{} MB", memory_mb());
    let report = web.note("job0", "domains-report.txt");
    assert!(report.contains(&format!(" {HOST} object-limit ")), "{report}");
    assert!(report.contains(" good.test completed "), "{report}");
}

#[test]
fn every_trap_of_a_host_is_entered_and_left_within_its_budget() {
    let (web, hostile) = (good(), Hostile::start());
    let mut settings = settings(&web, &hostile);
    settings.scope.preset = scope::Preset::Host;
    settings.budgets.host.objects = Some(60);
    let ended = Crawl::start(web.job(), settings, None).unwrap().wait().unwrap();
    // To its end, but for what the budgets of hosts left out.
    assert!(ended.is_committed && ended.how.starts_with("Finished") && ended.queued == 0, "{ended:?}");
    assert!(!ended.is_complete && ended.counts.over_budget > 0, "{ended:?}");
    let asked = hostile.asked();
    for trap in TRAPS.iter().filter(|trap| !trap.is_host) {
        assert!(asked.contains_key(trap.name), "{} was not entered: {asked:?}", trap.name);
    }
    let of_host = web.captured().into_keys().filter(|url| url.contains(HOST)).count();
    assert!(of_host <= 60, "{of_host}");
}

#[test]
fn time_is_a_bound_for_hosts_that_give_nothing_else() {
    let (web, hostile) = (good(), Hostile::start());
    let mut settings = settings(&web, &hostile);
    settings.budgets.domain.time = Some(Duration::from_secs(3));
    let began = Instant::now();
    let ended = Crawl::start(web.job(), settings, None).unwrap().wait().unwrap();
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    // To its end, but for what the budgets of hosts left out.
    assert!(ended.is_committed && ended.how.starts_with("Finished") && ended.queued == 0, "{ended:?}");
    assert!(!ended.is_complete && ended.counts.over_budget > 0, "{ended:?}");
    let report = web.note("job0", "domains-report.txt");
    assert!(report.contains(&format!(" {HOST} time-limit ")), "{report}");
}

#[test]
fn farms_of_pages_and_of_hosts_are_told_in_the_report() {
    let missing: Vec<String> = (0..150).map(|page| format!("/lost/{page}-{}", page * 7)).collect();
    let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
    let web = Web::start([("farm.test/", Page::linking(&missing))]);
    for path in &missing {
        web.set(&format!("farm.test{path}"), Page::html("Sorry, this page was not found."));
    }
    let hosts: Vec<String> = (0..2500).map(|number| format!("http://h{number}.many.test/")).collect();
    web.set("many.test/", Page::linking(&hosts.iter().map(String::as_str).collect::<Vec<_>>()));
    let ended = web.crawl("http://farm.test/\nhttp://many.test/\n", |settings| {
        settings.scope.preset = scope::Preset::Domain;
        settings.budgets.domain.objects = Some(200);
    });
    assert!(ended.is_committed);
    let remarks = web.note("job0", "remarks-report.txt");
    assert!(remarks.contains("farm.test: the same content under about "), "{remarks}");
    assert!(remarks.contains("many.test: too many hosts, about "), "{remarks}");
    let scope = web.note("job0", "scope-report.txt");
    assert!(scope.contains(" too-many-hosts\n"), "{scope}");
}
