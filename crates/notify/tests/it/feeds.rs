//! Feeds as other readers understand them, held against what the W3C's validator asks of feeds.

use std::collections::HashSet;

use jiff::Timestamp;
use notify::{Feed, FeedLimits, Item};
use proptest::prelude::*;
use roxmltree::{Document, Node};

use crate::channels::now;
use crate::python::python;

const ATOM: &str = "http://www.w3.org/2005/Atom";
const CONTENT: &str = "http://purl.org/rss/1.0/modules/content/";

fn item(number: usize, text: &str) -> Item {
    Item {
        id: format!("urn:varve:watch:17:{number}"),
        title: format!("Fähren <b>& co changed {number}"),
        link: format!("https://archive.example.org/watches/17/{number}?a=1&b=2"),
        at: now() - jiff::SignedDuration::from_hours(i64::try_from(number).unwrap()),
        summary_text: text.to_owned(),
        html: number.is_multiple_of(2).then(|| format!("<p><ins>{number}</ins> &amp; ]]&gt; ]]></p>")),
    }
}

fn feed(items: Vec<Item>) -> Feed {
    Feed {
        title: "Watched by Ann & Ben".to_owned(),
        link: "https://archive.example.org/watches?owner=ann&all".to_owned(),
        self_link: "https://archive.example.org/watches/feed.xml?owner=ann&all".to_owned(),
        updated: now(),
        items,
    }
}

fn hard() -> Feed {
    let mut items: Vec<Item> = (0..4).map(|number| item(number, "- 08:40\n+ 08:45 <script>\u{c}")).collect();
    items.push(Item { id: "no URI \u{0}".to_owned(), link: "/relative".to_owned(), ..item(9, "") });
    items.push(Item { title: " ".to_owned(), at: Timestamp::MIN, ..item(10, "old") });
    // Twice the same.
    items.push(item(1, "again"));
    feed(items)
}

/// The one child of that name.
#[track_caller]
fn only<'a>(node: Node<'a, 'a>, space: Option<&str>, name: &str) -> Node<'a, 'a> {
    let mut found = node.children().filter(|child| {
        child.is_element() && child.tag_name().name() == name && child.tag_name().namespace() == space
    });
    let first = found.next().unwrap_or_else(|| panic!("no {name}"));
    assert!(found.next().is_none(), "several {name}");
    first
}

#[track_caller]
fn text<'a>(node: Node<'a, 'a>, space: Option<&str>, name: &str) -> &'a str {
    only(node, space, name).text().unwrap_or_default()
}

/// The names of its children that are not in this list.
fn others(node: Node<'_, '_>, known: &[&str]) -> Vec<String> {
    let names = node.children().filter(Node::is_element).map(|child| child.tag_name().name().to_owned());
    names.filter(|name| !known.contains(&name.as_str())).collect()
}

#[track_caller]
fn assert_link(link: &str) {
    let url = url::Url::parse(link).unwrap_or_else(|error| panic!("{link}: {error}"));
    assert!(matches!(url.scheme(), "http" | "https") && url.has_host(), "{link}");
    assert!(link.bytes().all(|byte| byte.is_ascii_graphic() && !br#"<>"\^`{|}"#.contains(&byte)), "{link}");
}

#[track_caller]
fn assert_id(id: &str) {
    assert!(id.starts_with("urn:") || id.starts_with("tag:") || id.starts_with("https://"), "{id}");
    assert!(id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
}

/// `Wed, 18 Nov 2026 03:00:00 GMT`, and it is that day of the week.
#[track_caller]
fn rfc_822(date: &str) -> Timestamp {
    assert!(date.len() == 29 && date.ends_with(" GMT") && date.as_bytes()[3] == b',', "{date}");
    jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date).unwrap()
}

/// `2026-11-18T03:00:00Z`.
#[track_caller]
fn rfc_3339(date: &str) -> Timestamp {
    assert!(date.len() == 20 && date.ends_with('Z') && date.as_bytes()[10] == b'T', "{date}");
    date.parse().unwrap()
}

/// What RSS 2.0 and the validator ask for; the ids, in their order.
#[track_caller]
fn check_rss(xml: &str) -> Vec<String> {
    let document = Document::parse(xml).unwrap();
    let rss = document.root_element();
    assert_eq!((rss.tag_name().name(), rss.attribute("version")), ("rss", Some("2.0")));
    let channel = only(rss, None, "channel");
    let known = ["title", "link", "description", "lastBuildDate", "generator", "item"];
    assert_eq!(others(channel, &known), ["link"; 0]);
    assert!(!text(channel, None, "title").is_empty() && !text(channel, None, "description").is_empty());
    assert_link(text(channel, None, "link"));
    rfc_822(text(channel, None, "lastBuildDate"));
    let myself = only(channel, Some(ATOM), "link");
    assert_eq!(
        (myself.attribute("rel"), myself.attribute("type")),
        (Some("self"), Some("application/rss+xml"))
    );
    assert_link(myself.attribute("href").unwrap());
    let items = channel.children().filter(|node| node.has_tag_name("item"));
    let ids = items.map(|item| {
        assert_eq!(
            others(item, &["title", "link", "guid", "pubDate", "description", "encoded"]),
            ["link"; 0]
        );
        assert!(!text(item, None, "title").is_empty());
        assert_link(text(item, None, "link"));
        rfc_822(text(item, None, "pubDate"));
        let guid = only(item, None, "guid");
        assert_eq!(guid.attribute("isPermaLink"), Some("false"));
        only(item, None, "description");
        assert_id(guid.text().unwrap());
        guid.text().unwrap().to_owned()
    });
    unique(ids.collect())
}

/// What RFC 4287 and the validator ask for; the ids, in their order.
#[track_caller]
fn check_atom(xml: &str) -> Vec<String> {
    let document = Document::parse(xml).unwrap();
    let feed = document.root_element();
    assert!(feed.has_tag_name((ATOM, "feed")));
    assert!(
        feed.descendants().filter(Node::is_element).all(|node| node.tag_name().namespace() == Some(ATOM))
    );
    let known = ["id", "title", "updated", "link", "author", "generator", "entry"];
    assert_eq!(others(feed, &known), ["link"; 0]);
    assert_id(text(feed, Some(ATOM), "id"));
    assert!(!text(feed, Some(ATOM), "title").is_empty());
    rfc_3339(text(feed, Some(ATOM), "updated"));
    assert!(!text(only(feed, Some(ATOM), "author"), Some(ATOM), "name").is_empty());
    let links = |node: Node<'_, '_>| {
        let links = node.children().filter(|child| child.has_tag_name((ATOM, "link")));
        links
            .map(|link| {
                assert_link(link.attribute("href").unwrap());
                link.attribute("rel").unwrap().to_owned()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(links(feed), ["alternate", "self"]);
    let entries = feed.children().filter(|node| node.has_tag_name((ATOM, "entry")));
    let ids = entries.map(|entry| {
        let known = ["id", "title", "published", "updated", "link", "summary", "content"];
        assert_eq!(others(entry, &known), ["link"; 0]);
        assert!(!text(entry, Some(ATOM), "title").is_empty());
        assert!(
            rfc_3339(text(entry, Some(ATOM), "published")) <= rfc_3339(text(entry, Some(ATOM), "updated"))
        );
        assert_eq!(links(entry), ["alternate"]);
        only(entry, Some(ATOM), "summary");
        let id = text(entry, Some(ATOM), "id");
        assert_id(id);
        id.to_owned()
    });
    unique(ids.collect())
}

#[track_caller]
fn unique(ids: Vec<String>) -> Vec<String> {
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{ids:?}");
    ids
}

#[test]
fn feeds_are_as_the_standards_have_them() {
    let feed = hard();
    let ids = check_rss(&feed.rss(FeedLimits::default()).unwrap());
    assert_eq!(check_atom(&feed.atom(FeedLimits::default()).unwrap()), ids);
    assert_eq!(ids.len(), 6);
    // The latest first, and one that is no URI by its digest.
    assert_eq!(ids[..4], [0, 1, 2, 3].map(|number| format!("urn:varve:watch:17:{number}")));
    assert!(ids[4].starts_with("urn:varve:sha256:") && ids[5] == "urn:varve:watch:17:10", "{ids:?}");
    let empty = self::feed(Vec::new());
    assert!(check_rss(&empty.rss(FeedLimits::default()).unwrap()).is_empty());
    assert!(check_atom(&empty.atom(FeedLimits::default()).unwrap()).is_empty());
}

/// Python has a reader of XML (expat) and one of the dates of mail, and knows neither of ours.
#[test]
fn somebody_else_reads_the_same_from_them() {
    let script = "import sys, html, email.utils, datetime, xml.etree.ElementTree as tree\n\
        root = tree.fromstring(sys.stdin.buffer.read())\n\
        a, c = '{http://www.w3.org/2005/Atom}', '{http://purl.org/rss/1.0/modules/content/}'\n\
        iso = lambda text: datetime.datetime.fromisoformat(text).timestamp()\n\
        mail = lambda text: email.utils.parsedate_to_datetime(text).timestamp()\n\
        if root.tag == 'rss':\n\
        \x20 for i in root.find('channel').findall('item'):\n\
        \x20   print(i.findtext('guid'), i.findtext('title'), i.findtext('link'), int(mail(i.findtext('pubDate'))),\n\
        \x20     repr(html.unescape(i.findtext('description').replace('<br>', ''))), i.findtext(c + 'encoded'), sep='|')\n\
        else:\n\
        \x20 for i in root.findall(a + 'entry'):\n\
        \x20   print(i.findtext(a + 'id'), i.findtext(a + 'title'), i.find(a + 'link').get('href'),\n\
        \x20     int(iso(i.findtext(a + 'updated'))), repr(i.findtext(a + 'summary')), i.findtext(a + 'content'), sep='|')\n";
    let (rss, atom) =
        (hard().rss(FeedLimits::default()).unwrap(), hard().atom(FeedLimits::default()).unwrap());
    let (Some(rss), Some(atom)) = (python(script, rss.as_bytes()), python(script, atom.as_bytes())) else {
        return;
    };
    assert_eq!(rss, atom);
    let first = "urn:varve:watch:17:0|Fähren <b>& co changed 0|https://archive.example.org/watches/17/0?a=1&b=2|\
        1794970800|'- 08:40\\n+ 08:45 <script>'|<p><ins>0</ins> &amp; ]]&gt; ]]></p>";
    assert_eq!(rss.lines().next().unwrap(), first);
    assert_eq!(rss.lines().count(), 6);
}

#[test]
fn only_the_latest_are_told_and_no_more_than_fits() {
    let feed = feed((0..500).map(|number| item(number, &"€".repeat(1000))).collect());
    let few = FeedLimits { items: 7, bytes: 1 << 20 };
    assert_eq!(check_rss(&feed.rss(few).unwrap()).len(), 7);
    assert_eq!(check_atom(&feed.atom(few).unwrap()).len(), 7);
    let small = FeedLimits { items: 500, bytes: 50_000 };
    for (xml, ids) in [
        (feed.rss(small).unwrap(), check_rss(&feed.rss(small).unwrap())),
        (feed.atom(small).unwrap(), check_atom(&feed.atom(small).unwrap())),
    ] {
        assert!((40_000..=50_000).contains(&xml.len()), "{}", xml.len());
        assert_eq!(ids[0], "urn:varve:watch:17:0");
    }
    let none = FeedLimits { items: 500, bytes: 0 };
    assert!(check_rss(&feed.rss(none).unwrap()).is_empty());
    // What is too long by itself is cut, or left out if it cannot be.
    let long = Item { html: Some("x".repeat(1 << 20)), ..item(0, &"€".repeat(100_000)) };
    let xml = self::feed(vec![long]).rss(FeedLimits::default()).unwrap();
    assert!(check_rss(&xml).len() == 1 && xml.len() < 20_000 && !xml.contains("content:encoded>"));
}

#[test]
fn a_feed_knows_where_it_is() {
    for link in ["", "/feed.xml", "ftp://example.org/", "javascript:alert(1)"] {
        assert!(Feed { link: link.to_owned(), ..hard() }.rss(FeedLimits::default()).is_err(), "{link}");
        assert!(Feed { self_link: link.to_owned(), ..hard() }.atom(FeedLimits::default()).is_err(), "{link}");
    }
    let secret = Feed { self_link: "gopher://example.org/hunter2".to_owned(), ..hard() };
    assert!(!secret.rss(FeedLimits::default()).unwrap_err().to_string().contains("hunter2"));
}

/// All but what XML cannot say.
fn kept(text: &str) -> String {
    let is_kept = |c: &char| !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    text.chars().filter(is_kept).collect()
}

proptest! {
    #[test]
    fn any_text_gives_feeds_that_read_back_the_same(
        title in "(?s:.{0,60})|\\PC{1,60}", summary in "(?s:.{0,300})|[<>&\\]\\[!'\"\\-a\r\n\t]{0,100}",
        html in "(?s:.{0,300})|[<>&\\]\\[!a\r\n\t]{0,100}", id in "(?s:.{0,20})", link in "(?s:.{0,40})|https://[a-z.]{1,9}/\\PC{0,30}",
    ) {
        let one = Item { id, title: title.clone(), link: link.clone(), at: now(), summary_text: summary.clone(), html: Some(html.clone()) };
        let feed = Feed { title: title.clone(), ..feed(vec![one]) };
        let (rss, atom) = (feed.rss(FeedLimits::default()).unwrap(), feed.atom(FeedLimits::default()).unwrap());
        prop_assert_eq!((check_rss(&rss).len(), check_atom(&atom).len()), (1, 1));
        let document = Document::parse(&atom).unwrap();
        let entry = only(document.root_element(), Some(ATOM), "entry");
        prop_assert_eq!(text(entry, Some(ATOM), "summary"), kept(&summary));
        prop_assert_eq!(text(entry, Some(ATOM), "content"), kept(&html));
        let is_plain = |c: char| c != '\u{fffe}' && c != '\u{ffff}' && !c.is_control() && !('\u{2028}'..='\u{2069}').contains(&c);
        if title.chars().all(is_plain) && !title.trim().is_empty() {
            prop_assert_eq!(text(entry, Some(ATOM), "title"), title);
        }
        let document = Document::parse(&rss).unwrap();
        let item = only(only(document.root_element(), None, "channel"), None, "item");
        prop_assert_eq!(text(item, Some(CONTENT), "encoded"), kept(&html));
        let description = text(item, None, "description").replace("<br>\n", "\n");
        let description = description.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        prop_assert_eq!(description, kept(&summary.replace("\r\n", "\n")));
    }
}
