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

/// Relations to a host rather than to a document, or to what answers programs: there may be nothing to show.
const GUESSES: [&str; 4] = ["dns-prefetch", "preconnect", "pingback", "webmention"];

/// How one gets to where a relation points.
pub(crate) fn hop(rel: &str) -> Hop {
    let is = |known: &[&str]| {
        rel.split_ascii_whitespace().any(|word| known.iter().any(|k| k.eq_ignore_ascii_case(word)))
    };
    if is(&EMBEDS) {
        Hop::Embed
    } else if is(&["manifest"]) {
        Hop::Manifest
    } else if is(&GUESSES) {
        Hop::Speculative
    } else {
        Hop::Navigation
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
        assert_eq!(hop("alternate STYLESHEET"), Hop::Embed);
        assert_eq!(hop("manifest"), Hop::Manifest);
        assert_eq!(hop("preconnect"), Hop::Speculative);
        assert_eq!(hop("dns-prefetch prefetch"), Hop::Embed);
        assert_eq!(hop("pingback"), Hop::Speculative);
        assert_eq!(hop("next"), Hop::Navigation);
        assert_eq!(hop(""), Hop::Navigation);
    }
}
