//! The three states of the site, some weeks apart.

/// One state of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edition {
    /// What [`answer`](crate::answer()) is asked with.
    pub number: u8,
    /// When the paper came out, as RFC 3339 has it.
    pub published: &'static str,
    /// The same as the paper prints it.
    pub day: &'static str,
    /// What is new in it, in a few words.
    pub news: &'static str,
}

/// The editions, oldest first.
pub const EDITIONS: [Edition; 3] = [
    Edition {
        number: 1,
        published: "2026-09-14T06:00:00Z",
        day: "Monday, 14 September 2026",
        news: "the ferry is back",
    },
    Edition {
        number: 2,
        published: "2026-10-12T06:00:00Z",
        day: "Monday, 12 October 2026",
        news: "the lake rises; an article is corrected, a photograph exchanged, and a page breaks down",
    },
    Edition {
        number: 3,
        published: "2026-11-09T06:00:00Z",
        day: "Monday, 9 November 2026",
        news: "the bridge opens; an article is gone, a page has moved, and there is a new section",
    },
];

/// The edition of this number. What is before the first is the first, what is after the last is the last.
pub(crate) fn of(number: u8) -> Edition {
    let [first, second, third] = EDITIONS;
    match number {
        0 | 1 => first,
        2 => second,
        _ => third,
    }
}
