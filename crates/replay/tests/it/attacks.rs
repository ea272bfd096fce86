//! Archived pages and clients that attack. Each is harmless, and the server stays up.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::world::{Server, World, answer, html, page, response, rows};

const URL: &str = "http://example.org/";
const MEMENTO: &str = "/web/20260101000000/http://example.org/";

fn with_fields(fields: &str) -> World {
    World::of(&[answer(
        URL,
        "20260101000000",
        "200 OK",
        &format!("Content-Type: text/html\r\n{fields}"),
        b"<p>x",
    )])
}

#[track_caller]
fn is_up(server: &Server) {
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn archived_headers_cannot_reach_the_browser() {
    let attacks = [
        ("Clear-Site-Data", "\"*\""),
        ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
        ("Alt-Svc", "h2=\"evil.example:443\""),
        ("X-Frame-Options", "DENY"),
        ("Public-Key-Pins", "pin-sha256=\"x\""),
        ("Report-To", "{\"url\":\"https://evil.example\"}"),
        ("NEL", "{\"report_to\":\"x\"}"),
        ("Service-Worker-Allowed", "/"),
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Allow-Credentials", "true"),
        ("Content-Security-Policy-Report-Only", "default-src 'none'; report-uri https://evil.example"),
        ("SourceMap", "https://evil.example/x.map"),
        ("Accept-CH", "Device-Memory"),
        ("Critical-CH", "Device-Memory"),
        ("Origin-Agent-Cluster", "?1"),
        ("Speculation-Rules", "\"https://evil.example/rules.json\""),
        ("Set-Login", "logged-in"),
        ("Cross-Origin-Embedder-Policy", "require-corp"),
        ("Expect-CT", "report-uri=\"https://evil.example\""),
        ("WWW-Authenticate", "Basic realm=\"the archive\""),
        ("Proxy-Authenticate", "Basic realm=\"the archive\""),
        ("Connection", "X-Odd"),
        ("Transfer-Encoding", "identity"),
        ("Upgrade", "h2c"),
        ("Trailer", "X-Odd"),
        ("Keep-Alive", "timeout=1"),
    ];
    let fields: String = attacks.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let answer = with_fields(&fields).serve().get(MEMENTO);
    assert_eq!(answer.status, 200);
    for (name, value) in attacks {
        let given = answer.header(&name.to_ascii_lowercase()).unwrap_or_default();
        assert_ne!(given, value, "{name}");
    }
    assert_eq!(answer.expect("x-archive-orig-alt-svc"), "h2=\"evil.example:443\"");
    let policy = answer.expect("content-security-policy");
    assert!(
        policy.contains("default-src 'self'")
            && policy.contains("form-action 'self'")
            && policy.contains("connect-src 'self'")
    );
    assert_eq!(answer.headers.iter().filter(|(name, _)| name == "content-security-policy").count(), 1);
}

#[test]
fn archived_policies_are_replaced_by_ours() {
    let answer = with_fields("Content-Security-Policy: default-src *\r\nReferrer-Policy: unsafe-url\r\nCross-Origin-Opener-Policy: unsafe-none\r\nPermissions-Policy: camera=*\r\n").serve().get(MEMENTO);
    for (name, wrong) in [
        ("content-security-policy", "default-src *"),
        ("referrer-policy", "unsafe-url"),
        ("cross-origin-opener-policy", "unsafe-none"),
        ("permissions-policy", "camera=*"),
    ] {
        let values: Vec<_> = answer
            .headers
            .iter()
            .filter(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
            .collect();
        assert_eq!(values.len(), 1, "{name}");
        assert_ne!(values[0], wrong);
    }
}

#[test]
fn archived_cookies_stay_below_their_page() {
    let fields = "Set-Cookie: a=1; Path=/; Domain=localhost\r\nSet-Cookie: b=2; HttpOnly\r\nSet-Cookie: c=3</script>; Path=/-/; SameSite=None; Secure\r\n";
    let answer = with_fields(fields).serve().get(MEMENTO);
    assert_eq!(answer.header("set-cookie"), None, "the browser gets none");
    assert_eq!(answer.expect("x-archive-orig-set-cookie"), "a=1; Path=/; Domain=localhost");
    let cookies = r#""cookies":["a=1; Path=/; Domain=localhost","c=3\u003c/script\u003e; Path=/-/; Secure"]"#;
    assert!(answer.text().contains(cookies), "its scripts are told: {}", answer.text());
}

/// What is not rewritten cannot be led: a target without a host, and what only looks like a page.
#[test]
fn what_has_no_place_leads_nowhere() {
    let http = "HTTP/1.1 302 Found\r\nLocation: https://evil.example/\r\nRefresh: 0; url=https://evil.example/\r\nContent-Type: text/html\r\n\r\n<script>x</script>";
    let world = World::of(&[response("urn:x:y", "20260101000000", http.as_bytes())]);
    let answer = world.serve().get("/web/20260101000000/urn:x:y");
    assert_eq!((answer.header("location"), answer.header("refresh")), (None, None), "{:?}", answer.headers);
    assert_eq!(answer.expect("x-archive-orig-location"), "https://evil.example/");
    assert!(answer.expect("content-security-policy").contains("; sandbox"));
}

#[test]
fn scripts_run_only_behind_the_shim() {
    let script = "<script>x</script>";
    let svg = format!("<svg xmlns='http://www.w3.org/2000/svg'>{script}</svg>");
    let xhtml = format!("<html xmlns='http://www.w3.org/1999/xhtml'>{script}</html>");
    let feed = "<rss><script xmlns='http://www.w3.org/1999/xhtml'>x</script></rss>";
    let braces = format!("{{{{a}}}}{script}");
    let data = format!("[{}{script}", "1,".repeat(1000));
    for (content_type, modifier, body, has_shim) in [
        ("text/html", "", script, true),
        ("text/html", "im_", script, false),
        ("text/html", "js_", script, false),
        ("text/html", "cs_", script, false),
        ("text/html", "sw_", script, false),
        ("text/html", "", &braces, true),
        ("text/html", "", &data, false),
        ("text/html", "if_", "", true),
        ("image/svg+xml", "", &svg, true),
        ("text/xml", "if_", &xhtml, true),
        ("application/xml", "", &svg, true),
        ("application/rss+xml", "", feed, false),
        ("application/dash+xml", "", &svg, false),
        ("unknown", "", script, true),
        ("foo/bar", "", script, false),
    ] {
        let world = World::of(&[page(URL, "20260101000000", content_type, body.as_bytes())]);
        let answer = world.serve().get(&format!("/web/20260101000000{modifier}/{URL}"));
        let text = answer.text();
        let shim = text.find("src=\"/-/shim.js\"");
        let is_first = shim.is_some_and(|shim| text.find(">x</script>").is_none_or(|script| shim < script));
        let is_silent = answer.expect("content-security-policy").contains("; sandbox");
        assert_eq!(
            (is_first, is_silent),
            (has_shim, !has_shim),
            "{content_type} {modifier} {}",
            &body[..body.len().min(40)]
        );
    }
    for (content_type, body) in [("text/plain", script), ("image/png", "x"), ("application/json", "{}")] {
        let world = World::of(&[page(URL, "20260101000000", content_type, body.as_bytes())]);
        let answer = world.serve().get(MEMENTO);
        assert!(!answer.expect("content-security-policy").contains("sandbox"), "{content_type}");
    }
}

#[test]
fn only_our_service_worker_is_registered() {
    let world =
        World::of(&[page("http://example.org/sw.js", "20260101000000", "text/javascript", b"self.x=1")]);
    let server = world.serve();
    let worker = [("Service-Worker", "script")];
    for path in [
        "/web/20260101000000js_/http://example.org/sw.js",
        "/web/20260101000000sw_/http://example.org/sw.js",
        "/-/shim.js",
        "/sw.js",
        "/",
    ] {
        assert_eq!(server.get_with(path, &worker).status, 403, "{path}");
    }
    let ours = server.get_with("/-/worker.js", &worker);
    assert_eq!((ours.status, ours.expect("service-worker-allowed")), (200, "/"));
    let known = server.get_with("/-/worker.js", &[("If-None-Match", ours.expect("etag"))]);
    assert_eq!((known.status, known.body.len()), (304, 0));
}

#[test]
fn header_values_cannot_become_headers() {
    // A lone CR, which is no end of a line for us, may be one for others.
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\rX-Evil: 1\r\nX-A: b\rX-Evil: 2\r\nX Evil: 3\r\nX-N\0l: 4\r\nX-U: \xff\xfe\r\n\r\n<p>x";
    let world = World::of(&[response(URL, "20260101000000", http)]);
    let answer = world.serve().get(MEMENTO);
    assert_eq!(answer.status, 200);
    assert!(answer.headers.iter().all(|(name, _)| !name.contains("evil")), "{:?}", answer.headers);
    let http = b"HTTP/1.1 302 Found\r\nLocation: http://a.org/\rSet-Cookie: x=1\r\n\r\n";
    let world = World::of(&[response(URL, "20260101000000", http)]);
    let answer = world.serve().get(MEMENTO);
    assert!(answer.header("set-cookie").is_none(), "{:?}", answer.headers);
}

#[test]
fn a_huge_head_is_cut() {
    let fields: String = (0..4000).map(|at| format!("X-Field-{at}: {}\r\n", "v".repeat(200))).collect();
    let world = with_fields(&fields);
    let answer = world.serve().get(MEMENTO);
    let bytes: usize = answer.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
    assert_eq!(answer.status, 200);
    assert!(bytes < 40_000, "{bytes}");
}

#[test]
fn records_that_lie_about_their_length() {
    let mut short = html(URL, "20260101000000", "<p>short");
    let text = String::from_utf8(short.clone()).unwrap();
    let at = text.rfind("Content-Length: ").unwrap();
    let end = at + text[at..].find("\r\n").unwrap();
    let offset = short.len() as u64;
    short.splice(at..end, b"Content-Length: 99999999".iter().copied());
    let world = World::new();
    world.add_file("web", "good.warc", &html(URL, "20260201000000", "<p>good"));
    // An indexer would not have made a line for it.
    let path = world.folder.path().join("bad.warc");
    std::fs::write(&path, &short).unwrap();
    world.archive.store().seal("bad", &path).unwrap();
    let row = cdx::Capture {
        key: Some(urlkey::key(URL).into()),
        timestamp: cdx::Timestamp::parse("20260101000000").ok(),
        url: Some(URL.into()),
        status: Some(200),
        offset: Some(0),
        length: Some(offset),
        filename: Some("bad/bad.warc".into()),
        ..cdx::Capture::default()
    };
    let beyond = cdx::Capture {
        timestamp: cdx::Timestamp::parse("20260102000000").ok(),
        offset: Some(1 << 40),
        ..row.clone()
    };
    let nowhere = cdx::Capture {
        timestamp: cdx::Timestamp::parse("20260103000000").ok(),
        filename: Some("../../etc/passwd".into()),
        ..row.clone()
    };
    world.publish("web", "bad", vec![row, beyond, nowhere]);
    let server = world.serve();
    for time in ["20260101000000", "20260102000000", "20260103000000"] {
        let answer = server.get(&format!("/web/{time}/{URL}"));
        assert_eq!(answer.status, 502, "{time}: {:?} {}", answer.headers, answer.text());
        assert!(
            answer.text().contains("This capture is damaged") && answer.text().contains("The next one:"),
            "{time}: {}",
            answer.text()
        );
    }
    assert!(
        server.get("/web/20260101000000im_/http://example.org/").text().contains("good"),
        "a part of a page is another capture then"
    );
    is_up(&server);
}

#[test]
fn a_long_payload_that_is_damaged_is_cut_off() {
    let body = vec![b'x'; 2 << 20];
    let whole = page(URL, "20260101000000", "video/mp4", &body);
    let world = World::new();
    let path = world.folder.path().join("bad.warc");
    std::fs::write(&path, &whole[..1 << 20]).unwrap();
    world.archive.store().seal("bad", &path).unwrap();
    world.publish("web", "bad", rows(&whole, "bad/bad.warc"));
    let server = world.serve();
    let answer = server.get("/web/20260101000000oe_/http://example.org/");
    assert_eq!(answer.status, 200);
    // Nobody takes for the whole what is not, and what came is as it was.
    assert_eq!(answer.expect("content-length"), body.len().to_string());
    assert!(!answer.body.is_empty() && answer.body.len() < body.len(), "{}", answer.body.len());
    assert!(answer.body.iter().all(|byte| *byte == b'x'));
    is_up(&server);
}

#[test]
fn odd_addresses() {
    let world = World::of(&[html(URL, "20260101000000", "<p>x")]);
    let server = world.serve();
    for path in [
        "/../etc/passwd",
        "/web/../../etc/passwd",
        "/web/20260101000000/../../../etc/passwd",
        "/-/../Cargo.toml",
        "/-/..%2f..%2fCargo.toml",
        "/web/20260101000000/",
        "/web/%00/",
        "/web/99999999999999/http://example.org/x",
        "/web/00000000000000/http://example.org/x",
        "/web/2026/http://[::1",
        "/web/2026/http://",
        "/web/2026/javascript:alert(1)",
        "/web/*/",
        "/web/**",
        "/web/*/*",
        "/web/timemap/",
        "/web/timemap/link/",
        "/web/timegate/",
        "/web/99999999*/http://example.org/",
        "/web/20261399*/http://example.org/",
        "/web/*/http://example.org/*?after=%ff%fe",
        "/nowhere/2026/http://example.org/",
        "/favicon.ico",
    ] {
        let answer = server.get(path);
        assert!(matches!(answer.status, 200 | 302 | 303 | 400 | 404), "{path}: {}", answer.status);
        assert!(!answer.text().contains("root:"), "{path}");
    }
    let endless = format!("/web/2026/http://example.org/{}", "a".repeat(60_000));
    assert_eq!(server.get(&endless).status, 414);
    assert!(matches!(server.get(&format!("/web/2026/{}", "http://a/".repeat(3000))).status, 404));
    is_up(&server);
}

#[test]
fn text_from_outside_is_text_on_our_pages() {
    let evil = "http://example.org/\"><script>alert(1)</script>";
    let world = World::of(&[html(
        evil,
        "20260101000000",
        "<title>a&lt;/title&gt;&lt;script&gt;alert(2)&lt;/script&gt;</title>x",
    )]);
    let server = world.serve();
    let escaped = "/http://example.org/%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    for path in [
        format!("/web/*{escaped}"),
        format!("/web/*{escaped}*"),
        format!("/web/2026{escaped}none"),
        "/web/*/http://example.org/*".to_owned(),
    ] {
        let answer = server.get(&path);
        assert!(!answer.text().contains("<script"), "{path}: {}", answer.text());
        assert!(
            answer.expect("content-security-policy").starts_with("default-src 'none'; style-src 'self'"),
            "{path}"
        );
    }
    let shown = server.get(&format!("/web/20260101000000{escaped}")).text();
    let banner =
        shown.split("<varve-banner>").nth(1).expect("a banner").split("</varve-banner>").next().unwrap();
    assert!(banner.contains("alert(2)"), "the title is told: {banner}");
    assert!(!banner.contains("<script"), "{banner}");
}

#[test]
fn the_search_box_leads_nowhere_else() {
    let server = World::new().serve();
    for (query, expected) in [
        ("in=web&url=example.org", "/web/*/example.org"),
        ("in=web&url=", "/web/"),
        ("in=//evil.example&url=x", "/evil.example/*/x"),
        ("in=web&url=http://a.org/%0d%0aSet-Cookie:x", "/web/*/http://a.org/%0D%0ASet-Cookie:x"),
    ] {
        let answer = server.get(&format!("/-/go?{query}"));
        assert_eq!((answer.status, answer.expect("location")), (303, expected));
    }
}

#[test]
fn what_escapes_is_led_back() {
    let world = World::of(&[page("http://example.org/style.css", "20260101000000", "text/css", b"a{}")]);
    let server = world.serve();
    let from = ("Referer", "http://localhost/web/20260101000000/http://example.org/dir/page?x#y");
    for (path, wanted, expected) in [
        ("/style.css", "style", "/web/20260101000000cs_/http://example.org/style.css"),
        ("/a/b.png?c", "image", "/web/20260101000000im_/http://example.org/a/b.png?c"),
        ("/", "document", "/web/20260101000000/http://example.org/"),
        ("/web/app.js", "script", "/web/20260101000000js_/http://example.org/web/app.js"),
    ] {
        let answer = server.get_with(path, &[from, ("Sec-Fetch-Dest", wanted)]);
        assert_eq!((answer.status, answer.header("location")), (302, Some(expected)), "{path}");
    }
    assert_eq!(server.ask("POST", "/api", &[from], b"x").status, 307);
    let foreign = ("Referer", "http://evil.example/web/20260101000000/http://example.org/");
    assert_eq!(server.get_with("/style.css", &[foreign]).status, 404);
}

/// The server of these tests has four threads that may wait for the disk.
#[test]
fn clients_that_do_not_read_hold_nobody_up() {
    let body = vec![b'x'; 8 << 20];
    let world = World::of(&[
        page(URL, "20260101000000", "video/mp4", &body),
        html("http://example.org/a", "20260101000000", "<p>x"),
    ]);
    let server = world.serve();
    let request = b"GET /web/20260101000000oe_/http://example.org/ HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut clients: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    for client in &mut clients {
        client.write_all(request).unwrap();
        let mut start = [0; 12];
        client.read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
    }
    for _ in 0..20 {
        assert_eq!(server.get("/web/20260101000000/http://example.org/a").status, 200);
    }
    // Half of them go away, the others read on to the end.
    clients.truncate(20);
    for client in &mut clients {
        let mut rest = vec![0; body.len()];
        client.read_exact(&mut rest).unwrap();
    }
    is_up(&server);
}

/// Issue 20, point 10: an archived script that got round the shim cannot shut the reader out by filling the jar of cookies.
#[test]
fn too_many_cookies_are_deleted_by_the_browser() {
    let world = World::of(&[html(URL, "20260101000000", "<p>x")]);
    let server = world.serve();
    for (bytes, status) in [(100, 200), (16 << 10, 200), (64 << 10, 431), (256 << 10, 431)] {
        for path in [MEMENTO, "/", "/-/shim.js", "/web/*/http://example.org/"] {
            let cookies = format!("a={}", "x".repeat(bytes));
            let answer = server.get_with(path, &[("Cookie", &cookies)]);
            assert_eq!(answer.status, status, "{bytes} {path}");
            let deleted = (status == 431).then_some("\"cookies\"");
            assert_eq!(answer.header("clear-site-data"), deleted, "{bytes} {path}");
            assert!(status == 200 || answer.expect("cache-control") == "no-store", "{path}");
        }
    }
    // Many small fields are as much as a large one.
    let cookie = format!("a={}", "x".repeat(8 << 10));
    let many: Vec<(&str, &str)> = (0..5).map(|_| ("Cookie", cookie.as_str())).collect();
    assert_eq!(server.get_with(MEMENTO, &many).status, 431);
    is_up(&server);
}
