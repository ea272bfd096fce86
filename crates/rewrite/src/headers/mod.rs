//! What the headers of an archived answer become.

mod cookie;
mod link;
mod table;

use crate::Place;
use crate::html::refresh;

use table::Fate;

/// What the old answer's headers are called where they must not act.
const ORIGINAL: &str = "X-Archive-Orig-";

/// The headers of an archived answer as they are sent again: links lead into the archive, cookies stay there, and those
/// that would act on the replay as a whole (security, caching, the connection) are kept under another name.
///
/// `Content-Length`, `Content-Encoding` and `Content-Range` pass: whoever sends the body knows what becomes of them, as
/// does `Content-Type`, of which [`crate::Rewriter::charset`] tells when it must be changed.
#[must_use]
pub fn headers(place: &Place, head: &[(String, String)]) -> Vec<(String, String)> {
    head.iter().filter_map(|(name, value)| header(place, name, value)).collect()
}

fn header(place: &Place, name: &str, value: &str) -> Option<(String, String)> {
    let same = |value: String| Some((name.to_owned(), value));
    match table::fate(name) {
        Fate::Kept => same(value.to_owned()),
        // A header that was kept before under its other name needs no second one.
        Fate::Renamed => Some((format!("{ORIGINAL}{name}"), value.to_owned())),
        Fate::Address => same(place.rewrite(value, place.modifier())),
        Fate::Links => same(link::rewrite(place, value)),
        Fate::Refresh => same(
            refresh::rewrite(value, |link| place.rewritten(link, place.followed(None)))
                .unwrap_or_else(|| value.to_owned()),
        ),
        Fate::Cookie => same(cookie::rewrite(place, value)?),
    }
}

#[cfg(test)]
mod tests;
