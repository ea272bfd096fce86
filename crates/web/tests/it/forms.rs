//! Forms: what they ask for, and what is said when something is wrong with it.

use api::jobs::Wish;

use crate::archived::JOB;
use crate::served::{Served, TOKEN};

#[test]
fn a_harvest_is_asked_for_as_the_form_says() {
    let served = Served::start();
    let form = format!(
        "token={TOKEN}&urls=http%3A%2F%2Fb.test%2F%0D%0A%0D%0Ac.test+&scope=host&max_objects=+50&max_time=&profile="
    );
    let answer = served.post("/harvests", &served.origin(), &form);
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert!(answer.head.contains("location: /jobs/b.test-20261116130000"), "{}", answer.head);
    let expected = Wish {
        urls: vec!["http://b.test/".to_owned(), "c.test".to_owned()],
        scope: Some("host".to_owned()),
        max_objects: Some("50".into()),
        ..Wish::default()
    };
    assert_eq!(*served.asked.0.lock().unwrap(), [expected]);
}

#[test]
fn what_is_wrong_is_said_beside_what_was_typed() {
    let served = Served::start();
    let form = format!("token={TOKEN}&urls=&scope=page&max_objects=%22%3E%3Cb%3E&max_time=1h&profile=page");
    let answer = served.post("/harvests", &served.origin(), &form);
    assert_eq!(answer.status, 422);
    for part in [
        "role=\"alert\"",
        "There is no URL to begin with.",
        "Name one.",
        "value=\"&#34;&#62;&#60;b&#62;\"",
        "<option value=\"page\" selected>this page",
        "value=\"1h\"",
    ] {
        assert!(answer.body.contains(part), "{part} is not in\n{}", answer.body);
    }
}

#[test]
fn what_is_wrong_is_called_as_the_form_calls_it() {
    let served = Served::start();
    let form = format!("token={TOKEN}&urls=http%3A%2F%2Fb.test%2F&max_time=soon");
    let body = served.post("/harvests", &served.origin(), &form).body;
    assert!(body.contains("“Longest time” must be a time such as 90s, not `soon`."), "{body}");
}

#[test]
fn what_is_over_cannot_be_steered() {
    let served = Served::start();
    let answer = served.post(&format!("/jobs/{JOB}/pause"), &served.origin(), &format!("token={TOKEN}"));
    assert_eq!(answer.status, 409, "{}", answer.body);
    assert!(answer.body.contains("That cannot be done now"), "{}", answer.body);
    let none = served.post("/jobs/none/stop", &served.origin(), &format!("token={TOKEN}"));
    assert_eq!(none.status, 404);
    let odd = served.post(&format!("/jobs/{JOB}/burn"), &served.origin(), &format!("token={TOKEN}"));
    assert_eq!(odd.status, 404);
}

#[test]
fn the_page_of_a_refused_form_can_be_loaded_again() {
    let served = Served::start();
    let answer = served.get("/harvests");
    assert_eq!(answer.status, 303);
    assert!(answer.head.contains("\nlocation: /\r"), "{}", answer.head);
}

/// Issue 20, point 5: a form that is shown again shows no password that was typed into it.
#[test]
fn a_password_that_was_typed_is_on_no_page() {
    let served = Served::start();
    let form = format!("token={TOKEN}&urls=http%3A%2F%2Fme%3Asentinel%40b.test%2F&max_time=soon");
    let body = served.post("/harvests", &served.origin(), &form).body;
    assert!(body.contains("http://b.test/") && !body.contains("sentinel"), "{body}");
    let body = served.get("/?url=http%3A%2F%2Fme%3Asentinel%40b.test%2F").body;
    assert!(body.contains("http://b.test/") && !body.contains("sentinel"), "{body}");
}
