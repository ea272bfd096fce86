//! News of watches: lists, and a stream of events.

use std::pin::Pin;

use axum::body::{Body, HttpBody as _};
use axum::http::Request;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::pretended::FISH;
use super::watches::Watched;

/// One watch of `ann` and one of `bob`.
fn two() -> Watched {
    let watched = Watched::new();
    for owner in ["ann", "bob"] {
        watched.post("/watches", &json!({ "url": FISH, "owner": owner, "title": "Fish" })).refused(201);
    }
    watched
}

fn ids(page: &Value) -> Vec<i64> {
    page["news"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

#[test]
fn news_are_listed_of_all_of_a_watch_and_of_a_person() {
    let watched = two();
    for (watch, summary) in [(1, "a"), (2, "b"), (1, "c")] {
        watched.pretended.tell(watch, "changed", summary);
    }
    assert_eq!(ids(&watched.told("/watches/news")), [3, 2, 1]);
    assert_eq!(ids(&watched.told("/watches/news?person=ann")), [3, 1]);
    assert_eq!(ids(&watched.told("/watches/2/news")), [2]);
    let page = watched.told("/watches/news?limit=2");
    assert_eq!((ids(&page), &page["next"]), (vec![3, 2], &json!(2)));
    let older = watched.told("/watches/news?limit=2&before=2");
    assert_eq!((ids(&older), &older["next"]), (vec![1], &Value::Null));
    watched.get("/watches/1/news?person=ann").refused(400);
}

/// A stream that is being read.
struct Stream {
    body: Body,
    text: String,
}

impl Stream {
    async fn open(watched: &Watched, path: &str, last: Option<&str>) -> Stream {
        let mut request = Request::get(format!("/api/v1/watches/events{path}"));
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last);
        }
        let response = watched.world.router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Stream { body: response.into_body(), text: String::new() }
    }

    /// Reads until so many events are there; `false` if the stream ends before.
    async fn read(&mut self, events: usize) -> bool {
        while self.text.matches("\n\n").count() < events {
            let frame = std::future::poll_fn(|context| Pin::new(&mut self.body).poll_frame(context)).await;
            let Some(frame) = frame else { return false };
            self.text.push_str(std::str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap());
        }
        true
    }

    fn ids(&self) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix("id: ")).collect()
    }
}

fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(test);
}

#[test]
fn what_was_missed_comes_first_each_once_and_the_stream_ends_with_the_server() {
    let watched = two();
    for summary in ["a", "b", "c"] {
        watched.pretended.tell(1, "changed", summary);
    }
    run(async {
        let mut stream = Stream::open(&watched, "", Some("1")).await;
        assert!(stream.read(2).await);
        watched.pretended.tell(2, "gone", "d");
        assert!(stream.read(3).await);
        watched.pretended.close();
        assert!(!stream.read(99).await, "it ends with the server");
        assert_eq!(stream.ids(), ["2", "3", "4"]);
        assert!(stream.text.contains("event: news\ndata: {\"id\":2,"), "{}", stream.text);
    });
}

#[test]
fn without_a_last_id_only_what_is_new_is_told() {
    let watched = two();
    watched.pretended.tell(1, "changed", "old");
    run(async {
        let mut stream = Stream::open(&watched, "?person=ann", None).await;
        // Another person's, and then hers.
        watched.pretended.tell(2, "changed", "of bob");
        watched.pretended.tell(1, "changed", "new");
        assert!(stream.read(1).await);
        assert_eq!(stream.ids(), ["3"]);
    });
}

#[test]
fn whoever_is_slow_misses_nothing() {
    let watched = two();
    run(async {
        let mut stream = Stream::open(&watched, "", Some("0")).await;
        watched.pretended.tell(1, "changed", "first");
        assert!(stream.read(1).await);
        // More than the channel keeps.
        for number in 0..40 {
            watched.pretended.tell(1, "changed", &number.to_string());
        }
        assert!(stream.read(41).await);
        let expected: Vec<String> = (1..=41).map(|id| id.to_string()).collect();
        assert_eq!(stream.ids(), expected);
    });
}

#[test]
fn more_than_can_be_told_is_said_to_be_missing() {
    let watched = two();
    for number in 0..1100 {
        watched.pretended.tell(1, "changed", &number.to_string());
    }
    run(async {
        let mut stream = Stream::open(&watched, "", Some("0")).await;
        assert!(stream.read(1001).await);
        assert!(
            stream.text.starts_with("event: missed\ndata: {\"before\":101}\n\n"),
            "{}",
            &stream.text[..99]
        );
        assert_eq!((stream.ids()[0], stream.ids().len()), ("101", 1000));
    });
}

#[test]
fn a_stream_is_for_those_who_ask_rightly_and_not_for_too_many() {
    let watched = two();
    watched.get("/watches/events?person=nobody").refused(404);
    watched.world.get_with("/api/v1/watches/events", &[("Last-Event-ID", "x")]).refused(400);
    run(async {
        let mut streams = Vec::new();
        for _ in 0..64 {
            streams.push(Stream::open(&watched, "", None).await);
        }
        let status = async || {
            let request = Request::get("/api/v1/watches/events").body(Body::empty()).unwrap();
            watched.world.router().oneshot(request).await.unwrap().status()
        };
        assert_eq!(status().await, 409);
        drop(streams);
        // Their places are free as soon as they have noticed.
        testkit::until_async("a stream is free", async || status().await == 200).await;
    });
}

#[test]
fn feeds_tell_the_news_once() {
    let watched = two();
    watched.pretended.tell(1, "gone", "nobody <answers>");
    watched.pretended.tell(2, "back", "of bob");
    for (path, kind, link) in [
        ("/watches/1/feed.rss", "application/rss+xml; charset=utf-8", "/watches/1</link>"),
        ("/watches/1/feed.atom", "application/atom+xml; charset=utf-8", "<link rel=\"self\" "),
        ("/people/ann/feed.rss", "application/rss+xml; charset=utf-8", "/watches?owner=ann</link>"),
        ("/people/ann/feed.atom", "application/atom+xml; charset=utf-8", "<title>Watched by ann</title>"),
    ] {
        let answer = watched.get(path);
        let text = answer.text();
        assert_eq!(answer.header("content-type"), kind, "{path}");
        for part in [
            "Fish is gone: nobody &lt;answers&gt;",
            ">urn:varve:archive:news:1<",
            &format!("http://127.0.0.1:8470/api/v1{path}"),
            link,
        ] {
            assert!(text.contains(part), "{path}: no {part} in {text}");
        }
        assert!(!text.contains("of bob"), "{path}");
        assert_eq!(answer.header("last-modified"), "Mon, 16 Nov 2026 12:00:00 GMT");
        let (tag, path) = (answer.header("etag"), format!("/api/v1{path}"));
        for (field, value, status) in [
            ("If-None-Match", tag, 304),
            ("If-None-Match", &format!("\"other\", W/{tag}"), 304),
            ("If-None-Match", "\"other\"", 200),
            ("If-Modified-Since", "Mon, 16 Nov 2026 12:00:00 GMT", 304),
            ("If-Modified-Since", "Mon, 16 Nov 2026 11:59:59 GMT", 200),
            ("If-Modified-Since", "long ago", 200),
        ] {
            let again = watched.world.get_with(&path, &[(field, value)]);
            assert_eq!((again.status, again.body.is_empty()), (status, status == 304), "{field}: {value}");
            assert_eq!(again.header("etag"), tag);
        }
    }
    watched.pretended.tell(1, "back", "there again");
    let text = watched.get("/watches/1/feed.rss").text();
    assert!(text.find("Fish is back") < text.find("Fish is gone"), "{text}");
}

#[test]
fn a_feed_of_nobody_is_none_and_one_without_news_is_empty() {
    let watched = two();
    watched.get("/watches/9/feed.rss").refused(404);
    watched.get("/people/nobody/feed.atom").refused(404);
    assert!(!watched.get("/people/bob/feed.rss").text().contains("<item>"));
}
