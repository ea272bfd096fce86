//! From the start page to the sample site as it was on three days. (Issue 5, acceptance 1.)

use serde_json::{Value, json};
use testkit::chromium::{Chromium, Page};

use crate::http;
use crate::look::{click, expect, follow, keep, nothing_left, pictures_are_there};
use crate::program::{Up, timestamp};

/// What opens the paper, and the temperature that its weather box says, in each edition.
const EDITIONS: [(u8, &str, &str); 3] = [
    (1, "The Heron sails again", "19°"),
    (2, "The lake comes to Fish Street", "11°"),
    (3, "Mill Bridge opens nine days early", "6°"),
];

/// The size of a window on a laptop.
fn window(browser: &Chromium, up: &Up) -> Page {
    let page = browser.page();
    up.sign_in(&page);
    page.viewport(1280, 900);
    page
}

#[test]
fn a_person_finds_the_sample_site_in_three_versions() {
    let Some(browser) = Chromium::start() else { return };
    let up = Up::start();
    println!("`varve up --demo` was ready after {:?}", up.took);
    let calendar = search(&browser, &up);
    let page = window(&browser, &up);
    for (edition, lead, degrees) in EDITIONS {
        page.go(&calendar);
        let day = timestamp(edition);
        follow(&page, &format!("td.has a[href*='/{}']", &day[..8]));
        expect(&page, &format!("document.querySelector('.lead h2').textContent === '{lead}'"));
        expect(
            &page,
            &format!("document.querySelector('#weather.ready .degrees').textContent === '{degrees}'"),
        );
        expect(
            &page,
            "document.querySelector('.level iframe').contentDocument.documentElement.dataset.ready === 'yes'",
        );
        pictures_are_there(&page);
        expect(&page, "document.querySelector('varve-banner') !== null");
        keep(&page, &format!("3-edition-{edition}"));
    }
    nothing_left(&page, &up);
    assert_eq!(page.console(), Vec::<String>::new());
}

/// Start page, search box, calendar; its address.
fn search(browser: &Chromium, up: &Up) -> String {
    let page = window(browser, up);
    // The start page keeps listening to what happens, so it never comes to rest: what is awaited is what is seen.
    page.call("Page.navigate", json!({ "url": format!("{}/", up.pages) }));
    let form = "main form[action=\"/search\"]";
    expect(
        &page,
        &format!("document.readyState === 'complete' && document.querySelector('{form}') !== null"),
    );
    keep(&page, "1-start");
    page.evaluate(&format!("document.querySelector('{form} input[name=q]').focus()"));
    page.call("Input.insertText", json!({ "text": demo::HOST }));
    click(&page, &format!("{form} button"));
    expect(&page, "location.pathname.startsWith('/web/') && document.readyState === 'complete'");
    let address = page.evaluate("location.href").as_str().unwrap().to_owned();
    assert!(address.starts_with(&format!("{}/web/", up.replay)), "{address}");
    let days = page.evaluate("[...document.querySelectorAll('td.has a')].map((link) => link.href)");
    let days: Vec<&str> = days.as_array().unwrap().iter().filter_map(|day| day.as_str()).collect();
    assert_eq!(days.len(), 3, "{days:?}");
    keep(&page, "2-calendar");
    nothing_left(&page, up);
    address
}

#[test]
fn script_made_content_video_map_and_search_play() {
    let Some(browser) = Chromium::start() else { return };
    let up = Up::start();
    let page = window(&browser, &up);
    page.go(&up.archived(&timestamp(1), "/"));
    comments_and_video(&page);
    map(&page);
    inner_search(&page);
    text_size(&page, &up);
    let pdf = page.evaluate(
        "fetch(document.querySelector('a[href$=\".pdf\"]').href).then(async (answer) => \
         [answer.status, answer.headers.get('content-type'), (await answer.text()).slice(0, 8)])",
    );
    assert_eq!(pdf, json!([200, "application/pdf", "%PDF-1.4"]));
    nothing_left(&page, &up);
    assert_eq!(page.console(), Vec::<String>::new());
}

fn comments_and_video(page: &Page) {
    follow(page, ".seconds h3 a[href*='lake-mud']");
    expect(page, "document.querySelectorAll('#comments li').length === 2");
    page.evaluate("(() => { const video = document.querySelector('video'); video.muted = true; video.scrollIntoView({ block: 'center', behavior: 'instant' }); return video.play(); })()");
    expect(
        page,
        "document.querySelector('video').readyState >= 3 && document.querySelector('video').currentTime > 1",
    );
    expect(page, "document.querySelector('video').videoWidth === 640");
    keep(page, "4-video");
    // Seeking asks for a part of the file.
    page.evaluate("document.querySelector('video').currentTime = 6");
    expect(
        page,
        "document.querySelector('video').currentTime >= 6 && !document.querySelector('video').seeking",
    );
}

fn map(page: &Page) {
    follow(page, "nav a[href$='map.html']");
    expect(page, "document.querySelector('#map svg').dataset.ready === 'yes'");
    click(page, "[data-place='mill-bridge'] circle");
    expect(page, "document.querySelector('#card h2').textContent === 'Mill Bridge'");
    expect(page, "document.querySelector('#card img').naturalWidth > 0");
    expect(page, "location.hash === '#mill-bridge'");
    click(page, "#closer");
    expect(page, "document.querySelector('#map svg').viewBox.baseVal.width === 600");
    keep(page, "5-map");
}

/// The archived page's own search: a form that leads to a page whose script reads the address.
fn inner_search(page: &Page) {
    let loads = page.loads();
    page.evaluate("document.getElementById('q').focus()");
    page.call("Input.insertText", json!({ "text": "ferry" }));
    click(page, "nav form button");
    page.loaded(loads + 1);
    expect(page, "document.querySelectorAll('#results li').length === 1");
    assert_eq!(page.evaluate("document.title"), "ferry · Search · The Siltmere Lantern");
    keep(page, "6-search");
    follow(page, "#results a");
    expect(page, "document.querySelector('h1').textContent === 'The Heron sails again'");
}

/// A cookie that the archived page sets does what it should, and the pages of varve do not see it.
fn text_size(page: &Page, up: &Up) {
    click(page, "#textsize");
    expect(page, "document.documentElement.classList.contains('large')");
    page.call("Page.reload", json!({}));
    expect(page, "document.documentElement.classList.contains('large')");
    let cookies = page.call("Network.getCookies", json!({ "urls": [up.pages] }));
    let names = cookies["cookies"].as_array().unwrap().iter().map(|cookie| cookie["name"].as_str().unwrap());
    assert!(names.clone().all(|name| name.starts_with("varve-session-")), "{cookies}");
}

#[test]
fn what_is_gone_moved_or_broken_is_found_where_it_was() {
    let Some(browser) = Chromium::start() else { return };
    let up = Up::start();
    let page = window(&browser, &up);
    // In the third edition the article is gone; the nearest good capture is shown, and the banner says so.
    page.go(&up.archived("20261110", "/2026/09/lido-sale.html"));
    expect(&page, "document.querySelector('h1').textContent === 'Council weighs sale of the lido'");
    keep(&page, "7-gone");
    // A page had broken down in the second edition. Whoever asks for about that time is shown a good one; exactly that capture
    // is what it is.
    page.go(&up.archived("20261013", "/water-levels.html"));
    expect(&page, "document.querySelector('h1').textContent === 'Water levels'");
    keep(&page, "8-broken");
    let exact = http::get(&up.archived(&broken_at(&up), "/water-levels.html"));
    assert_eq!(exact.status, 500);
    // A page that had moved by the third.
    page.go(&up.archived(&timestamp(3), "/whats-on.html"));
    expect(&page, "document.querySelector('h1').textContent === 'Calendar'");
    page.go(&up.archived(&timestamp(1), "/whats-on.html"));
    expect(&page, "document.querySelector('h1').textContent === 'What’s on'");
    // An old page in an old charset.
    page.go(&up.archived(&timestamp(1), "/old/index.htm"));
    expect(&page, "document.body.textContent.includes('“Information Superhighway”™ — 23 March 1998')");
    keep(&page, "9-old");
    nothing_left(&page, &up);
}

/// The second at which the broken page was captured, as the index has it.
fn broken_at(up: &Up) -> String {
    let question =
        format!("url=http://{}/water-levels.html&from=20261012&to=20261012&output=json", demo::HOST);
    let answer = http::get(&format!("{}/cdx?{question}", up.pages));
    let text = String::from_utf8(answer.body).unwrap();
    let row: Value = serde_json::from_str(text.lines().next().unwrap()).expect(&text);
    assert_eq!(row["status"], "500", "{text}");
    row["timestamp"].as_str().unwrap().to_owned()
}

#[test]
fn what_never_was_is_told_with_a_page() {
    let up = Up::start();
    let answer = http::get(&up.archived(&timestamp(1), "/never/was.html"));
    assert_eq!(answer.status, 404);
    assert!(answer.field("content-type").is_some_and(|kind| kind.starts_with("text/html")));
    assert!(String::from_utf8_lossy(&answer.body).contains("<h1"));
}
