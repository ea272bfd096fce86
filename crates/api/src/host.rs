//! Answers only those who call the server by a name of its own.
//!
//! A page elsewhere can have its own name lead to this machine (DNS rebinding), and a browser then takes what is served here for part of
//! that page. It still says in `Host` which name it has called.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};

use crate::error::Error;
use crate::request_head;

/// The names of this machine for itself.
const OWN: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The same router for those who call it by a name of this machine for itself, or by one of these. Requests whose head allows two
/// readings are refused.
pub fn guarded(router: Router, names: &[String]) -> Router {
    let names: Arc<[String]> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    router.layer(from_fn_with_state(names, guard))
}

async fn guard(State(names): State<Arc<[String]>>, request: Request, next: Next) -> Response {
    if let Err(error) = request_head::check(request.uri(), request.headers()) {
        return error.into_response();
    }
    let called = request.uri().host().map(str::to_owned).or_else(|| host(request.headers()));
    match called {
        Some(called) if is_own(&called, &names) => next.run(request).await,
        _ => Error::Forbidden("this server is not known by that name".to_owned()).into_response(),
    }
}

fn is_own(called: &str, names: &[String]) -> bool {
    let called = called.to_ascii_lowercase();
    OWN.contains(&called.as_str()) || names.contains(&called)
}

/// The name in `Host`, without its port.
fn host(headers: &HeaderMap) -> Option<String> {
    let mut given = headers.get_all(header::HOST).iter();
    let (host, None) = (given.next()?.to_str().ok()?, given.next()) else { return None };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) && !name.is_empty() => name,
        _ => host,
    };
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(given: &str, expected: bool) {
        let headers = HeaderMap::from_iter([(header::HOST, given.parse().unwrap())]);
        let names = ["archive.example".to_owned()];
        assert_eq!(host(&headers).is_some_and(|host| is_own(&host, &names)), expected, "{given}");
    }

    #[test]
    fn only_own_names_are_answered() {
        check("127.0.0.1:8470", true);
        check("LOCALHOST", true);
        check("[::1]:8470", true);
        check("archive.example:80", true);
        check("evil.example:8470", false);
        check("127.0.0.1.evil.example", false);
        check("", false);
    }

    #[test]
    fn two_names_are_none() {
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, "localhost".parse().unwrap());
        headers.append(header::HOST, "evil.example".parse().unwrap());
        assert_eq!(host(&headers), None);
    }
}
