//! Collections: several indexes over one store.

use archive::{Archive, Error, Form, WEB};
use index::Commit;

use crate::world::{World, about, at, page, text};

const A: &str = "http://example.org/a";

fn publish(world: &World, collection: &str, job: &str, rows: Vec<cdx::Capture<'static>>) {
    let collection = world.archive.create_collection(collection).unwrap();
    let commit = Commit { name: job.to_owned(), at: at(0), facts: Vec::new() };
    collection.index().publish(&commit, rows.into_iter().map(Ok)).unwrap();
}

#[test]
fn the_archives_own_collection_is_always_there() {
    let world = World::new();
    assert_eq!(world.archive.collections().unwrap(), [WEB]);
    world.job("one", &about(0), &[page(A, 0, "words")]);
    let web = world.archive.collection(WEB).unwrap().unwrap();
    assert_eq!(web.snapshot().unwrap().versions(&urlkey::key(A)).count(), 1);
    assert!(world.archive.collection("other").unwrap().is_none());
}

#[test]
fn what_one_collection_has_another_does_not() {
    let world = World::new();
    world.job("one", &about(0), &[page(A, 0, "words")]);
    publish(&world, "papers", "elsewhere", world.rows());
    // An index without any commit would be lost.
    world.job("two", &about(60), &[page("http://example.org/other", 60, "other words")]);
    assert_eq!(world.archive.collections().unwrap(), [WEB, "papers"]);
    world.archive.collection(WEB).unwrap().unwrap().index().withdraw("one").unwrap();
    let papers = world.archive.collection("papers").unwrap().unwrap();
    assert_eq!(papers.name(), "papers");
    assert_eq!(papers.snapshot().unwrap().versions(&urlkey::key(A)).count(), 1);
    assert!(world.archive.get(A, None).unwrap().is_none());
    // Another process sees the same.
    let again = Archive::open(world.folder.path()).unwrap();
    assert!(again.collection("papers").unwrap().is_some());
}

/// A revisit whose original is only in another collection still has its payload. (D17)
#[test]
fn d17_a_revisit_finds_its_payload_in_another_collection() {
    let world = World::new();
    world.job("one", &about(0), &[page(A, 0, "the same words")]);
    world.job("two", &about(100), &[page(A, 100, "the same words")]);
    let mut rows = world.rows();
    let mut revisit = rows.pop().unwrap();
    assert!(revisit.is_revisit());
    // Without the place that the line names, only the records and the indexes can tell.
    revisit.original = None;
    revisit.extra.clear();
    publish(&world, "papers", "two", vec![revisit.clone()]);
    let papers = world.archive.collection("papers").unwrap().unwrap();
    let found = world.archive.found(&revisit, &papers.snapshot().unwrap()).unwrap().unwrap();
    assert_eq!(text(&found, Form::Decoded), "the same words");
    assert!(found.is_revisit());
}

#[test]
fn a_name_that_leads_elsewhere_is_refused() {
    let world = World::new();
    for name in ["", "..", "a/b", ".hidden"] {
        assert!(
            matches!(world.archive.create_collection(name), Err(Error::Store(store::Error::Name(_)))),
            "{name}"
        );
        assert!(world.archive.collection(name).unwrap().is_none(), "{name}");
    }
}
