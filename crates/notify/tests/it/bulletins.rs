//! News of watched pages from the template to the reader: the mail server, and a real browser in light and dark.

use std::path::Path;

use notify::{Bulletin, Links, News, NewsKind, Security, Templates};
use testkit::chromium::{Chromium, Page};
use testkit::post_office::{Manner, PostOffice};
use testkit::server::{Place, Server, reply};

use crate::channels::{mail, now, only};

fn piece(kind: NewsKind, url: &str, title: &str) -> News {
    let link = |name: &str| format!("https://archive.example.org/watches/17/{name}");
    News {
        id: "17-3".to_owned(),
        watch: "17".to_owned(),
        kind,
        url: url.to_owned(),
        title: title.to_owned(),
        time: "2026-11-18T03:00:00Z".to_owned(),
        before: "2026-11-17T03:00:00Z".to_owned(),
        after: "2026-11-18T03:00:00Z".to_owned(),
        links: Links { page: link(""), difference: link("2..3"), before: link("2"), after: link("3") },
        ..News::default()
    }
}

fn bulletin() -> Bulletin {
    let long = format!("https://council.example.org/minutes/{}", "very-long-path-".repeat(12));
    let timetable = News {
        summary: "3 words".to_owned(),
        html: "<p style=\"margin:0 0 8px\">Ferries leave the north pier at <del>08:40</del> <ins>08:45</ins>, 11:10 and \
            <del>16:20</del> <ins>16:30 (not on Sundays)</ins>.</p><p style=\"margin:0\">Bicycles are carried free of charge.</p>"
            .to_owned(),
        ..piece(NewsKind::Changed, "https://harbour.example.org/timetable", "Harbour timetable")
    };
    let minutes = News {
        summary: "2 lines".to_owned(),
        text: " Present: 14 members\n-The next meeting is on 3 December.\n+The next meeting is on 10 December, in the \
            small hall <script>alert('not run')</script>.\n+Guests register at the desk.\n Adjourned at 21:15"
            .to_owned(),
        ..piece(NewsKind::Changed, &long, "Minutes of the council & its committees")
    };
    let mut gone = piece(NewsKind::Gone, "https://museum.example.org/opening-hours", "");
    (gone.links.difference, gone.links.after) = (String::new(), String::new());
    let back = piece(NewsKind::Back, "https://library.example.org/", "City library");
    Bulletin {
        archive: "City archive".to_owned(),
        owner: "ann".to_owned(),
        news: vec![timetable, minutes, gone, back],
    }
}

#[test]
fn news_becomes_a_letter_that_is_sent() {
    let parts = Templates::default().render(&bulletin()).unwrap();
    let office = PostOffice::open(Manner::default());
    mail(&office, Security::None, None).send_letter(&parts.letter("bulletin-1", now())).unwrap();
    let text = only(&office).text;
    assert!(text.contains("\r\nSubject: 4 pages: 2 changed, 1 gone, 1 back\r\n"), "{text}");
    assert!(text.contains("Content-Type: multipart/alternative;"), "{text}");
}

/// Keeps a picture of all of the page.
fn keep(page: &Page, name: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), page.screenshot()).unwrap();
}

#[test]
fn a_letter_is_readable_in_light_and_dark_and_on_a_telephone() {
    let Some(browser) = Chromium::start() else { return };
    let html = Templates::default().render(&bulletin()).unwrap().html.unwrap();
    let server = Server::answering(&Place::default(), move |wire, _| {
        wire.send(&reply("200 OK", &[("Content-Type", "text/html; charset=utf-8")], html.as_bytes()))?;
        Ok(true)
    });
    let page = browser.page();
    for (width, height, scheme) in [(900, 1200, "light"), (900, 1200, "dark"), (360, 1500, "light")] {
        page.viewport(width, height);
        let features =
            serde_json::json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        page.call("Emulation.setEmulatedMedia", features);
        page.go(&server.url("/"));
        keep(&page, &format!("letter-{scheme}-{width}"));
        assert_eq!(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "{width}");
        let colour = "(tag) => getComputedStyle(document.querySelector(tag)).backgroundColor";
        assert_eq!(page.evaluate(&format!("({colour})('ins')")), "rgba(46, 160, 67, 0.25)");
        assert_eq!(page.evaluate(&format!("({colour})('del')")), "rgba(248, 81, 73, 0.2)");
        // The reader's own colours are used, so that text is light where it is dark around it.
        let text = page.evaluate("getComputedStyle(document.querySelector('h1')).color");
        assert_eq!(text == "rgb(255, 255, 255)", scheme == "dark", "{text}");
        assert_eq!(page.evaluate("document.querySelectorAll('h1').length"), 3);
        assert_eq!(page.evaluate("document.scripts.length"), 0);
    }
    // Nothing was fetched but the letter, and what every browser asks for by itself.
    let requests = page.requests();
    let of_the_page =
        requests.iter().filter(|request| request.asker == "page").map(|request| request.url.as_str());
    let other: Vec<&str> =
        of_the_page.filter(|url| *url != server.url("/") && !url.ends_with("/favicon.ico")).collect();
    assert!(other.is_empty(), "{other:?}");
}
