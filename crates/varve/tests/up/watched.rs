//! A person watches a page: described with a preview, checked, compared, and shown as it was. (Issue 7, acceptance 4.)

use std::time::Instant;

use serde_json::json;
use testkit::changing::Changing;
use testkit::chromium::{Chromium, Page};

use crate::http;
use crate::look::{click, expect, follow, keep};
use crate::watching::{PATIENCE, World};

/// The page that is watched.
fn fish(cod: &str) -> String {
    format!(
        "<!doctype html><title>Fish market</title><link rel=icon href=data:,>\
         <main><h1>Fish of the day</h1><p>Cod: {cod}</p><p>Eel: smoked, by the pound</p></main>\
         <p class=advert>Buy nets!</p>"
    )
}

/// Types a text in place of what is there.
fn type_in(page: &Page, selector: &str, text: &str) {
    page.evaluate(&format!(
        "document.querySelector('{selector}').focus(); document.querySelector('{selector}').select()"
    ));
    page.call("Input.insertText", json!({ "text": text }));
}

/// What is shown has this text in it somewhere.
fn shows(page: &Page, selector: &str, text: &str) {
    expect(page, &format!("document.querySelector('{selector}')?.textContent.includes('{text}')"));
}

#[test]
fn a_person_watches_a_page_and_sees_what_changed() {
    let Some(browser) = Chromium::start() else { return };
    let (site, folder) = (Changing::start(), tempfile::tempdir().unwrap());
    archive::Archive::create(folder.path()).unwrap();
    site.page("/", &fish("12 left"));
    let world = World::watching(site, folder);
    let page = browser.page();
    world.up.sign_in(&page);
    page.viewport(1280, 900);
    describe(&page, &world);

    // It changes, and somebody cannot wait.
    world.site.page("/", &fish("sold out"));
    follow(&page, "#check");
    shows(&page, ".figures", "changed");
    shows(&page, "#news", "sold out");
    keep(&page, "watch-2-changed");

    follow(&page, "#versions a[href$='from=1&to=2']");
    shows(&page, "table.side td.old:not(.sign)", "Cod: 12 left");
    shows(&page, "table.side td.new:not(.sign)", "Cod: sold out");
    expect(&page, "document.querySelector('td.new ins').textContent === 'sold out'");
    keep(&page, "watch-3-difference");
    let difference = page.evaluate("location.href").as_str().unwrap().to_owned();

    // Both are shown as they were, as soon as they are in the archive.
    let asked = Instant::now();
    let captures = || {
        let found = http::get(&format!("{}/cdx?url={}", world.up.pages, world.url()));
        String::from_utf8(found.body).unwrap().lines().count()
    };
    while captures() < 2 {
        assert!(asked.elapsed() < PATIENCE);
    }
    for (version, place, cod) in [(2, "th:nth-child(2) a", "sold out"), (1, "th:nth-child(1) a", "12 left")] {
        page.go(&difference);
        follow(&page, place);
        shows(&page, "main", &format!("Cod: {cod}"));
        expect(&page, "document.querySelector('varve-banner') !== null");
        let address = page.evaluate("location.href").as_str().unwrap().to_owned();
        assert!(address.starts_with(&format!("{}/web/", world.up.replay)), "{address}");
        keep(&page, &format!("watch-4-version-{version}"));
    }
    assert_eq!(page.console(), Vec::<String>::new());
    for request in page.requests() {
        assert!(world.up.is_ours(&request.url), "{}", request.url);
        assert!(request.status.is_none_or(|status| status < 400), "{request:?}");
    }
}

/// From the list to a watch, with a preview of what its rules keep while they are typed.
fn describe(page: &Page, world: &World) {
    page.go(&format!("{}/watches", world.up.pages));
    type_in(page, "input[name=url]", &world.url());
    follow(page, ".hero form button");
    shows(page, "#preview pre", "Buy nets!");
    shows(page, "#preview pre", "Cod: 12 left");
    type_in(page, "#never", ".advert");
    expect(page, "!document.querySelector('#preview pre').textContent.includes('Buy nets!')");
    type_in(page, "#title", "Fish of the day");
    keep(page, "watch-1-preview");
    click(page, "button[value=save]");
    expect(page, "location.pathname === '/watches/1' && document.readyState === 'complete'");
    assert_eq!(page.evaluate("document.querySelector('h1').textContent"), "Fish of the day");
}
