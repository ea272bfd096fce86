//! The live server of the pages: one port for all names, with ranges and access for scripts of other origins.

use std::io;

use super::files::{Body, File};
use super::{Page, attacks, pages};
use crate::server::{Place, Request, Server, Wire, reply};

/// Every page, live. It is stopped when this is dropped.
#[derive(Debug)]
pub struct Site {
    server: Server,
}

impl Site {
    /// Starts the server.
    ///
    /// # Panics
    /// When no port can be had.
    #[track_caller]
    pub fn start() -> Site {
        let server = Server::answering(&Place::default(), |wire, request| {
            answer(wire, request)?;
            Ok(true)
        });
        Site { server }
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.server.address().port()
    }

    /// The address of a page.
    pub fn url(&self, page: &Page) -> String {
        page.files.first().map(|file| file.url(page.name, self.port())).unwrap_or_default()
    }

    /// The server, to see what was asked of it.
    pub fn server(&self) -> &Server {
        &self.server
    }
}

fn answer(wire: &mut Wire, request: &Request) -> io::Result<()> {
    let port = request.field("host").and_then(|host| host.rsplit_once(':')?.1.parse().ok()).unwrap_or(80);
    let host = request.host().trim_end_matches(".localhost").to_owned();
    let Some(file) = find(&host, request) else {
        return wire.send(&reply("404 Not Found", &[("Content-Type", "text/plain")], b"nothing here"));
    };
    if let Body::Redirect(to) = file.body {
        let to = to.replace("{port}", &port.to_string());
        return wire.send(&reply(
            "302 Found",
            &[("Location", &to), ("Access-Control-Allow-Origin", "*")],
            b"",
        ));
    }
    let body = file.bytes(port);
    let mut fields = vec![
        ("Content-Type", file.mime),
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Allow-Headers", "content-type"),
        ("Cache-Control", "no-store"),
    ];
    let range = request.field("range").and_then(|text| range(text, body.len()));
    let Some((first, last)) = range else {
        return wire.send(&reply("200 OK", &fields, &body));
    };
    let told = format!("bytes {first}-{last}/{}", body.len());
    fields.extend([("Content-Range", told.as_str()), ("Accept-Ranges", "bytes")]);
    wire.send(&reply("206 Partial Content", &fields, body.get(first..=last).unwrap_or_default()))
}

/// The file that is meant. A POST is answered by what answers this body.
fn find(host: &str, request: &Request) -> Option<File> {
    let (all, hostile) = (pages(), attacks());
    let mut files =
        all.iter().chain(hostile).flat_map(|page| page.files.iter().map(move |file| (page, file)));
    let is_meant = |page: &Page, file: &File| {
        let is_reply = match file.body {
            Body::Reply(asked, _) => request.method == "POST" && request.body() == asked.as_bytes(),
            _ => request.method != "POST",
        };
        let named = if file.host.is_empty() { page.name } else { file.host };
        named == host && file.path == request.target && is_reply
    };
    files.find(|(page, file)| is_meant(page, file)).map(|(_, file)| *file)
}

/// The first and the last byte of a range.
fn range(text: &str, length: usize) -> Option<(usize, usize)> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let first: usize = first.parse().ok()?;
    let end = length.checked_sub(1)?;
    let last = if last.is_empty() { end } else { last.parse::<usize>().ok()?.min(end) };
    (first <= last).then_some((first, last))
}
