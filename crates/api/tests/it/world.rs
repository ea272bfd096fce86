//! An archive with collections of lines, and requests to the API over it.

use std::path::Path;
use std::sync::Arc;

use ::cdx::{Capture, Reader};
use api::{Api, Keys, Secret, Settings, Visitor};
use archive::Archive;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Request, header};
use axum::middleware::map_request;
use cdxserver::CdxServer;
use index::Commit;
use policy::CurrentRules;
use tower::ServiceExt as _;

/// The time that tests live in.
pub(crate) const NOW: &str = "2026-11-16T12:00:00Z";

/// The token of the server.
const TOKEN: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// The key of its feeds.
pub(crate) const FEEDS: &str = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100";

fn keys() -> Keys {
    let secret = |digits| Secret::parse(digits).unwrap();
    Keys { token: secret(TOKEN), feeds: secret(FEEDS), cookie: "varve-session-8470".to_owned() }
}

/// The request as a program sends it that has read the token; one that presents something itself is left alone.
async fn signed_in(mut request: Request<Body>) -> Request<Body> {
    let token = HeaderValue::try_from(format!("Bearer {TOKEN}")).unwrap();
    request.headers_mut().entry(header::AUTHORIZATION).or_insert(token);
    request
}

/// An archive and its API.
pub(crate) struct World {
    _folder: tempfile::TempDir,
    archive: Archive,
    router: Router,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl World {
    /// An empty archive that hides nothing.
    pub(crate) fn new() -> World {
        World::with(CurrentRules::default(), |_| {})
    }

    /// An empty archive with access rules, and whatever else is to be set.
    pub(crate) fn with(rules: impl Into<CurrentRules>, set: impl FnOnce(&mut Settings)) -> World {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.unwrap();
        let archive = Archive::create(&folder.path().join("archive")).unwrap();
        let mut settings = Settings::new(
            archive.clone(),
            rules.into(),
            Arc::new(|| NOW.parse().unwrap()),
            testkit::ids::record_ids(),
            keys(),
        );
        // Who asks is what a proxy in front says; only tests have such a trusting one.
        settings.who = Arc::new(|parts| Visitor {
            client: None,
            user: parts.headers.get("x-pywb-acl-user").map(|user| user.to_str().unwrap().to_owned()),
        });
        set(&mut settings);
        let api = Api::new(settings);
        let router = api::router(api.clone()).merge(cdxserver::router(CdxServer::new(api)));
        World { _folder: folder, archive, router }
    }

    /// With these lines in a collection.
    pub(crate) fn of(collection: &str, lines: &str) -> World {
        let world = World::new();
        world.load(collection, lines);
        world
    }

    /// Adds lines to a collection, as a commit of their own, in their order where key and time are the same.
    pub(crate) fn load(&self, collection: &str, lines: &str) {
        let rows: Vec<Capture<'static>> =
            Reader::new(lines.as_bytes()).map(|row| row.unwrap_or_else(|error| panic!("{error}"))).collect();
        self.load_rows(collection, rows);
    }

    pub(crate) fn load_rows(&self, collection: &str, mut rows: Vec<Capture<'static>>) {
        rows.sort_by(|a, b| (&a.key, a.timestamp).cmp(&(&b.key, b.timestamp)));
        let collection = self.archive.create_collection(collection).unwrap();
        let name = format!("lines-{}", collection.snapshot().unwrap().commits().len());
        let commit = Commit { name, at: NOW.parse().unwrap(), facts: Vec::new() };
        collection.index().publish(&commit, rows.into_iter().map(Ok)).unwrap();
    }

    pub(crate) fn archive(&self) -> &Archive {
        &self.archive
    }

    /// The server, for a program that has its token.
    pub(crate) fn router(&self) -> Router {
        self.router.clone().layer(map_request(signed_in))
    }

    /// The server, for everybody else.
    pub(crate) fn anonymous(&self) -> Router {
        self.router.clone()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    pub(crate) fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send("GET", path, headers, Vec::new())
    }

    pub(crate) fn post(&self, path: &str, body: impl Into<Vec<u8>>) -> Answer {
        self.send("POST", path, &[], body.into())
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body)).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let response = self.router().oneshot(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
            Answer { status: parts.status.as_u16(), headers: parts.headers, body }
        })
    }
}

impl Answer {
    /// The body, of an answer that went well.
    #[track_caller]
    pub(crate) fn text(&self) -> String {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// The body, of an answer with this status.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// A text in a query.
pub(crate) fn encoded(text: &str) -> String {
    urlkey::percent::encode_form(text.as_bytes())
}

/// The lines of a small site, in which everything that questions are about occurs.
pub(crate) const SITE: &str = r#"org,example)/ 20140101000000 {"url": "http://example.org/", "mime": "text/html", "status": "200", "digest": "AAA", "length": "100", "offset": "0", "filename": "a.warc.gz"}
org,example)/ 20140101000005 {"url": "http://example.org/", "mime": "warc/revisit", "digest": "AAA", "length": "10", "offset": "100", "filename": "a.warc.gz"}
org,example)/ 20150601000000 {"url": "http://www.example.org/", "mime": "text/html", "status": "404", "digest": "BBB", "length": "120", "offset": "110", "filename": "a.warc.gz"}
org,example)/ 20160101000000 {"url": "https://example.org/", "mime": "text/html", "status": "200", "digest": "BBB", "length": "130", "offset": "230", "filename": "b.warc.gz"}
org,example)/a 20140101000000 {"url": "http://example.org/a", "mime": "image/png", "status": "200", "digest": "CCC", "length": "140", "offset": "360", "filename": "b.warc.gz"}
org,example)/b 20150101000000 {"url": "http://example.org/b", "mime": "text/plain", "status": "302", "digest": "DDD", "redirect": "http://example.org/a", "length": "150", "offset": "500", "filename": "b.warc.gz"}
org,example,shop)/ 20150101000000 {"url": "http://shop.example.org/", "mime": "text/html", "status": "200", "digest": "EEE", "length": "160", "offset": "650", "filename": "b.warc.gz"}
"#;

/// The times of an answer in columns whose second is the time.
#[track_caller]
pub(crate) fn times(answer: &Answer) -> Vec<String> {
    answer.text().lines().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect()
}
