//! Mementos, TimeGates, TimeMaps.

use crate::world::{World, html};

#[test]
fn a_page_is_shown() {
    let world = World::of(&[html("http://example.org/", "20260101120000", "<title>Hi</title><p>hello")]);
    let server = world.serve();
    let answer = server.get("/web/20260101120000/http://example.org/");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.text().contains("hello"));
}
