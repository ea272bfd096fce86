//! The feeds that a real `varve up` gives, read by somebody who knows nothing of us.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::http;
use crate::program::Up;
use crate::watching::World;

/// All feeds of the one watch and of whose it is.
const FEEDS: [&str; 4] =
    ["watches/1/feed.rss", "watches/1/feed.atom", "people/me/feed.rss", "people/me/feed.atom"];

/// Holds a feed against what the standards and the W3C's validator ask for; its ids. `None` where there is no Python, which was said then.
#[track_caller]
fn ids(up: &Up, feed: &str) -> Option<Vec<String>> {
    // Feed readers cannot send the token; the key is in the address, and survives a restart.
    let key = fs::read_to_string(up.archive.join("feeds.key")).unwrap();
    let place = format!("{}/api/v1/{feed}?key={}", up.pages, key.trim());
    let answer = http::get_anonymously(&place);
    assert_eq!(answer.status, 200, "{place}");
    let kind = answer.field("content-type").unwrap().to_owned();
    let mut child = Command::new(testkit::peers::python()?)
        .args(["-c", include_str!("check_feed.py"), &kind, &place])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&answer.body).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{feed}: {}", String::from_utf8_lossy(&answer.body));
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// Issue 7, acceptance 3: feeds are valid. And an item stays the same item when the server is at another port.
#[test]
fn feeds_are_valid_and_their_ids_stay() {
    let mut world = World::checked("<p>Cod: 12 left &amp; <b>Eel</b>");
    let wish = json!({ "url": world.url(), "title": "Fish & <chips> ]]> für 3 €", "gone_after": 1 });
    assert_eq!(world.post("watches", wish).0, 201);
    for feed in FEEDS {
        let Some(ids) = ids(&world.up, feed) else { return };
        assert_eq!(ids, [""; 0], "nothing was told yet");
    }
    world.site.page("/", "<p>Cod: sold out &amp; <b>Eel &lt;3</b>");
    assert_eq!(world.post("watches/1/check", json!({})).1["outcome"], "changed");
    world.site.remove("/");
    assert_eq!(world.post("watches/1/check", json!({})).1["outcome"], "unavailable");
    world.site.page("/", "<p>Cod: sold out &amp; <b>Eel &lt;3</b>");
    assert_eq!(world.post("watches/1/check", json!({})).1["outcome"], "unchanged");
    let name = world.up.archive.canonicalize().unwrap();
    let name = name.file_name().unwrap().to_str().unwrap().to_owned();
    let expected = [3, 2, 1].map(|number| format!("urn:varve:archive:{name}:news:{number}"));
    for _ in 0..2 {
        for feed in FEEDS {
            assert_eq!(ids(&world.up, feed).unwrap(), expected, "{feed}");
        }
        world.up = world.up.again(&[]);
    }
}
