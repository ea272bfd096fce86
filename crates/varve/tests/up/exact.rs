//! What was harvested comes back byte for byte: every path of every edition, without a browser.

use crate::http;
use crate::program::{Up, timestamp};

#[test]
fn every_path_of_every_edition_comes_back_as_it_was() {
    let up = Up::start();
    let mut compared = 0;
    for edition in demo::EDITIONS {
        for path in demo::paths() {
            let live = demo::answer(edition.number, &path);
            if live.status != 200 || is_unlinked(edition.number, &path) {
                continue;
            }
            let timestamp = timestamp(edition.number);
            let url = format!("{}/web/{timestamp}id_/http://{}{path}", up.replay, demo::HOST);
            let answer = follow(&url, &up);
            assert_eq!(answer.status, 200, "{url}");
            assert_eq!(answer.field("content-type"), Some(live.content_type), "{url}");
            assert!(answer.body == live.body.as_ref(), "{url}: {}", answer.body.escape_ascii());
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
    // By the name of the pages archived pages are not shown: browsers keep what belongs to one name together.
    let other = up.replay.replace("localhost", "127.0.0.1");
    let answer = http::get(&format!("{other}/web/2026/http://{}/?a", demo::HOST));
    let expected = format!("{}/web/2026/http://{}/?a", up.replay, demo::HOST);
    assert_eq!((answer.status, answer.field("location")), (307, Some(&*expected)));
}

/// Pictures of stories that come later lie on the server, and nobody leads a crawler to them.
fn is_unlinked(edition: u8, path: &str) -> bool {
    edition < 3 && path.starts_with("/pictures/")
}

/// The answer behind redirects to the exact time of the capture.
fn follow(url: &str, up: &Up) -> http::Answer {
    let mut answer = http::get(url);
    for _ in 0..3 {
        let Some(place) = answer.field("location").filter(|_| (300..400).contains(&answer.status)) else {
            break;
        };
        let place = if place.starts_with('/') { format!("{}{place}", up.replay) } else { place.to_owned() };
        answer = http::get(&place);
    }
    answer
}
