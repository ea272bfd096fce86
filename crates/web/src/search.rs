//! Looking for an address: an address leads on to its calendar, the beginning of one to a list, and a word to the sites named like it.

use api::collections::Collection;
use api::holdings::Hosts;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use urlkey::remove_logins;

use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many sites are named.
const SITES: usize = 50;

/// A longer text is no address.
const QUERY_BYTES_MAX: usize = 8 << 10;

#[derive(Template)]
#[template(path = "search.html")]
struct Search {
    frame: Frame,
    query: String,
    hosts: Hosts,
    collections: Vec<Collection>,
    replay: String,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    q: String,
}

/// What somebody looks for.
#[derive(Debug, PartialEq, Eq)]
enum Meant {
    /// Nothing.
    Nothing,
    /// An address, or the beginning of one with `*` behind it, as it stands behind `/web/*/`.
    Address(String),
    /// A part of a site's name.
    Name(String),
}

/// `GET /search?q=…`
pub(crate) async fn look(
    State(pages): State<Pages>,
    Query(asked): Query<Asked>,
    parts: Parts,
) -> Result<Response, Fault> {
    let name = match meant(&asked.q) {
        Meant::Nothing => return Ok(Redirect::to("/").into_response()),
        Meant::Address(address) => {
            let place = format!("{}/web/*/{address}", pages.api().replay());
            let place = HeaderValue::try_from(place).map_err(|_| Fault::no_page())?;
            return Ok((StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response());
        }
        Meant::Name(name) => name,
    };
    let query = asked.q.trim().to_owned();
    let visitor = pages.api().who(&parts);
    let hosts = pages.ask(move |api| api.hosts(&visitor, &name, SITES)).await?;
    let replay = pages.api().replay().to_owned();
    let collections = pages.ask(|api| api.collections()).await?;
    page(&Search { frame: Frame::new(&pages, "Search", "search"), query, hosts, collections, replay })
}

fn meant(text: &str) -> Meant {
    let text = &*remove_logins(text.trim());
    if text.is_empty() || text.len() > QUERY_BYTES_MAX {
        return Meant::Nothing;
    }
    // All hosts of a domain: those that are named like it.
    if let Some(domain) = text.strip_prefix("*.") {
        return Meant::Name(domain.trim_end_matches(['/', '*']).to_lowercase());
    }
    let has_scheme = ["http://", "https://", "ftp://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    let host = text.split(['/', '?', '#', ':', '*']).next().unwrap_or_default();
    let is_host = host.contains('.') && !host.starts_with('.') && !host.ends_with('.') || host == "localhost";
    let has_blank = host.contains(char::is_whitespace);
    if has_scheme || is_host && !has_blank {
        return Meant::Address(address(text));
    }
    Meant::Name(text.trim_matches(['*', '.', '/']).to_lowercase())
}

/// As it may stand in a field of a head. What a page does not send is not part of what was captured.
fn address(text: &str) -> String {
    let text = text.split('#').next().unwrap_or_default();
    let mut address = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => {
                address.push_str(&format!("%{byte:02X}"))
            }
            byte if byte.is_ascii_graphic() => address.push(char::from(byte)),
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Meant) {
        assert_eq!(meant(text), expected, "{text}");
    }

    #[test]
    fn addresses_are_known_with_and_without_a_scheme() {
        let address = |text: &str| Meant::Address(text.to_owned());
        check("http://example.org/a", address("http://example.org/a"));
        check(" HTTPS://Example.org ", address("HTTPS://Example.org"));
        check("example.org", address("example.org"));
        check("example.org/a b#c", address("example.org/a%20b"));
        check("example.org:8080/", address("example.org:8080/"));
        check("example.org/news/*", address("example.org/news/*"));
        check("localhost:8080", address("localhost:8080"));
        check("http://example.org/ž\r\nX: y", address("http://example.org/%C5%BE%0D%0AX:%20y"));
    }

    #[test]
    fn words_are_parts_of_names() {
        let name = |text: &str| Meant::Name(text.to_owned());
        check("Lindwick", name("lindwick"));
        check("town news", name("town news"));
        check("*.example.org", name("example.org"));
        check("what is a varve?", name("what is a varve?"));
        check("Mr. Smith", name("mr. smith"));
        check("", Meant::Nothing);
    }
}
