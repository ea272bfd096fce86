//! The shim and the worker by themselves: how quickly the one starts, what the other catches, and time that is pinned.

use std::time::Duration;

use serde_json::json;
use testkit::chromium::Chromium;
use testkit::difficult::{Page, Site, pages};

use crate::archived::{Archived, TIME};

const PATIENCE: Duration = Duration::from_secs(60);

fn page(name: &str) -> Page {
    pages().into_iter().find(|page| page.name == name).expect("a page of this name")
}

#[test]
fn the_worker_leads_back_what_comes_past_the_shim() {
    let Some(browser) = Chromium::start() else { return };
    let site = Site::start();
    let archived = Archived::of(&site, &[page("fetch-xhr"), page("post-json")]);
    let (tab, url) = (browser.page(), site.url(&page("fetch-xhr")));
    // As if there were neither shim nor policy: then the worker is the only one.
    tab.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": "window.plainFetch = window.fetch.bind(window)" }),
    );
    tab.call("Page.setBypassCSP", json!({ "enabled": true }));
    for _ in 0..2 {
        tab.go(&archived.shown("if_", &url));
        assert!(tab.holds("window.finished === true", PATIENCE), "{:?}", tab.console());
    }
    site.server().forget();
    let ask = |url: &str, options: &str| {
        let asked = format!(
            "plainFetch({url:?}, {options}).then(async (it) => [it.status, it.url, await it.text()])"
        );
        tab.evaluate(&asked)
    };
    let relative = ask("/app/relative.json", "{}");
    let url = format!("http://fetch-xhr.localhost:{}/app/relative.json", site.port());
    assert_eq!(relative, json!([200, url, "{\"n\":1}"]));
    let plain = format!("{}/app/relative.json", archived.origin());
    let asked = tab.requests().into_iter().find(|request| request.url == plain);
    assert!(asked.is_some_and(|request| request.by_worker), "the worker answered");
    let cdn = format!("http://cdn.localhost:{}/fetch/absolute.json", site.port());
    assert_eq!(ask(&cdn, "{}")[2], "{\"n\":3}");
    assert_eq!(ask("/app/relative.json", "{ headers: { Range: 'bytes=1-3' } }")[2], "\"n\"");
    assert_eq!(ask("/not-there.json", "{}")[0], 404);
    let post = format!("http://post-json.localhost:{}/api?x", site.port());
    let form = "{ method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'ask=second' }";
    assert_eq!(ask(&post, form)[2], "{\"got\":2}");
    assert_eq!(tab.evaluate("plainFetch('http://outside.example/').then((it) => it.status)"), 404);
    assert_eq!(site.server().seen().len(), 0, "the live server was asked");
    // A navigation to the root of the host is one to the root of the archived site.
    let loads = tab.loads();
    let landed = format!("http://fetch-xhr.localhost:{}/landed.json", site.port());
    tab.evaluate("void (window.location.href = '/landed.json')");
    tab.loaded(loads + 1);
    let place = tab.evaluate("document.location.href");
    assert!(place.as_str().is_some_and(|place| place.ends_with(&landed)), "{place}");
}

#[test]
fn the_shim_starts_at_once_and_without_faults() {
    let Some(browser) = Chromium::start() else { return };
    let site = Site::start();
    let archived = Archived::of(&site, &[page("location-reads")]);
    let tab = browser.page();
    tab.go(&archived.shown("if_", &site.url(&page("location-reads"))));
    assert_eq!(tab.evaluate("window.__varve_state.faults"), json!([]));
    let imported = tab.evaluate(
        "[__varve_import('https://a.example/b.js'), __varve_import('./b.js'), __varve_import('b')]",
    );
    let led = format!("{}/web/{TIME}js_/https://a.example/b.js", archived.origin());
    assert_eq!(imported, json!([led, "./b.js", "b"]));
    assert_eq!(tab.evaluate("document.querySelectorAll('script').length"), 3, "its own elements are gone");
    tab.go(&format!("{}/-/shim.js", archived.origin()));
    let shim = tab.evaluate("document.body.textContent");
    assert!(shim.as_str().is_some_and(|shim| shim.trim_end().ends_with("})(self);")), "the script is whole");
    // In frames of a live page, which has none, as often as makes a steady figure.
    tab.go(&site.url(&page("location-reads")));
    let measure = format!(
        "const text = {}; const times = [], works = []; \
         const work = () => {{ const map = new Map(); for (let i = 0; i < 20000; i += 1) map.set('key ' + i, {{ i }}); return map.size; }}; for (let i = 0; i < 41; i += 1) {{ \
         const frame = document.createElement('iframe'); document.body.append(frame); const inside = frame.contentWindow; \
         inside.__varve = {{ prefix: '/web/', timestamp: '{TIME}', modifier: '', url: 'http://example.org/', home: location.origin }}; \
         let start = performance.now(); inside.eval(text); times.push(performance.now() - start); \
         if (inside.__varve_state.faults.length) throw new Error(inside.__varve_state.faults.join()); frame.remove(); \
         start = performance.now(); work(); works.push(performance.now() - start); }} \
         const sorted = (list) => list.sort((a, b) => a - b); [sorted(times)[0], sorted(times)[20], sorted(works)[0]]",
        shim
    );
    let times = tab.evaluate(&measure);
    let [quickest, median, work] = [0, 1, 2].map(|number| times[number].as_f64().unwrap());
    println!(
        "the shim starts in {quickest:.2} ms at best, {median:.2} ms in the middle; the work beside it takes {work:.2} ms"
    );
    // By a measure that is as slow as the machine is at this moment: on an idle one it takes 2 ms, and the shim less.
    assert!(quickest < work * 2.0, "{quickest} ms, and the work {work} ms");
}

#[test]
fn time_and_chance_are_those_of_the_capture_if_pinned() {
    let Some(browser) = Chromium::start() else { return };
    let site = Site::start();
    let archived = Archived::pinned(&site, &[page("location-reads")]);
    let seen = || {
        let tab = browser.page();
        tab.go(&archived.shown("if_", &site.url(&page("location-reads"))));
        let now = "[new Date().toISOString().slice(0, 13), Math.abs(Date.now() - new Date()) < 1000, Date.now.toString()]";
        (
            tab.evaluate(now),
            tab.evaluate("[Math.random(), Math.random(), new Date(0).getTime(), Date.UTC(2000, 0)]"),
        )
    };
    let (first, again) = (seen(), seen());
    assert_eq!(first.0, json!(["2026-11-16T08", true, "function now() { [native code] }"]));
    assert_eq!(first, again);
}
