//! Tells a revisit where its payload lies: with the first capture, earlier in the answer, that has the same digest.

use std::collections::HashMap;

use crate::{Capture, Place};

/// Remembers the captures that revisits may refer to.
#[derive(Debug, Default)]
pub struct Resolver {
    originals: HashMap<String, Original>,
    /// Media type and status stay those of the revisit.
    places_only: bool,
}

#[derive(Debug)]
struct Original {
    mime: Option<String>,
    status: Option<u16>,
    place: Place<'static>,
}

/// Digests remembered; behind that many, originals of further ones must be brought along ([`Resolver::resolve_from`]).
const ORIGINALS_MAX: usize = 100_000;

impl Resolver {
    /// One that tells revisits the place of their payload and leaves media type and status alone, as the Wayback Machine does it.
    #[must_use]
    pub fn of_places() -> Resolver {
        Resolver { originals: HashMap::new(), places_only: true }
    }

    /// Looks at the next capture: remembers it if it has a payload, or fills in media type, status and place of the original if
    /// it is a revisit of one that was seen.
    pub fn resolve(&mut self, capture: &mut Capture<'_>) {
        let Some(digest) = capture.digest.as_deref().map(unlabelled) else { return };
        if !capture.is_revisit() {
            self.remember(digest, Original::of(capture));
        } else if let Some(original) = self.originals.get(digest) {
            original.fill(capture, self.places_only);
        }
    }

    /// Fills in what an original says that was found elsewhere, and remembers it, if there is room.
    pub fn resolve_from(&mut self, capture: &mut Capture<'_>, original: &Capture<'_>) {
        let found = Original::of(original);
        found.fill(capture, self.places_only);
        if let Some(digest) = original.digest.as_deref() {
            self.remember(unlabelled(digest), found);
        }
    }

    fn remember(&mut self, digest: &str, original: Original) {
        if self.originals.len() < ORIGINALS_MAX && !self.originals.contains_key(digest) {
            self.originals.insert(digest.to_owned(), original);
        }
    }
}

impl Original {
    fn fill(&self, capture: &mut Capture<'_>, places_only: bool) {
        if !places_only {
            capture.mime = self.mime.clone().map(Into::into);
            capture.status = self.status;
        }
        capture.original = Some(Box::new(self.place.clone()));
    }

    fn of(capture: &Capture<'_>) -> Original {
        let owned = |text: &str| text.to_owned();
        Original {
            mime: capture.mime.as_deref().map(owned),
            status: capture.status,
            place: Place {
                length: capture.length,
                offset: capture.offset,
                filename: capture.filename.as_deref().map(|name| name.to_owned().into()),
            },
        }
    }
}

/// The digest without its label: files by different writers have it with and without.
fn unlabelled(digest: &str) -> &str {
    digest.strip_prefix("sha1:").unwrap_or(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture(number: usize, mime: &'static str) -> Capture<'static> {
        Capture {
            digest: Some(number.to_string().into()),
            mime: Some(mime.into()),
            offset: Some(number as u64),
            ..Capture::default()
        }
    }

    #[test]
    fn originals_that_are_brought_along_are_used_however_many_there_were() {
        let mut resolver = Resolver::default();
        for number in 0..=ORIGINALS_MAX {
            resolver.resolve(&mut capture(number, "text/html"));
        }
        let mut revisit = capture(ORIGINALS_MAX, REVISIT);
        resolver.resolve(&mut revisit);
        assert_eq!(revisit.original, None);
        resolver.resolve_from(&mut revisit, &capture(ORIGINALS_MAX, "text/html"));
        assert_eq!(revisit.original.and_then(|place| place.offset), Some(ORIGINALS_MAX as u64));
    }

    const REVISIT: &str = "warc/revisit";
}
