//! Which links a page has, by which rule, and how one gets there.

use super::{line, read};

#[track_caller]
fn check(html: &str, expected: &[&str]) {
    let page = read(html);
    let found: Vec<String> = page.links.as_slice().iter().map(line).collect();
    assert_eq!(found, expected, "{html}");
}

#[test]
fn anchors_have_their_text() {
    check("<a href=/x> one <b>two</b>\n three</a>", &["L a@href /x [one two three]"]);
    check(
        "<a href=/x><img src=i.png alt='a picture'> of</a>",
        &["L a@href /x [a picture of]", "E img@src i.png [a picture]"],
    );
    check("<a href=/x title='a title'> </a>", &["L a@href /x [a title]"]);
    check("<a href=/x>&gt;&eacute;</a>", &["L a@href /x [>é]"]);
    check("<a href=/x><p>one<p>two</a>", &["L a@href /x [one two]"]);
}

#[test]
fn an_anchor_ends_where_the_next_begins() {
    check("<a href=1>one<a href=2>two</a>three", &["L a@href 1 [one]", "L a@href 2 [two]"]);
    check("<td><a href=1>one</td><td>two", &["L a@href 1 [one]"]);
    check("<a href=1>one", &["L a@href 1 [one]"]);
}

#[test]
fn the_relation_is_kept() {
    let page = read("<a href=/x rel='nofollow &amp; Me'>x</a>");
    assert_eq!(page.links.as_slice()[0].rel, "nofollow & Me");
}

#[test]
fn attributes_are_read_however_they_are_written() {
    check("<A HREF = '/a?x=1&amp;y=2' href=/b>", &["L a@href /a?x=1&y=2"]);
    check("<a href=\"\n /a \t\">", &["L a@href /a"]);
    check("<a href=/a/>", &["L a@href /a/"]);
    check("<a/href=/a>", &["L a@href /a"]);
    check("<a title='>' href=/a>", &["L a@href /a [>]"]);
    check("<a href='?a=1&copy=2'>", &["L a@href ?a=1&copy=2"]);
    check("<a href=x", &[]);
    check("<a href=''><a href>", &[]);
}

#[test]
fn only_what_leads_elsewhere_is_a_link() {
    check("<a href=#top><a href='data:,x'><a href=about:blank><img src=BLOB:x>", &[]);
    check(
        "<a href=mailto:a@example.org><a href=tel:1><a href=ftp://example.org/>",
        &["L a@href mailto:a@example.org", "L a@href tel:1", "L a@href ftp://example.org/"],
    );
}

#[test]
fn embeds_of_today() {
    check(
        "<img src=a srcset='b 1x, c 2x'><picture><source srcset='d'></picture>",
        &["E img@src a", "E img@srcset b", "E img@srcset c", "E source@srcset d"],
    );
    check(
        "<video src=a poster=b><track src=c></video><audio src=d>",
        &["E video@src a", "E video@poster b", "E track@src c", "E audio@src d"],
    );
    check(
        "<iframe src=a></iframe><embed src=b><object data=c></object><script src=d></script>",
        &["E iframe@src a", "E embed@src b", "E object@data c", "E script@src d"],
    );
    check("<amp-img src=a></amp-img><input type=image src=b>", &["E amp-img@src a", "E input@src b"]);
}

#[test]
fn embeds_of_old() {
    check(
        "<body background=a><frame src=b longdesc=c><img lowsrc=d dynsrc=e>",
        &["E body@background a", "E frame@src b", "L frame@longdesc c", "E img@lowsrc d", "E img@dynsrc e"],
    );
    check(
        "<applet codebase=dir code=Clock archive='a.jar, b.jar'>",
        &[
            "X applet@codebase dir",
            "E applet@archive dir/a.jar",
            "E applet@archive dir/b.jar",
            "E applet@code dir/Clock.class",
        ],
    );
    check(
        "<object><param name=Movie value=a.swf><param name=flashvars value='x=1&amp;y=b.xml'></object>",
        &["E param@value a.swf", "X param@value b.xml"],
    );
    check(
        "<embed flashvars='u=http%3A%2F%2Fexample.org%2Fa.xml' pluginspage=http://example.com/>",
        &["X embed@flashvars http://example.org/a.xml", "L embed@pluginspage http://example.com/"],
    );
    check(
        "<html manifest=m><head profile='p q'><blockquote cite=c></blockquote>",
        &["M html@manifest m", "L head@profile p", "L head@profile q", "L blockquote@cite c"],
    );
}

#[test]
fn link_elements_go_by_their_relation() {
    check(
        "<link rel=stylesheet href=a><link rel='Shortcut Icon' href=b><link rel=preload href=c>",
        &["E link@href a", "E link@href b", "E link@href c"],
    );
    check(
        "<link rel=canonical href=a><link rel=alternate href=b><link rel=next href=c><link href=d>",
        &["L link@href a", "L link@href b", "L link@href c", "L link@href d"],
    );
    check(
        "<link rel=manifest href=a><link rel=dns-prefetch href=//b><link rel=preconnect href=//c>",
        &["M link@href a"],
    );
    check("<link rel=preload imagesrcset='a 1x, b 2x'>", &["E link@imagesrcset a", "E link@imagesrcset b"]);
}

#[test]
fn forms_count_if_they_are_sent_by_get() {
    check("<form action=a><button formaction=b></form>", &["L form@action a", "L button@formaction b"]);
    check(
        "<form action=a method=POST><button formaction=b><input formaction=c formmethod=get></form>",
        &["L input@formaction c"],
    );
    check("<button formaction=a formmethod=post>", &[]);
}

#[test]
fn metas_hold_links() {
    check("<meta http-equiv=Refresh content='0; url=a'>", &["R meta@refresh a"]);
    check(
        "<meta property=og:image content=a><meta property=og:url content=b><meta name=twitter:image content=c>",
        &["E meta@og:image a", "L meta@og:url b", "E meta@twitter:image c"],
    );
    check(
        "<meta name=msapplication-TileImage content=a><meta name=description content=b>",
        &["E meta@msapplication-tileimage a"],
    );
}

#[test]
fn what_scripts_load_later_is_found() {
    check(
        "<img src='data:,' data-src=a.jpg data-srcset='b.jpg 1x, c.jpg 2x'>",
        &["E img@data-src a.jpg", "E img@data-srcset b.jpg", "E img@data-srcset c.jpg"],
    );
    check("<div data-bg='url(a.jpg)' data-id=12 data-toggle=modal data-target='#x'>", &["E css@url a.jpg"]);
    check(
        "<div data-url=a.html data-hero-image=/b.jpg data-ratio=16/9 data-file-size=3.5>",
        &["X div@data-url a.html", "E div@data-hero-image /b.jpg"],
    );
    check("<img data-src='a.jpg, b.jpg'>", &["E img@data-src a.jpg", "E img@data-src b.jpg"]);
}

#[test]
fn styles_and_scripts_are_searched() {
    check("<p style='color:red; background:url(&quot;a.png&quot;)'>", &["E css@url a.png"]);
    check(
        "<style>@import 'a.css'; b { background: url(c.png) }</style>",
        &["E css@import a.css", "E css@url c.png"],
    );
    let has = |html: &str, reference: &str| {
        let page = read(html);
        assert!(
            page.links.as_slice().iter().any(|link| link.reference == reference),
            "{html}: {:?}",
            page.links
        );
    };
    has("<script>var a = \"http://example.org/a.html\";</script>", "http://example.org/a.html");
    has("<a href=\"javascript:open('http://example.org/a.html')\">", "http://example.org/a.html");
    has("<a onclick=\"open('http://example.org/a.html')\">", "http://example.org/a.html");
    has(
        "<script type=application/ld+json>{\"url\": \"http://example.org/a\"}</script>",
        "http://example.org/a",
    );
    check("<script type=text/template><a href=x></script>", &[]);
}

#[test]
fn pages_in_the_page_are_read() {
    check("<noscript><img src=a></noscript>", &["E img@src a"]);
    check("<iframe srcdoc='&lt;a href=\"x\"&gt;y&lt;/a&gt;'></iframe>", &["L a@href x [y]"]);
    check("<noframes><a href=x>y</a></noframes>", &["L a@href x [y]"]);
    check("<template><a href=x>y</a></template>", &["L a@href x [y]"]);
    check("<!--[if lt IE 9]><script src=a></script><![endif]-->", &["E script@src a"]);
    check("<!--[if !IE]><!--><img src=a><!--<![endif]-->", &["E img@src a"]);
    check("<!-- <a href=x> --><textarea><a href=y></textarea><xmp><a href=z></xmp>", &[]);
}

#[test]
fn pages_in_pages_end_somewhere() {
    let mut html = "<a href=x>".to_owned();
    for _ in 0..10 {
        html = format!("<iframe srcdoc=\"{}\"></iframe>", html.replace('&', "&amp;").replace('"', "&quot;"));
    }
    let page = read(&html);
    assert!(page.links.as_slice().is_empty());
    assert!(page.cut.scripts);
}

#[test]
fn svg_is_read() {
    check(
        "<svg><image xlink:href=a /><use href='b#c'/><a xlink:href=d>e</a></svg>",
        &["E image@xlink:href a", "E use@href b#c", "L a@xlink:href d [e]"],
    );
    check(
        "<svg><style><![CDATA[ p { background: url(a.png) } ]]></style></svg><img src=b>",
        &["E css@url a.png", "E img@src b"],
    );
    check("<svg><style>x<p><img src=a>", &["E img@src a"]);
}

#[test]
fn menus_of_old_are_guessed() {
    check(
        "<option value=/a.html>A<option value=1>B<option value='http://example.org/'>C",
        &["X option@value /a.html", "X option@value http://example.org/"],
    );
}

#[test]
fn limits_hold_and_are_told() {
    let mut limits = extract::Limits::default();
    limits.links_max = 2;
    let page = super::read_within("<a href=1><a href=2><a href=3>x", &limits);
    assert_eq!(page.links.as_slice().len(), 2);
    assert!(page.cut.links);

    let mut limits = extract::Limits::default();
    limits.tag_bytes_max = 100;
    let html = format!("<a href=1 title='{}' rel=x>one</a><a href=2>two</a>", "y".repeat(200));
    let page = super::read_within(&html, &limits);
    let found: Vec<String> = page.links.as_slice().iter().map(line).collect();
    assert_eq!(found, ["L a@href 1 [one]", "L a@href 2 [two]"]);
    assert!(page.cut.tags);

    let mut limits = extract::Limits::default();
    limits.attributes_max = 1;
    let page = super::read_within("<a rel=x href=1>", &limits);
    assert!(page.links.as_slice().is_empty() && page.cut.tags);
}
