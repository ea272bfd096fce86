//! Stopping and going on: what was done is not done again, what was not is (A5; kills are tried in the program's own tests).

use std::collections::BTreeSet;

use crawl::{Crawl, Error, Job};
use job::State;

use crate::web::{Page, Web};

fn chain() -> Web {
    let web = Web::start([]);
    for number in 0..50 {
        web.set(&format!("a.test/{number}"), Page::linking(&[&format!("/{}", number + 1)]));
    }
    web.set("a.test/50", Page::html("the end"));
    web
}

#[test]
fn a_stopped_crawl_goes_on_where_it_was() {
    let web = chain();
    let settings = web.settings("http://a.test/0");
    let crawl = Crawl::start(web.job(), settings.clone(), None).unwrap();
    while crawl.progress().documents < 10 {
        std::thread::yield_now();
    }
    crawl.control().stop();
    let stopped = crawl.wait().unwrap();
    assert!(!stopped.is_committed && !stopped.is_complete);
    let mut rounds = 0;
    let ended = loop {
        rounds += 1;
        let job = Job::open(&web.archive(), &stopped.job).unwrap();
        assert_eq!(job.state(), State::Stopped);
        let crawl = Crawl::start(job, settings.clone(), None).unwrap();
        if rounds < 4 {
            crawl.control().stop();
        }
        let ended = crawl.wait().unwrap();
        if ended.is_committed {
            break ended;
        }
        assert!(rounds < 100);
    };
    assert!(rounds >= 4 && ended.counts.got.urls > 51, "robots.txt is asked for besides: {ended:?}");
    let requests = web.requests();
    let different: BTreeSet<&String> = requests.iter().collect();
    assert_eq!((requests.len(), different.len()), (51, 51));
    assert_eq!(web.urls().len(), 51);
}

#[test]
fn a4_no_two_crawls_share_a_domain_or_a_job() {
    let web = chain();
    let mut settings = web.settings("http://a.test/0");
    settings.gate.delay_min = std::time::Duration::from_secs(3600);
    settings.gate.delay_max = std::time::Duration::from_secs(3600);
    let crawl = Crawl::start(web.job(), settings.clone(), None).unwrap();
    let other = web.settings("http://sub.a.test/");
    assert!(
        matches!(Crawl::start(web.job(), other, None), Err(Error::DomainBusy { domain }) if domain == "a.test")
    );
    assert!(matches!(Job::open(&web.archive(), "job0"), Err(Error::JobBusy { .. })));
    let elsewhere = web.crawl("http://b.test/", |_| {});
    assert!(elsewhere.is_committed);
    crawl.control().stop();
    crawl.wait().unwrap();
}

#[test]
fn a_stopped_crawl_can_be_thrown_away() {
    let web = chain();
    let crawl = Crawl::start(web.job(), web.settings("http://a.test/0"), None).unwrap();
    crawl.control().stop();
    crawl.wait().unwrap();
    let job = Job::open(&web.archive(), "job0").unwrap();
    job.discard().unwrap();
    assert!(matches!(Job::open(&web.archive(), "job0"), Err(Error::NoSuchJob { .. })));
}
