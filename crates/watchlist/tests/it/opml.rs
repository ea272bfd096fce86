//! OPML.

use watchlist::{Entry, Limits, Pace, opml};

use super::{left_out, list};

const FEEDS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><head><title>Mine</title></head><body>
  <outline text="News">
    <outline text="Danish &amp; Czech">
      <outline type="rss" text="A" title="Paper A" xmlUrl="https://a.example/feed" htmlUrl="https://a.example/" category="/x/y,z" description="d" extra="1"/>
    </outline>
    <outline type="rss" text="B" htmlUrl="https://b.example/"></outline>
  </outline>
  <outline type="link" text="C" url="https://c.example/"/>
  <outline text="empty"/>
</body></opml>"#;

#[test]
fn outlines_are_folders_and_pages() {
    let list = list(FEEDS);
    let [a, b, c] = list.entries.as_slice() else { panic!("{:?}", list.entries) };
    assert_eq!(
        (a.url.as_str(), a.page.as_deref(), a.is_feed),
        ("https://a.example/feed", Some("https://a.example/"), true)
    );
    assert_eq!((a.title.as_deref(), a.notes.as_deref()), (Some("Paper A"), Some("d")));
    assert_eq!(a.folder, ["News", "Danish & Czech"]);
    assert_eq!(a.tags, ["x/y", "z"]);
    assert_eq!(a.unsupported, ["attribute `extra`: `1` is not understood"]);
    assert_eq!(
        (b.url.as_str(), b.folder.as_slice(), b.is_feed),
        ("https://b.example/", &["News".to_owned()][..], false)
    );
    assert_eq!((c.url.as_str(), c.folder.is_empty()), ("https://c.example/", true));
    assert_eq!(left_out(&list), ["line 10: the outline `empty` has no URL"]);
}

#[test]
fn what_is_written_reads_back_and_what_is_lost_is_told() {
    let feed = Entry {
        title: Some("A \"b\" <c>\n& d".to_owned()),
        page: Some("https://a.example/".to_owned()),
        is_feed: true,
        folder: vec!["News".to_owned(), "é".to_owned()],
        tags: vec!["x".to_owned(), "y".to_owned()],
        notes: Some("n".to_owned()),
        ..Entry::new("https://a.example/feed?a=1&b=2")
    };
    let page = Entry {
        title: Some("P".to_owned()),
        folder: vec!["News".to_owned()],
        ..Entry::new("https://b.example/")
    };
    let rich = Entry {
        pace: "1h".parse::<Pace>().unwrap(),
        only: vec!["css:a".parse().unwrap()],
        ..Entry::new("https://c.example/")
    };
    let written = opml::write("Mine & ours", &[feed.clone(), page.clone(), rich]);
    assert_eq!(written.lost, ["https://c.example/: how often, rules"]);
    let list = opml::read(&written.text, &Limits::default()).unwrap();
    assert!(list.entries.contains(&feed), "{:?}\n{}", list.entries, written.text);
    assert!(list.entries.contains(&page));
    assert_eq!(list.left_out, []);
}
