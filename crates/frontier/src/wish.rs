//! What is wanted, whose turn it is, and how it ended.

use std::fmt;

use jiff::Timestamp;

/// Something to fetch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wish {
    /// The URL in its canonical form. It is the wish's identity: one URL is fetched once.
    pub url: String,
    /// The host as the gate names it, `host` or `host:port`. There is one queue for each.
    pub host: String,
    /// The page that links here.
    pub via: Option<String>,
    /// The way from a seed, a letter for each hop (`LLE`); empty for a seed.
    pub hops: String,
    /// Lower is fetched first.
    pub precedence: u8,
    /// How often it was tried before.
    pub tries: u8,
    /// Whatever the engine wants to remember.
    pub tag: Vec<u8>,
}

impl Wish {
    /// How many links away from a seed it is, as `scope::distance` has it. What a page embeds is as far away as the page,
    /// and so is what a manifest among its embeds lists; a redirect is the same step gone on.
    #[must_use]
    pub fn distance(&self) -> u32 {
        way(&self.hops).0
    }

    /// Whether it counts against the width: a page that a link leads to, redirects or not. Seeds were asked for by name,
    /// wherever they redirect to, and what a page embeds belongs to the page.
    pub(crate) fn has_width(&self) -> bool {
        way(&self.hops).1
    }
}

/// How many links a way of hops has, and whether the last hop, redirects aside, is one of them.
fn way(hops: &str) -> (u32, bool) {
    let (mut links, mut ends_in_link, mut is_embedded) = (0_u32, false, false);
    for hop in hops.bytes() {
        ends_in_link = match hop {
            b'R' => continue,
            b'P' => false,
            b'E' => {
                is_embedded = true;
                false
            }
            b'M' if is_embedded => false,
            _ => {
                // A guess that an embed led to is still on the embed's behalf.
                is_embedded &= hop == b'X';
                links = links.saturating_add(1);
                true
            }
        };
    }
    (links, ends_in_link)
}

/// Names an entry of a queue. It is good until the entry is settled or given back, and within one opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id {
    pub(crate) host: u32,
    pub(crate) precedence: u8,
    pub(crate) sequence: u64,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.host, self.precedence, self.sequence)
    }
}

/// A wish that is to be fetched now. Whoever has it settles it or gives it back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// For [`Settled`].
    pub id: Id,
    /// What to fetch.
    pub wish: Wish,
}

/// How a turn ended, and what was found there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// Which turn.
    pub id: Id,
    /// Whether that was all.
    pub end: End,
    /// The links of the page. They are taken as in [`Frontier::offer`](crate::Frontier::offer).
    pub found: Vec<Wish>,
}

/// Whether a turn was the last of its URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// It never comes again.
    Done,
    /// It comes again, as this wish, and not before this time.
    Again {
        /// The wish as it shall come, with its tries counted.
        wish: Wish,
        /// When it may come at the earliest.
        not_before: Timestamp,
    },
}

/// Hosts by name, and how many entries of each.
pub type Hosts = Vec<(String, u32)>;

/// What became of wishes that were offered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Offered {
    /// Hosts that have new entries, and how many, in the order of their first.
    pub hosts: Hosts,
    /// Wishes that were queued.
    pub new: u64,
    /// Wishes whose URL was queued at some time before.
    pub seen: u64,
    /// Wishes at a distance that has its width already. They are not remembered: found again further away, they may
    /// have better luck.
    pub over_width: u64,
}
