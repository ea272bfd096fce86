//! What a `link` is fetched as, by its relation.

use crate::{Modifier, Place};

/// The modifier of a link with these values of `rel` and `as`.
pub(crate) fn modifier(rel: &str, destination: &str, place: &Place) -> Modifier {
    let has = |known: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(known));
    if has("stylesheet") {
        Modifier::Style
    } else if has("modulepreload") {
        Modifier::Script
    } else if has("preload") || has("prefetch") || has("prerender") {
        by_destination(destination)
    } else if has("icon")
        || has("apple-touch-icon")
        || has("apple-touch-icon-precomposed")
        || has("mask-icon")
    {
        Modifier::Image
    } else if has("import") {
        Modifier::Frame
    } else if has("serviceworker") {
        Modifier::Worker
    } else if has("manifest") || rel.is_empty() {
        Modifier::Object
    } else {
        place.followed(None)
    }
}

/// <https://fetch.spec.whatwg.org/#concept-potential-destination>
fn by_destination(destination: &str) -> Modifier {
    match destination.trim().to_ascii_lowercase().as_str() {
        "script" | "worker" | "sharedworker" => Modifier::Script,
        "serviceworker" => Modifier::Worker,
        "style" => Modifier::Style,
        "image" => Modifier::Image,
        "document" | "iframe" | "frame" => Modifier::Frame,
        _ => Modifier::Object,
    }
}
