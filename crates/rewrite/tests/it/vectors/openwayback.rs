//! OpenWayback's pages, sets of pictures and refreshes.

use rewrite::{Modifier, Place};

use super::compare::Replay;
use super::pywb::html;
use super::{each, string};

const INSERT: &str = "[[[JSP-INSERT:head.jsp]]]";

#[test]
fn pages_ask_for_the_same() {
    each("openwayback-html-rewrite", |case| {
        let input = &case["input"];
        let (content, url) = (string(input, "/content"), string(input, "/page_url"));
        let settings = input["settings"].to_string();
        let head = if settings.contains("HeadInsertJsp") { "<!--head-->" } else { "" };
        let replay = Replay::new("http://replay.archive.org/", &format!("2001/{url}"));
        let place = Place::new("http://replay.archive.org/", "2001", Modifier::Page, url).unwrap();
        let ours = html(place, head, content);
        let expect = string(case, "/expect").replace(INSERT, "<!--head-->");
        let seen = |text: &str| {
            let first = ["<title", "<script", "<link", "<body", "<noscript", "<span"]
                .iter()
                .filter_map(|tag| text.find(tag))
                .min()
                .unwrap_or(text.len());
            let inserted = text.find("<!--head-->").is_some_and(|at| at < first);
            format!("{:#?} {inserted}", replay.of_html(text))
        };
        Some((seen(&expect), seen(&ours)))
    });
}

#[test]
fn sets_of_pictures_are_told_apart() {
    each("openwayback-srcset", |case| {
        let input = string(case, "/input");
        let expect: Vec<&str> =
            case["expect"].as_array().unwrap().iter().map(|url| url.as_str().unwrap()).collect();
        Some((format!("{expect:?}"), format!("{:?}", asked(&format!("<img srcset=\"{input}\">")))))
    });
}

#[test]
fn refreshes_lead_to_the_same() {
    each("openwayback-meta-refresh", |case| {
        let input = string(case, "/input");
        let html = format!("<meta http-equiv=refresh content=\"{input}\">");
        let expect = url::Url::parse("http://example.com/").unwrap().join(string(case, "/expect")).unwrap();
        Some((format!("[\"{expect}\"]"), format!("{:?}", asked(&html))))
    });
}

/// What our page would ask for.
fn asked(page: &str) -> Vec<String> {
    let place = Place::new("/web/", "2001", Modifier::Page, "http://example.com/").unwrap();
    Replay::new("/web/", "2001/http://example.com/").of_html(&html(place, "", page))
}
