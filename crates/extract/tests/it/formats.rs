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

fn check_pdf(bytes: &[u8]) -> (Vec<String>, pdf::Said) {
    let mut said = pdf::Said::default();
    let links = found(|links| said = pdf::links(bytes, &Limits::default(), links));
    (links, said)
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
fn refreshes_are_read_as_browsers_do() {
    assert_eq!(headers::refresh("0;url=a b"), Some((0, "a b")));
    assert_eq!(headers::refresh("1.5, 'x'"), Some((1, "x")));
    assert_eq!(headers::refresh("3 url = \"x\" junk"), Some((3, "x")));
    assert_eq!(headers::refresh("3;http://x.org/"), Some((3, "http://x.org/")));
    assert_eq!(headers::refresh("url=x"), None);
    assert_eq!(headers::refresh(""), None);
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
