//! Any bytes as a question to the CDX servers and as lines that are sent to one: the first line is the query, the rest the body.
//!
//! Whatever is asked, the server says yes or that it was asked wrongly, its JSON is JSON, and what is excluded is never told.

use std::sync::{Arc, OnceLock};

use archive::Archive;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use policy::RuleSet;
use tower::ServiceExt as _;

/// Where in an answer the excluded capture shows; no question says it by chance.
const SECRET: &str = "SECRETSECRETSECRETSECRETSECRETSE";
const LINES: &str = "\
- 20140101000000 http://example.org/ text/html 200 AAA - - 100 0 a.warc.gz
- 20140101000005 http://example.org/ warc/revisit - AAA - - 10 100 a.warc.gz
- 20150601000000 http://www.example.org/ text/html 404 BBB - - 120 110 a.warc.gz
- 20160101000000 http://example.org/secret text/html 200 SECRETSECRETSECRETSECRETSECRETSE - - 130 230 b.warc.gz
- 20160101000000 http://example.org/secret warc/revisit - SECRETSECRETSECRETSECRETSECRETSE - - 130 230 b.warc.gz
@alias http://old.example.org/ http://example.org/
@alias http://example.org/secret http://example.org/b
";

struct World {
    router: Router,
    token: String,
    runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(&folder.path().join("archive")).unwrap();
        let rules = RuleSet::parse("org,example)/secret exclude\n").unwrap();
        let now = || "2026-11-16T12:00:00Z".parse().unwrap();
        let keys = api::Keys::random(8470).unwrap();
        let token = format!("Bearer {}", keys.token.reveal());
        let ids = testkit::ids::record_ids();
        let settings = api::Settings::new(archive, rules.into(), Arc::new(now), ids, keys);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let server = cdxserver::CdxServer::new(api::Api::new(settings));
        let world = World { router: cdxserver::router(server), token, runtime, _folder: folder };
        assert_eq!(world.send("POST", "/outbackcdx/known", LINES.as_bytes()).0, 200);
        world
    })
}

impl World {
    fn send(&self, method: &str, path: &str, body: &[u8]) -> (u16, bool, Vec<u8>) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", &self.token)
            .body(Body::from(body.to_vec()))
            .unwrap();
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.unwrap();
            let (head, body) = response.into_parts();
            let kind = head.headers.get("content-type").map(|kind| kind.as_bytes().to_vec());
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
            (head.status.as_u16(), kind.as_deref() == Some(b"application/json"), body)
        })
    }
}

pub(crate) fn attack(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let query = encoded(&bytes[..end]);
    // Who names the secret is told the name again, and nothing else.
    let names_it = query.to_ascii_uppercase().contains("SECRETSECRET");
    for place in
        ["/cdx/known", "/outbackcdx/known", "/outbackcdx/known/captures", "/outbackcdx/known/aliases"]
    {
        let path = format!("{place}?{query}");
        let (status, is_json, body) = world().send("GET", &path, b"");
        assert!(matches!(status, 200 | 400 | 404 | 413), "{path}: {status}");
        if status == 200 && is_json {
            let json = serde_json::from_slice::<serde_json::Value>(&body);
            assert!(json.is_ok(), "{path}: {}", String::from_utf8_lossy(&body));
        }
        let tells = body.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
        assert!(names_it || !tells, "{path}: {}", String::from_utf8_lossy(&body));
    }
    let lines = bytes.get(end + 1..).unwrap_or_default();
    for path in
        ["/outbackcdx/sent", "/outbackcdx/sent?badLines=skip", "/outbackcdx/sent/delete?badLines=skip"]
    {
        let (status, _, body) = world().send("POST", path, lines);
        assert!(matches!(status, 200 | 400 | 404), "{path}: {status}: {}", String::from_utf8_lossy(&body));
    }
    let (status, ..) = world().send("GET", "/cdx/sent?url=*", b"");
    assert_eq!(status, 200, "what was sent can be read");
}

/// What a query may have stays as it is, so that most of what is tried reaches the server.
fn encoded(query: &[u8]) -> String {
    let mut text = String::new();
    for byte in query {
        match byte {
            b'!' | b'$'..=b';' | b'=' | b'?'..=b'Z' | b'_' | b'a'..=b'z' | b'~' => {
                text.push(char::from(*byte))
            }
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
