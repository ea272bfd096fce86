//! What vanished: A8.

use archive::Outcome;

use crate::world::{World, about, answer, not_modified, page};

const URL: &str = "http://example.org/page";

#[test]
fn a8_what_was_there_and_is_not_any_more_is_gone_once() {
    let world = World::new();
    let not_found = |seconds| answer(URL, seconds, "404 Not Found", "Content-Type: text/html\r\n", b"no");
    let outcome = |job: &str, seconds, exchange| world.job(job, &about(seconds), &[exchange])[0].outcome;
    assert_eq!(outcome("never-there", 0, not_found(0)), Outcome::New);
    assert_eq!(outcome("still-not", 100, not_found(100)), Outcome::Revisit);
    assert_eq!(outcome("there", 200, page(URL, 200, "words")), Outcome::New);
    assert_eq!(outcome("unchanged", 300, page(URL, 300, "words")), Outcome::Revisit);
    assert_eq!(outcome("as-before", 400, not_modified(URL, 400, "")), Outcome::NotModified);
    assert_eq!(outcome("gone", 500, not_found(500)), Outcome::Gone);
    assert_eq!(outcome("still-gone", 600, not_found(600)), Outcome::Revisit);
    assert_eq!(outcome("moved", 700, answer(URL, 700, "301 Moved", "Location: /b\r\n", b"")), Outcome::New);
    assert_eq!(outcome("gone-again", 800, answer(URL, 800, "410 Gone", "", b"gone")), Outcome::Gone);
    assert_eq!(outcome("broken", 900, answer(URL, 900, "500 Oh", "", b"oh")), Outcome::New);
    assert_eq!(outcome("broken-then-gone", 1000, answer(URL, 1000, "410 Gone", "", b"g")), Outcome::New);
    let gone: Vec<bool> = world.rows().iter().map(|row| row.extra("gone").is_some()).collect();
    assert_eq!(gone.iter().filter(|gone| **gone).count(), 2);
    // Every older version stays retrievable.
    assert_eq!(crate::world::text(&world.get(URL, 300), archive::Form::Decoded), "words");
    world.check();
}
