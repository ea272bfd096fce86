//! Lists that were made up to do harm: each ends with an error that has a place, soon.

use watchlist::{Error, Format, Limits, List, opml, read, table, url_list};

fn fault(text: &str) -> String {
    read(text, &Limits::default()).unwrap_err().to_string()
}

#[test]
fn entities_of_a_document_are_not_resolved() {
    let told = fault(
        "<!DOCTYPE opml [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;\">]>\n<opml><body>\n<outline text=\"&b;\" url=\"https://a.example/\"/></body></opml>",
    );
    assert!(told.starts_with("line 3, column 1: "), "{told}");
    assert!(told.contains('b'), "{told}");
}

#[test]
fn nesting_has_an_end() {
    let told = fault(&format!("<opml>{}", "<outline text=\"a\">".repeat(100_000)));
    assert!(told.contains("nested too deep"), "{told}");
    let told = fault(&format!("url: {}", "[".repeat(100_000)));
    assert!(told.starts_with("line 1, column"), "{told}");
    let told = fault(&format!("{{\"watching\":{}", "[".repeat(100_000)));
    assert!(told.starts_with("line 1, column"), "{told}");
    let told = fault(&format!("{{\"watching\":{{}},\"data\":{}", "{\"a\":".repeat(100_000)));
    assert!(told.starts_with("line 1, column"), "{told}");
}

#[test]
fn broken_xml_is_told_with_its_place() {
    for text in [
        "<opml><body>",
        "<opml><body></opml>",
        "<opml><body><outline text=></body></opml>",
        "<opml version=\"2.0",
        "<opml><!--",
    ] {
        let told = fault(text);
        assert!(told.starts_with("line 1, column"), "{text}: {told}");
    }
    assert!(opml::read("<html/>", &Limits::default()).is_err());
}

#[test]
fn very_many_attributes_are_refused_soon() {
    let many: String = (0..200_000).map(|number| format!(" a{number}=\"\"")).collect();
    let told = fault(&format!("<opml><body><outline{many}/></body></opml>"));
    assert_eq!(told, "line 1, column 13: there are more than 200 attributes");
}

#[test]
fn no_byte_of_a_text_is_nul() {
    for format in Format::ALL {
        let told = format.read("a\n\0", &Limits::default()).unwrap_err().to_string();
        assert_eq!(told, "line 2, column 1: a NUL byte: this is no text", "{format:?}");
    }
}

#[test]
fn huge_numbers_are_told() {
    let list = read("{\"uuid\":\"a\",\"url\":\"https://a.example/\",\"time_between_check_use_default\":false,\"time_between_check\":{\"weeks\":1e300}}", &Limits::default()).unwrap();
    assert_eq!(list.entries[0].unsupported.len(), 1);
    assert!(fault("{\"url\": 1e999999}").starts_with("line 1, column"));
}

#[test]
fn limits_hold() {
    let limits =
        Limits { entries_max: 2, text_bytes_max: 10, items_max: 2, bytes_max: 1000, ..Limits::default() };
    let three = "https://a.example/\n".repeat(3);
    assert_eq!(
        url_list::read(&three, &limits).unwrap_err().to_string(),
        "line 3: there are more than 2 entries"
    );
    assert_eq!(
        url_list::read(&"x\n".repeat(3), &limits).unwrap_err().to_string(),
        "line 3: there are more than 2 things that are left out"
    );
    let long = |text: &str| -> List { table::read(text, &limits).unwrap() };
    assert_eq!(
        long("url,title\nhttps://a.example/,a very long title\n").left_out[0].why,
        "one of its texts has 17 bytes, and 10 are the most"
    );
    assert_eq!(
        long("url,tags\nhttps://a.example/,\"a,b,c\"\n").left_out[0].why,
        "it has 3 tags, and 2 are the most that is taken"
    );
    assert_eq!(url_list::read(&" ".repeat(1001), &limits), Err(Error::TooLarge { bytes: 1001, max: 1000 }));
}

#[test]
fn an_export_that_was_touched_is_told_with_its_place() {
    let head = "{\"varve-watchlist\":1}\n";
    for (line, told) in [
        ("{\"url\":\"https://a.example/\",\"color\":1}", "line 2, column 35: unknown field `color`"),
        ("{\"url\":\"nowhere\"}", "line 2: `nowhere` is no URL"),
        ("{\"url\":\"https://a.example/\",\"every\":\"soon\"}", "line 2, column"),
        ("{\"url\":", "line 2, column 7: EOF"),
    ] {
        assert!(fault(&format!("{head}{line}\n")).starts_with(told), "{}", fault(&format!("{head}{line}\n")));
    }
    assert_eq!(
        fault("{\"varve-watchlist\":2}\n"),
        "the list is of version 2, and 1 is the newest that is known here"
    );
}
