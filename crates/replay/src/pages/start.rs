//! Where one begins: the replay server itself, a collection, and the way from the search box.

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::Response;

use super::html::{Page, text};
use crate::memento::insert;
use crate::replay::Replay;
use crate::timeline::grouped;
use crate::visit::{Visit, safe};

/// The page at `/`: where the pages are, and which collections there are.
pub(crate) fn start(replay: &Replay) -> Response {
    let names = replay.settings().archive.collections().unwrap_or_else(|_| vec![archive::WEB.to_owned()]);
    let items: Vec<String> =
        names.iter().map(|name| format!("<li><a href=\"/{0}/\">{0}</a></li>", text(name))).collect();
    let pages = &replay.settings().pages;
    let home = match pages.is_empty() {
        true => String::new(),
        false => format!(
            "<p>Search, harvests and everything else are at <a href=\"{0}/\">{0}</a>.</p>",
            text(pages)
        ),
    };
    let main = format!(
        "<section class=hero><h1>Archived pages are shown here</h1><p class=lead>Enter an address above to see when it was captured.</p>{home}</section>\
         <section><h2>Collections</h2><ul class=plain>{}</ul></section>",
        items.concat()
    );
    Page { replay, status: StatusCode::OK, title: "Replay", collection: archive::WEB, url: "", main }.answer()
}

/// The page of a collection.
pub(crate) fn collection(visit: &Visit) -> Response {
    let name = visit.collection.name();
    let rows = grouped(visit.snapshot.rows());
    let main = format!(
        "<section class=hero><h1>{}</h1><p class=lead>{rows} captures in this collection. Enter an address above to see when it was captured, \
         or its start with a star to list what lies below it.</p></section>",
        text(name)
    );
    Page { replay: &visit.replay, status: StatusCode::OK, title: name, collection: name, url: "", main }
        .answer()
}

/// What the search box sends.
#[derive(Debug, Default)]
struct Asked {
    collection: String,
    url: String,
}

/// Leads from the search box to the calendar, or the listing.
pub(crate) async fn go(State(_): State<Replay>, Query(fields): Query<Vec<(String, String)>>) -> Response {
    let mut asked = Asked { collection: archive::WEB.to_owned(), url: String::new() };
    for (name, value) in fields {
        match name.as_str() {
            "in" => asked.collection = value,
            "url" => asked.url = value.trim().to_owned(),
            _ => {}
        }
    }
    let location = match asked.url.is_empty() {
        true => format!("/{}/", safe(&asked.collection)),
        false => format!("/{}/*/{}", safe(&asked.collection), safe(&asked.url)),
    };
    let mut response = Response::default();
    *response.status_mut() = StatusCode::SEE_OTHER;
    // A collection of two slashes would be another server.
    insert(response.headers_mut(), header::LOCATION, &format!("/{}", location.trim_start_matches('/')));
    response
}
