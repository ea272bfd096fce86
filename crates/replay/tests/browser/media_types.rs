//! Documents of odd types, in a real browser: no archived script runs outside of shim and sandbox, and links stay in the archive
//! (issue 20, points 10 and 11).

use std::time::Duration;

use serde_json::{Value, json};
use testkit::chromium::{Chromium, Page as Tab};

use crate::world::{Server, World, answer, html, page};

const PATIENCE: Duration = Duration::from_secs(60);
const URL: &str = "http://odd.example/page";

/// Marks the document if it runs, and tells whether the shim is there.
const SCRIPT: &str = "document.documentElement.setAttribute('ran', typeof window.__varve_state)";

fn shown(server: &Server, modifier: &str, url: &str) -> String {
    format!("http://localhost:{}/web/20260101000000{modifier}/{url}", server.address.port())
}

/// What the script has left on the outermost element, seen from outside: in a sandbox nothing can be evaluated.
fn mark(tab: &Tab) -> Option<String> {
    let document = tab.call("DOM.getDocument", json!({ "depth": 1 }));
    let nodes = document["root"]["children"].as_array().cloned().unwrap_or_default();
    let root = nodes.iter().find(|node| node["nodeType"] == 1)?;
    let attributes: Vec<&str> =
        root["attributes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    attributes.chunks_exact(2).find(|pair| pair[0] == "ran").map(|pair| pair[1].to_owned())
}

fn xhtml(root: &str) -> String {
    format!(
        "<{root} xmlns:h='http://www.w3.org/1999/xhtml'><h:script>{SCRIPT}</h:script>\
         <h:a href='http://live.example/away'>away</h:a></{root}>"
    )
}

#[test]
fn scripts_in_xml_run_behind_the_shim_or_not_at_all() {
    let Some(browser) = Chromium::start() else { return };
    let tab = browser.page();
    for content_type in ["text/xsl", "text/xml", "application/xml", "text/rdf", "application/rss+xml"] {
        for (root, expected) in [("h:html", Some("object")), ("data", None)] {
            let world = World::of(&[page(URL, "20260101000000", content_type, xhtml(root).as_bytes())]);
            let server = world.serve();
            for modifier in ["", "if_", "id_"] {
                tab.go(&shown(&server, modifier, URL));
                tab.loaded(0);
                // Feeds are shown as text.
                let is_run = modifier != "id_" && content_type != "application/rss+xml";
                let expected = expected.filter(|_| is_run);
                assert_eq!(mark(&tab).as_deref(), expected, "{content_type} {root} {modifier}");
            }
        }
    }
}

#[test]
fn transformations_run_no_scripts() {
    let Some(browser) = Chromium::start() else { return };
    let tab = browser.page();
    let sheet = format!(
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'>\
         <html><body><script>{SCRIPT}</script></body></html></xsl:template></xsl:stylesheet>"
    );
    for root in
        ["data", "svg xmlns='http://www.w3.org/2000/svg'", "html xmlns='http://www.w3.org/1999/xhtml'"]
    {
        let name = root.split(' ').next().unwrap();
        let body = format!("<?xml-stylesheet type='text/xsl' href='/sheet'?><{root}></{name}>");
        let records = [
            page(URL, "20260101000000", "text/xml", body.as_bytes()),
            page("http://odd.example/sheet", "20260101000000", "text/xsl", sheet.as_bytes()),
        ];
        let server = World::of(&records).serve();
        tab.go(&shown(&server, "", URL));
        tab.loaded(0);
        assert_eq!(mark(&tab), None, "{root}");
    }
}

#[test]
fn pages_without_a_usable_type_play_and_their_links_stay_in_the_archive() {
    let Some(browser) = Chromium::start() else { return };
    let tab = browser.page();
    let body = format!(
        "<!doctype html><title>odd</title><script>{SCRIPT}</script><a href='http://live.example/away'>away</a>"
    );
    for fields in [
        "",
        "Content-Type:\r\n",
        "Content-Type: unknown/unknown\r\n",
        "Content-Type: */*\r\n",
        "Content-Type: html\r\n",
    ] {
        let records = [
            answer(URL, "20260101000000", "200 OK", fields, body.as_bytes()),
            html("http://live.example/away", "20260101000000", "<title>arrived</title>"),
        ];
        let world = World::of(&records);
        let server = world.serve();
        tab.go(&shown(&server, "", URL));
        tab.loaded(0);
        assert_eq!(mark(&tab).as_deref(), Some("object"), "{fields:?}");
        tab.evaluate("document.querySelector('a').click()");
        assert!(tab.holds("document.title === 'arrived'", PATIENCE), "{fields:?} {:?}", tab.console());
        let place = tab.evaluate("document.location.href");
        assert_eq!(place, shown(&server, "", "http://live.example/away"), "{fields:?}");
    }
}

/// Each way by which a script can let a frame navigate the whole window.
const WAYS: [&str; 13] = [
    "frame.setAttribute('sandbox', words)",
    "frame.setAttribute('SandBox', words.toUpperCase())",
    "frame.setAttributeNS(null, 'sandbox', words)",
    "frame.sandbox = words",
    "frame.sandbox.value = words",
    "frame.sandbox.add('allow-scripts', 'allow-top-navigation')",
    "frame.sandbox.add('allow-scripts'); frame.sandbox.toggle('Allow-Top-Navigation')",
    "frame.sandbox = 'allow-scripts x'; frame.sandbox.replace('x', 'allow-top-navigation')",
    "{ const node = document.createAttribute('sandbox'); node.value = words; frame.setAttributeNode(node) }",
    "{ const node = document.createAttribute('sandbox'); frame.setAttributeNode(node); node.nodeValue = words }",
    "{ const node = document.createAttribute('sandbox'); frame.attributes.setNamedItem(node); node.textContent = words }",
    "{ const box = document.createElement('div'); box.innerHTML = '<iframe sandbox=\"' + words + '\">'; frame = box.firstChild }",
    "{ const other = new DOMParser().parseFromString('<iframe xmlns=\"http://www.w3.org/1999/xhtml\" sandbox=\"' + words + '\"/>', \
       'text/xml'); frame = document.importNode(other.documentElement) }",
];

#[test]
fn no_frame_may_navigate_the_window() {
    let Some(browser) = Chromium::start() else { return };
    let tab = browser.page();
    let away = "<script>top.location.href = 'http://live.example/away'</script>";
    let records = [html(
        URL,
        "20260101000000",
        &format!(
            "<title>stays</title><iframe sandbox='allow-scripts allow-top-navigation' srcdoc=\"{away}\"></iframe>"
        ),
    )];
    let world = World::of(&records);
    let server = world.serve();
    for way in WAYS {
        tab.go(&shown(&server, "", URL));
        tab.loaded(0);
        let script = format!(
            "(() => {{ let frame = document.createElement('iframe'); const words = 'allow-scripts allow-top-navigation'; {way}; \
             frame.srcdoc = {away:?}; document.body.append(frame); \
             return document.body.outerHTML.match(/sandbox=\"[^\"]*\"/gi).join(); }})()"
        );
        let real = tab.evaluate(&script);
        assert!(
            !real.as_str().unwrap_or_default().to_ascii_lowercase().contains("top-navigation"),
            "{way}: {real}"
        );
        assert!(
            real.as_str().unwrap_or_default().to_ascii_lowercase().contains("allow-scripts"),
            "{way}: {real}"
        );
        tab.loaded(0);
        assert_eq!(tab.evaluate("document.title"), "stays", "{way}");
    }
    assert_eq!(tab.evaluate("window.__varve_state.faults"), json!([]));
}

/// Issue 20, point 10: a jar of cookies that no request could carry is emptied by the answer.
#[test]
fn a_browser_with_too_many_cookies_recovers_by_itself() {
    let Some(browser) = Chromium::start() else { return };
    let tab = browser.page();
    let world = World::of(&[html(URL, "20260101000000", "<title>stays</title>")]);
    let server = world.serve();
    for number in 0..60 {
        let url = format!("http://localhost:{}/", server.address.port());
        let cookie =
            json!({ "name": format!("c{number}"), "value": "x".repeat(4000), "url": url, "path": "/" });
        tab.call("Network.setCookie", cookie);
    }
    tab.go(&shown(&server, "", URL));
    tab.loaded(0);
    assert_eq!(tab.evaluate("document.title"), "Your browser sent too many cookies");
    tab.go(&shown(&server, "", URL));
    tab.loaded(0);
    assert_eq!(tab.evaluate("document.title"), "stays");
}
