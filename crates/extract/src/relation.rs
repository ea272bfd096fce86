//! What a link's relation makes of it, in `link` elements and in `Link` headers alike.
//!
//! One thing differs: a host that is only to be connected to is no link of a page, where such hints stand by the dozen and
//! lead to nothing that could be shown; from a header, where they are rare, it is taken as a guess.

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

/// Relations to a host rather than to a document.
const HOSTS: [&str; 2] = ["dns-prefetch", "preconnect"];

/// Relations to what answers programs: there may be nothing to show.
const SERVICES: [&str; 2] = ["pingback", "webmention"];

/// How one gets to where a relation points.
pub(crate) fn hop(rel: &str) -> Hop {
    let is = |known: &[&str]| has_one_of(rel, known);
    if is(&EMBEDS) {
        Hop::Embed
    } else if is(&["manifest"]) {
        Hop::Manifest
    } else if is(&HOSTS) || is(&SERVICES) {
        Hop::Speculative
    } else {
        Hop::Navigation
    }
}

/// Whether nothing but a host is meant, and no document on it.
pub(crate) fn is_host_alone(rel: &str) -> bool {
    has_one_of(rel, &HOSTS) && hop(rel) == Hop::Speculative
}

fn has_one_of(rel: &str, known: &[&str]) -> bool {
    rel.split_ascii_whitespace().any(|word| known.iter().any(|known| known.eq_ignore_ascii_case(word)))
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

    #[test]
    fn a_host_alone_is_known_by_its_relation() {
        assert!(is_host_alone("Preconnect"));
        assert!(is_host_alone("preconnect dns-prefetch"));
        assert!(!is_host_alone("dns-prefetch prefetch"));
        assert!(!is_host_alone("pingback"));
    }
}
