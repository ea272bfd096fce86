//! Lets a request pass that everybody may make, or whose sender has signed in.

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};

use super::open_routes::{is_feed, is_open};
use crate::{Api, Error, Secret};

/// The parameter of feeds.
const KEY: &str = "key=";

/// The same router for those who have signed in; open routes stay open.
pub fn admitted(router: Router, api: &Api) -> Router {
    router.layer(from_fn_with_state(api.clone(), guard))
}

/// Needs the route that was matched, so it stands behind the router.
pub(crate) async fn guard(State(api): State<Api>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let (method, query) = (request.method(), request.uri().query().unwrap_or_default());
    let may_pass = is_open(method, route)
        || api.is_signed_in(request.headers())
        || is_feed(method, route) && has_key(query, &api.keys().feeds);
    if may_pass { next.run(request).await } else { Error::SignIn.into_response() }
}

impl Api {
    /// Whether a request comes from a program with the token, or from a browser that has signed in.
    #[must_use]
    pub fn is_signed_in(&self, headers: &HeaderMap) -> bool {
        bearer(headers).is_some_and(|token| self.keys().token.matches(token))
            || self.session_ids(headers).any(|id| self.sessions().has(id, self.now()))
    }

    /// Begins the session of a browser that presents the token: the id for its cookie.
    ///
    /// # Errors
    /// When the token is wrong, or the operating system has no random bytes.
    pub fn sign_in(&self, token: &str) -> Result<Secret, Error> {
        if !self.keys().token.matches(token) {
            return Err(Error::SignIn);
        }
        let unreadable = |source| Error::Unreadable { what: "random bytes".to_owned(), source };
        self.sessions().begin(self.now()).map_err(unreadable)
    }

    /// Ends the session that a request belongs to.
    pub fn sign_out(&self, headers: &HeaderMap) {
        self.session_ids(headers).for_each(|id| self.sessions().end(id));
    }

    /// The ids in our cookies; there is one, unless a page of another port has put more there.
    fn session_ids<'h>(&'h self, headers: &'h HeaderMap) -> impl Iterator<Item = &'h str> {
        let fields = headers.get_all(header::COOKIE).iter().filter_map(|field| field.to_str().ok());
        let cookies =
            fields.flat_map(|field| field.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
        cookies.filter(|(name, _)| *name == self.keys().cookie).map(|(_, id)| id)
    }
}

/// The token in `Authorization`, if there is just one such field.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut fields = headers.get_all(header::AUTHORIZATION).iter();
    let (field, None) = (fields.next()?.to_str().ok()?, fields.next()) else { return None };
    let (scheme, token) = field.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn has_key(query: &str, key: &Secret) -> bool {
    query.split('&').filter_map(|parameter| parameter.strip_prefix(KEY)).any(|given| key.matches(given))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_bearer_token_is_read() {
        let of = |fields: &[&str]| {
            let mut headers = HeaderMap::new();
            for field in fields {
                headers.append(header::AUTHORIZATION, field.parse().unwrap());
            }
            bearer(&headers).map(str::to_owned)
        };
        assert_eq!(of(&["Bearer abc"]).as_deref(), Some("abc"));
        assert_eq!(of(&["bearer  abc"]).as_deref(), Some("abc"));
        for wrong in [&["Basic abc"][..], &["abc"], &[""], &[], &["Bearer abc", "Bearer def"]] {
            assert_eq!(of(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn the_key_of_feeds_is_one_of_the_parameters() {
        let key = Secret::random().unwrap();
        let given = key.reveal();
        for good in [format!("key={given}"), format!("a=b&key={given}&c"), format!("key=&key={given}")] {
            assert!(has_key(&good, &key), "{good}");
        }
        for wrong in [String::new(), "key=".to_owned(), format!("xkey={given}"), format!("key={given}0")] {
            assert!(!has_key(&wrong, &key), "{wrong}");
        }
    }
}
