//! pywb's pages, URLs, addresses and cookies.

use rewrite::{Address, Kind, Modifier, Place, Settings, When, headers};
use serde_json::Value;

use super::compare::{Replay, caught};
use super::{each, string};
use crate::rewrite;

const PAGE: &str = "http://example.com/some/path/index.html";
const TIME: &str = "20131226101010";

/// Our page, and the cases' replay.
fn place(prefix: &str, time: &str, url: &str) -> Option<Place> {
    Place::new(prefix, time, Modifier::Page, url).ok()
}

pub(super) fn html(place: Place, head: &str, html: &str) -> String {
    let settings = Settings { head: head.as_bytes().to_vec(), ..Settings::new(place, Kind::Html) };
    String::from_utf8(rewrite(settings, html.as_bytes())).unwrap()
}

#[test]
fn pages_ask_for_the_same() {
    each("pywb-html-rewrite", |case| {
        let input = &case["input"];
        let text = input.as_str().unwrap_or_else(|| string(input, "/args/0"));
        let kw = &input["kw"];
        let prefix = kw.pointer("/urlrewriter/prefix").and_then(Value::as_str).unwrap_or("/web/");
        let head = kw["head_insert"].as_str().unwrap_or_default();
        let ours = html(place(prefix, TIME, PAGE)?, head, text);
        let replay = Replay::new(prefix, &format!("{TIME}/{PAGE}"));
        let canonical_stays = kw.pointer("/urlrewriter/rewrite_rel_canon") == Some(&Value::Bool(false));
        let seen = |text: &str| {
            let urls = replay.of_html(text);
            // Whether the canonical URL is one of the archive is a setting there.
            let urls: Vec<String> = urls
                .iter()
                .map(|url| if canonical_stays { url.replacen("live ", "", 1) } else { url.clone() })
                .collect();
            format!("{urls:#?} {}", facts(text, head))
        };
        let expected = string(case, "/expect");
        let ours_caught = caught(&ours, "__varve_location");
        let mut their_caught = caught(expected, "WB_wombat_location");
        if kw["js_proxy"] == Value::Bool(true) {
            // Their script runs where every use is caught.
            their_caught.fill(true);
        }
        Some((format!("{} {their_caught:?}", seen(expected)), format!("{} {:?}", seen(&ours), ours_caught)))
    });
}

/// What else the cases are about: hindrances that are gone, and that the head is put in once, before all that asks.
fn facts(html: &str, head: &str) -> String {
    let policy = html.to_ascii_lowercase().contains("http-equiv=\"content-security-policy\" content");
    let integrity = html.contains(" integrity=");
    let origin = html.contains(" crossorigin=");
    let referrer = html.contains("no-referrer-when-downgrade");
    let inserted = !head.is_empty() && html.matches(head).count() == 1 && {
        let asks = ["<link", "<script src=\"/web", "<script src=\"other", "__wb_orig_src", "<a "];
        let first = asks.iter().filter_map(|ask| html.find(ask)).min().unwrap_or(html.len());
        html.find(head).is_some_and(|at| at <= first) && !html.starts_with(&format!("{head}<!DOCTYPE"))
    };
    format!("policy {policy} integrity {integrity} origin {origin} referrer {referrer} inserted {inserted}")
}

#[test]
fn heads_come_before_all_that_asks() {
    each("pywb-html-insert", |case| {
        let input = string(case, "/input");
        let ours = html(place("/web/", TIME, PAGE)?, "<!--Insert-->", input);
        // Everything else stays, it comes once, and before the first element that is neither page nor head.
        let seen = |text: &str| {
            let first =
                ["<link", "<body"].iter().filter_map(|tag| text.find(tag)).min().unwrap_or(text.len());
            let at = text.find("<!--Insert-->");
            let prolog = text.find("?>").is_none_or(|end| at > Some(end));
            format!("{} {} {prolog}", text.replacen("<!--Insert-->", "", 1), at.is_some_and(|at| at <= first))
        };
        Some((seen(string(case, "/expect")), seen(&ours)))
    });
}

#[test]
fn urls_lead_to_the_same() {
    each("pywb-url-rewrite", |case| {
        let input = &case["input"];
        let argument = |number: usize| input["args"][number].as_str().unwrap_or_default();
        let expect = string(case, "/expect");
        match string(case, "/op") {
            "urljoin" => {
                let joined = place("/web/", TIME, argument(0))?.resolve(argument(1))?;
                Some((expect.to_owned(), joined))
            }
            "do_rewrite" => {
                let (time, url) = page(argument(1));
                let full = input.pointer("/kw/full_prefix").and_then(Value::as_str);
                let theirs = full.unwrap_or(argument(2));
                let prefix = whole_prefix(theirs);
                let modifier = Modifier::parse(input["args"][3].as_str().unwrap_or_default());
                let place = Place::new(&prefix, time, modifier, url).unwrap();
                let replay = Replay::new(&prefix, &format!("{time}/{url}"));
                let ours = place.rewrite(argument(0), modifier);
                let expect = under_prefix(expect, theirs, &prefix);
                Some((replay.archived(&expect, None), replay.archived(&ours, None)))
            }
            "get_new_url" => {
                // What every address of the page begins with.
                let (page, prefix) = (string(input, "/kw/$on/args/0"), string(input, "/kw/$on/args/1"));
                let address = Address::parse(page).unwrap();
                let When::Near(time) = &address.when else { panic!("{page} has no time") };
                let place = Place::new(prefix, time, address.form.modifier, &address.url).unwrap();
                let ours = place.rewrite(&address.url, address.form.modifier);
                Some((format!("{expect}{}", address.url), ours))
            }
            "do_deprefix" => {
                let (time, url) = page(argument(0));
                let place = Place::new(argument(2), time, Modifier::Page, url).ok()?;
                Some((expect.to_owned(), place.original(url)))
            }
            _ => None,
        }
    });
}

/// The time and URL of an address of theirs. A list of captures, whose links lead to further lists there, counts by its time.
fn page(address: &str) -> (&str, &str) {
    match address.split_once('/') {
        Some((head, url)) if head.starts_with(|c: char| c.is_ascii_digit()) => {
            (head.split(|c: char| !c.is_ascii_digit()).next().unwrap(), url)
        }
        _ => ("", address),
    }
}

/// A prefix that is neither a path nor a URL, as a browser would have it typed: nothing is the root, and a host is of `http`.
pub(super) fn whole_prefix(prefix: &str) -> String {
    match prefix {
        "" => "/".to_owned(),
        prefix if prefix.starts_with('/') || prefix.contains("://") => prefix.to_owned(),
        host => format!("http://{host}"),
    }
}

/// What is expected under the prefix as given, under the whole one.
pub(super) fn under_prefix(expect: &str, given: &str, whole: &str) -> String {
    match expect.strip_prefix(given).filter(|_| given != whole) {
        Some(behind) => format!("{whole}{behind}"),
        None => expect.to_owned(),
    }
}

#[test]
fn addresses_are_read_alike() {
    each("pywb-wburl", |case| {
        let input = case["input"].as_str()?;
        match string(case, "/op") {
            "WbUrl" => {
                let Ok(address) = Address::parse(input) else {
                    return Some(("an address".into(), "none".into()));
                };
                let (kind, time) = match &address.when {
                    When::Latest => ("latest_replay", ""),
                    When::Near(time) => ("replay", time.as_str()),
                    When::List(span) => ("query", span.from.as_str()),
                };
                let expect = &case["expect"];
                let fields =
                    ["type", "timestamp", "modifier", "url"].map(|name| expect[name].as_str().unwrap());
                let ours = [kind, time, &address.form.text, &address.url];
                Some((fields.join(" "), ours.join(" ")))
            }
            "WbUrl.to_uri" => {
                let ours = Address::parse(input).map(|address| address.url).unwrap_or_default();
                Some((string(case, "/expect").replace("<BLANKLINE>", ""), ours))
            }
            "to_uri_pencode" => {
                // Their pages write hosts in escapes, ours in ASCII: the URL is the same.
                let same = |url: &str| url::Url::parse(url).unwrap().to_string();
                Some((same(string(case, "/expect")), same(&Address::parse(input).unwrap().url)))
            }
            _ => None,
        }
    });
}

#[test]
fn cookies_stay_where_theirs_do() {
    each("pywb-cookie-rewrite", |case| {
        let args = &case["input"]["args"];
        let wburl = string(args, "/1/wburl");
        // Scopes that are settings there.
        let scope = string(args, "/2");
        if !matches!(scope, "coll" | "host") {
            return None;
        }
        let (head, url) = wburl.split_once('/').unwrap();
        let time: String = head.chars().filter(char::is_ascii_digit).collect();
        let modifier = Modifier::parse(head.trim_start_matches(|c: char| c.is_ascii_digit()));
        let place = Place::new(string(args, "/1/rel_prefix"), &time, modifier, url).unwrap();
        let set = headers(&place, &[("Set-Cookie".to_owned(), string(args, "/0").to_owned())]);
        let expect: Vec<String> = case["expect"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| pair[1].as_str().unwrap().to_owned())
            .collect();
        // A path that is none is the same as no path.
        let expect = expect.join("\n").replace("; Path=file.html", "");
        Some((expect, set.into_iter().map(|(_, value)| value).collect::<Vec<_>>().join("\n")))
    });
}
