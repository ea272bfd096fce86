//! Replayed pages look like live ones and ask for nothing that the archive cannot answer. (Issue 5, acceptance 4.)

use std::collections::BTreeSet;

use testkit::chromium::{Chromium, Page};
use testkit::server::{Place, Server, reply};

use crate::look::{PATIENCE, difference, scroll};
use crate::program::{Up, timestamp};

/// A name that means this machine.
const NAME: &str = "siltmere.localhost";

/// The sample site, live. It names itself in full here and there; the browser of the tests knows no names but those of
/// this machine, so the site is served under one of them.
fn live(edition: u8) -> Server {
    Server::answering(&Place::default(), move |wire, request| {
        let answer = demo::answer(edition, &request.target);
        let status = format!("{} {}", answer.status, answer.reason());
        let host = request.field("host").unwrap_or_default();
        let body = match std::str::from_utf8(&answer.body) {
            Ok(text) => text.replace(demo::HOST, host).into_bytes(),
            Err(_) => answer.body.into_owned(),
        };
        wire.send(&reply(&status, &[("Content-Type", answer.content_type)], &body))?;
        Ok(true)
    })
}

/// The paths that a page asked for, wherever it did.
fn asked(page: &Page, before: impl Fn(&str) -> Option<String>) -> BTreeSet<String> {
    let is_wanted = |url: &String| !url.starts_with("/-/");
    page.requests().iter().filter_map(|request| before(&request.url)).filter(is_wanted).collect()
}

/// Goes there, waits for all that is late, and takes a picture.
fn picture(page: &Page, url: &str, ready: &str) -> Vec<u8> {
    page.go(url);
    scroll(page);
    assert!(page.holds(ready, PATIENCE), "{ready} at {url}: {:#?}", page.console());
    // A picture that comes late is drawn with the next frame.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    page.screenshot()
}

#[test]
fn replayed_pages_look_like_live_ones() {
    let Some(browser) = Chromium::start() else { return };
    let up = Up::start();
    let weather = "document.querySelector('#weather.ready')";
    let comments = "document.querySelectorAll('#comments li').length > 0";
    let map = "document.querySelector('#map svg').dataset.ready";
    let cases = [
        (1, "/", weather),
        (2, "/", weather),
        (3, "/", weather),
        (2, "/2026/09/bridge-closure.html", comments),
        (1, "/2026/09/heron-count.html", comments),
        (1, "/map.html", map),
        (1, "/search.html?q=ferry", "document.querySelectorAll('#results li').length > 0"),
        (3, "/walks/", "true"),
        (1, "/old/index.htm", "true"),
    ];
    let (mut wanted, mut answered) = (0, 0);
    for (edition, path, ready) in cases {
        let server = live(edition);
        let origin = format!("http://{NAME}:{}", server.address().port());
        let (one, other) = (browser.page(), browser.page());
        one.viewport(1280, 1600);
        other.viewport(1280, 1600);
        let before = picture(&one, &format!("{origin}{path}"), ready);
        let timestamp = timestamp(edition);
        let archived = format!("{}/web/{timestamp}if_/http://{}{path}", up.replay, demo::HOST);
        let after = picture(&other, &archived, ready);
        let differs = difference(&one, &before, &after);
        assert!(differs < 0.01, "{edition} {path}: {:.2} % of the pixels differ", differs * 100.0);
        // What the live page asked for, the archived one asks for as well, and is answered.
        let live = asked(&one, |url| url.strip_prefix(&origin).map(str::to_owned));
        let good: Vec<_> = other
            .requests()
            .into_iter()
            .filter(|request| request.status.is_some_and(|status| status < 400))
            .collect();
        let is_answered = |path: &&String| {
            good.iter().any(|request| request.url.ends_with(&format!("{}{path}", demo::HOST)))
        };
        wanted += live.len();
        answered += live.iter().filter(is_answered).count();
        let outside: Vec<String> =
            other.requests().into_iter().map(|request| request.url).filter(|url| !up.is_ours(url)).collect();
        assert!(outside.is_empty(), "{edition} {path}: {outside:#?}");
    }
    println!("{answered} of {wanted} requests that live pages made are answered from the archive");
    assert!(answered * 100 >= wanted * 99, "{answered} of {wanted}");
}
