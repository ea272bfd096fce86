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
    testkit::until("ten documents are fetched", || crawl.progress().documents >= 10);
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

/// Another user who could once write to the folder must not redirect what we write, nor have us read his files. (Issue 20, point 6.)
#[test]
fn a_job_with_a_link_in_its_folder_is_not_gone_on_with() {
    let web = chain();
    let settings = web.settings("http://a.test/0");
    let crawl = Crawl::start(web.job(), settings, None).unwrap();
    crawl.control().stop();
    let stopped = crawl.wait().unwrap();
    let (archive, outside) = (web.archive(), tempfile::tempdir().unwrap());
    let (folder, target) = (archive.work().join(&stopped.job), outside.path().join("target"));
    std::fs::write(&target, "untouched").unwrap();
    for name in ["logs/crawl.log", "seeds.txt", "logs", "state"] {
        let (path, aside) = (folder.join(name), outside.path().join("aside"));
        std::fs::rename(&path, &aside).unwrap();
        let to = if aside.is_dir() { outside.path() } else { &target };
        std::os::unix::fs::symlink(to, &path).unwrap();
        let error = Job::open(&archive, &stopped.job).unwrap_err();
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(cause.contains("symbolic link"), "{name}: {error}: {cause}");
        std::fs::remove_file(&path).unwrap();
        std::fs::rename(&aside, &path).unwrap();
    }
    let linked = archive.work().join("linked");
    std::os::unix::fs::symlink(&folder, &linked).unwrap();
    let error = Job::open(&archive, "linked").unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("symbolic link"), "{error}");
    assert!(job::list(&archive.work()).unwrap().iter().all(|job| job.name != "linked"));
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "untouched");
    Job::open(&archive, &stopped.job).unwrap();
}
