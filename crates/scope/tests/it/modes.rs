//! C1: the modes of the robot, each with the exact set of URLs that it fetches.
//!
//! The pages of Appendix C link in a ring, 1 to 2 to 3 to 1; around a start page in a folder we lay a web of our own.

use super::graph::{Graph, check};
use super::{plan, scope};

const RING: &str = "
    http://www.suetoe.de/testseite1.html: L http://www.suetoe.de/testseite2.html
    http://www.suetoe.de/testseite2.html: L http://www.suetoe.de/testseite3.html
    http://www.suetoe.de/testseite3.html: L http://www.suetoe.de/testseite1.html
";

const WEB: &str = "
    http://www.domain.com/abc/xyz.html: L http://www.domain.com/abc/one.html, L http://www.domain.com/abc/sub/two.html, L http://www.domain.com/other/, L http://mail.domain.com/, L http://elsewhere.org/x/start.html, E http://cdn.elsewhere.net/logo.png
    http://www.domain.com/abc/one.html: L http://www.domain.com/abc/deep/three.html, L http://www.domain.com/
    http://www.domain.com/abc/sub/two.html: L http://www.domain.com/abcd.html, E http://cdn.elsewhere.net/a.css
    http://cdn.elsewhere.net/a.css: E http://cdn.elsewhere.net/font.woff2
    http://www.domain.com/other/: L http://www.domain.com/other/more.html
    http://mail.domain.com/: L http://mail.domain.com/in/
    http://elsewhere.org/x/start.html: L http://elsewhere.org/x/next.html, L http://elsewhere.org/y/, L http://third.net/
    http://elsewhere.org/x/next.html: L http://elsewhere.org/x/last.html, L http://www.domain.com/abc/hidden.html
    http://third.net/: L http://fourth.net/
";

const SEED: &str = "http://www.domain.com/abc/xyz.html";
const LOGO: &str = "http://cdn.elsewhere.net/logo.png";
const STYLE: [&str; 2] = ["http://cdn.elsewhere.net/a.css", "http://cdn.elsewhere.net/font.woff2"];

#[track_caller]
fn check_web(preset: &str, expect: &[&[&str]]) {
    check(&Graph::new(WEB), &scope(preset, SEED), &[SEED], &expect.concat());
}

#[test]
fn c1_the_ring_of_appendix_c_is_found_whole_from_any_page() {
    let pages = [
        "http://www.suetoe.de/testseite1.html",
        "http://www.suetoe.de/testseite2.html",
        "http://www.suetoe.de/testseite3.html",
    ];
    for preset in ["multi", "multi:.suetoe.de", "single", "host", "domain"] {
        for seed in pages {
            check(&Graph::new(RING), &scope(preset, seed), &[seed], &pages);
        }
    }
}

#[test]
fn c1_depth_ends_the_ring_where_it_says() {
    let seed = "http://www.suetoe.de/testseite1.html";
    for (depth, pages) in [(0, 1), (1, 2), (2, 3), (5, 3)] {
        let scope = scope::Scope::new(&scope::Plan { depth: Some(depth), ..plan("multi", seed) }).unwrap();
        assert_eq!(Graph::new(RING).walk(&scope, &[seed]).len(), pages, "{depth}");
    }
}

#[test]
fn c1_single_never_leaves_the_folder_of_its_start_page() {
    let pages: &[&str] = &[
        SEED,
        "http://www.domain.com/abc/one.html",
        "http://www.domain.com/abc/sub/two.html",
        "http://www.domain.com/abc/deep/three.html",
    ];
    check_web("single", &[pages, &[LOGO], &STYLE]);
    check_web("prefix", &[pages, &[LOGO], &STYLE]);
}

#[test]
fn c1_host_and_domain_take_their_part_of_the_web() {
    let host: &[&str] = &[
        SEED,
        "http://www.domain.com/abc/one.html",
        "http://www.domain.com/abc/sub/two.html",
        "http://www.domain.com/abc/deep/three.html",
        "http://www.domain.com/other/",
        "http://www.domain.com/other/more.html",
        "http://www.domain.com/",
        "http://www.domain.com/abcd.html",
    ];
    let mail: &[&str] = &["http://mail.domain.com/", "http://mail.domain.com/in/"];
    check_web("host", &[host, &[LOGO], &STYLE]);
    check_web("domain", &[host, mail, &[LOGO], &STYLE]);
    check_web("multi:.domain.com", &[host, mail, &[LOGO], &STYLE]);
    check_web("multi:www.domain.com", &[host, &[LOGO], &STYLE]);
}

#[test]
fn c1_multi_goes_anywhere() {
    let all = Graph::new(WEB).walk(&scope("multi", SEED), &[SEED]);
    assert_eq!(all.len(), 20, "{all:#?}");
    assert!(all.contains("http://fourth.net/"));
}

#[test]
fn c1_indexpage_follows_each_link_of_the_start_page_in_its_own_folder() {
    let own: &[&str] = &[
        SEED,
        "http://www.domain.com/abc/one.html",
        "http://www.domain.com/abc/deep/three.html",
        "http://www.domain.com/abc/sub/two.html",
        "http://www.domain.com/other/",
        "http://www.domain.com/other/more.html",
    ];
    let mail: &[&str] = &["http://mail.domain.com/", "http://mail.domain.com/in/"];
    let elsewhere: &[&str] = &[
        "http://elsewhere.org/x/start.html",
        "http://elsewhere.org/x/next.html",
        "http://elsewhere.org/x/last.html",
    ];
    check_web("indexpage", &[own, mail, elsewhere, &[LOGO], &STYLE]);
    check_web("indexpage:.domain.com", &[own, mail, &[LOGO], &STYLE]);
}

#[test]
fn c1_indexpage_begins_anew_where_a_link_redirects_to() {
    let graph = Graph::new(
        "
        http://index.org/: L http://a.org/go
        http://a.org/go: R https://www.a.org/home/start.html
        https://www.a.org/home/start.html: L https://www.a.org/home/in.html, L https://www.a.org/out.html
    ",
    );
    let seed = "http://index.org/";
    let expect =
        [seed, "http://a.org/go", "https://www.a.org/home/start.html", "https://www.a.org/home/in.html"];
    check(&graph, &scope("indexpage", seed), &[seed], &expect);
}

#[test]
fn page_is_the_page_and_what_it_needs_to_show() {
    check_web("page", &[&[SEED, LOGO]]);
}

#[test]
fn list_is_what_is_listed_and_nothing_else() {
    let seeds = [SEED, "http://www.domain.com/abc/sub/two.html"];
    check(&Graph::new(WEB), &scope("list", &seeds.join("\n")), &seeds, &seeds);
}
