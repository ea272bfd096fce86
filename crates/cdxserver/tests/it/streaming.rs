//! Long answers: part by part, packed if that is wanted, and no faster than the client takes them.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use axum::http::Request;
use flate2::read::GzDecoder;
use policy::{CurrentRules, RuleSet};
use tower::ServiceExt as _;

use super::world::World;

fn lines(count: usize) -> String {
    let line = |number: usize| {
        format!(
            "org,example)/ {:014} {{\"url\": \"http://example.org/\", \"mime\": \"text/html\", \"status\": \"200\", \"offset\": \"{number}\"}}\n",
            20_140_101_000_000 + number
        )
    };
    (0..count).map(line).collect()
}

#[test]
fn a_long_answer_is_the_same_as_its_lines() {
    let text = lines(5000);
    let world = World::of("web", &text);
    assert_eq!(world.get("/cdx?url=example.org").text(), text);
    let reversed: String = text.lines().rev().map(|line| format!("{line}\n")).collect();
    assert_eq!(world.get("/cdx?url=example.org&sort=reverse").text(), reversed);
    let table = world.get("/cdx?url=example.org&dialect=wayback&output=json").text();
    let table: serde_json::Value = serde_json::from_str(&table).unwrap();
    assert_eq!(table.as_array().unwrap().len(), 5001);
    let values: serde_json::Value =
        serde_json::from_str(&world.get("/outbackcdx/web?url=example.org&output=json").text()).unwrap();
    assert_eq!(values.as_array().unwrap().len(), 5000);
}

#[test]
fn answers_are_packed_for_those_who_take_it() {
    let text = lines(3000);
    let world = World::of("web", &text);
    for (count, coding) in [("1", ""), ("100", "gzip"), ("3000", "gzip")] {
        let path = format!("/cdx?url=example.org&limit={count}");
        let answer = world.get_with(&path, &[("accept-encoding", "br, gzip;q=0.8")]);
        assert_eq!((answer.header("content-encoding"), answer.header("vary")), (coding, "accept-encoding"));
        let plain = world.get(&path);
        assert_eq!(plain.header("content-encoding"), "");
        if !coding.is_empty() {
            let mut unpacked = String::new();
            GzDecoder::new(answer.body.as_slice()).read_to_string(&mut unpacked).unwrap();
            assert_eq!(unpacked, plain.text());
            assert!(answer.body.len() * 4 < unpacked.len());
        }
    }
    let refused = world.get_with("/cdx?url=example.org", &[("accept-encoding", "gzip;q=0")]);
    assert_eq!(refused.header("content-encoding"), "");
    let refused = world.get_with("/cdx?url=example.org&gzip=false", &[("accept-encoding", "gzip")]);
    assert_eq!(refused.header("content-encoding"), "");
}

/// Rules that allow everything, and how often a decision was made by them.
fn counting() -> (CurrentRules, Arc<AtomicU64>) {
    let decisions = Arc::new(AtomicU64::new(0));
    let (counter, open) = (Arc::clone(&decisions), Arc::new(RuleSet::default()));
    let rules = CurrentRules::from_fn(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        Arc::clone(&open)
    });
    (rules, decisions)
}

#[test]
fn no_more_is_made_than_is_taken() {
    let (rules, decisions) = counting();
    let world = World::with(rules, |_| {});
    world.load("web", &lines(50_000));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let request = Request::get("/cdx?url=example.org").body(Body::empty()).unwrap();
        let response = world.router().oneshot(request).await.unwrap();
        // Nobody has read anything yet.
        assert!(decisions.load(Ordering::Relaxed) <= 1000);
        drop(response);
    });
    drop(runtime);
    assert!(decisions.load(Ordering::Relaxed) <= 1000, "{decisions:?}");
}

#[test]
fn a_search_without_end_stops_when_the_client_goes() {
    let (rules, decisions) = counting();
    let world = World::with(rules, |_| {});
    world.load("web", &lines(120_000));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let request = Request::get("/cdx?url=example.org&filter==status:999").body(Body::empty()).unwrap();
        drop(world.router().oneshot(request).await.unwrap());
    });
    // Waits for what was begun.
    drop(runtime);
    assert!(decisions.load(Ordering::Relaxed) < 60_000, "{decisions:?}");
    assert_eq!(world.get("/cdx?url=example.org&filter==status:999").text(), "");
}

#[test]
fn orders_that_hold_rows_back_hold_a_bounded_number() {
    let world = World::with(CurrentRules::default(), |settings| settings.limits.held_rows = 100);
    world.load("web", &lines(1000));
    assert_eq!(world.get("/cdx?url=example.org&limit=-100&output=text").text().lines().count(), 100);
    let answer = world.get("/cdx?url=example.org&limit=-101");
    assert_eq!(answer.status, 400);
    assert_eq!(
        world.get("/cdx?url=example.org&reverse=1&collapseTime=14&limit=50").text().lines().count(),
        50
    );
    // These need no more than one row at a time.
    assert_eq!(world.get("/cdx?url=example.org&reverse=1").text().lines().count(), 1000);
    assert_eq!(world.get("/cdx?url=example.org&closest=20140101000500").text().lines().count(), 1000);
}

/// It is refused while there is still a status to say so with, under the limits that everybody has.
#[test]
fn what_is_too_long_for_its_order_is_refused_with_a_status() {
    let world = World::of("web", &lines(100_001));
    let ask = "/cdx?url=example.org&collapse=offset&output=text&fl=timestamp";
    for order in ["sort=reverse", "closest=2001", "limit=-200000"] {
        let text = world.get(&format!("{ask}&{order}")).refused(400);
        assert!(text.contains("too long for this order"), "{order}: {text}");
    }
    assert_eq!(world.get(&format!("{ask}&closest=2001&limit=3")).text().lines().count(), 3);
}
