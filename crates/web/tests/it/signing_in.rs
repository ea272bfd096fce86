//! Other users of the machine see nothing but what is listed, and a browser signs in with the token. (Issue 20, point 6.)

use std::collections::BTreeSet;

use crate::archived::JOB;
use crate::served::{Answer, BEARER, COOKIE, Served, TOKEN};

/// What everybody may read.
const OPEN: [&str; 14] = [
    "/assets/{name}",
    "/cdx",
    "/cdx/{collection}",
    "/outbackcdx/api/collections",
    "/outbackcdx/{collection}",
    "/outbackcdx/{collection}/access/policies",
    "/outbackcdx/{collection}/access/rules",
    "/outbackcdx/{collection}/aliases",
    "/outbackcdx/{collection}/ap/{accesspoint}",
    "/outbackcdx/{collection}/ap/{accesspoint}/check",
    "/outbackcdx/{collection}/captures",
    "/outbackcdx/{collection}/stats",
    "/sign-in",
    "/web/{*address}",
];

/// The patterns of all routes, as the router itself writes them out.
fn routes(served: &Served) -> BTreeSet<String> {
    let texts = served.routes.split('"').skip(1).step_by(2);
    let routes: BTreeSet<String> = texts.filter(|text| text.starts_with('/')).map(str::to_owned).collect();
    routes.into_iter().filter(|route| !route.contains("__private__")).collect()
}

fn anonymous(served: &Served, method: &str, path: &str) -> Answer {
    served.ask_anonymously(&format!("{method} {path} HTTP/1.1"), "")
}

#[test]
fn every_route_needs_the_token_unless_it_is_listed_as_open() {
    let served = Served::start();
    let routes = routes(&served);
    assert!(routes.len() > 60 && routes.contains("/api/v1/jobs/{job}/files/{file}"), "{routes:?}");
    for route in &routes {
        // Names in a pattern may stand for themselves.
        let path = route.replace("{*", "").replace(['{', '}'], "");
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let may_pass = match method {
                "GET" | "HEAD" => OPEN.contains(&route.as_str()),
                "POST" => route == "/sign-in",
                _ => false,
            };
            let answer = anonymous(&served, method, &path);
            assert_eq!(answer.status != 401, may_pass, "{method} {path}: {}", answer.status);
        }
    }
    for open in OPEN {
        assert!(routes.contains(open), "{open}");
    }
    assert_eq!(anonymous(&served, "GET", "/no/such/page").status, 401);
}

#[test]
fn a_program_is_told_how_to_sign_in() {
    let served = Served::start();
    let answer = anonymous(&served, "GET", "/api/v1/jobs");
    assert_eq!(answer.status, 401);
    assert!(answer.head.contains("www-authenticate: bearer realm=\"varve\""), "{}", answer.head);
    assert!(answer.head.contains("content-type: application/problem+json"), "{}", answer.head);
    assert!(
        answer.body.contains("work/up.json") && answer.body.contains("Authorization: Bearer"),
        "{}",
        answer.body
    );
    assert!(!answer.body.contains(&served.folder().display().to_string()), "{}", answer.body);
    for wrong in [
        format!("Bearer {}0", BEARER),
        format!("Basic {BEARER}"),
        format!("Bearer {TOKEN}"),
        "Bearer".to_owned(),
    ] {
        let head = format!("GET /api/v1/jobs HTTP/1.1\r\nAuthorization: {wrong}");
        assert_eq!(served.ask_anonymously(&head, "").status, 401, "{wrong}");
    }
    assert_eq!(served.get("/api/v1/jobs").status, 200);
}

#[test]
fn a_browser_sees_a_page_that_says_how_to_sign_in() {
    let served = Served::start();
    for path in
        [format!("/jobs/{JOB}"), "/".to_owned(), "/api/v1/jobs".to_owned(), "/no/such/page".to_owned()]
    {
        let answer =
            served.ask_anonymously(&format!("GET {path} HTTP/1.1\r\nAccept: text/html,*/*;q=0.8"), "");
        assert_eq!(answer.status, 401, "{path}");
        assert!(answer.head.contains("content-type: text/html"), "{path}: {}", answer.head);
        assert!(answer.head.contains("www-authenticate: bearer"), "{path}");
        assert!(answer.head.contains("content-security-policy:"), "{path}");
        for text in
            ["varve up", "varve open", "<label for=\"token\">", &format!("name=\"next\" value=\"{path}\"")]
        {
            assert!(answer.body.contains(text), "{path}: no {text}");
        }
        assert!(!answer.body.contains(&served.folder().display().to_string()), "{path}");
    }
}

/// The cookie that an answer sets, and its attributes.
fn cookie(answer: &Answer) -> (String, String) {
    let line = answer.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let (pair, attributes) = line.split_once("; ").unwrap();
    (pair.to_owned(), attributes.to_owned())
}

#[test]
fn the_printed_address_signs_a_browser_in_and_leads_on_without_the_token() {
    let served = Served::start();
    let answer = anonymous(&served, "GET", &format!("/sign-in?token={BEARER}&next=/jobs"));
    assert_eq!(answer.status, 303);
    assert!(answer.head.contains("\r\nlocation: /jobs\r\n"), "{}", answer.head);
    assert!(answer.head.contains("referrer-policy: no-referrer"), "{}", answer.head);
    assert!(answer.head.contains("cache-control: no-store"), "{}", answer.head);
    assert!(!answer.head.contains(BEARER));
    let (pair, attributes) = cookie(&answer);
    assert!(pair.starts_with(&format!("{COOKIE}=")), "{pair}");
    assert_eq!(attributes, "path=/; max-age=604800; httponly; samesite=lax");
    let with =
        |path: &str| served.ask_anonymously(&format!("GET {path} HTTP/1.1\r\nCookie: a=b; {pair}"), "");
    for path in ["/", "/jobs", "/api/v1/jobs", "/watches"] {
        assert_eq!(with(path).status, if path == "/watches" { 404 } else { 200 }, "{path}");
    }
    assert!(with("/").body.contains("Sign out"));
    // It leads nowhere else.
    for next in ["//evil.example/", "http://evil.example/", "/%5Cevil.example", "/%0d%0aSet-Cookie:%20a=b"] {
        let answer = anonymous(&served, "GET", &format!("/sign-in?token={BEARER}&next={next}"));
        assert!(answer.head.contains("\r\nlocation: /\r\n"), "{next}: {}", answer.head);
    }
}

#[test]
fn a_session_ends_when_its_user_signs_out() {
    let served = Served::start();
    let (pair, _) = cookie(&anonymous(&served, "GET", &format!("/sign-in?token={BEARER}")));
    let with = |head: &str, body: &str| {
        let form = "Content-Type: application/x-www-form-urlencoded";
        served.ask_anonymously(
            &format!("{head} HTTP/1.1\r\nCookie: {pair}\r\nOrigin: {}\r\n{form}", served.origin()),
            body,
        )
    };
    // Neither without the token of the form, nor from elsewhere.
    assert_eq!(with("POST /sign-out", "token=").status, 403);
    assert_eq!(with("GET /jobs", "").status, 200);
    let answer = with("POST /sign-out", &format!("token={TOKEN}"));
    assert_eq!(answer.status, 303);
    assert!(cookie(&answer).1.contains("max-age=0"), "{}", answer.head);
    assert_eq!(with("GET /jobs", "").status, 401);
}

#[test]
fn a_wrong_token_signs_nobody_in() {
    let served = Served::start();
    let wrong = BEARER.replace("00", "01");
    for answer in [
        anonymous(&served, "GET", &format!("/sign-in?token={wrong}")),
        served.ask_anonymously(
            &format!(
                "POST /sign-in HTTP/1.1\r\nOrigin: {}\r\nContent-Type: application/x-www-form-urlencoded",
                served.origin()
            ),
            &format!("token={wrong}"),
        ),
    ] {
        assert_eq!(answer.status, 401);
        assert!(!answer.head.contains("set-cookie") && answer.body.contains("not valid"), "{}", answer.body);
        assert!(!answer.body.contains(&wrong));
    }
    let form = "Content-Type: application/x-www-form-urlencoded";
    let right = format!("token={BEARER}&next=/jobs");
    let ours = format!("POST /sign-in HTTP/1.1\r\nOrigin: {}\r\n{form}", served.origin());
    assert_eq!(served.ask_anonymously(&ours, &right).status, 303);
    let theirs = format!("POST /sign-in HTTP/1.1\r\nOrigin: http://evil.example\r\n{form}");
    assert_eq!(served.ask_anonymously(&theirs, &right).status, 403);
}

#[test]
fn a_form_that_is_longer_than_4_kib_signs_nobody_in() {
    let served = Served::start();
    let head = "POST /sign-in HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded";
    let head = format!("{head}\r\nOrigin: {}", served.origin());
    let form = |bytes: usize| {
        let start = format!("token={BEARER}&next=/jobs&padding=");
        format!("{start}{}", "a".repeat(bytes - start.len()))
    };
    assert_eq!(served.ask_anonymously(&head, &form(4 << 10)).status, 303);
    assert_eq!(served.ask_anonymously(&head, &form((4 << 10) + 1)).status, 413);
}

#[test]
fn a_session_does_not_make_up_for_the_token_of_a_form_or_our_origin() {
    let served = Served::start();
    let (pair, _) = cookie(&anonymous(&served, "GET", &format!("/sign-in?token={BEARER}")));
    for (origin, form) in [
        (served.origin(), "urls=b.test".to_owned()),
        ("http://localhost:8471".to_owned(), format!("token={TOKEN}&urls=b.test")),
    ] {
        let head = format!(
            "POST /harvests HTTP/1.1\r\nCookie: {pair}\r\nOrigin: {origin}\r\nContent-Type: application/x-www-form-urlencoded"
        );
        assert_eq!(served.ask_anonymously(&head, &form).status, 403, "{origin}");
    }
    assert!(served.asked.0.lock().unwrap().is_empty());
}
