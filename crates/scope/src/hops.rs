//! The path of hops that led to a URL, `LLE`, and what it says about distance.
//!
//! The letters are those of Heritrix's crawl log: `L` a link that a person would click, `E` an embed, `R` a redirect, `X` a
//! guess, `M` a manifest, `P` a prerequisite such as robots.txt. An unknown letter counts as a link.

/// What a path of hops amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trail {
    /// Links followed since the seed: `L`, `X` and `M`. Embeds are part of their page, and a redirect is the same step gone on.
    pub distance: u32,
    /// Embeds since the last link, and what their manifests list: a playlist's pieces are as needed as the playlist.
    pub embeds: u32,
    /// Guesses since the last link.
    pub guesses: u32,
    /// Redirects in a row at the end.
    pub redirects: u32,
    /// Whether the last step, redirects aside, was a guess.
    pub ends_in_guess: bool,
    /// Whether the last hop is a prerequisite.
    pub is_prerequisite: bool,
}

impl Trail {
    /// Reads a path of hops. The empty one is a seed's.
    #[must_use]
    pub fn new(hops: &str) -> Trail {
        let mut trail = Trail::default();
        for hop in hops.bytes() {
            trail.step(hop);
        }
        trail
    }

    fn step(&mut self, hop: u8) {
        self.is_prerequisite = hop == b'P';
        match hop {
            b'R' => self.redirects = self.redirects.saturating_add(1),
            b'P' => self.redirects = 0,
            _ => {
                self.redirects = 0;
                self.ends_in_guess = hop == b'X';
                match hop {
                    b'E' => self.embeds = self.embeds.saturating_add(1),
                    b'M' if self.embeds > 0 => self.embeds = self.embeds.saturating_add(1),
                    b'X' => {
                        self.guesses = self.guesses.saturating_add(1);
                        self.distance = self.distance.saturating_add(1);
                    }
                    _ => {
                        (self.embeds, self.guesses) = (0, 0);
                        self.distance = self.distance.saturating_add(1);
                    }
                }
            }
        }
    }
}

/// How many links lie between a seed and a URL, for depth and for the width of the link store.
///
/// ```
/// assert_eq!(scope::distance("LRLE"), 2);
/// ```
#[must_use]
pub fn distance(hops: &str) -> u32 {
    Trail::new(hops).distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(hops: &str, distance: u32, embeds: u32, guesses: u32, redirects: u32) {
        let trail = Trail::new(hops);
        let found = (trail.distance, trail.embeds, trail.guesses, trail.redirects);
        assert_eq!(found, (distance, embeds, guesses, redirects), "{hops}");
    }

    #[test]
    fn embeds_and_redirects_are_no_steps_away() {
        check("", 0, 0, 0, 0);
        check("LLE", 2, 1, 0, 0);
        check("LREE", 1, 2, 0, 0);
        check("RR", 0, 0, 0, 2);
        check("LEL", 2, 0, 0, 0);
    }

    #[test]
    fn a_manifest_in_an_embed_is_an_embed() {
        check("LEMM", 1, 3, 0, 0);
        check("MM", 2, 0, 0, 0);
    }

    #[test]
    fn guesses_are_steps_that_end_with_the_next_link() {
        check("LX", 2, 0, 1, 0);
        check("EXX", 2, 1, 2, 0);
        check("XL", 2, 0, 0, 0);
    }
}
