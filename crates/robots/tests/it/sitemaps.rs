//! Sitemaps of our own: every form, every limit, every way to break.

use std::io::Write as _;

use robots::Limits;
use robots::sitemap::{self, ChangeFrequency, Entry, EntryKind, Format, Note, Sitemap};
use urlkey::time::to_warc_date;

fn read(text: impl AsRef<[u8]>) -> Sitemap {
    sitemap::parse(text.as_ref(), &Limits::default())
}

/// Kinds and URLs, one a line.
fn listed(sitemap: &Sitemap) -> Vec<String> {
    sitemap.entries.iter().map(|entry| format!("{} {}", entry.kind.name(), entry.url)).collect()
}

#[track_caller]
fn check(text: impl AsRef<[u8]>, format: Format, expect: &[&str], notes: &[Note]) {
    let sitemap = read(text);
    assert_eq!(sitemap.format, format);
    assert_eq!(listed(&sitemap), expect);
    assert_eq!(sitemap.notes, notes);
}

fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes.as_ref()).unwrap();
    packer.finish().unwrap()
}

#[test]
fn a_page_has_its_date_frequency_and_priority() {
    let sitemap = read(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>\
         <priority>0.8</priority><loc> http://example.org/?a=1&amp;b=2 </loc>\
         <lastmod>2026-11-16T10:00:00+01:00</lastmod><changefreq>Weekly</changefreq></url></urlset>",
    );
    let [Entry { kind: EntryKind::Page, url, lastmod, changefreq, priority }] = &sitemap.entries[..] else {
        panic!("{sitemap:?}")
    };
    assert_eq!(url, "http://example.org/?a=1&b=2");
    assert_eq!(to_warc_date(lastmod.unwrap().timestamp), "2026-11-16T09:00:00Z");
    assert_eq!((*changefreq, *priority), (Some(ChangeFrequency::Weekly), Some(0.8)));
}

#[test]
fn an_index_lists_sitemaps_with_any_namespace_or_none() {
    for (open, close, prefix) in
        [("sitemapindex", "sitemapindex", ""), ("x:sitemapindex xmlns:x='urn:wrong'", "x:sitemapindex", "x:")]
    {
        let text = format!(
            "<{open}><{prefix}sitemap><{prefix}loc>http://example.org/1.xml</{prefix}loc></{prefix}sitemap></{close}>"
        );
        check(text, Format::Index, &["sitemap http://example.org/1.xml"], &[]);
    }
}

#[test]
fn pictures_videos_and_translations_come_behind_their_page() {
    check(
        "<urlset><url><image:image><image:loc>http://e.org/i.png</image:loc></image:image>\
         <xhtml:link rel='alternate' hreflang='de' href='http://e.org/de?a&amp;b'/>\
         <video:video><video:content_loc>http://e.org/v.mp4</video:content_loc>\
         <video:title>http://e.org/no</video:title></video:video><loc>http://e.org/</loc></url></urlset>",
        Format::UrlSet,
        &[
            "page http://e.org/",
            "image http://e.org/i.png",
            "alternate http://e.org/de?a&b",
            "video http://e.org/v.mp4",
        ],
        &[],
    );
}

#[test]
fn feeds_list_their_items_and_what_is_beside_them() {
    check(
        "<rss version='2.0'><channel><link>http://e.org/</link><atom:link rel='self' href='http://e.org/feed'/>\
         <item><link>http://e.org/1</link><pubDate>Mon, 16 Nov 2026 01:00:00 GMT</pubDate>\
         <enclosure url='http://e.org/1.mp3'/></item><item><guid>http://e.org/2</guid></item>\
         <item><guid isPermaLink='false'>http://e.org/3</guid></item></channel></rss>",
        Format::Rss,
        &[
            "home http://e.org/",
            "related http://e.org/feed",
            "page http://e.org/1",
            "enclosure http://e.org/1.mp3",
            "page http://e.org/2",
        ],
        &[],
    );
    check(
        "<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://e.org/'/><entry><link href='/1'/>\
         <link rel='alternate' href='/1.pdf'/><link rel='edit' href='/1/edit'/><updated>2026-11-16</updated>\
         </entry></feed>",
        Format::Atom,
        &["home http://e.org/", "page /1", "alternate /1.pdf", "related /1/edit"],
        &[],
    );
    check(
        "<rdf:RDF xmlns:rdf='urn:r'><channel rdf:about='http://e.org/rss'><link>http://e.org/</link></channel>\
         <image><url>http://e.org/i.gif</url><link>http://e.org/</link></image>\
         <item rdf:about='http://e.org/1'><title>One</title></item></rdf:RDF>",
        Format::Rdf,
        &["home http://e.org/", "image http://e.org/i.gif", "home http://e.org/", "page http://e.org/1"],
        &[],
    );
    let dated = read(
        "<rss><item><link>http://e.org/1</link><pubDate>Mon, 16 Nov 2026 01:00:00 GMT</pubDate></item></rss>",
    );
    assert_eq!(to_warc_date(dated.entries[0].lastmod.unwrap().timestamp), "2026-11-16T01:00:00Z");
}

#[test]
fn a_text_has_a_url_a_line() {
    check(
        "\u{feff}http://e.org/1\r\n\r\n  https://e.org/2  \nnonsense\n",
        Format::Text,
        &["page http://e.org/1", "page https://e.org/2"],
        &[Note::NoUrl { count: 1 }],
    );
    let none = Note::NoSitemap { root: String::new() };
    check("404 not found", Format::Unknown, &[], &[none.clone(), Note::NoUrl { count: 1 }]);
    check("", Format::Unknown, &[], &[none]);
}

#[test]
fn any_of_them_may_be_packed_even_twice() {
    let text = "http://e.org/1\n";
    check(gzip(text), Format::Text, &["page http://e.org/1"], &[]);
    check(gzip(gzip(text)), Format::Text, &["page http://e.org/1"], &[]);
    let sitemap = read(gzip(gzip(gzip(text))));
    assert_eq!((sitemap.format, sitemap.entries.len()), (Format::Unknown, 0));
    assert_eq!(sitemap.notes[0], Note::TooManyLayers { limit: 2 });
}

#[test]
fn what_is_packed_and_damaged_gives_what_came_before() {
    let mut text = String::from("<urlset>");
    for number in 0..3000 {
        text.push_str(&format!("<url><loc>http://e.org/{}</loc></url>", number * 7919 % 100_003));
    }
    let mut packed = gzip(&text);
    packed.truncate(packed.len() / 2);
    let sitemap = read(packed);
    assert!(sitemap.entries.len() > 1000, "{}", sitemap.entries.len());
    assert!(matches!(sitemap.notes[..], [Note::Unreadable { .. }]), "{:?}", sitemap.notes);
}

#[test]
fn a_bomb_is_stopped_at_the_limit() {
    let limits = Limits { sitemap_bytes: 1 << 20, ..Limits::default() };
    let mut text = b"http://e.org/1\n".to_vec();
    text.resize(64 << 20, b'\n');
    let sitemap = sitemap::parse(gzip(text).as_slice(), &limits);
    assert_eq!(listed(&sitemap), ["page http://e.org/1"]);
    assert_eq!(sitemap.notes, [Note::TooLong { limit: 1 << 20 }]);
}

#[test]
fn encodings_are_seen_by_mark_by_look_and_by_declaration() {
    let text = "<urlset><url><loc>http://e.org/é</loc></url></urlset>";
    let utf16 = |big: bool| -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect()
    };
    let latin1: Vec<u8> = format!("<?xml version='1.0' encoding='ISO-8859-1'?>{text}")
        .chars()
        .map(|char| u8::try_from(u32::from(char)).unwrap())
        .collect();
    for bytes in [
        utf16(true),
        utf16(false),
        [b"\xFF\xFE".to_vec(), utf16(false)].concat(),
        latin1,
        text.as_bytes().to_vec(),
    ] {
        check(bytes, Format::UrlSet, &["page http://e.org/é"], &[]);
    }
    check(
        format!("<?xml version='1.0' encoding='utf-16'?>{text}"),
        Format::UrlSet,
        &["page http://e.org/é"],
        &[],
    );
}

#[test]
fn no_entity_of_the_document_is_resolved() {
    check(
        "<!DOCTYPE urlset [<!ENTITY a 'http://e.org/a'><!ENTITY b SYSTEM 'file:///etc/passwd'>]>\
         <urlset><url><loc>&a;</loc></url><url><loc>&b;</loc></url><url><loc>http://e.org/&#x63;&d</loc></url></urlset>",
        Format::UrlSet,
        &["page http://e.org/c&d"],
        &[Note::DocumentType, Note::NoUrl { count: 2 }],
    );
}

#[test]
fn what_is_broken_gives_what_came_before() {
    let page = "<urlset><url><loc>http://e.org/1</loc></url>";
    let expect = ["page http://e.org/1"];
    check(page, Format::UrlSet, &expect, &[Note::EndsEarly]);
    check(format!("{page}<url><loc>http://e.org/2"), Format::UrlSet, &expect, &[Note::EndsEarly]);
    check(format!("{page}</url></urlset>"), Format::UrlSet, &expect, &[Note::UnmatchedTags { count: 1 }]);
    check(
        format!("{page}</urlset><urlset><url><loc>http://e.org/2</loc></url>"),
        Format::UrlSet,
        &expect,
        &[],
    );
    let sitemap = read(format!("{page}<url <![CDATA["));
    assert_eq!(listed(&sitemap), expect);
    assert!(matches!(sitemap.notes[..], [Note::Broken { .. }]), "{:?}", sitemap.notes);
    check(
        "<urlset><url><loc>http://e.org/1</loc><url><loc>http://e.org/2</loc></urlset>",
        Format::UrlSet,
        &["page http://e.org/1", "page http://e.org/2"],
        &[Note::UnmatchedTags { count: 2 }],
    );
}

#[test]
fn several_urls_in_one_element_are_several_entries() {
    check(
        "<sitemapindex><sitemap><loc>http://e.org/1</loc><loc>http://e.org/2</loc></sitemap></sitemapindex>",
        Format::Index,
        &["sitemap http://e.org/1", "sitemap http://e.org/2"],
        &[],
    );
    check(
        "<urlset><url><loc><url><![CDATA[http://e.org/1]]></url></loc></url></urlset>",
        Format::UrlSet,
        &["page http://e.org/1"],
        &[],
    );
}

#[test]
fn a_page_is_no_sitemap() {
    check("<html><a href='http://e.org/'>", Format::Unknown, &[], &[Note::NoSitemap { root: "html".into() }]);
}

#[test]
fn limits_hold() {
    let limits = Limits {
        sitemap_entries: 2,
        extras_per_page: 1,
        sitemap_depth: 4,
        url_bytes: 20,
        token_bytes: 100,
        ..Limits::default()
    };
    let notes = |text: &str| sitemap::parse(text.as_bytes(), &limits).notes;
    let page = "<url><loc>http://e.org/1</loc></url>";
    assert_eq!(notes(&format!("<urlset>{page}{page}{page}")), [Note::TooManyEntries { limit: 2 }]);
    assert_eq!(notes(&"http://e.org/1\n".repeat(3)), [Note::TooManyEntries { limit: 2 }]);
    let link = "<link href='/a'/>";
    assert_eq!(
        notes(&format!("<urlset><url>{link}{link}</url></urlset>")),
        [Note::TooManyExtras { count: 1 }]
    );
    assert_eq!(notes("<urlset><a><b><c><d><e/></d></c></b></a></urlset>"), [Note::TooDeep { count: 2 }]);
    assert_eq!(
        notes("<urlset><url><loc>http://e.org/1234567890</loc></url></urlset>"),
        [Note::UrlTooLong { count: 1 }]
    );
    let long = "x".repeat(100_000);
    assert_eq!(notes(&format!("<urlset><!--{long}--></urlset>")), [Note::TokenTooLong { limit: 100 }]);
    assert_eq!(
        notes(&format!("http://e.org/1\n{}\nhttp://e.org/2", "x".repeat(90))),
        [Note::UrlTooLong { count: 1 }]
    );
}

#[test]
fn what_is_wrong_again_and_again_is_noted_once() {
    let types = "<!DOCTYPE a>".repeat(50_000);
    let sitemap = read(format!("{types}<urlset><url><loc>http://example.org/</loc></url></urlset>"));
    assert_eq!(sitemap.notes, [Note::DocumentType]);
    assert_eq!(listed(&sitemap), ["page http://example.org/"]);
}
