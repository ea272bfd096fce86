//! What there is: collections, how much is in one, its captures and aliases from a key on.

use api::Error;
use api::blocking;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use cdx::query::{Columns, Sieve};
use serde_json::json;

use super::super::body::{respond, response, takes_gzip};
use super::super::output::Output;
use super::super::plan::plan;
use super::super::scope::Scope;
use super::super::server::named;
use super::super::wanted::{Sort, Wanted};
use super::{answered, gate, parameters};
use crate::CdxServer;

const JSON: &str = "application/json";
/// Rows that are listed where it is not said how many.
const ROWS: i64 = 1000;

/// `GET /outbackcdx/api/collections`
pub(crate) async fn collections(State(server): State<CdxServer>) -> Response {
    let names = blocking(move || Ok(server.archive().collections()?)).await;
    answered(names.map(|names| response(Body::from(json!(names).to_string()), JSON, false)))
}

/// `GET /outbackcdx/{collection}/stats`
pub(crate) async fn stats(State(server): State<CdxServer>, Path(collection): Path<String>) -> Response {
    let stats = || {
        let snapshot = named(&server, &collection)?.snapshot()?;
        let text = json!({ "estimatedRecordCount": snapshot.rows() }).to_string();
        Ok(response(Body::from(text), JSON, false))
    };
    answered(stats())
}

/// `GET /outbackcdx/{collection}/captures?key=&limit=`
pub(crate) async fn captures(
    State(server): State<CdxServer>,
    Path(collection): Path<String>,
    request: Request,
) -> Response {
    const FIELDS: &str = "urlkey,timestamp,original,mimetype,statuscode,digest,redirecturl,robotflags,length,offset,filename,originalLength,originalOffset,originalFilename";
    let list = async || {
        let (parts, _) = request.into_parts();
        let parameters = parameters(&server, &parts)?;
        let snapshot = named(&server, &collection)?.snapshot()?;
        let gate = gate(&server, &parts, &parameters, None, false)?;
        let limit = parameters.number::<u32>("limit")?.map_or(ROWS, i64::from);
        let wanted = Wanted {
            scope: Scope::starting(parameters.get("key").unwrap_or_default().to_owned()),
            sieve: Sieve::default(),
            sort: Sort::Forward,
            limit: Some(limit),
            skip: 0,
            resume: None,
            shows_mark: false,
            keeps_last: false,
            output: Output::Dictionaries(Columns::parse(FIELDS)),
            shows_access: false,
        };
        let may_pack = takes_gzip(&parts.headers);
        respond(plan(wanted, &snapshot, gate, None, server.limits())?, server.limits(), may_pack).await
    };
    answered(list().await)
}

/// `GET /outbackcdx/{collection}/aliases?key=&limit=`
pub(crate) async fn aliases(
    State(server): State<CdxServer>,
    Path(collection): Path<String>,
    request: Request,
) -> Response {
    let list = || {
        let (parts, _) = request.into_parts();
        let parameters = parameters(&server, &parts)?;
        let snapshot = named(&server, &collection)?.snapshot()?;
        let gate = gate(&server, &parts, &parameters, None, false)?;
        let key = parameters.get("key").unwrap_or_default();
        let limit = parameters.number::<u32>("limit")?.map_or(ROWS, i64::from);
        let rows = usize::try_from(limit).unwrap_or(usize::MAX).min(server.limits().held_rows);
        let listed = snapshot.aliases().skip_while(|(alias, _)| *alias < key);
        let seen = listed.filter(|(alias, target)| {
            gate.decide(alias, None).is_allowed() && gate.decide(target, None).is_allowed()
        });
        let pairs: Vec<_> =
            seen.take(rows).map(|(alias, target)| json!({ "alias": alias, "target": target })).collect();
        Ok::<_, Error>(response(Body::from(json!(pairs).to_string()), JSON, false))
    };
    answered(list())
}
