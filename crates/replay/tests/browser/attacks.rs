//! Archived pages that attack: each is shown, each tries, and nothing comes of it.
//!
//! What they reach for is real here: the live server of the pages stands for hosts outside and for the pages' own server, and
//! writes down whoever asks it.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::chromium::{Chromium, Page as Tab};
use testkit::difficult::{Page, Site, attacks};

use crate::archived::Archived;

const PATIENCE: Duration = Duration::from_secs(60);

/// A browser, the live site, and the archive of it.
struct Stage {
    browser: Chromium,
    site: Site,
    archived: Archived,
}

impl Stage {
    fn new() -> Option<Stage> {
        let browser = Chromium::start()?;
        let site = Site::start();
        let archived = Archived::of(&site, attacks());
        site.server().forget();
        Some(Stage { browser, site, archived })
    }

    fn page(&self, name: &str) -> &'static Page {
        attacks().iter().find(|page| page.name == name).expect("a page of this name")
    }

    fn shown(&self, name: &str, modifier: &str) -> String {
        self.archived.shown(modifier, &self.site.url(self.page(name)))
    }

    /// Shows a page, twice: the second time the service worker is there. Gives what it saw then.
    #[track_caller]
    fn show(&self, tab: &Tab, name: &str) -> Value {
        for _ in 0..2 {
            tab.go(&self.shown(name, ""));
            assert!(tab.holds("window.finished === true", PATIENCE), "{name}: {:?}", tab.console());
            tab.loaded(0);
        }
        let results = tab.evaluate("window.results");
        assert_eq!(results.get("failed"), None, "{name}");
        results
    }

    /// Nothing was asked of anybody but replay.
    #[track_caller]
    fn nobody_was_asked(&self, tab: &Tab) {
        let asked: Vec<String> = self.site.server().seen().iter().map(|seen| seen.target()).collect();
        assert_eq!(asked, [""; 0], "the live server was asked");
        for request in tab.requests() {
            let is_outside = request.url.starts_with("http") || request.url.starts_with("ws");
            let is_outside = is_outside && !request.url.starts_with(&format!("{}/", self.archived.origin()));
            assert!(!is_outside || request.blocked.is_some() || request.by_worker, "left: {request:?}");
        }
    }
}

/// The cookies that the browser really has for replay, its root and the page included.
fn real_cookies(tab: &Tab, page: &str, origin: &str) -> Value {
    let urls = json!({ "urls": [page, format!("{origin}/")] });
    tab.call("Network.getCookies", urls).get("cookies").cloned().unwrap_or_default()
}

#[test]
fn frames_are_not_broken_out_of() {
    let Some(stage) = Stage::new() else { return };
    let tab = stage.browser.page();
    let results = stage.show(&tab, "attack-frames");
    assert_eq!(results["seen"], json!({ "parent": "alone", "opener": "none" }));
    // In a frame of another origin, as the pages might show it: the policy of replay lets only the pages do so.
    tab.go("data:text/html,<title>outer</title>");
    let script = format!(
        "document.body.innerHTML = '<iframe src=\"{}\"></iframe>'",
        stage.shown("attack-frames", "if_")
    );
    tab.evaluate(&script);
    tab.loaded(0);
    assert_eq!(tab.evaluate("document.title"), "outer");
    stage.nobody_was_asked(&tab);
}

#[test]
fn cookies_stay_in_the_page() {
    let Some(stage) = Stage::new() else { return };
    let tab = stage.browser.page();
    let theirs =
        json!({ "name": "session", "value": "of the user", "url": stage.archived.origin(), "path": "/" });
    tab.call("Network.setCookie", theirs);
    let results = stage.show(&tab, "attack-cookies");
    assert_eq!(results["before"], "stolen=1", "of its own earlier visit, and nothing of the user's");
    assert_eq!(results["after"], true);
    assert_eq!(results["store"], "undefined");
    let real = real_cookies(&tab, &stage.shown("attack-cookies", ""), &stage.archived.origin());
    let real: Vec<&Value> = real.as_array().unwrap().iter().map(|cookie| &cookie["value"]).collect();
    assert_eq!(real, ["of the user"]);
    stage.nobody_was_asked(&tab);
}

#[test]
fn no_service_worker_but_ours_is_installed() {
    let Some(stage) = Stage::new() else { return };
    let tab = stage.browser.page();
    let results = stage.show(&tab, "attack-worker");
    assert_eq!(results["seen"], json!([0, "null"]));
    // A page of replay itself, which no shim is in, sees what is really there.
    tab.go(&format!("{}/-/mark.svg", stage.archived.origin()));
    let installed = "navigator.serviceWorker.getRegistrations().then((all) => all.map((one) => (one.active || one.installing).scriptURL))";
    assert_eq!(tab.evaluate(installed), json!([format!("{}/-/worker.js", stage.archived.origin())]));
    let direct = format!(
        "navigator.serviceWorker.register('{}').then(() => 'installed', (error) => error.name)",
        stage.shown("attack-worker", "id_")
    );
    assert_ne!(tab.evaluate(&direct), "installed");
    stage.nobody_was_asked(&tab);
}

#[test]
fn what_other_archived_sites_keep_is_not_read() {
    let Some(stage) = Stage::new() else { return };
    let tab = stage.browser.page();
    let victim = format!("http://victim.localhost:{}/keeps", stage.site.port());
    tab.go(&stage.archived.shown("", &victim));
    assert!(tab.holds("window.finished === true", PATIENCE), "{:?}", tab.console());
    let results = stage.show(&tab, "attack-neighbours");
    let nothing = json!({
        "local": [null, 0, 0, null], "session": [null, 0], "cookie": "", "bases": 0, "frame": [0, ""], "prototype": null,
    });
    assert_eq!(results, nothing);
    tab.go(&stage.archived.shown("", &victim));
    assert_eq!(tab.evaluate("localStorage.getItem('secret') + document.cookie"), "keptsecret=kept");
    stage.nobody_was_asked(&tab);
}

#[test]
fn orders_to_other_servers_are_not_delivered() {
    let Some(stage) = Stage::new() else { return };
    let tab = stage.browser.page();
    let results = stage.show(&tab, "attack-server");
    assert_eq!(results["tried"], json!([false, false, false]));
    stage.nobody_was_asked(&tab);
}

#[test]
fn navigation_does_not_leave_the_archive() {
    let Some(stage) = Stage::new() else { return };
    let tab = stage.browser.page();
    tab.go(&stage.shown("attack-navigation", ""));
    assert!(
        tab.holds("document.location.href.endsWith('/away') && document.readyState === 'complete'", PATIENCE)
    );
    tab.loaded(0);
    let place = tab.evaluate("document.location.href");
    let place = place.as_str().unwrap();
    assert!(place.starts_with(&format!("{}/web/", stage.archived.origin())), "{place}");
    assert!(place.ends_with("http://outside.example/away"), "{place}");
    stage.nobody_was_asked(&tab);
}

#[test]
fn rules_load_nothing_ahead() {
    let Some(stage) = Stage::new() else { return };
    let tab = stage.browser.page();
    let results = stage.show(&tab, "attack-rules");
    assert_eq!(results["type"], "speculationrules", "as the page set it");
    let real = "document.querySelectorAll('script[type*=speculationrules i]').length + ' ' + document.querySelectorAll('script[type=x-archive-orig-speculationrules]').length";
    assert_eq!(tab.evaluate(real), "6 6", "{:?}", tab.evaluate("document.documentElement.outerHTML"));
    stage.nobody_was_asked(&tab);
}

/// What a script replaces, or gets hold of first, does not lead it out.
#[test]
fn replaced_builtins_open_nothing() {
    let Some(stage) = Stage::new() else { return };
    let tab = stage.browser.page();
    tab.go(&stage.shown("attack-builtins", ""));
    assert!(tab.holds("window.finished === true", PATIENCE), "{:?}", tab.console());
    assert_eq!(tab.evaluate("window.results.seen"), json!(vec!["undefined"; 5]));
    tab.evaluate("setTimeout(window.begin)");
    assert!(
        tab.holds("document.location.href.endsWith('/away') && document.readyState === 'complete'", PATIENCE),
        "{:?} {:?}",
        tab.evaluate("document.location.href"),
        tab.console()
    );
    tab.loaded(0);
    let place = tab.evaluate("document.location.href + ' ' + window.name");
    let expected = "http://outside.example/away undefined 0";
    assert!(place.as_str().unwrap().starts_with(&format!("{}/web/", stage.archived.origin())), "{place}");
    assert!(place.as_str().unwrap().ends_with(expected), "{place}");
    stage.nobody_was_asked(&tab);
}
