//! `meta` elements that act.

use crate::Place;

use super::attribute::escape;
use super::refresh;

/// The attribute of a `meta` element that changes, and its value with escapes, by the values of others without them.
pub(crate) fn change(
    place: &Place,
    equivalent: &str,
    name: &str,
    content: &str,
) -> Option<(&'static str, String)> {
    let equivalent = equivalent.trim();
    let is = |known: &str| equivalent.eq_ignore_ascii_case(known);
    if is("refresh") {
        let link = refresh::rewrite(content, |link| place.rewritten(link, place.followed(None)))?;
        return Some(("content", escape(&link).into_owned()));
    }
    let acts = ["content-security-policy", "content-security-policy-report-only", "x-frame-options"];
    if acts.iter().any(|known| is(known)) || is("x-content-security-policy") || is("origin-trial") {
        return Some(("http-equiv", format!("X-Archive-Orig-{equivalent}")));
    }
    // Where a request comes from tells the archive which page it belongs to.
    let tells = content.trim().eq_ignore_ascii_case("no-referrer-when-downgrade") || content.is_empty();
    if name.trim().eq_ignore_ascii_case("referrer") && !tells {
        return Some(("content", "no-referrer-when-downgrade".to_owned()));
    }
    None
}
