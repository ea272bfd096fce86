//! Plain lists of URLs.

use super::{left_out, list};

#[test]
fn urls_have_tags_behind_them() {
    let list = list(
        "# mine\nhttps://example.org/\n\nhttps://example.org/b one, other tag,,\r\nsource:https://example.org/c\n",
    );
    let tags: Vec<_> = list.entries.iter().map(|entry| (entry.url.as_str(), entry.tags.as_slice())).collect();
    assert_eq!(
        tags,
        [
            ("https://example.org/", &[][..]),
            ("https://example.org/b", &["one".to_owned(), "other tag".to_owned()][..]),
            ("https://example.org/c", &[][..]),
        ]
    );
    assert_eq!(
        list.entries[2].unsupported,
        ["`source:` before the URL: its text is compared, not its source"]
    );
}

#[test]
fn lines_that_are_no_urls_are_told() {
    let list = list(
        "https://example.org/\nexample.org\nftp://example.org/\nhttps://a.example/\nhttps://example.org/{{ 1 }}\nhttps://b.example/\nhttps://c.example/\n",
    );
    assert_eq!(list.entries.len(), 4);
    assert_eq!(
        left_out(&list),
        [
            "line 2: `example.org` is no URL; it would begin with https:// or http://",
            "line 3: `ftp://example.org/` is neither http nor https",
            "line 5: `https://example.org/{{` is a template, which is not filled in",
        ]
    );
}
