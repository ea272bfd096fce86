//! The routes that everybody on this machine may use. A route that is not listed here needs the token.

use axum::http::Method;

/// Reads of the index by its protocols, archived pages that replay shows anyway, and what the sign-in page is made of.
const READ: [&str; 13] = [
    "/cdx",
    "/cdx/{collection}",
    "/outbackcdx/api/collections",
    "/outbackcdx/{collection}",
    "/outbackcdx/{collection}/stats",
    "/outbackcdx/{collection}/captures",
    "/outbackcdx/{collection}/aliases",
    "/outbackcdx/{collection}/ap/{accesspoint}",
    "/outbackcdx/{collection}/ap/{accesspoint}/check",
    "/outbackcdx/{collection}/access/rules",
    "/outbackcdx/{collection}/access/policies",
    "/web/{*address}",
    "/assets/{name}",
];

/// Where a browser presents the token.
const SIGN_IN: &str = "/sign-in";

/// The routes that take the key of feeds.
const FEEDS: [&str; 4] = [
    "/api/v1/watches/{id}/feed.rss",
    "/api/v1/watches/{id}/feed.atom",
    "/api/v1/people/{name}/feed.rss",
    "/api/v1/people/{name}/feed.atom",
];

/// Whether everybody may make such a request. The route is the pattern that the router has matched.
pub(crate) fn is_open(method: &Method, route: Option<&str>) -> bool {
    let Some(route) = route else { return false };
    let reads = [Method::GET, Method::HEAD].contains(method);
    reads && READ.contains(&route) || (reads || *method == Method::POST) && route == SIGN_IN
}

/// Whether the key of feeds is enough.
pub(crate) fn is_feed(method: &Method, route: Option<&str>) -> bool {
    [Method::GET, Method::HEAD].contains(method) && route.is_some_and(|route| FEEDS.contains(&route))
}
