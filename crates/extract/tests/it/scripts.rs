//! Likely links of scripts and JSON, and of plain text.

use extract::{Hop, Limits, Links, json, likely, plain, script};

#[track_caller]
fn check(read: fn(&str, &mut Links), text: &str, expect: &[&str]) {
    let mut links = Links::new(&Limits::default());
    read(text, &mut links);
    assert!(links.as_slice().iter().all(|link| link.hop == Hop::Speculative));
    let found: Vec<&str> = links.as_slice().iter().map(|link| link.reference.as_str()).collect();
    assert_eq!(found, expect, "{text}");
}

#[test]
fn strings_of_scripts_are_found() {
    check(
        script::links,
        r#"a("http://x.org/a",'/b/c.png',`d/e.js`)"#,
        &["http://x.org/a", "/b/c.png", "d/e.js"],
    );
    check(script::links, r#"a="https:\/\/x.org\/a\u002ejs""#, &["https://x.org/a.js"]);
    check(script::links, r#"a='\x2fb\x2fc.png'"#, &["/b/c.png"]);
    check(script::links, r#"a="<img src='/b/c.png'>""#, &["/b/c.png"]);
    check(
        script::links,
        "a='www.example.org';b='//cdn.example.org/x'",
        &["http://www.example.org", "//cdn.example.org/x"],
    );
}

#[test]
fn comments_and_patterns_do_not_upset_the_quotes() {
    check(script::links, "// it's\na='/b/c.png'", &["/b/c.png"]);
    check(script::links, "/* \"http://x.org/no\" ' */a='/b/c.png'", &["/b/c.png"]);
    check(script::links, "x=/[\"'/]/g;a='/b/c.png'", &["/b/c.png"]);
    check(script::links, "return/'/.test(y)?'/b/c.png':0", &["/b/c.png"]);
    check(script::links, "x=a/b;y=c/'/b/c.png'", &["/b/c.png"]);
    check(script::links, "don't\na('/b/c.png')", &["/b/c.png"]);
}

#[test]
fn templates_with_holes_are_no_links_but_what_is_in_the_holes_may_be() {
    check(script::links, "`https://x.org/${id}/y` + '/b/c.png'", &["/b/c.png"]);
    check(script::links, "`a${b({c:`${d}`}, '/e/f.png')}g` + '/h/i.png'", &["/e/f.png", "/h/i.png"]);
    check(script::links, "`never closed ${'/b/c.png'}", &["/b/c.png"]);
}

#[test]
fn what_only_looks_like_an_address_is_none() {
    for text in [
        "text/html",
        "image/svg+xml",
        "application/vnd.ms-excel",
        "1.2.3",
        "12/31/2010",
        "1/2",
        "and/or",
        "a.b",
        ".class",
        "#id",
        "div > a",
        "user.id",
        "window.location",
        "Array.prototype",
        "e.g.",
        "/",
        "//",
        "./",
        "../",
        "/g",
        "</div>",
        "http://",
        "http://www.",
        "https://ssl.",
        "/user/:id/posts",
        "/a/$1",
        "%s/%s.js",
        "yyyy/mm/dd",
        "Node.js",
        "http://www.w3.org/2000/svg",
        "?",
        "a?b",
        "en-US",
        "hello world.",
        "foo@bar.com",
        ".warc.gz",
    ] {
        assert_eq!(likely::is(text), None, "{text}");
    }
}

#[test]
fn what_is_an_address_is_one() {
    for text in [
        "http://example.com",
        "HTTPS://example.com/a?b#c",
        "http://localhost:8080/",
        "http://10.0.0.1/x",
        "/ab/cd",
        "/favicon.ico",
        "../img/a.PNG",
        "./app.js",
        "a/b.css",
        "page.php?id=3",
        "/search?q=x",
        "https://user@h.org/",
        "//h.example/x",
        "example.com/a",
        "http://bücher.example/ü",
    ] {
        assert!(likely::is(text).is_some(), "{text}");
    }
}

#[test]
fn values_of_json_are_links_and_keys_are_not() {
    check(
        json::links,
        r#"{"/a/key.png":"/a/value.png","n":1,"b":[true,"https:\/\/x.org\/y"]}"#,
        &["/a/value.png", "https://x.org/y"],
    );
    check(json::links, r#"{"url":"some-page","link":"pages/about","word":"pages/about"}"#, &["pages/about"]);
    check(json::links, r#"{"image":["a/b","c/d"],"word":["e/f"]}"#, &["a/b", "c/d"]);
}

#[test]
fn json_in_json_and_markup_in_json_are_searched() {
    check(json::links, r#"{"a":"{\"b\":\"/c/d.png\"}"}"#, &["/c/d.png"]);
    check(json::links, r#"{"a":"<a href=\"/b/c.html\">it's</a>"}"#, &["/b/c.html"]);
    check(
        json::links,
        r#"{"a":"see http://x.org/a, or (http://x.org/b)."}"#,
        &["http://x.org/a", "http://x.org/b"],
    );
}

#[test]
fn broken_json_gives_what_it_has() {
    check(json::links, r#"{"a":"/b/c.png","d":"/e/f"#, &["/b/c.png"]);
    check(json::links, "{\"a\":\"/b/c.png\"}\n{\"a\":\"/d/e.png\"}", &["/b/c.png", "/d/e.png"]);
}

#[test]
fn the_vocabulary_of_json_ld_is_no_link() {
    check(json::links, r#"{"@context":"https://schema.org","@id":"https://x.org/a"}"#, &["https://x.org/a"]);
}

#[test]
fn urls_in_text_end_where_people_end_them() {
    check(
        plain::links,
        "See http://x.org/a. (Or https://x.org/b_(c)!) <http://x.org/d>, \"http://x.org/e\"",
        &["http://x.org/a", "https://x.org/b_(c)", "http://x.org/d", "http://x.org/e"],
    );
    check(
        plain::links,
        "«http://x.org/a» „http://x.org/b“ http://x.org/c。",
        &["http://x.org/a", "http://x.org/b", "http://x.org/c"],
    );
    check(
        plain::links,
        "xhttp://x.org http://x http:// ftp://x.org/f gopher://x.org example.com",
        &["ftp://x.org/f"],
    );
    check(plain::links, "[http://x.org/a] http://x.org/?q=[1]", &["http://x.org/a", "http://x.org/?q=[1]"]);
}

/// Each of these took the square of its length in some program or other.
#[test]
fn nothing_takes_for_ever() {
    let many = 50_000;
    for piece in [
        "\"",
        "'",
        "`",
        "`${",
        "\\\"",
        "\\'",
        "'\\\"",
        "/",
        "/*",
        "=/",
        "http://",
        "http://a.b:",
        "\\u0027'",
        "{\"",
        "[[\"",
        "(",
        "\\",
    ] {
        let text = piece.repeat(many);
        for read in [
            script::links,
            json::links,
            plain::links,
            extract::css::links,
            extract::playlist::links,
            extract::dash::links,
        ] {
            let mut links = Links::new(&Limits::default());
            read(&text, &mut links);
        }
    }
}
