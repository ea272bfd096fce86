//! Exchanges with the Internet Archive's Wayback Machine, asked of us: an archive is made that has the captures which an answer speaks
//! of, and the same question must lead to the same time, the same place and the same neighbours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::settle;
use crate::world::{World, answer, html, links};

/// What is recorded of one exchange.
#[derive(Debug, Default)]
struct Exchange {
    path: String,
    status: u16,
    headers: BTreeMap<String, String>,
}

#[test]
fn b16_answers_that_the_internet_archive_gave() {
    let Some(vectors) = testkit::vectors::dir() else { return };
    let folder = vectors.join("10-wacz-memento-oai/internet-archive-exchanges");
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("test_get_memento"))
    });
    names.sort();
    let (mut asked, mut differing) = (0, BTreeMap::new());
    for path in names {
        for (number, exchange) in exchanges(&path).into_iter().enumerate() {
            // What is no memento tells nothing that could be put into an archive.
            if !exchange.headers.contains_key("memento-datetime") {
                continue;
            }
            asked += 1;
            if let Err(what) = agrees(&exchange) {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                differing.insert(format!("ia-{name}-{number}"), format!("({}) {what}", exchange.path));
            }
        }
    }
    assert!(asked > 5, "{asked}");
    settle("ia-", asked, &differing);
}

/// Reads the few fields that count. The files are YAML of one recorder, whose lines are always laid out alike.
fn exchanges(path: &Path) -> Vec<Exchange> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut exchanges = Vec::new();
    let mut field: Option<String> = None;
    let mut is_response = false;
    let mut now = Exchange::default();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let word = line.trim();
        match (indent, word) {
            (4, uri) if uri.starts_with("uri: ") => {
                let uri = uri["uri: ".len()..].trim();
                now.path = uri.strip_prefix("https://web.archive.org").unwrap_or(uri).to_owned();
            }
            (2, "response:") => is_response = true,
            (6, code) if code.starts_with("code: ") => {
                now.status = code["code: ".len()..].parse().unwrap();
                exchanges.push(std::mem::take(&mut now));
                is_response = false;
            }
            (6, name) if is_response && name.ends_with(':') => {
                field = Some(name.trim_end_matches(':').to_ascii_lowercase())
            }
            (6, value) if value.starts_with("- ") => {
                if let Some(field) = &field {
                    now.headers.insert(field.clone(), value[2..].trim_matches(['\'', '"']).to_owned());
                }
            }
            (8, more) if is_response => {
                if let Some(value) = field.as_ref().and_then(|field| now.headers.get_mut(field)) {
                    value.push(' ');
                    value.push_str(more);
                }
            }
            _ => field = None,
        }
    }
    exchanges
}

/// Time and URL of an address such as `/web/20180808094144id_/https://example.org/`.
fn place(address: &str) -> Option<(String, String)> {
    let path = address
        .strip_prefix("https://web.archive.org")
        .or_else(|| address.strip_prefix("http://localhost"))
        .unwrap_or(address);
    let (word, url) = path.strip_prefix("/web/")?.split_once('/')?;
    let time: String = word.chars().take_while(char::is_ascii_digit).collect();
    (time.len() == 14).then(|| (time, url.to_owned()))
}

fn agrees(exchange: &Exchange) -> Result<(), String> {
    let (time, url) = place(&exchange.path).ok_or("no address of a memento")?;
    let theirs = links(exchange.headers.get("link").map(String::as_str).unwrap_or_default());
    // Other captures that the answer speaks of, and this one.
    let others =
        ["first", "prev", "next", "last"].iter().filter_map(|relation| theirs.get(*relation)).flatten();
    let mut captures: BTreeSet<(String, String)> = others.filter_map(|address| place(address)).collect();
    captures.retain(|(other, _)| *other != time);
    let mut records: Vec<Vec<u8>> =
        captures.iter().map(|(time, url)| html(url, time, "<p>another")).collect();
    let location = exchange.headers.get("location").and_then(|location| place(location));
    let fields = location.as_ref().map(|(_, url)| format!("Location: {url}\r\n")).unwrap_or_default();
    records.push(answer(
        &url,
        &time,
        &format!("{} As It Was", exchange.status),
        &format!("Content-Type: text/html\r\n{fields}"),
        b"<p>this",
    ));
    let world = World::of(&records);
    let ours = world.serve().get(&exchange.path);
    if ours.status != exchange.status {
        return Err(format!("status {} where {} was", ours.status, exchange.status));
    }
    if ours.header("memento-datetime") != exchange.headers.get("memento-datetime").map(String::as_str) {
        return Err(format!("time {:?}", ours.header("memento-datetime")));
    }
    if ours.header("location").and_then(place) != location {
        return Err(format!("leads to {:?} where {location:?} was", ours.header("location")));
    }
    let our_links = ours.links();
    for (relation, addresses) in &theirs {
        if !matches!(relation.as_str(), "first" | "prev" | "next" | "last") {
            continue;
        }
        let (theirs, ours): (Vec<_>, Vec<_>) = (
            addresses.iter().map(|address| place(address)).collect(),
            our_links.get(relation).into_iter().flatten().map(|address| place(address)).collect(),
        );
        if theirs != ours {
            return Err(format!("{relation} {ours:?} where {theirs:?} was"));
        }
    }
    Ok(())
}
