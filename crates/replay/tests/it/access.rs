//! B17: who may see what, asked for everything that is shown.

use policy::RuleSet;

use crate::world::{Server, World, html};

const RULES: &str = "\
org,blocked,     block
org,excluded,    exclude
org,house,       on-site
org,staff,       staff
org,young,       embargo 3650d
org,mixed,       exclude before 2026
on-site 192.0.2.0/24
staff anna
";

fn server(world: &World) -> Server {
    let mut settings = world.settings();
    settings.access_rules = RuleSet::parse(RULES).unwrap().into();
    settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    settings.user_header = Some("X-User".to_owned());
    Server::start(settings)
}

fn world() -> World {
    let mut records = Vec::new();
    for name in ["blocked", "excluded", "house", "staff", "young", "mixed"] {
        records.push(html(&format!("http://{name}.org/"), "20250101000000", "secret of old"));
        records.push(html(&format!("http://{name}.org/"), "20260101000000", "secret of late"));
        records.push(html(&format!("http://open.org/{name}"), "20260101000000", "open"));
    }
    World::of(&records)
}

#[test]
fn every_door_asks() {
    let world = world();
    let server = server(&world);
    for (name, status) in
        [("blocked", 451), ("excluded", 404), ("house", 403), ("staff", 403), ("young", 403)]
    {
        let url = format!("http://{name}.org/");
        for path in [
            format!("/web/20260101000000/{url}"),
            format!("/web/2026/{url}"),
            format!("/web/20260101000000id_/{url}"),
            format!("/web/20260101000000im_/{url}"),
            format!("/web/{url}"),
            format!("/web/*/{url}"),
        ] {
            let answer = server.get(&path);
            assert_eq!(answer.status, status, "{path}");
            assert!(!answer.text().contains("secret"), "{path}");
        }
        assert_eq!(server.get(&format!("/web/timemap/link/{url}")).status, 404, "{name}");
        assert_eq!(server.get(&format!("/web/*/{url}*")).status, 404, "{name}");
    }
    assert!(server.get("/web/20260101000000/http://young.org/").text().contains("30 December 2035"));
}

#[test]
fn what_is_excluded_cannot_be_told_from_what_is_not_there() {
    let world = world();
    let server = server(&world);
    let there = server.get("/web/2026/http://excluded.org/").text();
    let never = server.get("/web/2026/http://never.org/").text();
    assert_eq!(there.replace("excluded.org", "X"), never.replace("never.org", "X"));
}

#[test]
fn captures_that_may_not_be_seen_are_not_counted_or_linked() {
    let world = world();
    let server = server(&world);
    let answer = server.get("/web/20260101000000/http://mixed.org/");
    assert_eq!(answer.status, 200);
    assert!(!answer.expect("link").contains("20250101000000"), "{}", answer.expect("link"));
    assert!(answer.text().contains("1 capture") && !answer.text().contains("2 captures"));
    assert!(!server.get("/web/timemap/link/http://mixed.org/").text().contains("20250101000000"));
    assert!(!server.get("/web/2025*/http://mixed.org/").text().contains("20250101000000"));
    assert_eq!(
        server.get("/web/2025/http://mixed.org/").expect("location"),
        "http://localhost/web/20260101000000/http://mixed.org/"
    );
}

/// However many captures nobody may know of lie between, the others are found.
#[test]
fn what_is_excluded_takes_nobody_s_place() {
    let mut records: Vec<Vec<u8>> = (0..60)
        .map(|day| {
            html("http://mixed.org/", &format!("2025{:02}{:02}000000", 1 + day / 28, 1 + day % 28), "secret")
        })
        .collect();
    records.push(html("http://mixed.org/", "20260101000000", "open"));
    records.push(html("http://mixed.org/", "20260201000000", "open"));
    let world = World::of(&records);
    let server = server(&world);
    let asked = server.get("/web/2025/http://mixed.org/");
    assert_eq!(asked.expect("location"), "http://localhost/web/20260101000000/http://mixed.org/");
    let links = server.get("/web/20260201000000/http://mixed.org/").links();
    assert_eq!(links["first"], ["http://localhost/web/20260101000000/http://mixed.org/"]);
}

#[test]
fn a_timemap_leads_to_no_page_that_is_empty() {
    let world = World::of(&[
        html("http://late.org/", "20250101000000", "open"),
        html("http://late.org/", "20260101000000", "secret"),
    ]);
    let mut settings = world.settings();
    settings.access_rules = RuleSet::parse("org,late, exclude from 2026\n").unwrap().into();
    settings.limits.mementos_in_page = 1;
    let text = Server::start(settings).get("/web/timemap/link/http://late.org/").text();
    assert!(text.contains("first last memento") && !text.contains("next timemap"), "{text}");
}

#[test]
fn those_on_site_and_staff_see_it() {
    let world = world();
    let server = server(&world);
    let asked = |path: &str, headers: &[(&str, &str)]| server.get_with(path, headers).status;
    assert_eq!(asked("/web/20260101000000/http://house.org/", &[("X-Forwarded-For", "192.0.2.7")]), 200);
    assert_eq!(asked("/web/20260101000000/http://house.org/", &[("X-Forwarded-For", "198.51.100.1")]), 403);
    // Whoever stands before the proxy can write anything, but not behind what the proxy adds.
    assert_eq!(
        asked("/web/20260101000000/http://house.org/", &[("X-Forwarded-For", "192.0.2.7, 198.51.100.1")]),
        403
    );
    assert_eq!(asked("/web/20260101000000/http://staff.org/", &[("X-User", "anna")]), 200);
    assert_eq!(asked("/web/20260101000000/http://staff.org/", &[("X-User", "eve")]), 403);
}

#[test]
fn without_a_trusted_proxy_nothing_that_it_says_counts() {
    let world = world();
    let mut settings = world.settings();
    settings.access_rules = RuleSet::parse(RULES).unwrap().into();
    settings.user_header = Some("X-User".to_owned());
    let server = Server::start(settings);
    for (path, header) in [
        ("/web/20260101000000/http://house.org/", ("X-Forwarded-For", "192.0.2.7")),
        ("/web/20260101000000/http://staff.org/", ("X-User", "anna")),
    ] {
        assert_eq!(server.get_with(path, &[header]).status, 403, "{path}");
    }
}
