//! Requests that have escaped from an archived page, led back to where they belong.
//!
//! A page without its worker may ask for `/style.css` of replay itself. Its `Referer` tells which page, and so which site and time were
//! meant.

use axum::http::{Method, StatusCode, header, request};
use axum::response::Response;
use url::Url;

use crate::address::{Address, Ask};
use crate::asker::Asker;
use crate::memento::insert;
use crate::replay::Replay;
use crate::router::referer;

/// The answer that leads a request back; `None` where it is what it says.
pub(crate) fn way_back(
    replay: &Replay,
    request: &request::Parts,
    address: Option<&Address>,
) -> Option<Response> {
    let target = request.uri.path_and_query()?.as_str();
    if address.is_some_and(|address| is_plainly_ours(replay, address, target)) {
        return None;
    }
    let page = Url::parse(referer(&request.headers)?).ok()?;
    let asker = Asker::of(replay.settings(), request);
    if page.origin() != Url::parse(&asker.origin).ok()?.origin() {
        return None;
    }
    let behind = page.as_str().get(page.origin().ascii_serialization().len()..)?;
    let address = Address::parse(behind)?;
    let Ask::Memento { time, form, url } = address.ask else { return None };
    let wanted = Url::parse(&url).ok()?.join(target).ok()?;
    let form = wanted_form(request).unwrap_or(&form.text);
    let location = format!("/{}/{time}{form}/{wanted}", address.collection);
    let mut response = Response::default();
    let is_plain = matches!(request.method, Method::GET | Method::HEAD);
    *response.status_mut() = if is_plain { StatusCode::FOUND } else { StatusCode::TEMPORARY_REDIRECT };
    insert(response.headers_mut(), header::LOCATION, &location);
    insert(response.headers_mut(), header::VARY, "referer");
    Some(response)
}

/// Whether an address can be none of an archived site: it begins with a collection, and a time or a whole URL follows.
fn is_plainly_ours(replay: &Replay, address: &Address, target: &str) -> bool {
    let is_whole = match &address.ask {
        Ask::Start => false,
        Ask::Gate { .. } => target.split('?').next().is_some_and(|path| path.contains(":/")),
        Ask::Memento { .. } | Ask::Map { .. } | Ask::Calendar { .. } | Ask::Listing { .. } => true,
    };
    is_whole && matches!(replay.settings().archive.collection(&address.collection), Ok(Some(_)))
}

/// In which form the browser wants it, if it says so.
fn wanted_form(request: &request::Parts) -> Option<&'static str> {
    let wanted = request.headers.get("sec-fetch-dest").and_then(|value| value.to_str().ok())?;
    Some(match wanted {
        "document" => "",
        "image" => "im_",
        "script" => "js_",
        "style" => "cs_",
        "worker" | "sharedworker" => "sw_",
        "font" | "video" | "audio" | "track" | "embed" | "object" | "empty" => "oe_",
        _ => "if_",
    })
}
