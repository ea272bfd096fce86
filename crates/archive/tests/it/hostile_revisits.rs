//! A site that answers with endless revisits of a payload that nobody has: a request examines a bounded number of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use archive::{Archive, Error, Limits};
use cdx::Capture;
use index::Commit;

use crate::world::{World, about, at, page};

const A: &str = "http://example.org/a";

/// A revisit whose payload is lost: its record is there, and the file with the payload is not.
fn lost_payload() -> (World, Capture<'static>) {
    let world = World::new();
    let placed = world.job("one", &about(0), &[page(A, 0, "words")]);
    world.job("two", &about(100), &[page(A, 100, "words")]);
    std::fs::remove_file(world.folder.path().join("store").join(&placed[0].file)).unwrap();
    let revisit = world.rows().pop().unwrap();
    assert!(revisit.is_revisit());
    (world, revisit)
}

/// Adds a number of captures of the same URL, a second apart.
fn publish(world: &World, count: usize, row: impl Fn(usize) -> Capture<'static>) {
    let rows = (0..count).map(|number| {
        let time = cdx::Timestamp::parse(&urlkey::time::to_14(at(1000 + number as i64))).unwrap();
        Ok(Capture { timestamp: Some(time), ..row(number) })
    });
    let commit = Commit { name: "hostile".to_owned(), at: at(1000), facts: Vec::new() };
    world.archive.collection("web").unwrap().unwrap().index().publish(&commit, rows).unwrap();
}

#[track_caller]
fn check_refused(archive: &Archive, seconds: i64) {
    let error = archive.get(A, Some(at(seconds))).unwrap_err();
    let limit = Limits::default().examined_captures;
    assert!(
        matches!(&error, Error::TooManyCaptures { url, limit: found } if url == A && *found == limit),
        "{error}"
    );
    assert!(error.to_string().contains("not found among 10000 captures"), "{error}");
}

#[test]
fn a_search_among_endless_revisits_ends_at_the_limit() {
    let (world, revisit) = lost_payload();
    let count = Limits::default().examined_captures + 100;
    publish(&world, count, |_| revisit.clone());
    for seconds in [1000, 5000, 99_999] {
        check_refused(&world.archive, seconds);
    }
}

#[test]
fn a_search_among_unreadable_originals_opens_a_bounded_number() {
    let (world, revisit) = lost_payload();
    let original = |number| Capture {
        mime: Some("text/html".into()),
        filename: Some("one/gone.warc.gz".into()),
        offset: Some(number as u64),
        original: None,
        ..revisit.clone()
    };
    publish(&world, 2000, original);
    let opened = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&opened);
    let archive = world.archive.clone().on_fault(Arc::new(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
    }));
    let revisit = world.rows().into_iter().find(Capture::is_revisit).unwrap();
    let error = archive.found(&revisit, &archive.snapshot().unwrap()).unwrap_err();
    assert!(matches!(error, Error::TooManyCaptures { .. }), "{error}");
    let opened = opened.load(Ordering::SeqCst);
    assert!(opened <= Limits::default().candidates + 5, "{opened} records were opened");
}

#[test]
fn a_revisit_among_many_captures_still_finds_its_payload() {
    let world = World::new();
    world.job("one", &about(0), &[page(A, 0, "words")]);
    world.job("two", &about(100), &[page(A, 100, "words")]);
    let revisit = world.rows().pop().unwrap();
    publish(&world, Limits::default().examined_captures + 100, |_| revisit.clone());
    assert!(world.get(A, 5000).is_revisit());
}
