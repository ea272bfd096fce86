//! SolrWayback's pages. It gives each link the number at its end, by which the two are compared.

// The files are small, and their size is known.
#![allow(clippy::disallowed_methods)]

use std::fs;

use extract::html::{Reader, Wanted};
use rewrite::{Modifier, Place};
use testkit::vectors;

use super::compare::Replay;
use super::pywb::html;
use super::tally::Tally;

const URL: &str = "http://example.com/somefolder/";

#[test]
fn pages_ask_for_the_same() {
    let Some(folder) = vectors::dir() else { return };
    let folder = folder.join("05-links-rewrite").join("solrwayback-pairs");
    let mut tally = Tally::new("solrwayback-pairs");
    for name in ["css", "encoding", "multisource", "script", "script2", "script_escape", "simple"] {
        let read = |suffix: &str| {
            let bytes = fs::read(folder.join(format!("{name}{suffix}.html"))).unwrap();
            String::from_utf8(bytes)
                .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect())
        };
        let place = Place::new("/web/", "20200430130700", Modifier::Page, URL).unwrap();
        let ours = html(place, "", &read(""));
        let replay = Replay::new("/web/", &format!("20200430130700/{URL}"));
        let mut ours: Vec<String> = replay.of_html(&ours).iter().map(|url| numbered(url)).collect();
        // Their page is written from a tree, in which what stands wrongly in a table comes before it.
        ours.sort();
        tally.note(
            &format!("solrwayback-pairs:{name}"),
            Some((format!("{:#?}", theirs(&read("_expected"))), format!("{ours:#?}"))),
        );
    }
    tally.settle();
}

/// What their page asks for.
fn theirs(html: &str) -> Vec<String> {
    // As everywhere here: addresses in the strings of scripts are caught when they are used, not where they stand.
    let wanted = Wanted { scripts: false, ..Wanted::ADDRESSES };
    let mut reader = Reader::new(wanted, &extract::Limits::default());
    reader.write(html);
    let page = reader.finish();
    let mut found: Vec<String> =
        page.links.as_slice().iter().map(|link| their_number(&link.reference)).collect();
    found.sort();
    found
}

/// The number that they gave a link, or its URL.
fn their_number(url: &str) -> String {
    match url.split_once("offset=").filter(|(before, _)| before.starts_with("http://localhost:0000/")) {
        Some((_, number)) => number.to_owned(),
        None => numbered(url),
    }
}

/// The number at the end of a link, or its URL where it has none.
fn numbered(url: &str) -> String {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    match url.rsplit_once("_o").map(|(_, number)| digits(number)).filter(|number| !number.is_empty()) {
        Some(number) if !url.starts_with("live ") => number,
        _ => {
            let archived = url.split_once("/web/20200430130700/").map_or(url, |(_, url)| url);
            archived.trim_end_matches('/').to_owned()
        }
    }
}
