//! A real browser for tests: Chromium without a screen, driven over its debugging protocol.
//!
//! A thin client of our own: commands and events are JSON values, so that a new Chromium with new fields breaks nothing. The
//! face is blocking; a thread of its own keeps the connection and writes down what happens. Every [`Page`] has a profile of
//! its own, so that no cookie and no service worker passes from one test to another.
//!
//! Nothing it does reaches the internet: no name but those of loopback resolves. What it starts is stopped by its id when the
//! value is dropped, and the profile is removed.

// Whoever waits for a browser has to know how long; and a skipped test must not be silent.
#![allow(clippy::disallowed_methods, clippy::print_stderr)]

mod page;
mod process;
mod traffic;
mod wire;

use std::env;
use std::path::PathBuf;
use std::sync::{Arc, Once};

use serde_json::json;

pub use page::Page;
pub use traffic::Request;

use process::Process;
use wire::Wire;

/// A browser that runs as long as this value, and the pages made from it, live.
#[derive(Debug)]
pub struct Chromium {
    wire: Arc<Wire>,
    // Dropped last: it waits for the browser's end.
    process: Arc<Process>,
}

impl Chromium {
    /// Starts a browser. Where there is none, `None`, and one line on standard error says so.
    ///
    /// # Panics
    /// When it is missing and `$CI` is `true`, or does not come up.
    #[track_caller]
    pub fn start() -> Option<Chromium> {
        let program = program()?;
        let process =
            Process::start(&program).unwrap_or_else(|error| panic!("chromium does not start: {error}"));
        let wire = Wire::connect(process.address())
            .unwrap_or_else(|error| panic!("chromium does not answer: {error}"));
        let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        wire.call(None, "Target.setAutoAttach", attach).unwrap_or_else(|error| panic!("{error}"));
        Some(Chromium { wire: Arc::new(wire), process: Arc::new(process) })
    }

    /// A new page with cookies, storage and service workers of its own.
    ///
    /// # Panics
    /// When the browser is gone.
    #[track_caller]
    pub fn page(&self) -> Page {
        Page::open(Arc::clone(&self.wire), Arc::clone(&self.process))
    }

    /// What the browser calls itself.
    ///
    /// # Panics
    /// When the browser is gone.
    #[track_caller]
    pub fn version(&self) -> String {
        let answer = self.wire.call(None, "Browser.getVersion", json!({}));
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        answer.get("product").and_then(|value| value.as_str()).unwrap_or_default().to_owned()
    }
}

/// Where the browser is: `$VARVE_CHROMIUM`, or a program of one of its names on the search path.
///
/// # Panics
/// When there is none and `$CI` is `true`: there a test that was skipped must not look like one that passed.
pub fn program() -> Option<PathBuf> {
    static TOLD: Once = Once::new();
    if let Some(named) = env::var_os("VARVE_CHROMIUM").filter(|value| !value.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut found = env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    if let Some(program) = found.find(|program| program.is_file()) {
        return Some(program);
    }
    let in_ci = env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!in_ci, "no chromium here: `cargo xtask test` installs it");
    TOLD.call_once(|| {
        eprintln!("testkit: no chromium here; skipping what needs it (`cargo xtask test` installs it)")
    });
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{Place, Server, reply};

    #[test]
    fn a_page_is_loaded_and_everything_it_asked_for_is_known() {
        let Some(browser) = Chromium::start() else { return };
        let server = Server::answering(&Place::default(), |wire, request| {
            let body: &[u8] = match request.path() {
                "/" => b"<title>t</title><script>fetch('/data').then(r => r.text()).then(t => document.title = t);\
                    console.error('oh', 7)</script><img src='http://outside.example/x.png'>",
                _ => b"from the server",
            };
            wire.send(&reply("200 OK", &[("Content-Type", "text/html")], body))?;
            Ok(true)
        });
        let page = browser.page();
        page.viewport(300, 200);
        page.go(&server.url("/"));
        assert_eq!(page.evaluate("document.title"), "from the server");
        assert_eq!(page.evaluate("Promise.resolve([1, innerWidth])"), serde_json::json!([1, 300]));
        let asked = page.requests();
        let data = asked.iter().find(|request| request.url.ends_with("/data")).unwrap();
        assert_eq!((data.status, data.kind.as_str(), data.is_done), (Some(200), "Fetch", true));
        let outside = asked.iter().find(|request| request.url.contains("outside")).unwrap();
        assert_eq!(outside.failure.as_deref(), Some("net::ERR_NAME_NOT_RESOLVED"));
        assert!(page.console().iter().any(|line| line.contains("oh 7")), "{:?}", page.console());
        assert_eq!(page.screenshot().get(1..4), Some(&b"PNG"[..]));
        assert!(browser.version().contains("Chrom"), "{}", browser.version());
    }
}
