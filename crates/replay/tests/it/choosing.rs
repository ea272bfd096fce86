//! Which capture is shown: the nearest that is any good.

use crate::world::{Answer, Server, World, answer, html, record};

const URL: &str = "http://example.org/a";

/// Asks for a time, and goes where that leads.
#[track_caller]
fn show(server: &Server, time: &str, url: &str) -> Answer {
    let mut path = format!("/web/{time}/{url}");
    for _ in 0..5 {
        let answer = server.get(&path);
        if !matches!(answer.status, 302 | 307) || answer.header("memento-datetime").is_some() {
            return answer;
        }
        path = answer.expect("location").strip_prefix("http://localhost").unwrap().to_owned();
    }
    panic!("{path} leads in a circle");
}

#[track_caller]
fn check(records: &[Vec<u8>], time: &str, expected: &str) -> Answer {
    let world = World::of(records);
    let answer = show(&world.serve(), time, URL);
    assert!(answer.text().contains(expected), "{time}: no {expected} in {}", answer.text());
    answer
}

fn failed(time: &str, status: &str) -> Vec<u8> {
    answer(URL, time, status, "Content-Type: text/html\r\n", b"out of order")
}

#[test]
fn the_nearest_is_led_to() {
    let world = World::of(&[html(URL, "20260101000000", "one"), html(URL, "20260301000000", "two")]);
    let server = world.serve();
    for (time, expected) in
        [("20260110000000", "20260101000000"), ("2026", "20260301000000"), ("20260215", "20260301000000")]
    {
        let answer = server.get(&format!("/web/{time}/{URL}"));
        assert_eq!(answer.status, 302, "{time}");
        assert_eq!(answer.expect("location"), format!("http://localhost/web/{expected}/{URL}"), "{time}");
    }
}

#[test]
fn an_error_is_passed_over_and_that_is_told() {
    let records = [html(URL, "20260101000000", "good one"), failed("20260301000000", "503 No")];
    let answer = check(&records, "20260302000000", "good one");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.expect("x-archive-passed-over"), "20260301000000; status 503");
    assert_eq!(answer.header("memento-datetime"), None, "the address is of another time");
    assert_eq!(answer.expect("content-location"), format!("http://localhost/web/20260101000000/{URL}"));
    assert!(answer.text().contains("is an error (503)"), "the banner tells");
}

#[test]
fn an_error_asked_for_to_the_second_is_shown() {
    let records = [html(URL, "20260101000000", "good one"), failed("20260301000000", "404 Gone")];
    let answer = check(&records, "20260301000000", "out of order");
    assert_eq!(answer.status, 404);
    assert_eq!(answer.header("x-archive-passed-over"), None);
}

#[test]
fn an_error_is_shown_where_nothing_good_is_near() {
    let records = [html(URL, "20200101000000", "good one"), failed("20260301000000", "404 Gone")];
    check(&records, "20260302", "out of order");
    check(&[failed("20260301000000", "500 No")], "2026", "out of order");
}

#[test]
fn a_redirect_to_itself_is_passed_over() {
    let redirect =
        |time: &str| answer(URL, time, "301 Moved", "Location: https://www.example.org/a\r\n", b"");
    let records =
        [redirect("20260301000000"), html("https://www.example.org/a", "20260301000002", "the page")];
    check(&records, "20260301000000", "the page");
    let answer = check(&[redirect("20260301000000")], "20260301000000", "leads to itself");
    assert_eq!(answer.status, 404);
}

/// From `http` to `https`, and the page a second later, under one key.
#[test]
fn nobody_is_stuck_behind_a_redirect() {
    let mut records = Vec::new();
    for day in ["20260301", "20260302"] {
        let way = "Location: https://example.org/a\r\n";
        records.push(answer(URL, &format!("{day}120000"), "301 Moved", way, b"moved"));
        records.push(html("https://example.org/a", &format!("{day}120001"), day));
    }
    let world = World::of(&records);
    let server = world.serve();
    let links = server.get("/web/20260302120001/https://example.org/a").links();
    let first = "http://localhost/web/20260301120001/https://example.org/a";
    assert_eq!((&links["prev"][..], &links["first"][..]), (&[first.to_owned()][..], &[first.to_owned()][..]));
    assert!(!links.contains_key("next"));
    // As it was captured it is what the TimeMap says.
    let raw = server.get("/web/20260302120000id_/http://example.org/a");
    assert_eq!((raw.status, raw.text().as_str()), (301, "moved"));
    assert_eq!(raw.expect("memento-datetime"), "Mon, 02 Mar 2026 12:00:00 GMT");
    // Where it leads is the page, and a script gets that at once.
    let page = server.get("/web/20260302120000id_/https://example.org/a");
    assert_eq!(
        (page.status, page.expect("location")),
        (302, "http://localhost/web/20260302120001id_/https://example.org/a")
    );
    let script =
        server.get_with("/web/20260302120000id_/http://example.org/a", &[("Sec-Fetch-Dest", "empty")]);
    assert_eq!((script.status, script.text().as_str()), (200, "20260302"));
    // What is led to has not changed on the way.
    let same = World::of(&[
        records[0].clone(),
        records[1].clone(),
        records[2].clone(),
        html("https://example.org/a", "20260302120001", "20260301"),
    ]);
    let text = same.serve().get("/web/20260302*/http://example.org/a").text();
    assert!(text.contains("same") && !text.contains(">changed<"), "{text}");
}

#[test]
fn a_part_is_passed_over_and_a_whole_in_one_part_is_whole() {
    let part = |time: &str, range: &str, body: &[u8]| {
        let fields = format!("Content-Type: text/plain\r\nContent-Range: bytes {range}\r\n");
        answer(URL, time, "206 Partial Content", &fields, body)
    };
    let records = [part("20260101000000", "0-3/4", b"good"), part("20260301000000", "2-3/4", b"od")];
    let answer = check(&records, "20260302000000", "good");
    assert_eq!((answer.status, answer.header("content-range")), (200, None));
    assert_eq!(answer.expect("x-archive-passed-over"), "20260301000000; status 206");
    let answer = check(&records, "20260301000000", "od");
    assert_eq!((answer.status, answer.expect("content-range")), (206, "bytes 2-3/4"));
}

/// As scripts do that put the time and the name of a function into what they ask for.
#[test]
fn what_changes_from_visit_to_visit_is_found_and_answers_the_function_that_asks() {
    let url =
        |name: &str, time: u32, id: u32| format!("http://example.org/api?callback={name}&_={time}&id={id}");
    let answers = |id: u32, time: &str| {
        let fields = "Content-Type: text/javascript\r\n";
        answer(&url("jQuery1", 5, id), time, "200 OK", fields, format!("jQuery1({{\"a\":{id}}})").as_bytes())
    };
    let world = World::of(&[answers(7, "20260301000000"), answers(8, "20260301000000")]);
    let server = world.serve();
    let found = server.get(&format!("/web/20260301000000js_/{}", url("jQuery2", 9, 7)));
    assert_eq!((found.status, found.text().as_str()), (200, "jQuery2({\"a\":7})"));
    assert_eq!(server.get(&format!("/web/20260301000000js_/{}", url("jQuery2", 9, 6))).status, 404);
}

#[test]
fn captures_of_aliases_are_found() {
    let world = World::of(&[
        html("http://old.example/", "20240101000000", "at the old name"),
        answer(
            "http://old.example/",
            "20250101000000",
            "301 Moved",
            "Location: http://new.example/\r\n",
            b"",
        ),
        html("http://new.example/", "20250101000001", "at the new name"),
    ]);
    let collection = world.archive.create_collection("web").unwrap();
    collection.index().alias("example,old)/", "example,new)/").unwrap();
    let server = world.serve();
    for url in ["http://old.example/", "http://new.example/"] {
        assert!(show(&server, "20240101", url).text().contains("at the old name"), "{url}");
        assert!(show(&server, "2025", url).text().contains("at the new name"), "{url}");
        assert!(server.get(&format!("/web/timemap/link/{url}")).text().contains("20240101000000"), "{url}");
    }
}

#[test]
fn of_one_second_the_url_that_was_asked_for_is_shown() {
    let records = [
        html("http://example.org/a", "20260301000000", "plain"),
        html("https://example.org/A", "20260301000000", "secure"),
    ];
    let world = World::of(&records);
    let server = world.serve();
    assert!(show(&server, "20260301000000", "https://example.org/A").text().contains("secure"));
    assert!(show(&server, "20260301000000", URL).text().contains("plain"));
}

#[test]
fn another_redirect_is_one_within_the_archive() {
    let records = [answer(URL, "20260301000000", "302 Found", "Location: /b?c\r\n", b"")];
    let world = World::of(&records);
    let answer = world.serve().get(&format!("/web/20260301000000/{URL}"));
    assert_eq!(answer.status, 302);
    assert_eq!(answer.expect("location"), "/web/20260301000000/http://example.org/b?c");
    assert_eq!(answer.expect("memento-datetime"), "Sun, 01 Mar 2026 00:00:00 GMT");
}

#[test]
fn as_before_is_never_shown() {
    let bare = answer(URL, "20260301000000", "304 Not Modified", "", b"");
    let records = [html(URL, "20260101000000", "good one"), bare.clone()];
    let answer = check(&records, "20260301000000", "good one");
    assert_eq!(answer.status, 200);
    let alone = check(&[bare], "20260301000000", "as it was before");
    assert_eq!(alone.status, 404);
}

/// A revisit of a page, by the server's own word or by digest.
fn revisit(url: &str, time: &str, profile: &str, refers_to: &str, refers_at: &str, http: &str) -> Vec<u8> {
    let fields = format!(
        "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/{profile}\r\nWARC-Refers-To-Target-URI: {refers_to}\r\nWARC-Refers-To-Date: {refers_at}\r\n"
    );
    record("revisit", "application/http; msgtype=response", url, time, &fields, http.as_bytes())
}

#[test]
fn a_revisit_shows_what_it_stands_for() {
    let head = "HTTP/1.1 304 Not Modified\r\n\r\n";
    let revisit = revisit(URL, "20260301000000", "server-not-modified", URL, "2026-01-01T00:00:00Z", head);
    let answer = check(&[html(URL, "20260101000000", "the page"), revisit], "20260301000000", "the page");
    assert_eq!((answer.status, answer.expect("memento-datetime")), (200, "Sun, 01 Mar 2026 00:00:00 GMT"));
}

#[test]
fn a_revisit_is_resolved_in_another_collection() {
    let world = World::new();
    world.add("other", &[html("http://example.org/b", "20260101000000", "the page")]);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let revisit = revisit(
        URL,
        "20260301000000",
        "identical-payload-digest",
        "http://example.org/b",
        "2026-01-01T00:00:00Z",
        head,
    );
    world.add("web", &[revisit]);
    let answer = show(&world.serve(), "20260301000000", URL);
    assert!(answer.text().contains("the page"));
}

#[test]
fn a_revisit_of_nothing_is_passed_over() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let lost = revisit(
        URL,
        "20260301000000",
        "identical-payload-digest",
        "http://example.org/lost",
        "2026-01-01T00:00:00Z",
        head,
    );
    let answer = check(&[html(URL, "20260201000000", "good one"), lost.clone()], "20260302", "good one");
    assert_eq!(answer.expect("x-archive-passed-over"), "20260301000000; damaged");
    assert_eq!(check(&[lost], "20260301000000", "not in the archive").status, 502);
}

#[test]
fn posts_are_found_by_what_was_posted() {
    let post = |body: &str, answer: &str, time: &str| {
        let request = format!(
            "POST /form HTTP/1.1\r\nHost: example.org\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let url = "http://example.org/form";
        let response = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{answer}");
        let response =
            record("response", "application/http; msgtype=response", url, time, "", response.as_bytes());
        let text = String::from_utf8_lossy(&response).into_owned();
        let id = text.split_once("WARC-Record-ID: ").unwrap().1.split("\r\n").next().unwrap().to_owned();
        let concurrent = format!("WARC-Concurrent-To: {id}\r\n");
        let request = record(
            "request",
            "application/http; msgtype=request",
            url,
            time,
            &concurrent,
            request.as_bytes(),
        );
        [response, request].concat()
    };
    let world = World::of(&[
        post("a=1", "{\"one\":1}", "20260301000000"),
        post("a=2", "{\"two\":2}", "20260301000005"),
    ]);
    let server = world.serve();
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    let answer = server.ask("POST", "/web/20260301000005oe_/http://example.org/form", &form, b"a=1");
    assert_eq!((answer.status, answer.text().as_str()), (200, "{\"one\":1}"));
    let answer = server.ask("POST", "/web/20260301000000oe_/http://example.org/form", &form, b"a=2");
    assert_eq!((answer.status, answer.text().as_str()), (200, "{\"two\":2}"));
    assert_eq!(server.ask("POST", "/web/2026oe_/http://example.org/form", &form, b"a=3").status, 404);
}
