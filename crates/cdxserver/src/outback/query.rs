//! `GET /<collection>`: captures of a URL or key.

use api::Error;
use axum::extract::{Path, Request, State};
use axum::http::request::Parts;
use axum::response::Response;
use cdx::query::{Collapse, Columns, Filter, Sieve};

use super::super::body::{respond, takes_gzip};
use super::super::output::{Output, members};
use super::super::parameters::{Parameters, excerpt};
use super::super::plan::plan;
use super::super::scope::Scope;
use super::super::server::named;
use super::super::wanted::{Sort, Wanted, closest, columns, expression, filters, limit, time_range};
use super::{answered, gate, parameters, xml};
use crate::CdxServer;

const FIELDS: &str = "urlkey,timestamp,url,mime,status,digest,redirecturl,robotflags,length,offset,filename";
const FIELDS_14: &str = "urlkey,timestamp,url,mime,status,digest,redirecturl,robotflags,length,offset,filename,originalLength,originalOffset,originalFilename";

/// `GET /outbackcdx/{collection}`
pub(crate) async fn ask(
    State(server): State<CdxServer>,
    Path(collection): Path<String>,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    answered(answer(&server, &collection, None, &parts).await)
}

/// `GET /outbackcdx/{collection}/ap/{accesspoint}`
pub(crate) async fn ask_at(
    State(server): State<CdxServer>,
    Path((collection, accesspoint)): Path<(String, String)>,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    answered(answer(&server, &collection, Some(&accesspoint), &parts).await)
}

async fn answer(
    server: &CdxServer,
    collection: &str,
    accesspoint: Option<&str>,
    parts: &Parts,
) -> Result<Response, Error> {
    let parameters = parameters(server, parts)?;
    let collection = named(server, collection)?;
    if let Some(question) = parameters.get("q") {
        let gate = gate(server, parts, &parameters, accesspoint, false)?;
        return xml::answer(server, &collection, gate, question, &parameters).await;
    }
    let wanted = wanted(server, &parameters)?;
    let gate = gate(server, parts, &parameters, accesspoint, wanted.shows_access)?;
    let may_pack = takes_gzip(&parts.headers);
    let snapshot = collection.snapshot()?;
    respond(plan(wanted, &snapshot, gate, None, server.limits())?, server.limits(), may_pack).await
}

fn wanted(server: &CdxServer, parameters: &Parameters<'_>) -> Result<Wanted, Error> {
    let keeps_last = parameters.has("collapseToLast");
    let collapse =
        ["collapseToLast", "collapseToFirst", "collapse"].iter().find_map(|name| parameters.get(name));
    let collapse =
        collapse.map(|text| Ok::<_, Error>(Collapse::by_field(expression(text, server.limits())?)?));
    Ok(Wanted {
        scope: scope(parameters)?,
        sieve: Sieve {
            resolver: None,
            filters: filters(parameters, server.limits(), Filter::outback)?,
            time: time_range(parameters)?,
            omit_self_redirects: parameters.is_on("omitSelfRedirects"),
            collapses: collapse.transpose()?.into_iter().collect(),
        },
        sort: sort(server, parameters)?,
        limit: limit(parameters)?,
        skip: 0,
        resume: None,
        shows_mark: false,
        keeps_last,
        output: output(parameters, columns(parameters, server.limits())?)?,
        shows_access: parameters.is_on("showAccess"),
    })
}

/// `url` or `urlkey`; a request that was no GET has its method and body in its key.
fn scope(parameters: &Parameters<'_>) -> Result<Scope, Error> {
    match (parameters.get("url"), parameters.get("urlkey")) {
        (Some(url), None) => match parameters.get("method").filter(|method| *method != "GET") {
            Some(method) => {
                let key = request_key(url, method, parameters.get("requestBody").unwrap_or_default());
                Scope::of_key(&key, parameters.get("matchType"))
            }
            None => Scope::of_url(parameters),
        },
        (None, Some(key)) => Scope::of_key(key, parameters.get("matchType")),
        _ => Err(Error::bad("a `url` or a `urlkey` is needed, and not both")),
    }
}

/// The key of a request with a method and a body that was made into a query.
pub(super) fn request_key(url: &str, method: &str, body: &str) -> String {
    let mut query = format!("__wb_method={method}");
    if !body.is_empty() {
        query.push('&');
        query.push_str(body);
    }
    urlkey::key(&urlkey::request::append_query(url, &query))
}

fn sort(server: &CdxServer, parameters: &Parameters<'_>) -> Result<Sort, Error> {
    match parameters.get("sort") {
        None | Some("default") => Ok(Sort::Forward),
        Some("reverse") => Ok(Sort::Reverse),
        // pywb asks for the newest with an empty time.
        Some("closest") => Ok(closest(parameters, server)?.map_or(Sort::Forward, Sort::Nearest)),
        Some(other) => Err(Error::bad(format!("`{}` is no sort: reverse or closest", excerpt(other)))),
    }
}

fn output(parameters: &Parameters<'_>, columns: Option<Columns>) -> Result<Output, Error> {
    let all = |columns: Option<Columns>, list: &str| columns.unwrap_or_else(|| Columns::parse(list));
    Ok(match parameters.get("output") {
        None | Some("text" | "cdx" | "cdx11") => Output::Lines(all(columns, FIELDS)),
        Some("cdx14") => Output::Lines(all(columns, FIELDS_14)),
        Some("json") => Output::Values(all(columns, FIELDS)),
        Some("jsondict") => Output::Dictionaries(all(columns, FIELDS)),
        Some("cdxj") => Output::Cdxj(columns.map(members)),
        Some(other) => {
            return Err(Error::bad(format!("`{}` is no output: json, cdxj, cdx14 or none", excerpt(other))));
        }
    })
}
