//! Links of XML, feeds, drawings, playlists, manifests, PDF, headers, robots.txt and sitemaps.

use std::io::Write;

use extract::{Limits, Links, dash, headers, pdf, playlist, robots_txt, sitemap, xml};

/// What a reader finds, as `letter rule reference`.
fn found(read: impl FnOnce(&mut Links)) -> Vec<String> {
    let mut links = Links::new(&Limits::default());
    read(&mut links);
    let show = |link: &extract::Link| format!("{} {} {}", link.hop.letter(), link.rule, link.reference);
    links.as_slice().iter().map(show).collect()
}

#[track_caller]
fn check_xml(text: &str, title: Option<&str>, expect: &[&str]) {
    let mut said = None;
    let links = found(|links| said = xml::links(text, &Limits::default(), links).title);
    assert_eq!(links, expect, "{text}");
    assert_eq!(said.as_deref(), title, "{text}");
}

#[test]
fn rss_lists_pages_and_files() {
    check_xml(
        "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel><title>News &amp; more</title><link>http://x.org/</link>
        <image><url>/logo.png</url><title>not this</title></image>
        <item><title>nor this</title><link><![CDATA[http://x.org/1]]></link><enclosure url='a.mp3' type='audio/mpeg'/>
        <media:content url='b.mp4'/><description>&lt;a href=\"http://x.org/2\"&gt;it&lt;/a&gt;</description></item></channel></rss>",
        Some("News & more"),
        &[
            "M link@text http://x.org/",
            "E url@text /logo.png",
            "M link@text http://x.org/1",
            "M enclosure@url a.mp3",
            "M content@url b.mp4",
            "L a@href http://x.org/2",
        ],
    );
}

#[test]
fn what_identifies_an_item_is_its_address_unless_it_says_otherwise() {
    check_xml(
        "<rss><channel><item><guid>http://x.org/1</guid></item><item><guid isPermaLink='true'>http://x.org/2</guid></item>
        <item><guid isPermaLink='false'>http://x.org/3</guid></item><item><guid>tag:x.org,2026:4</guid></item></channel></rss>",
        None,
        &["M guid@text http://x.org/1", "M guid@text http://x.org/2"],
    );
}

#[test]
fn atom_lists_its_links_with_their_relations() {
    let text = "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><link rel='self' href='/feed'/><logo>l.png</logo>
        <entry><link href='/1' title='One'/><id>urn:uuid:1</id><content type='xhtml'><div><a href='/2'>x</a></div></content></entry></feed>";
    check_xml(text, Some("T"), &["M link@href /feed", "E logo@text l.png", "M link@href /1", "L a@href /2"]);
    let mut links = Links::new(&Limits::default());
    xml::links(text, &Limits::default(), &mut links);
    assert_eq!((links.as_slice()[0].rel.as_str(), links.as_slice()[2].text.as_str()), ("self", "One"));
}

#[test]
fn drawings_link_and_embed() {
    check_xml(
        "<?xml-stylesheet href='s.css' type='text/css'?><svg xmlns='http://www.w3.org/2000/svg'><title>Map</title>
        <style>a{b:url(i.png)}</style><a xlink:href='/p'><image href='j.png'/></a><use href='#x'/>
        <rect style='fill:url(#g)' filter=\"url(f.svg#a)\"/><script>x='/y/z.js'</script></svg>",
        Some("Map"),
        &[
            "E xml-stylesheet@href s.css",
            "E css@url i.png",
            "L a@xlink:href /p",
            "E image@href j.png",
            "E css@url f.svg#a",
            "X script@string /y/z.js",
        ],
    );
}

#[test]
fn other_xml_gives_what_is_surely_an_address() {
    check_xml(
        "<!DOCTYPE a SYSTEM 'http://x.org/a.dtd' [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>
        <a xmlns='http://x.org/ns' xsi:schemaLocation='http://x.org/s http://x.org/s.xsd' n='http://x.org/1' m='word'>
        <b>http://x.org/2?a=1&amp;b=2</b><c>&e; http</c><outline href='three/four.html'/></a>",
        None,
        &["X a@n http://x.org/1", "X b@text http://x.org/2?a=1&b=2", "L outline@href three/four.html"],
    );
}

#[test]
fn broken_xml_gives_what_came_before() {
    check_xml(
        "<a><b>http://x.org/1</c></a></b><d e='http://x.org/2'><",
        None,
        &["X b@text http://x.org/1", "X d@e http://x.org/2"],
    );
    check_xml("<a>http://x.org/1", None, &["X a@text http://x.org/1"]);
    check_xml("no xml at all", None, &[]);
}

#[test]
fn playlists_list_segments_variants_and_keys() {
    let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a,b\"\nlow.m3u8\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"a.m3u8\",NAME=\"x=y\"\n\
        #EXT-X-KEY:METHOD=AES-128,URI=\"k.bin\"\n#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:9.9,Title\n1.ts\r\n# comment\n\n#EXT-X-KEY:URI=\"data:,x\"\n";
    assert_eq!(
        found(|links| playlist::links(text, links)),
        [
            "M m3u8@variant low.m3u8",
            "M m3u8@media a.m3u8",
            "M m3u8@key k.bin",
            "M m3u8@map i.mp4",
            "M m3u8@segment 1.ts"
        ]
    );
}

#[test]
fn manifests_are_filled_in() {
    let text = "<MPD mediaPresentationDuration='PT5S'><BaseURL>video/</BaseURL><Period><AdaptationSet>
        <SegmentTemplate media='$RepresentationID$/$Number%03d$.m4s' initialization='$RepresentationID$/i.mp4' duration='2' startNumber='1'/>
        <Representation id='a'/></AdaptationSet><AdaptationSet><SegmentTemplate media='$Time$.m4s' timescale='10'>
        <SegmentTimeline><S t='5' d='10' r='1'/><S d='7'/></SegmentTimeline></SegmentTemplate><Representation id='b'/></AdaptationSet>
        <AdaptationSet><Representation><BaseURL>http://cdn.x.org/c.mp4</BaseURL><SegmentList><Initialization sourceURL='/i'/><SegmentURL media='s1'/></SegmentList>
        </Representation></AdaptationSet></Period></MPD>";
    assert_eq!(
        found(|links| dash::links(text, links)),
        [
            "M dash@baseurl video/",
            "M dash@template video/a/i.mp4",
            "M dash@template video/a/001.m4s",
            "M dash@template video/a/002.m4s",
            "M dash@template video/a/003.m4s",
            "M dash@template video/5.m4s",
            "M dash@template video/15.m4s",
            "M dash@template video/25.m4s",
            "M dash@baseurl http://cdn.x.org/c.mp4",
            "M dash@segment http://cdn.x.org/i",
            "M dash@segment http://cdn.x.org/s1",
        ]
    );
}

#[test]
fn a_manifest_without_end_is_cut() {
    let text = "<MPD mediaPresentationDuration='PT9999999H'><Period><AdaptationSet><SegmentTemplate media='$Number$' duration='1'/>
        <Representation id='a'/><Representation id='b'/></AdaptationSet></Period></MPD>";
    assert!(found(|links| dash::links(text, links)).len() <= 4_000);
    let timeline = "<MPD><Period><SegmentTemplate media='$Time$'><S t='0' d='1' r='18446744073709551615'/></SegmentTemplate></Period></MPD>";
    assert!(found(|links| dash::links(timeline, links)).len() <= 4_000);
}

#[test]
fn a_manifest_with_numbers_beyond_all_measure_is_read() {
    for media in ["", "media='$Foo$'", "media='$Time$$Foo$'", "media='one.mp4'"] {
        let text = format!(
            "<MPD><Period><AdaptationSet><SegmentTemplate {media}><S t='0' d='1' r='18446744073709551614'/></SegmentTemplate>
            <Representation id='a'/></AdaptationSet></Period></MPD>"
        );
        assert!(found(|links| dash::links(&text, links)).len() <= 1, "{media}");
    }
    let text = "<MPD mediaPresentationDuration='PT2S'><Period><SegmentTemplate media='$Number$' startNumber='18446744073709551615' duration='1'/>
        <Representation/></Period></MPD>";
    let found = found(|links| dash::links(text, links));
    assert_eq!(found, ["M dash@template 4294967295", "M dash@template 4294967296"]);
}

#[test]
fn base_addresses_beside_each_other_are_alternatives() {
    let text = "<MPD><BaseURL>v/</BaseURL><BaseURL>w/</BaseURL><Period><BaseURL>http://a.org/p/</BaseURL><BaseURL>q/</BaseURL>
        <Representation><SegmentTemplate media='m'/></Representation></Period><Period><BaseURL>r/</BaseURL><BaseURL>s/</BaseURL>
        <Representation><SegmentTemplate media='m'/></Representation></Period></MPD>";
    assert_eq!(
        found(|links| dash::links(text, links)),
        [
            "M dash@baseurl v/",
            "M dash@baseurl w/",
            "M dash@baseurl http://a.org/p/",
            "M dash@baseurl v/q/",
            "M dash@template http://a.org/p/m",
            "M dash@baseurl v/r/",
            "M dash@baseurl v/s/",
            "M dash@template v/r/m",
        ]
    );
}

fn check_pdf(bytes: &[u8]) -> (Vec<String>, pdf::Said) {
    let mut said = pdf::Said::default();
    let links = found(|links| said = pdf::links(bytes, &Limits::default(), links));
    (links, said)
}

#[test]
fn empty_scripts_of_a_pdf_take_no_room() {
    let text = format!("%PDF-1.4\n1 0 obj << {} /JS (a='http://x.org/js') >> endobj", "/JS()".repeat(20_000));
    assert_eq!(check_pdf(text.as_bytes()).0, ["X script@string http://x.org/js"]);
}

#[test]
fn pdf_links_and_title_are_found() {
    let text = br"%PDF-1.4
1 0 obj <</Type/Annot/Subtype/Link/A<</S/URI/URI(http://x.org/a\(b\)\057c)>>/Rect[0 0 1 1]>> endobj
2 0 obj <</A <</Type /Action /S /URI /URI <687474703A2F2F782E6F72672F68>>> /Border [/URI (no)] >> endobj
3 0 obj << /S /GoToR /F << /Type /Filespec /F (other.pdf) >> >> endobj
4 0 obj << /Title (Chapter) /Parent 5 0 R /Dest [1] /Producer (x) >> endobj
6 0 obj << /Producer (p) /Title (\376\377\000T\001\015) >> endobj
7 0 obj << /S /JavaScript /JS (app.launchURL\('http://x.org/js'\)) >> endobj
8 0 obj << /Length 30 >> stream
/URI (http://x.org/not-this) e
endstream endobj
trailer << /Info 6 0 R >>";
    let (links, said) = check_pdf(text);
    assert_eq!(
        links,
        [
            "L pdf@uri http://x.org/a(b)/c",
            "L pdf@uri http://x.org/h",
            "L pdf@gotor other.pdf",
            "X script@string http://x.org/js"
        ]
    );
    assert_eq!(said, pdf::Said { title: Some("Tč".to_owned()), encrypted: false });
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn compressed_objects_of_a_pdf_are_unfolded() {
    let data = deflated(b"1 0 2 40 <</S/URI/URI(http://x.org/1)>> <</Base(http://y.org/d/)>> <</URI(rel)>>");
    let mut file =
        format!("%PDF-1.5\n5 0 obj <</Type/ObjStm/Filter/FlateDecode/Length {}>>stream\r\n", data.len())
            .into_bytes();
    file.extend(&data);
    file.extend(b"\nendstream endobj 6 0 obj <</Type/Catalog/URI<</Base(http://z.org/d/)>>>> endobj");
    let xmp = "<x:xmpmeta><dc:title><rdf:Alt><rdf:li xml:lang='x-default'>A &amp; B</rdf:li></rdf:Alt></dc:title></x:xmpmeta>";
    file.extend(format!("7 0 obj <</Type/Metadata/Length 9 0 R>>stream\n{xmp}\nendstream endobj").bytes());
    let (links, said) = check_pdf(&file);
    assert_eq!(links, ["L pdf@uri http://x.org/1", "L pdf@uri http://z.org/d/rel"]);
    assert_eq!(said.title.as_deref(), Some("A & B"));
}

#[test]
fn an_encrypted_pdf_is_said_to_be() {
    let (links, said) =
        check_pdf(b"%PDF-1.4\n1 0 obj <</URI(http://x.org/)>> endobj trailer <</Encrypt 2 0 R/Root 3 0 R>>");
    assert!(links.is_empty() && said.encrypted);
}

#[test]
fn a_pdf_that_would_fill_the_memory_is_cut() {
    let data = deflated(&vec![b' '; 8 << 20]);
    let mut file = b"%PDF-1.5\n".to_vec();
    for _ in 0..16 {
        file.extend(
            format!("5 0 obj <</Type/ObjStm/Filter/FlateDecode/Length {}>>stream\n", data.len()).bytes(),
        );
        file.extend(&data);
        file.extend(b"\nendstream endobj ");
    }
    let limits = {
        let mut limits = Limits::default();
        limits.unfolded_bytes_max = 1 << 20;
        limits
    };
    let mut links = Links::new(&limits);
    assert_eq!(pdf::links(&file, &limits, &mut links), pdf::Said::default());
}

#[test]
fn headers_link() {
    let all = [
        ("location", " /next "),
        (
            "Link",
            "</a.css>; rel=stylesheet, <b>; rel=\"next prev\"; title*=UTF-8''sk%C3%A5l; title=x, <c,d>;rel=preconnect",
        ),
        ("Refresh", "5; URL='/later'"),
        ("Refresh", "5"),
        ("Content-Location", "x.en.html"),
        ("SourceMap", "x.js.map"),
        ("X-Other", "http://x.org/"),
    ];
    assert_eq!(
        found(|links| headers::links(all, links)),
        [
            "R http@location /next",
            "E http@link /a.css",
            "L http@link b",
            "X http@link c,d",
            "R http@refresh /later",
            "L http@content-location x.en.html",
            "X http@sourcemap x.js.map",
        ]
    );
    let targets = headers::targets("<b>; rel=\"next prev\"; title*=UTF-8''sk%C3%A5l");
    assert_eq!((targets[0].rel.as_str(), targets[0].title.as_str()), ("next prev", "skål"));
    assert_eq!(headers::targets("nothing <a"), []);
}

#[test]
fn headers_and_pages_read_relations_and_refreshes_alike() {
    let page = |html: &str| -> Vec<String> {
        let page = crate::html::read(html);
        page.links.as_slice().iter().map(|link| format!("{} {}", link.hop.letter(), link.reference)).collect()
    };
    let header = |name: &str, value: &str| -> Vec<String> {
        let found = found(|links| headers::links([(name, value)], links));
        let short = |line: String| {
            let (letter, rest) = line.split_once(' ').unwrap();
            format!("{letter} {}", rest.split_once(' ').unwrap().1)
        };
        found.into_iter().map(short).collect()
    };
    for rel in ["prefetch", "manifest", "pingback", "next", "mask-icon", "canonical"] {
        let link = header("Link", &format!("<x>; rel=\"{rel}\""));
        assert_eq!(link, page(&format!("<link rel='{rel}' href=x>")), "{rel}");
    }
    // A host alone is a guess from a header and nothing in a page.
    for rel in ["preconnect", "dns-prefetch"] {
        assert_eq!(header("Link", &format!("<x>; rel={rel}")), ["X x"], "{rel}");
        assert!(page(&format!("<link rel={rel} href=x>")).is_empty(), "{rel}");
    }
    for value in ["0;url=a b", "1.5, 'x'", "3 url = `x", "3;http://x.org/", "url=x", "", "5url=/x", ".;x"] {
        let link = header("Refresh", value);
        assert_eq!(link, page(&format!("<meta http-equiv=refresh content=\"{value}\">")), "{value}");
    }
}

#[test]
fn robots_txt_gives_sitemaps_and_paths() {
    let text = "User-agent: *\nDisallow: /private/ # why\nDisallow: /*.php$\nDisallow: /\nAllow: /public\nSitemap: http://x.org/s.xml\n";
    assert_eq!(
        found(|links| robots_txt::links(text, links)),
        ["M robots@sitemap http://x.org/s.xml", "X robots@disallow /private/", "X robots@allow /public"]
    );
}

#[test]
fn sitemaps_list_their_pages() {
    let text = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://x.org/1</loc></url></urlset>";
    assert_eq!(
        found(|links| sitemap::links(text, &Limits::default(), links)),
        ["M sitemap@page http://x.org/1"]
    );
}
