//! Each peer's sitemaps, read.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;

use robots::Limits;
use robots::sitemap::{self, Entry, EntryKind, Format, Note};
use serde_json::Value;
use testkit::vectors;

pub(super) fn date(case: &Value) -> Option<Value> {
    let date = sitemap::date(case["input"].as_str()?);
    Some(date.map_or(Value::Null, |date| urlkey::time::to_warc_date(date.timestamp).into()))
}

/// Where crawler-commons refuses a broken file, we give what is sound of it and a note that something is wrong.
#[test]
fn crawler_commons_sitemaps_give_what_they_should() {
    let Some(dir) = vectors::dir() else { return };
    for case in vectors::jsonl(dir.join("04-sitemaps/crawler-commons-parse.jsonl")) {
        let name = case["name"].as_str().unwrap();
        let text = case["input"]["content"].as_str().unwrap();
        let sitemap = sitemap::parse(text.as_bytes(), &Limits::default());
        let count = |kind| sitemap.entries.iter().filter(|entry| entry.kind == kind).count() as u64;
        let expect = &case["expect"];
        if let Some(pages) = expect["url_count"].as_u64() {
            assert_eq!(count(EntryKind::Page), pages, "{name}: {sitemap:?}");
        }
        if let Some(sitemaps) = expect["sitemap_count"].as_u64() {
            assert_eq!(count(EntryKind::Sitemap), sitemaps, "{name}: {sitemap:?}");
        }
        for url in expect["urls_include"].as_array().into_iter().flatten() {
            assert!(
                sitemap.entries.iter().any(|entry| entry.url == url.as_str().unwrap()),
                "{name} lacks {url}"
            );
        }
        let must_complain = !expect["error_in_default_mode"].is_null();
        assert!(!must_complain || !sitemap.notes.is_empty(), "{name}: nothing is wrong with it?");
        assert!(!text.contains("do-not-visit") || sitemap.notes.contains(&Note::DocumentType), "{name}");
        assert!(!sitemap.entries.iter().any(|entry| entry.url.contains("do-not-visit")), "{name}");
    }
}

/// The lists were derived by looking at every element of the name, so extras and links count as well.
#[test]
fn files_of_peers_list_the_same_urls() {
    let Some(dir) = vectors::dir() else { return };
    let folder = dir.join("04-sitemaps");
    for case in vectors::jsonl(folder.join("derived-locs.jsonl")) {
        let name = case["file"].as_str().unwrap();
        let file = BufReader::new(File::open(folder.join(name)).unwrap());
        let sitemap = sitemap::parse(file, &Limits::default());
        let ours = |kinds: fn(&Entry) -> bool| -> Vec<&str> {
            sitemap.entries.iter().filter(|entry| kinds(entry)).map(|entry| entry.url.as_str()).collect()
        };
        let theirs = |field: &str| -> Vec<String> {
            case[field]
                .as_array()
                .into_iter()
                .flatten()
                .map(|url| url.as_str().unwrap().trim().to_owned())
                .collect()
        };
        if case["root"] == "not-a-sitemap" {
            assert_eq!(sitemap.format, Format::Unknown, "{name}");
            continue;
        }
        let main = ours(|entry| matches!(entry.kind, EntryKind::Page | EntryKind::Sitemap));
        if case["text_lines"].is_array() {
            assert_eq!(main, theirs("text_lines"), "{name}");
        } else if case["links"].is_array() {
            let found: BTreeSet<&str> = ours(|_| true).into_iter().collect();
            let missing: Vec<_> =
                theirs("links").into_iter().filter(|url| !found.contains(url.as_str())).collect();
            assert_eq!(missing, Vec::<String>::new(), "{name}");
            assert!(!main.is_empty(), "{name} has no pages");
        } else {
            assert_eq!(main, theirs("loc"), "{name}");
        }
        assert_eq!(sitemap.notes, Vec::new(), "{name}");
    }
}
