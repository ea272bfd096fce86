//! Requests that differ from visit to visit: scripts put the time, or the name of a function that they have just made up, into the
//! URLs they ask for. What was captured was asked for with another.

use urlkey::KeyRange;

use crate::error::Error;
use crate::versions::seconds;
use crate::visit::Visit;

/// Parameters that mean nothing to what is answered, beside the name of a function in it.
const PASSING: [&str; 6] = ["_", "callback", "jsonp", "jsoncallback", "jsonpcallback", "cb"];

/// The key of the capture nearest to a time whose URL differs from this one by such parameters alone.
pub(crate) fn key(visit: &Visit, url: &str, at: cdx::Timestamp) -> Result<Option<String>, Error> {
    let Some(wanted) = lasting(url) else { return Ok(None) };
    let wanted = urlkey::key(&wanted);
    let path = urlkey::key(url.split('?').next().unwrap_or_default());
    // All queries of the path, and the path without one: `@` stands behind `?`.
    let rows = visit.snapshot.range(&KeyRange { start: format!("{path}?"), end: format!("{path}@") });
    let bare = visit.snapshot.versions(&path).take(1);
    let mut nearest: Option<(u64, String)> = None;
    for row in bare.chain(rows).take(visit.replay.limits().alike) {
        let row = row?;
        let captured = row.url.as_deref().unwrap_or_default();
        let is_alike = urlkey::key(&lasting(captured).unwrap_or_else(|| captured.to_owned())) == wanted;
        let distance = seconds(&row).abs_diff(at.seconds());
        if is_alike && nearest.as_ref().is_none_or(|(known, _)| distance < *known) {
            nearest = row.key.map(|key| (distance, key.into_owned()));
        }
    }
    Ok(nearest.map(|(_, key)| key))
}

/// A URL without such parameters; nothing if it has none.
fn lasting(url: &str) -> Option<String> {
    let (path, query) = url.split_once('?')?;
    let is_passing = |parameter: &&str| {
        let name = parameter.split('=').next().unwrap_or_default();
        PASSING.iter().any(|known| name.eq_ignore_ascii_case(known))
    };
    let kept: Vec<&str> = query.split('&').filter(|parameter| !is_passing(parameter)).collect();
    (kept.len() < query.split('&').count()).then(|| match kept.as_slice() {
        [] => path.to_owned(),
        kept => format!("{path}?{}", kept.join("&")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_told_from_what_lasts() {
        let check = |url, expected: Option<&str>| assert_eq!(lasting(url).as_deref(), expected, "{url}");
        check("http://e.org/a?_=1", Some("http://e.org/a"));
        check("http://e.org/a?b=_&Callback=c&d=e", Some("http://e.org/a?b=_&d=e"));
        check("http://e.org/a?b=callback&__=1", None);
        check("http://e.org/_=1", None);
    }
}
