//! A second terminal: the socket in the job's folder (B8).

use crawl::Crawl;
use job::Error;
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
    let limits = Command::Limits { domain: None, objects: Some(5), bytes: None, seconds: None };
    assert_eq!(ask(&folder, &limits).unwrap().state, "running");
    assert_eq!(ask(&folder, &Command::Stop).unwrap().state, "stopping");
    assert!(!crawl.wait().unwrap().is_committed);
    assert!(matches!(ask(&folder, &Command::Status), Err(Error::NotRunning { .. })));
}
