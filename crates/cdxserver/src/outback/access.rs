//! Access points: may a capture be seen there? The rules themselves are kept in a file (`docs/reference/access.md`), and only listed here.

use api::Error;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use cdx::Timestamp;
use policy::Decision;
use serde_json::{Value, json};

use super::super::body::response;
use super::super::server::named;
use super::{answered, gate, parameters};
use crate::CdxServer;
use crate::gate::{Gate, instant};

const JSON: &str = "application/json";
/// Bytes of a list of questions.
const BODY_BYTES: usize = 1 << 20;

/// `GET /outbackcdx/{collection}/ap/{accesspoint}/check?url=&timestamp=`
pub(crate) async fn check(
    State(server): State<CdxServer>,
    Path((collection, accesspoint)): Path<(String, String)>,
    request: Request,
) -> Response {
    let answer = || {
        let (parts, _) = request.into_parts();
        let parameters = parameters(&server, &parts)?;
        named(&server, &collection)?;
        let gate = gate(&server, &parts, &parameters, Some(&accesspoint), false)?;
        let needed =
            |name: &str| parameters.get(name).ok_or_else(|| Error::bad(format!("a `{name}` is needed")));
        let decision = decision(&gate, needed("url")?, needed("timestamp")?)?;
        Ok(response(Body::from(decision.to_string()), JSON, false))
    };
    answered(answer())
}

/// `POST …/check`: a list of `{"url": …, "timestamp": …}`.
pub(crate) async fn check_all(
    State(server): State<CdxServer>,
    Path((collection, accesspoint)): Path<(String, String)>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, BODY_BYTES).await;
    let answer = || {
        let parameters = parameters(&server, &parts)?;
        named(&server, &collection)?;
        let gate = gate(&server, &parts, &parameters, Some(&accesspoint), false)?;
        let body = body.map_err(|_| Error::TooLarge(format!("a list of more than {BODY_BYTES} bytes")))?;
        let malformed = || Error::bad("not a list of objects with `url` and `timestamp`");
        let questions: Vec<Value> = serde_json::from_slice(&body).map_err(|_| malformed())?;
        let mut decisions = Vec::with_capacity(questions.len());
        for question in &questions {
            let text = |name: &str| question.get(name).and_then(Value::as_str).ok_or_else(malformed);
            decisions.push(decision(&gate, text("url")?, text("timestamp")?)?);
        }
        Ok(response(Body::from(json!(decisions).to_string()), JSON, false))
    };
    answered(answer())
}

fn decision(gate: &Gate, url: &str, timestamp: &str) -> Result<Value, Error> {
    let at = instant(Timestamp::earliest(timestamp)?);
    let decision = gate.decide(&urlkey::key(url), Some(at));
    if decision == Decision::Excluded {
        // Nobody is told.
        return Ok(json!({ "allowed": false }));
    }
    let mut answer = json!({ "allowed": decision.is_allowed(), "policy": word(decision) });
    if let (Decision::Embargo { until }, Some(members)) = (decision, answer.as_object_mut()) {
        members.insert("until".to_owned(), json!(until.to_string()));
    }
    Ok(answer)
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::OnSite => "on-site",
        Decision::Staff => "staff",
        Decision::Blocked => "block",
        Decision::Excluded => "exclude",
        Decision::Embargo { .. } => "embargo",
    }
}

/// `GET …/access/policies`: what may be decided.
pub(crate) async fn policies(State(server): State<CdxServer>, Path(collection): Path<String>) -> Response {
    let names = ["allow", "on-site", "staff", "block", "exclude", "embargo"];
    let list: Vec<Value> = (1..).zip(names).map(|(id, name)| json!({ "id": id, "name": name })).collect();
    let answer =
        named(&server, &collection).map(|_| response(Body::from(json!(list).to_string()), JSON, false));
    answered(answer)
}

/// `GET …/access/rules`: the lines of the file, where they may be shown. They name what is hidden, so usually they may not.
pub(crate) async fn rules(State(server): State<CdxServer>, Path(collection): Path<String>) -> Response {
    let answer = || {
        named(&server, &collection)?;
        let rules =
            server.rules().ok_or_else(|| Error::Forbidden("the rules are not shown here".to_owned()))?;
        let list: Vec<Value> =
            (1..).zip(rules.lines()).map(|(id, rule)| json!({ "id": id, "rule": rule })).collect();
        Ok(response(Body::from(json!(list).to_string()), JSON, false))
    };
    answered(answer())
}
