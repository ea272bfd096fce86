//! What is asked of a server, and how often: E1, E5.

use testkit::server::reply;
use watch::{Error, How, Outcome};

use crate::world::World;

const HEAD_FIRST: How = How { head_first: true, force: false };

pub(crate) async fn e1_a_known_tag_is_asked_by_with_the_date_beside_it() {
    let world = World::new().await;
    let date = "Mon, 16 Nov 2026 08:00:00 GMT";
    world.site.answer("/", move |request, _| {
        let fields = [("ETag", "W/\"a\""), ("Last-Modified", date)];
        match request.field("if-none-match") {
            Some(_) => testkit::changing::not_modified(&fields),
            None => reply("200 OK", &fields, b"text"),
        }
    });
    world.check("/").await;
    assert!(world.site.last("/").fields("if-none-match").is_empty());
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.status, check.digest), (Outcome::Unchanged, Some(304), None));
    assert!(check.faults.is_empty(), "{check:?}");
    let asked = world.site.last("/");
    assert_eq!(
        (asked.fields("if-none-match"), asked.fields("if-modified-since")),
        (vec!["W/\"a\"".to_owned()], vec![date.to_owned()])
    );
}

/// E1: "compare length and server's digest, if sent; else fetch".
pub(crate) async fn e1_head_is_enough_where_length_and_digest_are_as_before() {
    let world = World::new().await;
    let md5 = ("Content-MD5", "kAFQmDzST7DWlj99KOF/cg==");
    world.site.plain("/", "200 OK", &[md5], b"abc");
    let page = world.resource("/");
    assert_eq!(page.check_as(HEAD_FIRST).await.unwrap().outcome, Outcome::First);
    world.later();
    let check = page.check_as(HEAD_FIRST).await.unwrap();
    assert_eq!((check.outcome, check.version), (Outcome::Unchanged, Some(1)));
    assert!(check.head.is_some() && check.why.unwrap().contains("HEAD"));
    let methods: Vec<String> = world.site.seen().iter().map(|seen| word(&seen.request)).collect();
    assert_eq!(methods, ["HEAD", "GET", "HEAD"]);
    // Another length, and it is fetched.
    world.later();
    world.site.plain("/", "200 OK", &[md5], b"abcd");
    assert_eq!(page.check_as(HEAD_FIRST).await.unwrap().outcome, Outcome::Changed);
    // Without a digest HEAD says nothing.
    world.site.plain("/plain", "200 OK", &[], b"abc");
    let plain = world.resource("/plain");
    plain.check_as(HEAD_FIRST).await.unwrap();
    world.later();
    assert!(plain.check_as(HEAD_FIRST).await.unwrap().digest.is_some());
    assert_eq!(word(&world.site.last("/plain").request), "GET");
}

fn word(request: &[u8]) -> String {
    String::from_utf8_lossy(request.split(|byte| *byte == b' ').next().unwrap()).into_owned()
}

pub(crate) async fn e1_a_server_that_refuses_head_is_asked_by_get() {
    let world = World::new().await;
    world.site.answer("/", |request, _| match request.method.as_str() {
        "HEAD" => reply("405 Method Not Allowed", &[], b""),
        _ => reply("200 OK", &[], b"abc"),
    });
    let check = world.resource("/").check_as(HEAD_FIRST).await.unwrap();
    assert_eq!((check.outcome, check.status), (Outcome::First, Some(200)));
}

pub(crate) async fn e5_asking_within_ten_seconds_gives_the_last_result_and_says_so() {
    let world = World::new().await;
    world.site.page("/", "one");
    world.turn_to(100);
    let first = world.resource("/").check().await.unwrap();
    world.site.page("/", "two");
    for seconds in [100, 109] {
        world.turn_to(seconds);
        let again = world.resource("/").check().await.unwrap();
        assert!(again.is_repeated && !first.is_repeated);
        assert_eq!((again.id, again.outcome), (first.id, Outcome::First));
    }
    assert_eq!(world.site.count("/"), 1);
    world.turn_to(110);
    assert_eq!(world.resource("/").check().await.unwrap().outcome, Outcome::Changed);
    // A check from the future is no last result: the clock was ahead, by however little.
    for seconds in [108, 10] {
        world.turn_to(seconds);
        assert!(!world.resource("/").check().await.unwrap().is_repeated);
    }
}

/// Two at the same moment are one request.
pub(crate) async fn e5_two_who_ask_at_once_are_one_request() {
    let world = World::new().await;
    world.site.page("/", "one");
    let (page, same) = (world.resource("/"), world.resource("/#part"));
    let (one, other) = tokio::join!(page.check(), same.check());
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!((one.id, one.is_repeated != other.is_repeated), (other.id, true));
    assert_eq!(world.site.count("/"), 1);
}

pub(crate) async fn e5_redirects_of_every_kind_are_followed_and_shorteners_lead_on() {
    let world = World::new().await;
    world.site.page("/end", "the end");
    for (number, status) in
        ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"].into_iter().enumerate()
    {
        let path = format!("/short/{number}");
        world.site.redirect(&path, status, "/end");
        let check = world.check(&path).await;
        assert_eq!(
            (check.outcome, check.status, check.redirects),
            (Outcome::First, Some(200), 1),
            "{status}"
        );
        assert_eq!(check.final_url, Some(world.site.url("/end")));
    }
    world.site.page("/end", "another end");
    assert_eq!(world.outcome("/short/0").await, Outcome::Changed);
    assert!(world.site.last("/short/0").fields("if-none-match").is_empty(), "the tag was another URL's");
}

pub(crate) async fn e5_thirty_redirects_are_followed_and_no_more() {
    let world = World::new().await;
    for number in 0..40 {
        world.site.redirect(&format!("/{number}"), "302 Found", &format!("/{}", number + 1));
    }
    world.site.page("/40", "the end");
    let check = world.check("/10").await;
    assert_eq!((check.outcome, check.redirects), (Outcome::First, 30));
    let check = world.check("/9").await;
    assert_eq!((check.outcome, check.version), (Outcome::Unreachable, None));
    assert!(check.why.as_ref().unwrap().contains("more redirects"), "{check:?}");
}

pub(crate) async fn e5_cookies_are_kept_along_the_way() {
    let world = World::new().await;
    world.site.answer("/", |request, _| match request.field("cookie") {
        Some("key=1") => reply("200 OK", &[], b"inside"),
        _ => reply("302 Found", &[("Set-Cookie", "key=1"), ("Location", "/")], b""),
    });
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.redirects, check.length), (Outcome::First, 1, Some(6)));
}

pub(crate) async fn what_is_not_on_the_web_cannot_be_watched() {
    let world = World::new().await;
    let long = format!("http://example.org/{}", "a".repeat(9_000));
    for url in ["", "mailto:a@example.org", "file:///etc/passwd", "example.org", long.as_str()] {
        assert!(matches!(world.monitor.resource(url), Err(Error::Url(_))), "{url}");
    }
}
