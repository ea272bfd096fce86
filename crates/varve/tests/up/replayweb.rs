//! ReplayWeb.page opens what we export. (Issue 5: "opened by ReplayWeb.page".)

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use testkit::chromium::Chromium;
use testkit::server::{Place, Request, Server, Wire, reply};

use crate::look::{PATIENCE, keep};
use crate::program::{Up, timestamp};

/// A page that has the player in it, as its documentation says.
fn embedding(url: &str, timestamp: &str) -> String {
    format!(
        "<!doctype html><title>player</title><body style='margin:0'><script src='/ui.js'></script>\
         <replay-web-page style='display:block;height:880px' source='/demo.wacz' url='{url}' ts='{timestamp}' \
         replayBase='/replay/' embed='default'></replay-web-page>"
    )
}

/// Serves the player, the package in ranges, and the page around them.
fn serve(player: &Path, package: Vec<u8>, page: String) -> Server {
    let file = |name: &str| std::fs::read(player.join(name)).unwrap();
    let (ui, worker, package) = (file("ui.js"), file("sw.js"), Arc::new(package));
    Server::answering(&Place::default(), move |wire, request| {
        let script = [("Content-Type", "text/javascript")];
        let answer = match request.path() {
            "/" => reply("200 OK", &[("Content-Type", "text/html")], page.as_bytes()),
            "/ui.js" | "/replay/ui.js" => reply("200 OK", &script, &ui),
            "/replay/sw.js" => reply("200 OK", &script, &worker),
            "/demo.wacz" => return ranged(wire, request, &package),
            _ => reply("404 Not Found", &[], b""),
        };
        wire.send(&answer)?;
        Ok(true)
    })
}

/// The part of the package that is asked for; all of it where no part is.
fn ranged(wire: &mut Wire, request: &Request, package: &[u8]) -> io::Result<bool> {
    let kind = ("Content-Type", "application/wacz");
    let wanted = request.field("range").and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
    let number = |text: &str| text.parse::<usize>().ok();
    let last = package.len() - 1;
    let Some((from, to)) = wanted.map(|(from, to)| match (number(from), number(to)) {
        (Some(from), to) => (from, to.unwrap_or(last).min(last)),
        (None, behind) => (package.len() - behind.unwrap(), last),
    }) else {
        wire.send(&reply("200 OK", &[kind, ("Accept-Ranges", "bytes")], package))?;
        return Ok(true);
    };
    let part = format!("bytes {from}-{to}/{}", package.len());
    wire.send(&reply("206 Partial Content", &[kind, ("Content-Range", &part)], &package[from..=to]))?;
    Ok(true)
}

#[test]
fn replay_web_page_shows_what_is_exported() {
    let (Some(player), Some(browser)) = (testkit::peers::player(), Chromium::start()) else { return };
    let up = Up::start();
    let package = up.archive.with_file_name("demo.wacz");
    let url = format!("http://{}/", demo::HOST);
    let exported = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["export", "wacz", "--url", &url, "--match", "host", "--quiet", "-o"])
        .arg(&package)
        .arg("--archive")
        .arg(&up.archive)
        .stdin(Stdio::null())
        .status();
    assert!(exported.unwrap().success());

    let server = serve(&player, std::fs::read(&package).unwrap(), embedding(&url, &timestamp(2)));
    let page = browser.page();
    page.viewport(1280, 900);
    // Service workers are only to be had under this name or with TLS.
    page.go(&format!("http://localhost:{}/", server.address().port()));
    // The newspaper lies in a frame of the player, which lies in shadows and a frame of its own.
    let found = "(function find(root) { for (const each of root.querySelectorAll('*')) { \
        if (each.shadowRoot) { const inner = find(each.shadowRoot); if (inner) return inner; } \
        if (each.tagName === 'IFRAME' && each.contentDocument) { const there = each.contentDocument; \
        if (there.querySelector('h1, .masthead') && /Siltmere/.test(there.title)) return there; \
        const inner = find(there); if (inner) return inner; } } return null; })(document)";
    let is_shown = format!(
        "(() => {{ const paper = {found}; return paper && paper.images.length > 2 \
         && [...paper.images].slice(0, 3).every((image) => image.naturalWidth > 0) \
         && /2\\.41/.test(paper.body.innerText); }})()"
    );
    let is_shown = page.holds(&is_shown, PATIENCE);
    keep(&page, "10-replayweb");
    assert!(is_shown, "console: {:#?}", page.console());
}
