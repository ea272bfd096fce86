//! Mementos, TimeGates, TimeMaps.

use crate::world::{World, answer, html, links, page};

const URL: &str = "http://example.org/";

fn three() -> World {
    World::of(&[
        html(URL, "20240101120000", "<title>One</title><p>first"),
        html(URL, "20250101120000", "<title>Two</title><p>second"),
        html(URL, "20260101120000", "<title>Three</title><p>third"),
    ])
}

#[test]
fn b16_a_memento_says_what_it_is() {
    let world = three();
    let server = world.serve();
    let answer = server.get("/web/20250101120000/http://example.org/");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.text().contains("second"));
    assert_eq!(answer.expect("memento-datetime"), "Wed, 01 Jan 2025 12:00:00 GMT");
    assert_eq!(answer.expect("content-location"), "http://localhost/web/20250101120000/http://example.org/");
    let links = answer.links();
    for (relation, address) in [
        ("original", "http://example.org/"),
        ("timegate", "http://localhost/web/http://example.org/"),
        ("timemap", "http://localhost/web/timemap/link/http://example.org/"),
        ("first", "http://localhost/web/20240101120000/http://example.org/"),
        ("prev", "http://localhost/web/20240101120000/http://example.org/"),
        ("next", "http://localhost/web/20260101120000/http://example.org/"),
        ("last", "http://localhost/web/20260101120000/http://example.org/"),
    ] {
        assert_eq!(links[relation], [address], "{relation}");
    }
    assert_eq!(links["memento"].len(), 3);
    assert!(answer.expect("cache-control").contains("max-age=30"));
    assert!(
        server
            .get("/web/20250101120000if_/http://example.org/")
            .expect("cache-control")
            .contains("immutable")
    );
}

/// What a Memento client does: asks the TimeGate, reads the TimeMap, looks at every memento.
#[test]
fn b16_a_client_walks_from_the_timegate_over_the_timemap_to_every_memento() {
    let world = three();
    let server = world.serve();
    let path = |address: &str| address.strip_prefix("http://localhost").unwrap().to_owned();
    for (asked, expected) in [
        ("Wed, 01 Jan 2020 00:00:00 GMT", "2024"),
        ("Sat, 01 Feb 2025 00:00:00 GMT", "2025"),
        ("Fri, 01 Jan 2030 00:00:00 GMT", "2026"),
    ] {
        for gate in ["/web/http://example.org/", "/web/timegate/http://example.org/"] {
            let answer = server.get_with(gate, &[("Accept-Datetime", asked)]);
            assert_eq!((answer.status, answer.expect("vary")), (302, "accept-datetime"));
            assert!(answer.expect("location").starts_with(&format!("http://localhost/web/{expected}")));
            let map = server.get(&path(&answer.links()["timemap"][0]));
            assert_eq!((map.status, map.expect("content-type")), (200, "application/link-format"));
            let mementos = links(&map.text());
            assert_eq!(mementos["memento"].len(), 3);
            assert_eq!(mementos["original"], [URL]);
            for memento in &mementos["memento"] {
                let answer = server.get(&path(memento));
                assert_eq!(answer.status, 200);
                assert_eq!(answer.expect("content-location"), memento);
                assert!(answer.links()["memento"].contains(memento));
            }
        }
    }
    assert_eq!(
        server.get("/web/http://example.org/").expect("location"),
        "http://localhost/web/20260101120000/http://example.org/"
    );
    for nonsense in ["yesterday", "2026", "Wed, 01 Jan 2020 00:00:00 G\u{e9}", ""] {
        let answer = server.get_with("/web/http://example.org/", &[("Accept-Datetime", nonsense)]);
        assert_eq!(answer.status, 400, "{nonsense}");
    }
    assert_eq!(server.get_with("/web/http://nowhere.example/", &[]).status, 404);
}

#[test]
fn timemaps_come_in_three_forms_and_in_pages() {
    let world = three();
    let mut settings = world.settings();
    settings.limits.mementos_in_page = 2;
    let server = crate::world::Server::start(settings);
    let first = server.get("/web/timemap/link/http://example.org/").text();
    let found = links(&first);
    assert_eq!(found["memento"].len(), 2, "{first}");
    assert!(first.contains("rel=\"first memento\"") && !first.contains("last memento"), "{first}");
    assert!(
        first.contains("from=\"Mon, 01 Jan 2024 12:00:00 GMT\"; until=\"Wed, 01 Jan 2025 12:00:00 GMT\""),
        "{first}"
    );
    assert_eq!(found["next"], ["http://localhost/web/timemap/link/20260101120000/http://example.org/"]);
    let second = server.get("/web/timemap/link/20260101120000/http://example.org/").text();
    assert_eq!(links(&second)["last"], ["http://localhost/web/20260101120000/http://example.org/"]);
    let json: serde_json::Value =
        serde_json::from_str(&server.get("/web/timemap/json/http://example.org/").text()).unwrap();
    assert_eq!(json["mementos"]["list"][1]["datetime"], "2025-01-01T12:00:00Z");
    assert_eq!(json["next"], "http://localhost/web/timemap/json/20260101120000/http://example.org/");
    let cdxj = server.get("/web/timemap/cdxj/20260101120000/http://example.org/").text();
    assert!(
        cdxj.lines()
            .last()
            .unwrap()
            .starts_with("20260101120000 {\"uri\":\"http://localhost/web/20260101120000/"),
        "{cdxj}"
    );
    assert_eq!(server.get("/web/timemap/foo/http://example.org/").status, 400);
}

#[test]
fn raw_payloads_come_as_they_were_captured() {
    let packed = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 4, 0, 0x43, 0xbe, 0xb7, 0xe8, 1, 0, 0, 0];
    let fields = "Content-Type: text/plain\r\nContent-Encoding: gzip\r\nX-Odd: yes\r\n";
    let world = World::of(&[answer(URL, "20260101000000", "200 OK", fields, &packed)]);
    let server = world.serve();
    let raw = server.get("/web/20260101000000id_/http://example.org/");
    assert_eq!((raw.expect("content-encoding"), raw.body.as_slice()), ("gzip", &packed[..]));
    assert_eq!(raw.expect("x-archive-orig-x-odd"), "yes");
    assert!(raw.expect("content-security-policy").ends_with("; sandbox"));
    let shown = server.get("/web/20260101000000if_/http://example.org/");
    assert_eq!((shown.header("content-encoding"), shown.text().as_str()), (None, "a"));
    let preferred = server.get_with("/web/20260101000000/http://example.org/", &[("Prefer", "raw")]);
    assert_eq!((preferred.status, preferred.expect("preference-applied")), (302, "raw"));
}

#[test]
fn parts_of_a_page_are_shown_where_they_are_asked_for() {
    let world = World::of(&[page(
        "http://example.org/a.css",
        "20260101000000",
        "text/css",
        b"b{background:url(/c.png)}",
    )]);
    let answer = world.serve().get("/web/20260201000000cs_/http://example.org/a.css");
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.expect("content-location"),
        "http://localhost/web/20260101000000cs_/http://example.org/a.css"
    );
    assert!(
        answer.text().contains("20260201000000im_/http://example.org/c.png")
            || answer.text().contains("20260201000000oe_/http://example.org/c.png"),
        "at the time of the page: {}",
        answer.text()
    );
    assert_eq!(answer.expect("cache-control"), "private, max-age=600");
    assert_eq!(answer.header("memento-datetime"), None, "another capture may be nearer tomorrow");
}

/// What a live script would have got at once it gets at once.
#[test]
fn what_scripts_ask_for_is_shown_where_they_ask() {
    let world = World::of(&[page("http://example.org/a.json", "20260101000000", "application/json", b"{}")]);
    let server = world.serve();
    let path = "/web/20260101000007id_/http://example.org/a.json";
    let answer = server.get_with(path, &[("Sec-Fetch-Dest", "empty")]);
    assert_eq!((answer.status, answer.text().as_str(), answer.expect("vary")), (200, "{}", "sec-fetch-dest"));
    assert!(answer.expect("content-location").contains("/web/20260101000000id_/"));
    let others = server.get_with(path, &[("Sec-Fetch-Dest", "document")]);
    assert_eq!((others.status, others.expect("vary")), (302, "sec-fetch-dest"));
}

#[test]
fn head_says_what_get_says() {
    let world = three();
    let server = world.serve();
    let (get, head) = (
        server.get("/web/20250101120000/http://example.org/"),
        server.ask("HEAD", "/web/20250101120000/http://example.org/", &[], b""),
    );
    assert_eq!((head.status, head.body.len()), (200, 0));
    for name in ["content-length", "memento-datetime", "link", "content-type"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
}

#[test]
fn scripts_know_where_they_are() {
    let world = World::of(&[html("http://example.org/</script>é", "20260101000000", "<head></head>x")]);
    let text = world.serve().get("/web/20260101000000/http://example.org/%3C/script%3E%C3%A9").text();
    let start = text.find("window.__varve=").expect("what scripts need to know") + "window.__varve=".len();
    let json: serde_json::Value =
        serde_json::from_str(text[start..].split("</script>").next().unwrap()).unwrap();
    assert_eq!(
        (json["prefix"].as_str(), json["timestamp"].as_str(), json["modifier"].as_str()),
        (Some("/web/"), Some("20260101000000"), Some(""))
    );
    assert_eq!(json["pages"], "http://127.0.0.1:8470");
    assert!(text.contains("<script src=\"/-/shim.js\"></script>"));
}

#[test]
fn the_banner_is_there_and_only_where_a_page_is_looked_at() {
    let world = three();
    let server = world.serve();
    let text = server.get("/web/20250101120000/http://example.org/").text();
    for expected in [
        "<varve-banner><template shadowrootmode=\"closed\">",
        "Two",
        "1 January 2025",
        "3 captures",
        "/web/20240101120000/",
        "/web/20260101120000/",
        "What changed",
    ] {
        assert!(text.contains(expected), "{expected}");
    }
    assert!(text.is_ascii(), "for any charset");
    for (path, headers) in [
        ("/web/20250101120000if_/http://example.org/", &[][..]),
        ("/web/20250101120000/http://example.org/", &[("Sec-Fetch-Dest", "iframe")][..]),
    ] {
        assert!(!server.get_with(path, headers).text().contains("varve-banner"), "{path}");
    }
}

#[test]
fn workers_have_the_shim_before_them() {
    let world =
        World::of(&[page("http://example.org/w.js", "20260101000000", "text/javascript", b"postMessage(1)")]);
    let text = world.serve().get("/web/20260101000000sw_/http://example.org/w.js").text();
    assert!(text.starts_with("self.__varve={\"prefix\":\"/web/\","), "{text}");
    assert!(text.contains("importScripts(\"/-/shim.js\");postMessage(1)"), "{text}");
}
