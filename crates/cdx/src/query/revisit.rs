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

/// Digests remembered; behind that many, revisits of further ones stay unresolved. A query for one page has a few.
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
            if self.originals.len() < ORIGINALS_MAX && !self.originals.contains_key(digest) {
                self.originals.insert(digest.to_owned(), Original::of(capture));
            }
            return;
        }
        let Some(original) = self.originals.get(digest) else { return };
        if !self.places_only {
            capture.mime = original.mime.clone().map(Into::into);
            capture.status = original.status;
        }
        capture.original = Some(Box::new(original.place.clone()));
    }
}

impl Original {
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
