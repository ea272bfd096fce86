//! Events about watched pages: what a server gets, and whether somebody else believes its signature.

use notify::{Error, Event, Webhook};
use serde_json::{Value, json};

use crate::channels::{answering, field, now, taken_apart, webhook};
use crate::python::python;

fn event() -> Event {
    Event {
        id: "watch-17-3".to_owned(),
        kind: "watch.changed".to_owned(),
        subject: Some("https://harbour.example.org/fähren?a=1".to_owned()),
        at: "2026-11-18T02:59:00Z".parse().unwrap(),
        data: json!({ "watch": 17, "summary": "3 words", "text": "- 08:40\n+ 08:45" }),
    }
}

/// The head and the body that a server gets.
fn sent(hook: impl Fn(Webhook) -> Webhook, event: &Event) -> (String, Vec<u8>) {
    let server = answering("204 No Content");
    hook(webhook(&server.url("/hook"))).send_event(event).unwrap();
    taken_apart(&server.last("/hook").request)
}

#[test]
fn an_event_is_one_of_cloudevents() {
    let (head, body) = sent(|webhook| webhook, &event());
    assert_eq!(field(&head, "content-type"), "application/cloudevents+json; charset=utf-8");
    assert_eq!(field(&head, "webhook-id"), "watch-17-3");
    let read: Value = serde_json::from_slice(&body).unwrap();
    let wanted = json!({
        "specversion": "1.0",
        "id": "watch-17-3",
        "source": "urn:varve:archive:a",
        "type": "varve.watch.changed",
        "subject": "https://harbour.example.org/fähren?a=1",
        "time": "2026-11-18T02:59:00Z",
        "datacontenttype": "application/json",
        "data": { "watch": 17, "summary": "3 words", "text": "- 08:40\n+ 08:45" },
    });
    assert_eq!(read, wanted);
}

#[test]
fn somebody_else_believes_the_signature_and_no_other() {
    let verdict = |secret: &str, seconds: i64, head: &str, body: &str| {
        let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
        let headers: Value =
            names.iter().map(|name| (name.to_string(), Value::from(field(head, name)))).collect();
        let given = json!({ "secret": secret, "now": seconds, "headers": headers, "body": body });
        python(include_str!("verify_webhook.py"), given.to_string().as_bytes())
    };
    let seconds = now().as_second();
    for secret in ["sediment", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
        let (head, body) = sent(|hook| Webhook { secret: secret.parse().ok(), ..hook }, &event());
        let body = String::from_utf8(body).unwrap();
        let Some(believed) = verdict(secret, seconds, &head, &body) else { return };
        assert_eq!(believed, "varve.watch.changed");
        let not_ours = Some("no signature of it is ours".to_owned());
        assert_eq!(verdict("sediments", seconds, &head, &body), not_ours);
        assert_eq!(verdict(secret, seconds, &head, &body.replace("08:45", "08:46")), not_ours);
        let other = head.replace("webhook-id: watch-17-3", "webhook-id: watch-17-4");
        assert_eq!(verdict(secret, seconds, &other, &body), not_ours);
        assert_eq!(verdict(secret, seconds + 301, &head, &body).unwrap(), "it is too old or too new");
    }
    // An id that no header could hold is signed as it is sent.
    let odd = Event { id: "watch 17\r\nx-evil: 1.é".to_owned(), ..event() };
    let (head, body) = sent(|hook| hook, &odd);
    assert!(!head.contains("x-evil"), "{head}");
    let believed = verdict("sediment", seconds, &head, &String::from_utf8(body).unwrap());
    assert_eq!(believed.unwrap(), "varve.watch.changed");
}

#[test]
fn what_comes_from_outside_is_bounded_and_stays_in_its_place() {
    let odd = Event {
        kind: "watch.chan\r\nged é".to_owned(),
        subject: Some(format!("a\nb{}", "x".repeat(5000))),
        ..event()
    };
    let (_, body) = sent(|hook| hook, &odd);
    let read: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(read["type"], "varve.watch.changed");
    let subject = read["subject"].as_str().unwrap();
    assert!(subject.starts_with("a\u{fffd}bx") && subject.chars().count() == 2001, "{subject}");
    // An empty subject is none (CloudEvents 1.0.2, "subject").
    let (_, body) = sent(|hook| hook, &Event { subject: Some(String::new()), ..event() });
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap().get("subject"), None);
    let server = answering("204 No Content");
    let huge = Event { data: "x".repeat(2 << 20).into(), ..event() };
    let error = webhook(&server.url("/")).send_event(&huge).unwrap_err();
    assert!(matches!(error, Error::Event { .. }) && error.is_final(), "{error}");
    assert!(server.seen().is_empty());
}
