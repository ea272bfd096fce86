//! A person looks at what is watched, describes a watch with a preview, and sees what changed.

use serde_json::json;
use testkit::chromium::{Chromium, Page};

use crate::look::{expect, fill, follow, pictures};
use crate::pretended::{FISH, fish};
use crate::served::BEARER;
use crate::watched::Watched;

/// Signs the browser in at a server.
fn sign_in(page: &Page, watched: &Watched) {
    page.go(&format!("{}/sign-in?token={BEARER}&next=/watches", watched.served.origin()));
}

fn go(page: &Page, watched: &Watched, path: &str) {
    page.go(&format!("{}{path}", watched.served.origin()));
}

#[test]
fn every_page_can_be_read_on_any_screen() {
    let Some(browser) = Chromium::start() else { return };
    let watched = Watched::with_a_past();
    watched
        .pretended
        .untold(1, "ann@example.org: the mail server does not answer; tried twice, next at 18:00");
    let page = browser.page();
    let nothing = Watched::nothing();
    sign_in(&page, &nothing);
    go(&page, &nothing, "/watches");
    pictures(&page, "0-empty");
    sign_in(&page, &watched);
    for (name, path) in [
        ("1-list", "/watches"),
        ("2-new", "/watches/new"),
        ("3-edit", "/watches/1/edit"),
        ("4-watch", "/watches/1"),
        ("4-watch-odd", "/watches/3"),
        ("4-watch-fresh", "/watches/4"),
        ("5-side", "/watches/1/difference?from=4&to=5"),
        ("5-inline", "/watches/1/difference?from=4&to=5&view=inline"),
        ("5-noise", "/watches/1/difference?from=1&to=2&noise=1"),
        ("5-binary", "/watches/2/difference"),
        ("5-alone", "/watches/4/difference"),
        ("6-remove", "/watches/1/remove"),
    ] {
        go(&page, &watched, path);
        pictures(&page, name);
    }
}

#[test]
fn a_watch_is_described_with_a_preview_while_typing() {
    let Some(browser) = Chromium::start() else { return };
    let watched = Watched::nothing();
    watched.pretended.serve(FISH, "text/html", fish("12.50 a pound", "", 7).as_bytes());
    let page = browser.page();
    sign_in(&page, &watched);
    go(&page, &watched, "/watches");
    fill(&page, "input[name=url]", FISH);
    follow(&page, ".hero form button");
    // The page is asked for at once, since its address is there.
    expect(&page, "document.querySelector('#preview pre').textContent.includes('Buy nets!')");
    fill(&page, "#never", ".advert\nregex:/a(/");
    expect(&page, "document.querySelector('#fault-never').textContent.includes('Line 2')");
    expect(&page, "document.querySelector('#never').hasAttribute('aria-invalid')");
    pictures(&page, "7-fault");
    fill(&page, "#never", ".advert");
    expect(&page, "!document.querySelector('#preview pre').textContent.includes('Buy nets!')");
    expect(&page, "document.querySelector('#fault-never').childElementCount === 0");
    page.evaluate("document.querySelector('button[value=test]').click()");
    expect(&page, "document.querySelector('#tried').textContent.includes('There are no two versions yet.')");
    fill(&page, "#title", "Fish of the day");
    follow(&page, "button[value=save]");
    expect(
        &page,
        "location.pathname === '/watches/1' && document.querySelector('h1').textContent === 'Fish of the day'",
    );
    follow(&page, "#check");
    watched.pretended.later(6);
    watched.pretended.serve(FISH, "text/html", fish("sold out", "", 9).as_bytes());
    follow(&page, "#check");
    expect(&page, "document.querySelector('.figures').textContent.includes('changed')");
    go(&page, &watched, "/watches/1/edit");
    page.evaluate("document.querySelector('button[value=test]').click()");
    expect(&page, "document.querySelector('#tried').textContent.includes('The last change would be told.')");
    pictures(&page, "7-tried");
    follow(&page, "nav a[href='/watches']");
    follow(&page, "a[href='/watches/1']");
    follow(&page, "a[href='/watches/1/difference']");
    expect(&page, "document.querySelector('ins').textContent === 'sold out'");
    go(&page, &watched, "/watches/1/remove");
    follow(&page, "#confirm");
    expect(&page, "location.pathname === '/watches'");
}

#[test]
fn all_of_it_works_without_scripts() {
    let Some(browser) = Chromium::start() else { return };
    let watched = Watched::nothing();
    watched.pretended.serve(FISH, "text/html", fish("12.50 a pound", "", 7).as_bytes());
    let page = browser.page();
    sign_in(&page, &watched);
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    go(&page, &watched, "/watches");
    fill(&page, "input[name=url]", FISH);
    follow(&page, ".hero form button");
    fill(&page, "#never", ".advert");
    follow(&page, "button[value=preview]");
    assert_eq!(
        page.evaluate("document.querySelector('#preview pre').textContent.includes('herring')"),
        false
    );
    assert_eq!(page.evaluate("document.querySelector('#preview pre').textContent.includes('Herring')"), true);
    assert_eq!(page.evaluate("document.querySelector('#never').value"), ".advert");
    follow(&page, "button[value=test]");
    assert_eq!(page.evaluate("document.querySelector('.verdict') !== null"), true);
    follow(&page, "button[value=save]");
    follow(&page, "#check");
    follow(&page, "#pause");
    assert_eq!(page.evaluate("document.querySelector('#resume') !== null"), true);
}
