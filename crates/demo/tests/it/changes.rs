//! The editions differ where they should, and nowhere else.

use crate::{numbers, text};

/// The status in each of the three editions.
#[track_caller]
fn check_status(path: &str, statuses: [u16; 3]) {
    let found: Vec<u16> = numbers().map(|edition| demo::answer(edition, path).status).collect();
    assert_eq!(found, statuses, "{path}");
}

/// Whether the body changes with the second edition and with the third.
#[track_caller]
fn check_changes(path: &str, changes: [bool; 2]) {
    let [first, second, third] = [1, 2, 3].map(|edition| demo::answer(edition, path).body);
    assert_eq!([first != second, second != third], changes, "{path}");
}

/// What of the page is its own: neither date nor navigation around it.
fn own(edition: u8, path: &str) -> String {
    let page = text(edition, path);
    let (_, rest) = page.split_once("<main").unwrap();
    rest.split_once("</main>").unwrap().0.to_owned()
}

#[test]
fn an_article_is_gone_a_page_moved_and_a_page_broken_for_a_while() {
    check_status("/", [200, 200, 200]);
    check_status("/2026/09/lido-sale.html", [200, 200, 404]);
    check_status("/2026/10/lake-rises.html", [404, 200, 200]);
    check_status("/2026/11/bridge-opens.html", [404, 404, 200]);
    check_status("/walks/", [404, 404, 200]);
    check_status("/whats-on.html", [200, 200, 301]);
    check_status("/calendar/", [404, 404, 200]);
    check_status("/water-levels.html", [200, 500, 200]);
    check_status("/nothing/here", [404, 404, 404]);
    let moved = demo::answer(3, "/whats-on.html");
    assert!(moved.fields.iter().any(|(name, value)| *name == "Location" && value == "/calendar/"));
}

#[test]
fn what_changes_changes_when_it_should() {
    check_changes("/", [true, true]);
    check_changes("/pictures/heron.jpg", [true, false]);
    check_changes("/pictures/ferry-480.jpg", [false, false]);
    check_changes("/files/ferry-timetable.pdf", [false, true]);
    check_changes("/data/weather.json", [true, true]);
    check_changes("/data/search.json", [true, true]);
    check_changes("/old/index.htm", [false, false]);
    check_changes("/robots.txt", [false, false]);
}

#[test]
fn the_front_page_opens_with_another_story_each_time() {
    let leads =
        ["The Heron sails again", "The lake comes to Fish Street", "Mill Bridge opens nine days early"];
    for (edition, lead) in numbers().zip(leads) {
        let page = text(edition, "/");
        let (_, rest) = page.split_once("class=\"lead\"").unwrap();
        assert!(rest.split("</article>").next().unwrap().contains(lead), "{edition}");
    }
}

#[test]
fn the_corrected_article_says_what_was_wrong() {
    let path = "/2026/09/bridge-closure.html";
    assert!(own(1, path).contains("stay closed for eight weeks") && !own(1, path).contains("Correction"));
    assert!(own(2, path).contains("stay closed for nine weeks") && own(2, path).contains("Correction"));
}

#[test]
fn a_page_that_never_changes_is_the_same_but_for_the_date() {
    assert_eq!(own(1, "/about.html"), own(2, "/about.html"));
    assert_eq!(own(2, "/about.html"), own(3, "/about.html"));
}

#[test]
fn the_old_page_is_in_its_old_charset() {
    let answer = demo::answer(1, "/old/index.htm");
    assert_eq!(answer.content_type, "text/html; charset=windows-1252");
    // “Superhighway”™ — as it was written then, and nothing that the charset lacks.
    let expected = b"\x93Information Superhighway\x94\x99 \x97 23 March";
    assert!(answer.body.windows(expected.len()).any(|part| part == expected));
    assert!(!answer.body.contains(&b'?'), "{}", answer.body.escape_ascii());
    assert!(std::str::from_utf8(&answer.body).is_err());
}

#[test]
fn editions_out_of_range_are_the_nearest() {
    assert_eq!(demo::answer(0, "/"), demo::answer(1, "/"));
    assert_eq!(demo::answer(200, "/"), demo::answer(3, "/"));
}

#[test]
fn a_query_and_a_fragment_change_nothing() {
    assert_eq!(demo::answer(1, "/search.html?q=ferry&x=%zz#top"), demo::answer(1, "/search.html"));
    assert_eq!(demo::answer(1, "").status, 404);
}

#[test]
fn the_front_page_gives_a_cookie() {
    assert!(demo::answer(1, "/").fields.iter().any(|(name, _)| *name == "Set-Cookie"));
}
