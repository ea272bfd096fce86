//! A browser without a session is told how to sign in, and does.

use testkit::chromium::Chromium;

use crate::archived::JOB;
use crate::look::{expect, fill, follow, pictures};
use crate::served::{BEARER, Served};

#[test]
fn a_person_signs_in_and_out() {
    let Some(browser) = Chromium::start() else { return };
    let served = Served::start();
    let page = browser.page();
    let at = |path: &str| format!("{}{path}", served.origin());
    // A page that does not follow events comes to rest.
    let quiet = format!("/jobs/{JOB}/files/job.toml");
    page.go(&at(&format!("/sign-in?next={quiet}")));
    expect(&page, "document.querySelector('h1').textContent === 'Sign in' && !document.querySelector('nav')");
    pictures(&page, "sign-in");
    fill(&page, "#token", BEARER);
    follow(&page, ".sign-in button");
    expect(&page, &format!("location.pathname === '{quiet}' && document.querySelector('nav') !== null"));
    // A session is not seen by scripts.
    assert_eq!(page.evaluate("document.cookie"), "");
    follow(&page, ".foot button");
    expect(&page, "location.pathname === '/sign-in'");
    page.go(&at(&format!("/sign-in?token={BEARER}&next={quiet}")));
    expect(&page, &format!("location.href === '{}'", at(&quiet)));
    // A refused page is noted in the console, so these come last.
    page.call("Network.clearBrowserCookies", serde_json::json!({}));
    page.go(&at("/jobs"));
    expect(&page, "document.querySelector('h1').textContent === 'Sign in'");
    fill(&page, "#token", "no token");
    follow(&page, ".sign-in button");
    expect(&page, "document.querySelector('[role=alert]').textContent.includes('not valid')");
    expect(&page, "document.querySelector('input[name=next]').value === '/jobs'");
}
