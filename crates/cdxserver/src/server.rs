//! `/cdx`: the CDX servers of pywb and of the Wayback Machine.

use std::sync::Arc;

use api::Error;
use archive::{Collection, WEB};
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};
use serde_json::json;

use super::body::{respond, response, takes_gzip};
use super::gate::Gate;
use super::pages::{BLOCK_ROWS, Found};
use super::parameters::{Parameters, excerpt};
use super::plan::{Chosen, plan};
use super::rows::{Rows, rows_from};
use super::wanted::Wanted;
use crate::CdxServer;

/// Blocks of a page that is not told how many, as pywb has it.
const PAGE_BLOCKS: usize = 10;

/// `GET /cdx`
pub(crate) async fn ask_web(State(server): State<CdxServer>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    answered(answer(&server, WEB, &parts).await)
}

/// `GET /cdx/{collection}`
pub(crate) async fn ask(
    State(server): State<CdxServer>,
    Path(collection): Path<String>,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    answered(answer(&server, &collection, &parts).await)
}

/// Errors have the member that pywb's have, beside those of a problem document.
fn answered(answer: Result<Response, Error>) -> Response {
    answer.unwrap_or_else(|error| {
        error.log();
        let mut problem = error.problem();
        if let Some(members) = problem.as_object_mut() {
            members.insert("message".to_owned(), json!(error.to_string()));
        }
        let head = [(header::CONTENT_TYPE, "application/problem+json")];
        error.retry((error.status(), head, problem.to_string()).into_response())
    })
}

async fn answer(server: &CdxServer, collection: &str, parts: &Parts) -> Result<Response, Error> {
    let parameters = Parameters::parse(parts.uri.query().unwrap_or_default(), server.limits())?;
    let wanted = Wanted::parse(server, collection, &parameters)?;
    let collection = named(server, collection)?;
    let snapshot = collection.snapshot()?;
    let gate = Gate::new(server, vec![server.who(parts)], wanted.shows_access);
    let may_pack = takes_gzip(&parts.headers) && parameters.get("gzip") != Some("false");
    let paging = Paging::parse(&parameters)?;
    let chosen = match paging {
        None => None,
        Some(paging) => match paging.find(server, &collection, &snapshot, &wanted, &gate).await? {
            Paged::Rows(chosen) => Some(chosen),
            Paged::Listing(response) => return Ok(response),
        },
    };
    respond(plan(wanted, &snapshot, gate, chosen, server.limits())?, server.limits(), may_pack).await
}

/// The collection of this name.
pub(crate) fn named(server: &CdxServer, name: &str) -> Result<Collection, Error> {
    let collection = server.archive().collection(name)?;
    collection.ok_or_else(|| Error::NotFound(format!("there is no collection `{}`", excerpt(name))))
}

/// So many of the rows that may be told of.
fn page(rows: Rows, rows_max: u64) -> Rows {
    let mut left = rows_max;
    Box::new(rows.take_while(move |looked| {
        let counts = looked.as_ref().map_or(true, |looked| looked.is_admitted);
        let has_room = left > 0 || !counts;
        left = left.saturating_sub(u64::from(counts));
        has_room
    }))
}

/// A part of a long answer.
struct Paging {
    page: usize,
    blocks: usize,
    shows_count: bool,
    shows_index: bool,
    is_json: bool,
}

/// What came of it.
enum Paged {
    /// The rows of the page.
    Rows(Chosen),
    /// Something about pages.
    Listing(Response),
}

impl Paging {
    fn parse(parameters: &Parameters<'_>) -> Result<Option<Paging>, Error> {
        let names = ["page", "pageSize", "showNumPages", "showPagedIndex"];
        if !names.iter().any(|name| parameters.has(name)) {
            return Ok(None);
        }
        let blocks = parameters.number("pageSize")?.unwrap_or(PAGE_BLOCKS);
        if blocks == 0 {
            return Err(Error::bad("a page of no blocks"));
        }
        Ok(Some(Paging {
            page: parameters.number("page")?.unwrap_or_default(),
            blocks,
            shows_count: parameters.is_on("showNumPages"),
            shows_index: parameters.is_on("showPagedIndex"),
            is_json: parameters.get("output") == Some("json"),
        }))
    }

    async fn find(
        &self,
        server: &CdxServer,
        collection: &Collection,
        snapshot: &index::Snapshot,
        wanted: &Wanted,
        gate: &Arc<Gate>,
    ) -> Result<Paged, Error> {
        let scope = &wanted.scope;
        let (first, count) = if self.shows_count {
            (0, usize::MAX)
        } else {
            (self.page.saturating_mul(self.blocks), self.blocks)
        };
        let (wanted, rows_max) = ((first, count), server.limits().scan_rows);
        let found = server.pages().blocks(collection.name(), snapshot, scope, gate, wanted, rows_max).await?;
        if self.shows_count {
            let blocks = found.blocks.unwrap_or(found.starts.len());
            let pages = blocks.div_ceil(self.blocks);
            let text = json!({ "pages": pages, "pageSize": self.blocks, "blocks": blocks }).to_string();
            return Ok(Paged::Listing(response(Body::from(text + "\n"), "application/json", false)));
        }
        if self.shows_index {
            return Ok(Paged::Listing(self.listing(collection, first, &found, gate)));
        }
        let Some(start) = found.starts.first() else {
            return Ok(Paged::Rows(Chosen { rows: Box::new(std::iter::empty()), start: None }));
        };
        let rows_max = BLOCK_ROWS.saturating_mul(self.blocks as u64);
        let rows = page(rows_from(snapshot, scope, start, gate), rows_max);
        Ok(Paged::Rows(Chosen { rows, start: Some(start.clone()) }))
    }

    /// A line for each block: where it begins, of what, from which row on, how many rows, its number.
    fn listing(&self, collection: &Collection, first: usize, found: &Found, gate: &Gate) -> Response {
        let mut text = String::new();
        for (number, start) in (first..).zip(&found.starts) {
            // What was remembered may be hidden by now.
            if !gate.tells(&start.key, start.time) {
                continue;
            }
            let is_last = found.blocks == Some(number + 1);
            let rows = found.last_rows.filter(|_| is_last).unwrap_or(BLOCK_ROWS);
            let (name, offset, line) = (collection.name(), number as u64 * BLOCK_ROWS, number + 1);
            let key = start.order();
            if self.is_json {
                let block =
                    json!({ "urlkey": key, "part": name, "offset": offset, "length": rows, "lineno": line });
                text.push_str(&format!("{block}\n"));
            } else {
                text.push_str(&format!("{key}\t{name}\t{offset}\t{rows}\t{line}\n"));
            }
        }
        let kind = if self.is_json { "text/x-ndjson" } else { "text/plain; charset=utf-8" };
        response(Body::from(text), kind, false)
    }
}
