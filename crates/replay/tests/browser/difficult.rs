//! Acceptance 4 of access: nothing leaves the replay origin, at least 99 % of what the live page asked for is answered from
//! the archive, and the picture differs by less than 1 %. Beyond that, scripts see what they saw live.

use std::collections::BTreeSet;
use std::time::Duration;

use testkit::chromium::{Chromium, Page as Tab, Request};
use testkit::difficult::{Page, Site, pages};

use crate::archived::Archived;
use crate::picture::{Picture, keep};

/// So long a page may take; a loaded machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// What one visit gave.
struct Seen {
    results: serde_json::Value,
    picture: Vec<u8>,
    requests: Vec<Request>,
    console: Vec<String>,
}

/// How a replay did.
struct Figures {
    left: Vec<String>,
    unanswered: Vec<String>,
    asked: usize,
    difference: f64,
    faults: Vec<String>,
}

fn visit(tab: &Tab, url: &str) -> Seen {
    tab.forget();
    tab.viewport(800, 700);
    tab.go(url);
    let is_finished = tab.holds("window.finished === true", PATIENCE);
    tab.loaded(0);
    let results = tab.evaluate("window.results || null");
    let mut console = tab.console();
    if !is_finished {
        console.push("never finished".to_owned());
    }
    Seen { results, picture: tab.screenshot(), requests: tab.requests(), console }
}

/// What a live page asked for and got.
fn got(page: &Page, seen: &Seen) -> BTreeSet<(String, String)> {
    let is_talk = |url: &str| page.talk.iter().any(|path| url.ends_with(path));
    let good = seen.requests.iter().filter(|request| is_answered(request));
    let good = good.filter(|request| request.url.starts_with("http") && !is_talk(&request.url));
    good.map(|request| (request.method.clone(), plain(&request.url))).collect()
}

/// The scripts of workers that run have come, though nobody tells their status.
fn is_answered(request: &Request) -> bool {
    match request.status {
        Some(status) => status < 400,
        None => request.is_done && request.failure.is_none(),
    }
}

fn plain(url: &str) -> String {
    url.split('#').next().unwrap_or_default().to_owned()
}

/// The archived address in one of replay, if it is one.
fn unwrapped(archived: &Archived, url: &str) -> Option<String> {
    let rest = url.strip_prefix(&archived.origin())?.strip_prefix("/web/")?;
    let (time, inner) = rest.split_once('/')?;
    time.starts_with("2026").then(|| plain(inner))
}

fn judged(page: &Page, live: &Seen, replayed: &Seen, archived: &Archived) -> Figures {
    let is_outside = |request: &&Request| {
        let goes = request.url.starts_with("http") || request.url.starts_with("ws");
        goes && !request.url.starts_with(&format!("{}/", archived.origin()))
    };
    let left = replayed.requests.iter().filter(is_outside);
    let left = left.filter(|request| request.blocked.is_none() && !request.by_worker);
    let answered: BTreeSet<(String, String)> = replayed
        .requests
        .iter()
        .filter(|request| is_answered(request))
        .filter_map(|request| Some((request.method.clone(), unwrapped(archived, &request.url)?)))
        .collect();
    let asked = got(page, live);
    let unanswered = asked.difference(&answered).map(|(method, url)| format!("{method} {url}")).collect();
    let (one, other) = (Picture::read(&live.picture), Picture::read(&replayed.picture));
    assert!(one.painted() > 0.001, "{} paints nothing", page.name);
    let mut faults = Vec::new();
    if live.results != replayed.results {
        let none = serde_json::Map::new();
        let (was, is) =
            (live.results.as_object().unwrap_or(&none), replayed.results.as_object().unwrap_or(&none));
        let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
        for name in names.into_iter().filter(|name| was.get(*name) != is.get(*name)) {
            let show = |value: Option<&serde_json::Value>| value.map(ToString::to_string).unwrap_or_default();
            faults.push(format!("{name}: live {} replayed {}", show(was.get(name)), show(is.get(name))));
        }
        faults.extend(replayed.console.iter().map(|line| format!("console: {line}")));
    }
    let left = left.map(|request| format!("{} {} by {}", request.kind, request.url, request.asker)).collect();
    Figures { left, unanswered, asked: asked.len(), difference: one.difference(&other), faults }
}

fn tell(page: &Page, when: &str, figures: &Figures) -> bool {
    let answered = figures.asked - figures.unanswered.len();
    println!(
        "{:<18} {when:<6} left {:>2}  answered {answered:>3} of {:>3}  picture {:>6.3} %",
        page.name,
        figures.left.len(),
        figures.asked,
        figures.difference * 100.0
    );
    let lines = figures.left.iter().map(|line| format!("left: {line}"));
    let lines = lines.chain(figures.unanswered.iter().map(|line| format!("unanswered: {line}")));
    lines.chain(figures.faults.iter().cloned()).for_each(|line| println!("    {line}"));
    figures.left.is_empty()
        && figures.unanswered.is_empty()
        && figures.faults.is_empty()
        && figures.difference < 0.01
}

/// `VARVE_PAGE=frames,media` looks at these only.
#[test]
fn difficult_pages_play_as_they_did_live() {
    let Some(browser) = Chromium::start() else { return };
    let site = Site::start();
    let wanted = std::env::var("VARVE_PAGE").ok();
    let mut all = pages();
    all.retain(|page| wanted.as_ref().is_none_or(|wanted| wanted.split(',').any(|name| name == page.name)));
    let archived = Archived::of(&site, &all);
    let (mut asked, mut unanswered, mut left, mut worst) = (0, 0, 0, 0.0_f64);
    let mut bad = Vec::new();
    for page in &all {
        let url = site.url(page);
        let live = visit(&browser.page(), &url);
        keep(&format!("{}-live", page.name), &live.picture);
        let listed: BTreeSet<String> =
            page.files.iter().map(|file| file.url(page.name, site.port())).collect();
        let seen: BTreeSet<String> = got(page, &live).into_iter().map(|(_, url)| url).collect();
        if seen != listed || live.results.get("failed").is_some() {
            println!("{} is not as it says: {seen:#?} {} {:#?}", page.name, live.results, live.console);
            bad.push(format!("{} live", page.name));
        }
        site.server().forget();
        let tab = browser.page();
        // Once as nobody has been here before, and once with the service worker in charge.
        for when in ["first", "again"] {
            let replayed = visit(&tab, &archived.shown("if_", &url));
            keep(&format!("{}-{when}", page.name), &replayed.picture);
            let mut figures = judged(page, &live, &replayed, &archived);
            let strays = site.server().seen();
            figures
                .left
                .extend(strays.iter().map(|seen| format!("the live server was asked for {}", seen.target())));
            site.server().forget();
            if !tell(page, when, &figures) {
                bad.push(format!("{} {when}", page.name));
            }
            asked += figures.asked;
            unanswered += figures.unanswered.len();
            left += figures.left.len();
            worst = worst.max(figures.difference);
        }
    }
    let share = 100.0 * (asked - unanswered) as f64 / asked as f64;
    println!(
        "{} pages: left {left}, answered {share:.2} % of {asked}, worst picture {:.3} %",
        all.len(),
        worst * 100.0
    );
    assert_eq!(left, 0);
    assert!(share >= 99.0);
    assert!(worst < 0.01);
    assert!(bad.is_empty(), "{bad:?}");
}
