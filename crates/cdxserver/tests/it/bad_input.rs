//! Nonsense from outside: an answer that says so, never a panic or a full memory.

use super::world::{SITE, World, encoded};

#[test]
fn questions_that_make_no_sense_are_refused() {
    let world = World::of("web", SITE);
    let many = "filter=a:b&".repeat(21);
    let endless = "x=1&".repeat(101);
    let long = format!("filter=~mime:{}", "a".repeat(5000));
    let bomb = encoded("~mime:((((a{100}){100}){100}){100})");
    let bombs = [
        format!("url=a&filter={bomb}"),
        format!("url=a&dialect=wayback&filter={}", encoded("mime:(.{1000}){1000}")),
    ];
    for query in [
        "",
        "url=",
        "limit=3",
        "url=a&limit=x",
        "url=a&limit=99999999999999999999",
        "url=a&limit=1.5",
        "url=a&from=x",
        "url=a&to=201401010000001",
        "url=a&closest=nonsense",
        "url=a*&closest=2014",
        "url=a&closest=2014&limit=-1",
        "url=a&sort=sideways",
        "url=a&matchType=sideways",
        "url=a&output=sideways",
        "url=a&dialect=sideways",
        "url=a&collapse=timestamp:x",
        "url=a&collapseTime=x",
        "url=a&filter=~mime:(",
        "url=a&filter=nocolon&dialect=wayback",
        "url=a&resumeKey=nonsense",
        "url=a&resumeKey=a)/+2014&reverse=true",
        "url=a&page=x",
        "url=a&page=-1",
        "url=a&pageSize=0",
        "url=%ff%fe",
        "url=a%00b",
        "url=a&filter=%00",
        &format!("url=a&{many}"),
        &format!("url=a&{endless}"),
        &format!("url=a&{long}"),
        &bombs[0],
        &bombs[1],
        &format!("url=a&x={}", "y".repeat(65_000)),
    ] {
        let answer = world.get(&format!("/cdx?{query}"));
        assert_eq!(answer.status, 400, "{}", query.get(..200).unwrap_or(query));
        assert_eq!(answer.header("content-type"), "application/problem+json", "{query}");
        let problem: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
        assert!(problem["message"].as_str().unwrap().len() < 500, "{problem}");
    }
}

#[test]
fn questions_to_outback_that_make_no_sense_are_refused_in_plain_words() {
    let world = World::of("web", SITE);
    for query in [
        "",
        "url=a&urlkey=b",
        "url=a&output=x",
        "url=a&sort=x",
        "urlkey=a&matchType=x",
        "url=a&filter=x",
        "q=x",
        "q=url:a+limit:x",
        "url=a%00",
        "url=a*&sort=closest&closest=2014",
    ] {
        let answer = world.get(&format!("/outbackcdx/web?{query}"));
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (400, "text/plain; charset=utf-8"),
            "{query}"
        );
    }
}

#[test]
fn odd_urls_are_questions_like_any_other() {
    let world = World::of("web", SITE);
    for url in [
        " ",
        "*",
        "**",
        "*.",
        "*.*",
        "http://",
        "http://*",
        "//",
        "?",
        "#",
        "%",
        "http://[::1",
        "http://a:99999999/",
        "\u{202e}\u{feff}é",
        "data:,x",
        "warcinfo:a.warc",
        "a\nb",
        "a\tb",
        "javascript:alert(1)",
        "\u{10ffff}",
        ")",
        " )/ 2014",
        "=",
    ] {
        for matching in [
            "",
            "&matchType=exact",
            "&matchType=prefix",
            "&matchType=host",
            "&matchType=domain",
            "&matchType=range",
        ] {
            for path in ["/cdx", "/outbackcdx/web"] {
                let answer = world.get(&format!("{path}?url={}{matching}", encoded(url)));
                assert!(matches!(answer.status, 200 | 400), "{path} {url:?} {matching}: {}", answer.status);
            }
            for query in ["urlkey=", "q=type:prefixquery+url:"] {
                let answer =
                    world.get(&format!("/outbackcdx/web?{query}{}{matching}", encoded(&encoded(url))));
                assert!(matches!(answer.status, 200 | 400), "{query} {url:?} {matching}: {}", answer.status);
            }
        }
    }
}

#[test]
fn wrong_methods_are_refused() {
    let world = World::of("web", SITE);
    for (method, path) in [
        ("POST", "/cdx?url=a"),
        ("DELETE", "/outbackcdx/web"),
        ("GET", "/outbackcdx/web/delete"),
        ("PUT", "/cdx/web"),
    ] {
        assert_eq!(world.send(method, path, &[], Vec::new()).status, 405, "{method} {path}");
    }
}

#[test]
fn bodies_of_noise_are_refused() {
    let world = World::new();
    let noise: Vec<u8> = (0..50_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    world.post("/outbackcdx/test", noise.clone()).refused(400);
    let answer = world.post("/outbackcdx/test?badLines=skip", noise).text();
    assert!(answer.starts_with("Added 0 records, skipped"), "{answer}");
    world.post("/outbackcdx/test/ap/public/check", "[".repeat(100_000)).refused(400);
}
