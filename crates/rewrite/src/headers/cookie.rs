//! Cookies: each stays under the address of the site that set it, and ends with the visit.

use crate::Place;

/// A cookie as the replay sets it; nothing if it has no name and no value.
///
/// Its path leads into the archive. One that a site set for its whole domain is seen by the whole collection, because its
/// other hosts live there too. When it ends is of another time, so that it ends with the browser.
pub(super) fn rewrite(place: &Place, value: &str) -> Option<String> {
    let mut parts = value.split(';').map(str::trim);
    let pair = parts.next().filter(|pair| !pair.is_empty() && *pair != "=")?;
    let secure = place.prefix().starts_with("https:");
    let (mut path, mut domain, mut rest) = (None, false, String::new());
    for part in parts.filter(|part| !part.is_empty()) {
        let (name, value) =
            part.split_once('=').map_or((part, ""), |(name, value)| (name.trim(), value.trim()));
        match name.to_ascii_lowercase().as_str() {
            "path" => path = Some(value),
            "domain" => domain = !value.is_empty(),
            "expires" | "max-age" => {}
            "secure" | "partitioned" if !secure => {}
            // Browsers refuse these two together.
            "samesite" if !secure && value.eq_ignore_ascii_case("none") => {}
            _ => {
                rest.push_str("; ");
                rest.push_str(part);
            }
        }
    }
    let path = match path {
        _ if domain => Some(place.prefix_path().to_owned()),
        Some(path) if path.starts_with('/') => in_archive(place, path),
        // Browsers take the folder of the document then, which is in the archive.
        _ => None,
    };
    let path = path.map(|path| format!("; Path={path}")).unwrap_or_default();
    Some(format!("{pair}{rest}{path}"))
}

/// A path of the site as one of the replay.
fn in_archive(place: &Place, path: &str) -> Option<String> {
    let link = place.rewritten(path, place.modifier())?;
    let from = place.prefix().len().checked_sub(place.prefix_path().len())?;
    link.get(from..).map(str::to_owned)
}
