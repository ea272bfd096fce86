//! What a request needs to be let in. That every route asks for it is tested with the pages, which have all of them. (Issue 20, point 6.)

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use tower::ServiceExt as _;

use super::pretended::FISH;
use super::watches::Watched;
use super::world::{FEEDS, World};

/// The status of the answer to somebody without the token.
fn status(world: &World, method: &str, path: &str) -> u16 {
    let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(world.anonymous().oneshot(request)).unwrap().status().as_u16()
}

#[test]
fn the_index_is_read_without_the_token_and_changed_only_with_it() {
    let world = World::of(
        "letters",
        "org,example)/ 20160101000000 http://example.org/ text/html 200 AAA - - 130 230 b.warc.gz\n",
    );
    for path in [
        "/cdx/letters?url=example.org",
        "/outbackcdx/letters?url=http://example.org/",
        "/outbackcdx/letters/captures",
        "/outbackcdx/letters/stats",
        "/outbackcdx/api/collections",
    ] {
        assert_eq!((status(&world, "GET", path), status(&world, "HEAD", path)), (200, 200), "{path}");
    }
    for (method, path) in [
        ("POST", "/outbackcdx/letters"),
        ("POST", "/outbackcdx/fresh"),
        ("POST", "/outbackcdx/letters/delete"),
        ("DELETE", "/outbackcdx/letters"),
        ("POST", "/cdx/letters"),
    ] {
        assert_eq!(status(&world, method, path), 401, "{method} {path}");
    }
    let collections = world.archive().collections().unwrap();
    assert!(!collections.contains(&"fresh".to_owned()), "{collections:?}");
}

#[test]
fn the_key_of_feeds_opens_feeds_and_nothing_else() {
    let watched = Watched::new();
    watched.post("/watches", &json!({ "url": FISH, "owner": "ann", "title": "Fish" })).refused(201);
    let feeds = ["watches/1/feed.rss", "watches/1/feed.atom", "people/ann/feed.rss", "people/ann/feed.atom"];
    for feed in feeds {
        let of = |query: &str| status(&watched.world, "GET", &format!("/api/v1/{feed}{query}"));
        assert_eq!(of(&format!("?key={FEEDS}")), 200, "{feed}");
        assert_eq!([of(""), of("?key="), of(&format!("?key={FEEDS}0"))], [401; 3], "{feed}");
        // Whoever follows a feed by its own address gets in again.
        let text = watched.get(&format!("/{feed}")).text();
        assert!(feed.ends_with("rss") || text.contains(&format!("/api/v1/{feed}?key={FEEDS}")), "{text}");
    }
    for path in
        ["/api/v1/watches", "/api/v1/watches/1", "/api/v1/watches/news", "/api/v1/jobs", "/api/v1/people/ann"]
    {
        assert_eq!(status(&watched.world, "GET", &format!("{path}?key={FEEDS}")), 401, "{path}");
    }
}
