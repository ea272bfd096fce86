//! Says of one capture after another whether it belongs to the answer.
//!
//! Works on captures as they come, sorted by key and time, and remembers only what it must: so it can stop after any of them and go
//! on later.

use super::{Collapse, Filter, Resolver, TimeRange};
use crate::Capture;

/// What captures must be like, in the order that pywb asks it: resolve revisits → filter → time range → collapse.
#[derive(Debug, Default)]
pub struct Sieve {
    /// Gives revisits the media type, status and place of the first capture with the same digest.
    pub resolver: Option<Resolver>,
    /// Captures are kept that all of these accept.
    pub filters: Vec<Filter>,
    /// Captures are kept that are of this time.
    pub time: TimeRange,
    /// Captures are left out that redirect to their own key.
    pub omit_self_redirects: bool,
    /// Of captures that are alike in all of these ways, the first of a run is kept.
    pub collapses: Vec<Collapse>,
}

impl Sieve {
    /// Whether a capture belongs to the answer. Where it is a revisit, it may have been resolved.
    pub fn accepts(&mut self, capture: &mut Capture<'_>) -> bool {
        if let Some(resolver) = &mut self.resolver {
            resolver.resolve(capture);
        }
        self.wants(capture) && self.is_unlike(capture)
    }

    /// Whether a capture is wanted, collapsing aside.
    #[must_use]
    pub fn wants(&self, capture: &Capture<'_>) -> bool {
        self.time.contains(capture)
            && self.filters.iter().all(|filter| filter.accepts(capture))
            && !(self.omit_self_redirects && is_self_redirect(capture))
    }

    /// Whether a capture is unlike the one before. Each way of collapsing sees what those before it have kept.
    pub fn is_unlike(&mut self, capture: &Capture<'_>) -> bool {
        self.collapses.iter_mut().all(|collapse| collapse.accepts(capture))
    }
}

/// Whether a capture only points to another spelling of its own URL, `https` instead of `http` say.
#[must_use]
pub fn is_self_redirect(capture: &Capture<'_>) -> bool {
    let is_redirect = capture.status.is_some_and(|status| (300..400).contains(&status));
    is_redirect
        && capture.redirect.as_deref().is_some_and(|target| {
            // What a server says may be relative to where it was said.
            let base = capture.url.as_deref();
            let target = match urlkey::parse_whatwg(target, base) {
                Ok(url) => urlkey::key(url.as_str()),
                Err(_) => urlkey::key(target),
            };
            capture.key.as_deref() == Some(target.as_str())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    #[track_caller]
    fn check_redirect(status: u16, redirect: &str, expect: bool) {
        let capture = Capture {
            key: Some("com,example)/a".into()),
            url: Some("http://example.com/a".into()),
            status: Some(status),
            redirect: Some(redirect.into()),
            ..Capture::default()
        };
        assert_eq!(is_self_redirect(&capture), expect, "{status} {redirect}");
    }

    #[test]
    fn a_redirect_to_another_spelling_is_one_to_itself() {
        check_redirect(301, "https://www.example.com/a", true);
        check_redirect(302, "/A", true);
        check_redirect(301, "https://example.com/b", false);
        check_redirect(200, "https://example.com/a", false);
    }

    #[test]
    fn captures_are_collapsed_in_one_way_after_another() {
        let capture = |time, digest: &'static str| Capture {
            timestamp: Timestamp::from_number(time),
            digest: Some(digest.into()),
            ..Capture::default()
        };
        let collapses = ["timestamp:8", "digest"].map(|text| Collapse::by_field(text).unwrap()).into();
        let mut sieve = Sieve { collapses, ..Sieve::default() };
        let kept = [
            (20_190_101_000_000, "A", true),
            (20_190_101_000_001, "B", false),
            (20_190_102_000_000, "A", false),
            (20_190_103_000_000, "C", true),
        ];
        for (time, digest, expect) in kept {
            assert_eq!(sieve.accepts(&mut capture(time, digest)), expect, "{time}");
        }
    }
}
