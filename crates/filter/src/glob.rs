//! Patterns with `*` for any run of characters, such as `image/*` and `*+xml`. In lower case.

/// A pattern, cut at its stars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glob {
    text: String,
}

impl Glob {
    pub(crate) fn new(text: &str) -> Glob {
        Glob { text: text.trim().to_ascii_lowercase() }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the whole text fits. The first fitting place is as good as any for what stands between two stars, so this
    /// never goes back.
    pub(crate) fn fits(&self, text: &str) -> bool {
        let Some((front, rest)) = self.text.split_once('*') else { return self.text == text };
        let Some(text) = text.strip_prefix(front) else { return false };
        let (middle, back) = rest.rsplit_once('*').unwrap_or(("", rest));
        let Some(mut text) = text.strip_suffix(back) else { return false };
        for part in middle.split('*') {
            match text.find(part) {
                Some(at) => text = text.get(at + part.len()..).unwrap_or_default(),
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, text: &str, expect: bool) {
        assert_eq!(Glob::new(pattern).fits(text), expect, "{pattern} {text}");
    }

    #[test]
    fn a_star_stands_for_anything() {
        check("image/*", "image/png", true);
        check("image/*", "text/html", false);
        check("*", "text/html", true);
        check("*/*", "text/html", true);
        check("*+xml", "image/svg+xml", true);
        check("application/vnd.*.text*", "application/vnd.oasis.opendocument.text-template", true);
        check("a*b*c", "abc", true);
        check("a*a", "a", false);
        check("text/html", "TEXT/HTML", false);
        check("TEXT/html", "text/html", true);
        check("a*b*b", "ab", false);
        check("**", "", true);
    }
}
