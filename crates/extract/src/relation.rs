//! What a link's relation makes of it, in `link` elements and in `Link` headers alike.

use crate::Hop;

/// Relations to what the document needs.
const EMBEDS: [&str; 17] = [
    "stylesheet",
    "icon",
    "shortcut",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "apple-touch-startup-image",
    "mask-icon",
    "fluid-icon",
    "preload",
    "modulepreload",
    "prefetch",
    "prerender",
    "image_src",
    "import",
    "subresource",
    "video_src",
    "fontdef",
];

/// Relations to a host and not to a document.
const HOSTS: [&str; 2] = ["dns-prefetch", "preconnect"];

/// Relations to what answers programs, and may have nothing to show to anybody else.
const ENDPOINTS: [&str; 2] = ["pingback", "webmention"];

/// How one gets to where a relation points; `None` if it is no document.
pub(crate) fn hop(rel: &str) -> Option<Hop> {
    let is = |known: &[&str]| {
        rel.split_ascii_whitespace().any(|word| known.iter().any(|k| k.eq_ignore_ascii_case(word)))
    };
    if is(&EMBEDS) {
        Some(Hop::Embed)
    } else if is(&["manifest"]) {
        Some(Hop::Manifest)
    } else if is(&HOSTS) {
        None
    } else if is(&ENDPOINTS) {
        Some(Hop::Speculative)
    } else {
        Some(Hop::Navigation)
    }
}

/// Whether this is where a document says that it really lives.
pub(crate) fn is_canonical(rel: &str) -> bool {
    rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_of_several_relations_decides() {
        assert_eq!(hop("alternate STYLESHEET"), Some(Hop::Embed));
        assert_eq!(hop("manifest"), Some(Hop::Manifest));
        assert_eq!(hop("preconnect"), None);
        assert_eq!(hop("dns-prefetch prefetch"), Some(Hop::Embed));
        assert_eq!(hop("pingback"), Some(Hop::Speculative));
        assert_eq!(hop("next"), Some(Hop::Navigation));
        assert_eq!(hop(""), Some(Hop::Navigation));
    }
}
