//! Readers are not kept waiting by those who write, nor by those who read slowly. (B21)
//!
//! All of this with a single thread for what reads files: whoever kept it would be seen.

use std::fs::File;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use policy::CurrentRules;
use tower::ServiceExt as _;

use super::world::World;

/// How long a test waits for what should come at once.
const PATIENCE: Duration = Duration::from_secs(60);
const LINE: &str = "- 20140101000000 http://example.org/ text/html 200 AAA - - 1 0 a\n";

fn run(work: impl Future<Output = ()>) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    let outcome = runtime.block_on(async { tokio::time::timeout(PATIENCE, work).await });
    // Who still waits for a lock would wait for ever.
    runtime.shutdown_background();
    outcome.expect("somebody keeps the one thread that reads files");
}

async fn send(world: &World, method: &str, path: &str, body: &str) -> Response {
    let request = Request::builder().method(method).uri(path).body(Body::from(body.to_owned())).unwrap();
    world.router().oneshot(request).await.unwrap()
}

async fn text(response: Response) -> String {
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Holds the index of a collection, as another program does that loads it.
fn hold(world: &World, collection: &str) -> File {
    world.post(&format!("/outbackcdx/{collection}"), LINE).text();
    let lock = world.archive().folder().join("collections").join(collection).join("index/lock");
    let lock = File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    lock
}

#[test]
fn b21_who_writes_keeps_no_reader_waiting() {
    let world = World::new();
    let many: String = (0..5000)
        .map(|number| format!("org,a)/{number:05} 20140101000000 {{\"url\": \"http://a.org/\"}}\n"))
        .collect();
    world.load("web", &many);
    let lock = hold(&world, "x");
    run(async {
        let write = async |path| text(send(&world, "POST", path, LINE).await).await;
        let read = async {
            let rows = text(send(&world, "GET", "/cdx?url=a.org/*", "").await).await;
            assert_eq!(rows.lines().count(), 5000);
            drop(lock);
        };
        let (one, two, three, ()) =
            tokio::join!(write("/outbackcdx/x"), write("/outbackcdx/x"), write("/outbackcdx/x/delete"), read);
        assert_eq!([one, two], ["Added 1 records\n", "Added 1 records\n"]);
        assert_eq!(three, "Deleted 1 records\n");
    });
}

#[test]
fn who_waits_too_long_is_told_to_come_again() {
    let world = World::with(CurrentRules::default(), |settings| {
        settings.limits.write_patience = Duration::from_millis(1)
    });
    let lock = hold(&world, "x");
    let answer = world.post("/outbackcdx/x", LINE);
    assert_eq!((answer.status, answer.header("retry-after")), (503, "30"));
    drop(lock);
    world.post("/outbackcdx/x", LINE).text();
}

#[test]
fn who_reads_a_file_slowly_keeps_nobody_waiting() {
    let world = World::new();
    let logs = world.archive().folder().join("work/job-1/logs");
    std::fs::create_dir_all(&logs).unwrap();
    let log = "a line of a log\n".repeat(1 << 17);
    std::fs::write(logs.join("crawl.log"), &log).unwrap();
    run(async {
        let path = "/api/v1/jobs/job-1/files/crawl.log";
        let slow = [send(&world, "GET", path, "").await, send(&world, "GET", path, "").await];
        assert_eq!(text(send(&world, "GET", path, "").await).await, log);
        for slow in slow {
            assert_eq!(text(slow).await, log);
        }
    });
}
