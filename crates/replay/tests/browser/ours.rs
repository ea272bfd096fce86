//! What we show ourselves, as people see it: the banner and the pages about captures, wide and narrow, by day and by night.

use serde_json::{Value, json};
use testkit::chromium::{Chromium, Page};

use crate::picture::keep;
use crate::world::{Server, World, answer, html};

const HOST: &str = "http://www.meadow.example";

/// A paper with pages of several years, one of which was an error on a day.
fn paper() -> World {
    let page = |title: &str, text: &str| {
        format!(
            "<!doctype html><title>{title}</title><style>body{{font:18px/1.6 serif;margin:3em auto;max-width:38em}}</style>\
             <h1>{title}</h1>{}",
            format!("<p>{text}</p>").repeat(12)
        )
    };
    let front = format!("{HOST}/");
    let title = "The Meadow Gazette: news, weather and tides of the whole valley since 1871";
    let mut records = Vec::new();
    for (time, text) in [
        ("20190304080000", "Snow on the hills."),
        ("20200504080000", "Snow on the hills."),
        ("20200511080000", "The fair begins."),
        ("20260302080000", "The ferry is back."),
        ("20261005080000", "The ferry is back."),
        ("20261012080000", "Apples are in."),
    ] {
        records.push(html(&front, time, &page(title, text)));
    }
    records.push(answer(
        &front,
        "20261110080000",
        "503 Service Unavailable",
        "Content-Type: text/html\r\n",
        b"gone",
    ));
    for number in 0..14 {
        let url = format!("{HOST}/2026/10/{number:02}/a-story-with-a-long-name-of-its-own.html");
        records.push(html(&url, "20261012080100", &page("A story", "Once upon a time.")));
    }
    World::of(&records)
}

fn at(server: &Server, path: &str) -> String {
    format!("http://localhost:{}{path}", server.address.port())
}

/// Where an element of the banner lies, of which the page itself sees nothing: left, top, width, height.
fn place(tab: &Page, class: &str) -> Option<[f64; 4]> {
    let document = tab.call("DOM.getDocument", json!({ "depth": -1, "pierce": true }));
    let node = find(&document["root"], class)?;
    let quad = tab.call("DOM.getBoxModel", json!({ "backendNodeId": node }));
    let border: Vec<f64> =
        quad["model"]["border"].as_array()?.iter().map(|number| number.as_f64().unwrap()).collect();
    Some([border[0], border[1], border[2] - border[0], border[5] - border[1]])
}

fn find(node: &Value, class: &str) -> Option<i64> {
    let attributes: Vec<&str> =
        node["attributes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if attributes.chunks_exact(2).any(|pair| pair == ["class", class]) {
        return node["backendNodeId"].as_i64();
    }
    let inside = ["children", "shadowRoots"].into_iter().filter_map(|name| node[name].as_array());
    inside.flatten().find_map(|node| find(node, class))
}

fn seen_by(tab: &Page, scheme: &str) {
    let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
    tab.call("Emulation.setEmulatedMedia", json!({ "features": features }));
}

#[test]
fn the_banner_hides_neither_the_title_nor_its_note() {
    let Some(browser) = Chromium::start() else { return };
    let world = paper();
    let server = world.serve();
    let tab = browser.page();
    for scheme in ["light", "dark"] {
        seen_by(&tab, scheme);
        for width in [1280, 1024, 800, 400] {
            tab.viewport(width, 700);
            tab.go(&at(&server, &format!("/web/20261109/{HOST}/")));
            keep(&format!("banner-{width}-{scheme}"), &tab.screenshot());
            let [_, bar_top, ..] = place(&tab, "bar").expect("a bar");
            let [left, top, wide, high] = place(&tab, "note").expect("a note");
            assert!(left >= 0.0 && left + wide <= f64::from(width), "{width}: the note is cut");
            assert!(top + high <= bar_top, "{width}: the note lies over the bar");
            if width > 560 {
                let [.., wide, _] = place(&tab, "title").expect("a title");
                assert!(wide >= 200.0, "{width}: the title has {wide} dots");
            }
        }
    }
}

/// Pages of ours are read by night as well: what is written stands out from what it is written on.
#[test]
fn pages_are_readable_by_day_and_by_night() {
    let Some(browser) = Chromium::start() else { return };
    let world = paper();
    let server = world.serve();
    let tab = browser.page();
    let pages = [
        ("calendar", format!("/web/2026*/{HOST}/")),
        ("listing", format!("/web/*/{HOST}/*")),
        ("missing", format!("/web/2026/{HOST}/2026/10/03/another.html")),
        ("start", "/".to_owned()),
    ];
    let mut faults = Vec::new();
    for scheme in ["light", "dark"] {
        seen_by(&tab, scheme);
        for (name, path) in &pages {
            for width in [1280, 400] {
                tab.viewport(width, 900);
                tab.go(&at(&server, path));
                keep(&format!("{name}-{width}-{scheme}"), &tab.screenshot());
                let texts = tab.evaluate(FAINT);
                let faint =
                    texts.as_array().unwrap().iter().map(|text| format!("{name} {scheme}: {text} is faint"));
                faults.extend(faint);
                if tab.evaluate("document.documentElement.scrollWidth > innerWidth") == true {
                    faults.push(format!("{name} is wider than {width}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Texts whose contrast with their ground is less than <https://www.w3.org/TR/WCAG22/#contrast-minimum> asks for.
const FAINT: &str = "(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const paint = (...colours) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = (dot) => dot.slice(0, 3).map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const grounds = (element) => {
        const all = [];
        for (let at = element; at; at = at.parentElement) all.unshift(getComputedStyle(at).backgroundColor);
        return all;
    };
    const faint = [];
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join('');
        if (!own || !element.checkVisibility() || element.closest('.unseen,.skip,.none')) continue;
        const under = grounds(element);
        const [one, other] = [light(paint(...under)), light(paint(...under, getComputedStyle(element).color))];
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (ratio < 4.5) faint.push(own.slice(0, 30) + ' ' + ratio.toFixed(1));
    }
    return faint;
})()";
