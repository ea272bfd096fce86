//! Recorded questions to the Wayback Machine's CDX server: with the rows that it gave loaded here, the same question has the same answer.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;

use data_encoding::BASE64;
use flate2::read::GzDecoder;

use super::differences::tally;
use super::world::World;

/// A question and the body of its answer.
struct Exchange {
    query: String,
    body: String,
}

#[test]
fn the_wayback_machine_is_asked_and_answers_likewise() {
    let Some(vectors) = testkit::vectors::dir() else { return };
    let folder = vectors.join("10-wacz-memento-oai/internet-archive-exchanges");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.retain(|name| name.starts_with("test_search"));
    names.sort();
    assert!(names.len() > 5, "{names:?}");
    let mut tally = tally();
    for name in names {
        let exchanges = exchanges(&fs::read_to_string(folder.join(&name)).unwrap());
        let lines = rows(&exchanges);
        let world = World::of("ia", &format!(" CDX N b a m s k S\n{}\n", lines.join("\n")));
        for (number, exchange) in (1..).zip(&exchanges) {
            let found = world.get(&format!("/cdx/ia?{}", exchange.query)).text();
            let (found, found_key) = without_key(&found);
            let (expected, expected_key) = without_key(&exchange.body);
            // Keys are each server's own. Where there was nothing behind the rows there, there is nothing here.
            assert!(expected_key || !found_key, "{name}:{number}");
            tally.note(&format!("{name}:{number}"), found, expected);
        }
    }
    tally.settle();
}

#[test]
fn a_length_that_is_missing_comes_back_so() {
    let Some(vectors) = testkit::vectors::dir() else { return };
    let file = vectors.join("10-wacz-memento-oai/internet-archive-exchanges/zero_length_cdx.txt");
    let text = fs::read_to_string(file).unwrap();
    let world = World::of("ia", &format!(" CDX N b a m s k S\n{text}"));
    assert_eq!(world.get("/cdx/ia?url=cnn.com&dialect=wayback").text().trim_end(), text.trim_end());
}

/// An answer without the key that tells where to go on, and whether there was one.
fn without_key(text: &str) -> (&str, bool) {
    match text.split_once("\n\n") {
        Some((rows, _)) => (rows, true),
        None => (text.trim_end(), false),
    }
}

/// The rows of all answers; one that several answers have, as often as it is in one of them.
fn rows(exchanges: &[Exchange]) -> Vec<&str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for exchange in exchanges {
        let mut own: BTreeMap<&str, usize> = BTreeMap::new();
        for line in exchange.body.lines().filter(|line| line.split(' ').count() == 7) {
            *own.entry(line).or_default() += 1;
        }
        for (line, count) in own {
            let most = counts.entry(line).or_default();
            *most = count.max(*most);
        }
    }
    counts.into_iter().flat_map(|(line, count)| std::iter::repeat_n(line, count)).collect()
}

/// The exchanges of a cassette: YAML of one shape only, so that two words and an indented block are enough.
fn exchanges(text: &str) -> Vec<Exchange> {
    let mut exchanges = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(uri) = line.trim().strip_prefix("uri: ") {
            let query = uri.split_once('?').unwrap().1.to_owned();
            exchanges.push(Exchange { query, body: String::new() });
        } else if line.trim() == "string: !!binary |" {
            let mut packed = String::new();
            while let Some(line) = lines.next_if(|line| line.starts_with("        ")) {
                packed.push_str(line.trim());
            }
            let packed = BASE64.decode(packed.as_bytes()).unwrap();
            let mut body = String::new();
            GzDecoder::new(packed.as_slice()).read_to_string(&mut body).unwrap();
            exchanges.last_mut().unwrap().body = body;
        }
    }
    exchanges
}
