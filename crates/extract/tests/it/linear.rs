//! Hostile documents of every format but HTML cost no more than their length, as `html/linear.rs` has it for HTML.

use std::time::{Duration, Instant};

use extract::{
    Limits, Links, css, dash, headers, json, pdf, plain, playlist, robots_txt, script, sitemap, xml,
};

/// Eight short documents are held against one of eight times the length, which are the same bytes. Quadratic work would
/// be eight times as much, four is allowed, and a failure is one only if it comes back again and again.
#[track_caller]
fn check(name: &str, read: impl Fn(&str, &mut Links), make: impl Fn(usize) -> String) {
    const ATTEMPTS: usize = 10;
    let (short, long) = (make(1_500), make(12_000));
    let time = |text: &str, times: usize| {
        let start = Instant::now();
        for _ in 0..times {
            let mut links = Links::new(&Limits::default());
            read(text, &mut links);
            assert!(links.as_slice().len() <= Limits::default().links_max);
        }
        start.elapsed()
    };
    let is_quadratic = |_| time(&long, 1) > time(&short, 8).max(Duration::from_millis(4)) * 4;
    let failures = (0..ATTEMPTS).map(is_quadratic).take_while(|failed| *failed).count();
    assert!(failures < ATTEMPTS, "{name} takes more than its length");
}

#[test]
fn scripts() {
    let scripts = |name, make: fn(usize) -> String| check(name, script::links, make);
    scripts("braces that do not end", |count| format!("'/{}'", "\\u{".repeat(count * 4)));
    scripts("braces that end far away", |count| format!("'/{}}}'", "\\u{".repeat(count * 4)));
    scripts("patterns that do not end", |count| "=/[".repeat(count * 8));
    scripts("patterns over lines", |count| "=/[\n".repeat(count * 8));
    scripts("quotes", |count| "\"'".repeat(count * 8));
    scripts("escaped quotes", |count| "\\\"\\'\\x22".repeat(count * 4));
    scripts("templates", |count| "`${".repeat(count * 8));
    scripts("strings in strings", |count| format!("'{}'", "\\\"a/b\\' ".repeat(count * 2)));
    scripts("comments", |count| "/*/".repeat(count * 8));
    scripts("blanks before slashes", |count| format!("{}/", " ".repeat(60)).repeat(count / 2));
    scripts("a host", |count| format!("'//{}'", "a.".repeat(count * 4)));
}

#[test]
fn json_texts() {
    let texts = |name, make: fn(usize) -> String| check(name, json::links, make);
    texts("arrays", |count| "[".repeat(count * 8));
    texts("quotes", |count| "\"".repeat(count * 8 + 1));
    texts("escapes", |count| format!("\"{}", "\\\"".repeat(count * 8)));
    texts("braces that do not end", |count| format!("{{\"url\": \"/{}\"}}", "\\u{".repeat(count * 4)));
    texts("blanks behind strings", |count| format!("\"/a\"{}", " ".repeat(count * 4)));
    texts("a key with many values", |count| {
        format!("{{\"{}\": [{}]}}", "k".repeat(4_000), "\"/a.b\",".repeat(count))
    });
    texts("json in strings", |count| format!("\"[{}\"", "\\\"\\\\\\\"a/b ".repeat(count)));
}

#[test]
fn style_sheets() {
    let sheets = |name, make: fn(usize) -> String| check(name, css::links, make);
    sheets("addresses that do not end", |count| "url(".repeat(count * 4));
    sheets("quotes that do not end", |count| "url('".repeat(count * 4));
    sheets("comments", |count| "/*/".repeat(count * 8));
    sheets("imports", |count| "@import ".repeat(count * 4));
    sheets("imports and comments", |count| "@import/**/".repeat(count * 4));
    sheets("loaders", |count| "AlphaImageLoader(".repeat(count * 2));
    sheets("loaders without end", |count| "AlphaImageLoader(a=".repeat(count * 2));
    sheets("sets", |count| "image-set(".repeat(count * 4));
    sheets("names", |count| "a".repeat(count * 8) + "(");
    sheets("parentheses", |count| "(".repeat(count * 8));
    sheets("escapes", |count| "\\".repeat(count * 8) + "(");
}

#[test]
fn xml_documents() {
    let read = |text: &str, links: &mut Links| drop(xml::links(text, &Limits::default(), links));
    check("nesting", read, |count| "<a>".repeat(count * 4));
    check("ends", read, |count| "</a>".repeat(count * 4));
    check("attributes", read, |count| format!("<a {}/>", "b='http://x.org/' ".repeat(count * 4)));
    check("references", read, |count| format!("<a>{}</a>", "&am&#x".repeat(count * 4)));
    check("references in attributes", read, |count| format!("<a href='{}'/>", "&am&#x".repeat(count * 4)));
    check("types", read, |count| "<!DOCTYPE a>".repeat(count * 4));
    check("a type", read, |count| "<!DOCTYPE a [".to_owned() + &"<!ENTITY a 'b'>".repeat(count * 4));
    check("comments", read, |count| "<!--".repeat(count * 4));
    check("sections", read, |count| "<a><![CDATA[".repeat(count * 4));
    check("instructions", read, |count| "<?xml-stylesheet href=".repeat(count * 4));
    check("descriptions", read, |count| "<description>&lt;b ".repeat(count));
    check("a long name", read, |count| format!("<{0}><b/></{0}>", "n".repeat(count * 4)));
    check("a long title", read, |count| {
        format!("<svg>{}</svg>", "<a style='b:url(c)' d='url('/>".repeat(count))
    });
}

#[test]
fn manifests() {
    check("a long base", dash::links, |count| {
        format!("<MPD><BaseURL>{}/</BaseURL>{}</MPD>", "b".repeat(count * 4), "<x/>".repeat(count * 4))
    });
    check("bases in a row", dash::links, |count| "<BaseURL>a/</BaseURL>".repeat(count));
    check("bases in bases", dash::links, |count| "<Period><BaseURL>a/</BaseURL>".repeat(count));
    check("a long timeline", dash::links, |count| {
        let timeline = "<S d='1'/>".repeat(count);
        let inner = "<Representation><S d='2'/></Representation>".repeat(count);
        format!("<Period><SegmentTemplate media='$Foo$'>{timeline}</SegmentTemplate>{inner}</Period>")
    });
    check("a long template", dash::links, |count| {
        let media = "$RepresentationID$".repeat(count);
        format!(
            "<Period><SegmentTemplate media='{media}'/>{}</Period>",
            "<Representation id='abc'/>".repeat(count)
        )
    });
    check("a long name", dash::links, |count| {
        format!("<Representation id='{}'>{}", "i".repeat(count * 4), "<Representation/>".repeat(count))
    });
}

#[test]
fn playlists() {
    check("a tag with many addresses", playlist::links, |count| {
        format!("#EXT-X-{}:{}", "K".repeat(count * 4), "URI=\"data:\",".repeat(count * 4))
    });
    check("attributes", playlist::links, |count| format!("#EXT-X-KEY:{}", "a=\"".repeat(count * 4)));
    check("lines", playlist::links, |count| "#EXT-X-STREAM-INF\n".repeat(count));
}

#[test]
fn pdf_files() {
    let read = |text: &str, links: &mut Links| drop(pdf::links(text.as_bytes(), &Limits::default(), links));
    check("dictionaries", read, |count| "<<".repeat(count * 4));
    check("closed ones", read, |count| "<</A".repeat(count * 4) + &">>".repeat(count * 4));
    check("strings", read, |count| "(".repeat(count * 8));
    check("hexadecimal strings", read, |count| "<a".repeat(count * 4));
    check("streams", read, |count| "<</Type/ObjStm>>stream ".repeat(count));
    check("streams of a wrong length", read, |count| "<</Length 5>>stream endstream ".repeat(count));
    check("empty scripts", read, |count| format!("<<{}>>", "/JS()".repeat(count * 4)));
    check("scripts", read, |count| format!("<<{}>>", "/JS('/a.b')".repeat(count * 4)));
    check("names", read, |count| format!("/{}", "#4".repeat(count * 4)));
    check("metadata", read, |count| {
        format!("<</Type/Metadata>>stream {} endstream", "<dc:title<rdf:li>".repeat(count))
    });
}

#[test]
fn headers_and_lists() {
    let read = |text: &str, links: &mut Links| headers::links([("Link", text), ("Refresh", text)], links);
    check("targets", read, |count| "<a>,".repeat(count * 2));
    check("targets that do not end", read, |count| "<".repeat(count * 8));
    check("parameters", read, |count| format!("<a>{}", ";rel=x".repeat(count * 4)));
    check("quotes", read, |count| format!("<a>{}", ";rel=\"\\".repeat(count * 4)));
    check("a delay", read, |count| "1".repeat(count * 8));
    check("rules", robots_txt::links, |count| "Disallow: /a\nSitemap: b\n".repeat(count));
    let read = |text: &str, links: &mut Links| sitemap::links(text.as_bytes(), &Limits::default(), links);
    check("types", read, |count| "<!DOCTYPE a>".repeat(count * 2));
    check("entries", read, |count| "<urlset>".to_owned() + &"<url><loc>".repeat(count));
    check("addresses", read, |count| "http://x.org/\n".repeat(count));
}

#[test]
fn plain_texts() {
    let texts = |name, make: fn(usize) -> String| check(name, plain::links, make);
    texts("colons", |count| "://".repeat(count * 4));
    texts("schemes", |count| "http://".repeat(count * 4));
    texts("hosts", |count| "http://a:".repeat(count * 4));
    texts("brackets", |count| format!("http://a.b/{}", "()".repeat(count * 4)));
    texts("brackets behind it", |count| format!("http://a.b/{}", ")".repeat(count * 4)));
    texts("what ends a sentence", |count| format!("http://a.b/{}", ".".repeat(count * 4)));
}
