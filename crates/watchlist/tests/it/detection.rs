//! Which kind a list is.

use watchlist::{Entry, Error, Format, Limits, detect, jsonl, opml, read, table};

#[track_caller]
fn check(text: &str, format: Option<Format>) {
    assert_eq!(detect(text), format, "{text}");
}

#[test]
fn each_kind_is_known() {
    let entries = [Entry::new("https://example.org/")];
    check(&jsonl::write(&entries), Some(Format::Jsonl));
    check(&table::write(&entries).text, Some(Format::Table));
    check(&opml::write("t", &entries).text, Some(Format::Opml));
    check("{\"watching\": {}, \"settings\": {}}", Some(Format::Changedetection));
    check("{\"uuid\": \"a\", \"url\": \"https://example.org/\"}", Some(Format::Changedetection));
    check("{\"watching\": {\"a\": {\"url\"", Some(Format::Changedetection));
    check("{\"client\": {}, \"data\": []}", Some(Format::Distill));
    check("# jobs\nname: a\nurl: https://example.org/\n", Some(Format::Urlwatch));
    check("---\nkind: url\nurl: https://example.org/\n", Some(Format::Urlwatch));
    check("- url: https://example.org/\n", Some(Format::Urlwatch));
    check("https://example.org/ a, b\n", Some(Format::UrlList));
    check("\u{feff}name;url\n", Some(Format::Table));
}

#[test]
fn what_is_no_list_is_not_guessed() {
    for text in ["", " \n", "<html></html>", "{}", "[]", "hello", "{\"a\": 1}", "%PDF-1.4"] {
        check(text, None);
        assert_eq!(read(text, &Limits::default()), Err(Error::Unknown), "{text}");
    }
}

#[test]
fn names_are_read_back() {
    for format in Format::ALL {
        assert_eq!(Format::of_name(format.name()), Some(format));
    }
}
