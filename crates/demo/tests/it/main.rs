//! The sample site as a visitor and a crawler find it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::expect_used)]

mod changes;
mod files;
mod links;
mod markup;

/// The numbers of the editions.
fn numbers() -> impl Iterator<Item = u8> {
    demo::EDITIONS.iter().map(|edition| edition.number)
}

/// The body as text.
#[track_caller]
fn text(edition: u8, path: &str) -> String {
    let answer = demo::answer(edition, path);
    assert_eq!(answer.status, 200, "{edition} {path}");
    String::from_utf8(answer.body.into_owned()).unwrap()
}

/// Every path that is a good page in this edition.
fn pages(edition: u8) -> Vec<String> {
    let mut paths = demo::paths();
    paths.retain(|path| {
        let answer = demo::answer(edition, path);
        answer.status == 200 && answer.content_type == "text/html; charset=utf-8"
    });
    paths
}
