//! What a question may cost: rows, threads, and nothing once its client is gone. (B17)

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::Visitor;
use axum::body::Body;
use axum::http::Request;
use policy::{CurrentRules, RuleSet};
use tower::ServiceExt as _;

use super::world::{World, encoded};

/// Decisions before the rules make a scan wait.
const STOPS_AT: u64 = 1000;

fn lines(count: usize) -> String {
    let line = |number: usize| {
        let status = if number % 1000 == 999 { 200 } else { 404 };
        format!(
            "org,example)/ {:014} {{\"url\": \"http://example.org/\", \"status\": \"{status}\", \"digest\": \"A{number}\"}}\n",
            20_140_101_000_000 + number
        )
    };
    (0..count).map(line).collect()
}

/// Rules that allow everything and make one decision wait.
struct Stopping {
    rules: CurrentRules,
    /// Decisions made.
    decisions: Arc<AtomicU64>,
    /// Receives once the decision waits.
    reached: Receiver<()>,
    /// Lets it continue.
    resume: Sender<()>,
}

fn stopping() -> Stopping {
    let ((waits, reached), (resume, resumed)) = (channel(), channel());
    let (decisions, resumed, open) =
        (Arc::new(AtomicU64::new(0)), Mutex::new(resumed), Arc::new(RuleSet::default()));
    let counter = Arc::clone(&decisions);
    let rules = CurrentRules::from_fn(move || {
        if counter.fetch_add(1, Ordering::SeqCst) == STOPS_AT {
            waits.send(()).unwrap();
            let _ = resumed.lock().unwrap().recv();
        }
        Arc::clone(&open)
    });
    Stopping { rules, decisions, reached, resume }
}

async fn ask(world: &World, path: &str, client: &str) -> (u16, String) {
    let request = Request::get(path).header("x-client", client).body(Body::empty()).unwrap();
    let response = world.router().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// Looks through all rows in one step, before or behind the head of the answer.
const QUESTIONS: [&str; 3] = [
    "/cdx?url=example.org&filter==status:999",
    "/cdx?url=example.org&limit=-1&collapse=digest",
    "/outbackcdx/web?q=type:urlquery+url:example.org+offset:9000",
];

#[test]
fn a_scan_stops_within_a_few_rows_when_the_client_goes() {
    for question in QUESTIONS {
        let Stopping { rules, decisions, reached, resume } = stopping();
        let world = World::with(rules, |_| {});
        world.load("web", &lines(40_000));
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let router = world.router();
        let asked = runtime.spawn(async move {
            let request = Request::get(question).body(Body::empty()).unwrap();
            let response = router.oneshot(request).await.unwrap();
            axum::body::to_bytes(response.into_body(), usize::MAX).await.map(drop)
        });
        reached.recv_timeout(Duration::from_secs(60)).unwrap();
        asked.abort();
        assert!(runtime.block_on(asked).unwrap_err().is_cancelled(), "{question}");
        resume.send(()).unwrap();
        // Waits for what was begun.
        drop(runtime);
        assert!(decisions.load(Ordering::SeqCst) < STOPS_AT + 10, "{question}: {decisions:?}");
    }
}

#[test]
fn a_question_that_passes_over_too_much_is_refused_or_can_be_resumed() {
    let world = World::with(CurrentRules::default(), |settings| settings.limits.scan_rows = 100);
    world.load("web", &lines(3000));
    let question = "/cdx?url=example.org&filter==status:200&fl=timestamp&output=text";
    let text = world.get(question).refused(400);
    assert!(text.contains("narrow it") && text.contains("showResumeKey"), "{text}");
    // Rows that are held until others replace them count, although all of them are wanted.
    for held in ["limit=-1&collapse=digest", "sort=closest&closest=2014&limit=1&collapse=timestamp"] {
        let text = world.get(&format!("/cdx?url=example.org&{held}")).refused(400);
        assert!(text.contains("narrow it"), "{held}: {text}");
    }
    // Rows that are wanted cost nothing.
    assert_eq!(world.get("/cdx?url=example.org").text().lines().count(), 3000);
    let question = "/cdx?url=example.org&filter=statuscode:200&fl=timestamp";
    let (mut found, mut key, mut requests) = (Vec::new(), String::new(), 0);
    loop {
        requests += 1;
        let text = world.get(&format!("{question}&limit=10&showResumeKey=true{key}")).text();
        let (rows, next) = text.split_once("\n\n").or_else(|| text.split_once("\n")).unwrap_or((&text, ""));
        found.extend(rows.lines().filter(|line| !line.is_empty()).map(str::to_owned));
        match next.trim() {
            "" => break,
            next => key = format!("&resumeKey={}", encoded(next)),
        }
        assert!(requests < 100, "{text}");
    }
    assert_eq!(found, ["20140101000999", "20140101001999", "20140101002999"]);
    assert!(requests > 20, "{requests}");
}

#[test]
fn pages_are_counted_in_parts() {
    let world = World::with(CurrentRules::default(), |settings| settings.limits.scan_rows = 50_000);
    world.load("web", &lines(120_000));
    let question = "/cdx?url=example.org&showNumPages=true";
    for _ in 0..2 {
        let answer = world.get(question);
        assert_eq!((answer.status, answer.header("retry-after")), (503, "30"));
    }
    assert!(world.get(question).text().contains("\"blocks\":40"));
}

#[test]
fn a_client_with_enough_scans_waits_and_others_do_not() {
    let Stopping { rules, reached, resume, .. } = stopping();
    let world = World::with(rules, |settings| {
        settings.limits.scans_per_client = 1;
        settings.limits.scan_patience = Duration::from_millis(1);
        settings.who = Arc::new(|parts| Visitor {
            client: parts.headers.get("x-client").and_then(|name| name.to_str().ok()?.parse::<IpAddr>().ok()),
            user: None,
        });
    });
    world.load("web", &lines(2000));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let question = "/cdx?url=example.org&limit=-1&collapse=digest&fl=timestamp&output=text";
    let router = world.router();
    let first = runtime.spawn(async move {
        let request = Request::get(question).header("x-client", "10.0.0.1").body(Body::empty()).unwrap();
        router.oneshot(request).await.unwrap().status().as_u16()
    });
    reached.recv_timeout(Duration::from_secs(60)).unwrap();
    let (status, text) = runtime.block_on(ask(&world, question, "10.0.0.1"));
    assert_eq!(status, 429, "{text}");
    let (status, text) = runtime.block_on(ask(&world, question, "10.0.0.2"));
    assert_eq!((status, text.as_str()), (200, "20140101001999\n"));
    resume.send(()).unwrap();
    assert_eq!(runtime.block_on(first).unwrap(), 200);
    let (status, _) = runtime.block_on(ask(&world, question, "10.0.0.1"));
    assert_eq!(status, 200);
}
