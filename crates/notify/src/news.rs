//! News of watched pages, as templates get it.

use serde::Serialize;

/// What one letter tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bulletin {
    /// What people call the archive.
    pub archive: String,
    /// Who watches.
    pub owner: String,
    /// What there is to tell, in the order in which it is told.
    pub news: Vec<News>,
}

/// What happened to a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct News {
    /// A name of its own.
    pub id: String,
    /// The watch that noticed it.
    pub watch: String,
    /// What happened.
    pub kind: NewsKind,
    /// The page.
    pub url: String,
    /// What people call the page; may be empty.
    pub title: String,
    /// When it was noticed: `2026-11-18T03:00:00Z`.
    pub time: String,
    /// The version before: its time, or its number; may be empty.
    pub before: String,
    /// The version after.
    pub after: String,
    /// How much changed, in a few words: `3 words`.
    pub summary: String,
    /// What changed: lines that begin with `-`, `+` or a space.
    pub text: String,
    /// The same as a piece of HTML with `<del>` and `<ins>`. It is trusted: whoever makes it has escaped what came from outside.
    pub html: String,
    /// Where there is more of it.
    pub links: Links,
}

/// What happened to a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NewsKind {
    /// It changed.
    #[default]
    Changed,
    /// It is not there any more.
    Gone,
    /// It is there again.
    Back,
}

/// Pages of the archive; empty where there is none. Others than `https://` and `http://` are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Links {
    /// Where the page itself is, or its history.
    pub page: String,
    /// The difference.
    pub difference: String,
    /// The version before.
    pub before: String,
    /// The version after.
    pub after: String,
}
