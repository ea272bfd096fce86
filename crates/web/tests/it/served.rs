//! The pages on a port of this machine, and a browser's side of it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::jobs::{Harvests, Outcome, Profile, RefusalKind, Refused, Wish};
use api::vault::Keeper;
use api::{Api, Keys, Secret, Settings};
use archive::Archive;
use policy::CurrentRules;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::archived::{archived, began, with_import};

/// What forms carry.
pub(crate) const TOKEN: &str = "f0e1d2c3b4a5968778695a4b3c2d1e0ff0e1d2c3b4a5968778695a4b3c2d1e0f";

/// Somebody who harvests nothing and remembers what was asked for.
#[derive(Default)]
pub(crate) struct Asked(pub(crate) Mutex<Vec<Wish>>);

impl Harvests for Asked {
    fn start(&self, wish: &Wish) -> Result<Vec<String>, Refused> {
        self.0.lock().unwrap().push(wish.clone());
        match wish.urls.as_slice() {
            [] => Err(Refused {
                message: "there is no URL to begin with".to_owned(),
                hint: Some("name one".to_owned()),
                kind: RefusalKind::Wrong,
            }),
            _ if wish.max_time == Some("soon".into()) => Err(Refused {
                message: "`max_time` must be a time such as 90s, not `soon`".to_owned(),
                hint: None,
                kind: RefusalKind::Wrong,
            }),
            _ => Ok(vec!["b.test-20261116130000".to_owned()]),
        }
    }

    fn go_on(&self, _: &str) -> Result<(), Refused> {
        Ok(())
    }

    fn outcomes(&self) -> Vec<Outcome> {
        vec![Outcome {
            job: "<i>-20261116110000".to_owned(),
            started: "2026-11-16T11:00:00Z".to_owned(),
            urls: vec!["http://nowhere.test/\"><script>".to_owned()],
            why: "nothing came: <its host> was not found".to_owned(),
        }]
    }

    fn profiles(&self) -> Vec<Profile> {
        vec![Profile { name: "page".to_owned(), about: "single pages".to_owned() }]
    }
}

/// What lets programs in.
pub(crate) const BEARER: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// The name of the cookie.
pub(crate) const COOKIE: &str = "varve-session-8470";

fn keys() -> Keys {
    let secret = |digits| Secret::parse(digits).unwrap();
    let feeds = secret("ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100");
    Keys { token: secret(BEARER), feeds, cookie: COOKIE.to_owned() }
}

pub(crate) struct Served {
    address: SocketAddr,
    pub(crate) asked: Arc<Asked>,
    /// The router, written out with all its routes.
    pub(crate) routes: String,
    folder: TempDir,
    _runtime: Runtime,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Served {
    /// The archive of one harvest.
    pub(crate) fn start() -> Served {
        Served::of(archived())
    }

    /// The same with an import into another collection.
    pub(crate) fn with_import() -> Served {
        Served::of(with_import())
    }

    /// An archive that has nothing in it.
    pub(crate) fn empty() -> Served {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        Served::of((folder, archive))
    }

    fn of(archived: (TempDir, Archive)) -> Served {
        Served::with(archived, None)
    }

    /// An archive whose files somebody looks after.
    pub(crate) fn with(archived: (TempDir, Archive), keeper: Option<Arc<dyn Keeper>>) -> Served {
        Served::set(archived, |settings| settings.keeper = keeper)
    }

    /// An archive, and whatever else is to be set.
    pub(crate) fn set((folder, archive): (TempDir, Archive), set: impl FnOnce(&mut Settings)) -> Served {
        let asked = Arc::new(Asked::default());
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let ids = testkit::ids::record_ids();
        let mut settings = Settings::new(archive, CurrentRules::default(), Arc::new(began), ids, keys());
        settings.origins = vec![format!("http://{address}")];
        settings.harvests = Some(asked.clone());
        set(&mut settings);
        let api = Api::new(settings);
        let token = Secret::parse(TOKEN).unwrap();
        let pages = web::Pages::new(web::Settings { api, token, names: Vec::new() });
        let router = web::router(pages);
        let routes = format!("{router:?}");
        runtime.spawn(async move { axum::serve(listener, router).await });
        Served { address, asked, routes, folder, _runtime: runtime }
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sends a request of somebody who has the token: its line and fields, and a body.
    pub(crate) fn ask(&self, request: &str, body: &str) -> Answer {
        self.ask_anonymously(&format!("{request}\r\nAuthorization: Bearer {BEARER}"), body)
    }

    /// Sends a request as it is.
    pub(crate) fn ask_anonymously(&self, request: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let host =
            if request.contains("\r\nHost:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        write!(
            stream,
            "{request}\r\n{host}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1"), "")
    }

    /// The archive's folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Sends a form of ours from this origin.
    pub(crate) fn post(&self, path: &str, origin: &str, body: &str) -> Answer {
        let head = format!(
            "POST {path} HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nOrigin: {origin}"
        );
        self.ask(&head, body)
    }

    /// A page without what is different each time.
    #[track_caller]
    pub(crate) fn shown(&self, path: &str) -> String {
        let answer = self.get(path);
        let folder = self.folder.path().display().to_string();
        let body = answer.body.replace(&folder, "[ARCHIVE]").replace(TOKEN, "the-token");
        let body = steady(&body);
        format!("{}\n{body}", answer.status)
    }
}

/// Without marks of assets, sizes of packed files, durations and charts.
fn steady(page: &str) -> String {
    let mut lines = Vec::new();
    for line in page.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()) {
        let line = match line.split_once("?") {
            Some((before, after)) if line.contains("/assets/") => {
                let end = after.find('"').unwrap_or(0);
                format!("{before}?[MARK]{}", &after[end..])
            }
            _ => line.to_owned(),
        };
        let line = between(&line, "fetched for <span data-field=\"seconds\">", "</span>", "[TIME]");
        let line = between(&line, "<svg class=\"chart\"", "</svg>", "[CHART]");
        let line = between(&line, "<dt>Size</dt><dd>", "</dd>", "[SIZE]");
        let line = between(&line, "<td class=\"number optional\">", "</td>", "[COUNT]");
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

fn between(line: &str, start: &str, end: &str, with: &str) -> String {
    match line.split_once(start) {
        Some((before, rest)) => match rest.split_once(end) {
            Some((_, after)) => format!("{before}{start}{with}{end}{after}"),
            None => line.to_owned(),
        },
        None => line.to_owned(),
    }
}
