//! What the reader of any document makes of what it is given: base, kind, time, and what is wanted.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use extract::html::Wanted;
use extract::identify::Kind;
use extract::{Cut, Document, Limits, Source, Stop, read};

const URL: &str = "http://x.org/dir/page";

fn document(payload: impl AsRef<[u8]>, headers: &[(&str, &str)], wanted: Wanted) -> Document {
    let source = Source { url: URL, headers, ..Source::default() };
    read(payload.as_ref(), &source, wanted, &Limits::default())
}

fn html(text: &str) -> Document {
    document(text, &[("Content-Type", "text/html")], Wanted::ALL)
}

fn references(document: &Document) -> Vec<&str> {
    document.links.as_slice().iter().map(|link| link.reference.as_str()).collect()
}

#[test]
fn a_base_that_leads_nowhere_is_none() {
    for base in ["javascript:void(0)", "data:text/html,x", "about:blank", "mailto:a@x.org"] {
        let document = html(&format!("<base href='{base}'><a href=a>a</a>"));
        assert_eq!(document.base.as_ref().map(|base| base.as_str()), Some(URL), "{base}");
        let url = document.resolve(&document.links.as_slice()[0]).unwrap();
        assert_eq!(url.as_str(), "http://x.org/dir/a", "{base}");
    }
    assert_eq!(html("<base href=/b/>").base.unwrap().as_str(), "http://x.org/b/");
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

#[test]
fn packed_sitemaps_and_feeds_are_read() {
    let pages: String = (0..3_000)
        .map(|number| format!("<url><loc>http://x.org/{number}?{0}</loc></url>", number * 7919))
        .collect();
    let sitemap = format!("<?xml version='1.0'?><urlset>{pages}</urlset>");
    let feed = "<?xml version='1.0'?><rss version='2.0'><channel><title>t</title><item><link>http://x.org/1</link></item></channel></rss>";
    let types = [("Content-Type", "application/x-gzip")];
    let found = document(gzip(&sitemap), &types, Wanted::ALL);
    assert_eq!((found.identity.kind, found.links.as_slice().len()), (Kind::Sitemap, 3_000));
    let found = document(gzip(feed), &types, Wanted::ALL);
    assert_eq!((found.identity.kind, references(&found)), (Kind::Sitemap, vec!["http://x.org/1"]));
    let found = document(gzip("a picture book"), &types, Wanted::ALL);
    assert_eq!((found.identity.kind, references(&found)), (Kind::Other, vec![]));
}

#[test]
fn a_kind_that_the_caller_knows_is_not_questioned() {
    let list = "http://x.org/a\nhttp://x.org/b\n";
    let source = Source { url: URL, kind: Some(Kind::Sitemap), ..Source::default() };
    for payload in [list.as_bytes(), &gzip(list)] {
        let found = read(payload, &source, Wanted::ALL, &Limits::default());
        assert_eq!(references(&found), ["http://x.org/a", "http://x.org/b"]);
        assert!(found.links.as_slice().iter().all(|link| link.rule.to_string() == "sitemap@page"));
    }
}

#[test]
fn c2_who_wants_only_links_hears_what_is_asked_of_robots() {
    let ask = |html: &str, agent: &str| {
        let headers = [("Content-Type", "text/html")];
        let source = Source { url: URL, headers: &headers, agent, ..Source::default() };
        let robots = read(html.as_bytes(), &source, Wanted::LINKS, &Limits::default()).robots;
        (robots.noindex, robots.nofollow)
    };
    assert_eq!(ask("<meta name=robots content='noindex, nofollow'>", "varve"), (true, true));
    assert_eq!(ask("<meta name=varve content=NoFollow>", "varve"), (false, true));
    assert_eq!(
        ask("<meta name=other content=none><meta name=description content=none>", "varve"),
        (false, false)
    );
}

#[test]
fn only_what_is_wanted_is_looked_for() {
    let nothing =
        Wanted { links: false, scripts: false, anchors: false, about: false, text: false, main_text: false };
    let read =
        |kind: &str, payload: &str, wanted: Wanted| document(payload, &[("Content-Type", kind)], wanted);
    for (kind, payload) in [
        ("text/css", "a{b:url(c.png)}"),
        ("text/javascript", "a='http://x.org/b.html'"),
        ("application/json", "{\"url\": \"http://x.org/\"}"),
        ("image/svg+xml", "<svg><a href='b'/></svg>"),
        ("text/plain", "see http://x.org/a"),
        ("application/pdf", "%PDF-1.4\n1 0 obj <</A<</S/URI/URI(http://x.org/a)>> >> endobj"),
    ] {
        assert_eq!(read(kind, payload, Wanted::ALL).links.as_slice().len(), 1, "{kind}");
        assert_eq!(read(kind, payload, nothing).links.as_slice().len(), 0, "{kind}");
        let without_scripts = read(kind, payload, Wanted { links: true, ..nothing }).links;
        let is_script = kind.contains("script") || kind.contains("json");
        assert_eq!(without_scripts.as_slice().is_empty(), is_script, "{kind}");
    }
    let text = read("text/plain", "words", Wanted { text: true, ..nothing });
    assert_eq!((text.text.as_str(), text.main_text.as_str()), ("words", ""));
    let main = read("text/plain", "words", Wanted { main_text: true, ..nothing });
    assert_eq!((main.text.as_str(), main.main_text.as_str()), ("", "words"));
    let title =
        read("image/svg+xml", "<svg><title>T</title><a href='b'/></svg>", Wanted { about: true, ..nothing });
    assert_eq!((title.title.as_deref(), references(&title)), (Some("T"), vec![]));
}

#[test]
fn guesses_leave_room_for_links_and_all_are_counted() {
    let guesses: String = (0..50).map(|number| format!("'http://x.org/{number}.html',")).collect();
    let anchors = "<a href=b>b</a>".repeat(20);
    let page = format!("<!DOCTYPE html><script>[{guesses}]</script>{anchors}");
    let mut limits = Limits::default();
    limits.links_max = 20;
    let found = read(page.as_bytes(), &Source { url: URL, ..Source::default() }, Wanted::ALL, &limits);
    let guessed = found.links.as_slice().iter().filter(|link| link.rule.element() == "script").count();
    assert_eq!((guessed, found.links.as_slice().len()), (10, 20));
    // The list is full and known not to be all: nobody looks at the other anchors.
    assert_eq!(found.links.left_out(), 40);
    assert!(found.cut.contains(&Cut::Links));
}

#[test]
fn a_header_says_where_a_document_lives_if_the_page_does_not() {
    let headers = [("Content-Type", "text/html"), ("Link", "<a>; rel=next, </b>; rel=\"x Canonical\"")];
    let canonical = |html: &str| document(html, &headers, Wanted::LINKS).canonical;
    assert_eq!(canonical("<base href=/c/>").as_deref(), Some("http://x.org/b"));
    assert_eq!(canonical("<link rel=canonical href=c>").as_deref(), Some("c"));
    let pdf = document("%PDF-1.4", &headers[1..], Wanted::ALL);
    assert_eq!(pdf.canonical.as_deref(), Some("http://x.org/b"));
}

/// Says that time is up when it has been asked so often.
fn after(questions: usize) -> Limits {
    let asked = Arc::new(AtomicUsize::new(0));
    let mut limits = Limits::default();
    limits.stop = Some(Stop::when(move || asked.fetch_add(1, Ordering::Relaxed) >= questions));
    limits.links_max = usize::MAX;
    limits
}

#[test]
fn every_reader_stops_when_time_is_up() {
    let item = "<item><link>http://x.org/1</link></item>";
    let documents = [
        ("text/html", "<a href=b>b</a>".to_owned(), String::new()),
        ("text/html", "'http://x.org/b.html',".to_owned(), "<script>".to_owned()),
        ("text/css", "a{b:url(c.png)}".to_owned(), String::new()),
        ("text/javascript", "'http://x.org/b.html',".to_owned(), String::new()),
        ("text/javascript", "'b',".to_owned(), String::new()),
        ("application/json", "\"http://x.org/b.html\",".to_owned(), "[".to_owned()),
        ("application/rss+xml", item.to_owned(), "<rss><channel>".to_owned()),
        ("image/svg+xml", "<a href='b'/>".to_owned(), "<svg>".to_owned()),
        ("application/dash+xml", "<BaseURL>a</BaseURL>".to_owned(), "<MPD>".to_owned()),
        ("application/vnd.apple.mpegurl", "a.ts\n".to_owned(), "#EXTM3U\n".to_owned()),
        ("text/plain", "see http://x.org/a ".to_owned(), String::new()),
        ("application/pdf", "<</URI(http://x.org/a)>>\n".to_owned(), "%PDF-1.4\n".to_owned()),
        ("application/xml", "<url><loc>http://x.org/</loc></url>".to_owned(), "<urlset>".to_owned()),
    ];
    for (kind, part, head) in documents {
        let text = format!("{head}{}", part.repeat(40_000));
        let headers = [("Content-Type", kind)];
        let source = Source { url: URL, headers: &headers, ..Source::default() };
        let whole = read(text.as_bytes(), &source, Wanted::LINKS, &after(usize::MAX));
        assert!(!whole.cut.contains(&Cut::Time), "{kind} {part}");
        let cut = read(text.as_bytes(), &source, Wanted::LINKS, &after(6));
        assert!(cut.cut.contains(&Cut::Time), "{kind} {part}: {:?}", cut.cut);
        let (some, all) = (cut.links.as_slice().len(), whole.links.as_slice().len());
        assert!(some * 2 < all || all == 0, "{kind} {part}: {some} of {all}");
        let none = read(text.as_bytes(), &source, Wanted::LINKS, &after(0));
        assert_eq!(
            (none.cut.as_slice(), none.links.as_slice().len()),
            (&[Cut::Time][..], 0),
            "{kind} {part}"
        );
    }
}
