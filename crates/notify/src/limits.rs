//! Bounds on everything that is taken in, sent and waited for.

use std::time::Duration;

/// The most that one conversation with a server may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From looking its name up to the last word.
    pub time: Duration,
    /// How long the lookup of its name may take.
    pub lookup: Duration,
    /// How long one address may take to answer at all.
    pub connect: Duration,
    /// All that a server may say.
    pub answer_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: Duration::from_secs(30),
            lookup: Duration::from_secs(10),
            connect: Duration::from_secs(10),
            answer_bytes: 64 << 10,
        }
    }
}

/// The longest subject of a notice, in characters.
pub(crate) const SUBJECT_MAX: usize = 200;
/// The longest line of a notice, in characters.
pub(crate) const LINE_MAX: usize = 500;
/// The most lines of a notice.
pub(crate) const LINES_MAX: usize = 50;
/// The most pairs that a notice may have.
pub(crate) const ABOUT_MAX: usize = 20;
/// The most notices of a kind that are told in full; of the others it is told how many there were.
pub(crate) const NOTICES_MAX: usize = 20;
/// The most bytes of a message's text: what comes behind is cut off.
pub(crate) const TEXT_MAX: usize = 256 << 10;
/// The longest subject of a letter, in characters: that of a notice, and how many more there are.
pub(crate) const LETTER_SUBJECT_MAX: usize = 500;
/// The most bytes of a letter's HTML. It cannot be cut off like text: a letter with more goes as text alone.
pub(crate) const HTML_MAX: usize = 1 << 20;
/// The longest subject of an event, in characters: most URLs are shorter.
pub(crate) const EVENT_SUBJECT_MAX: usize = 2000;
/// The longest address of a receiver, in bytes.
pub(crate) const TO_BYTES_MAX: usize = 4000;
/// The most bytes of an event that somebody else has put together.
pub(crate) const EVENT_BYTES_MAX: usize = 1 << 20;
/// The longest id that is used as it is; of a longer one its digest.
pub(crate) const ID_MAX: usize = 100;
/// The most bytes of an item's summary in a feed; what comes behind is cut off.
pub(crate) const SUMMARY_MAX: usize = 16 << 10;
/// The most bytes of an item's HTML in a feed; what is longer is left out.
pub(crate) const ITEM_HTML_MAX: usize = 128 << 10;
/// The most bytes of a template.
pub(crate) const TEMPLATE_BYTES_MAX: usize = 64 << 10;
/// The most steps of a template for one letter: several times what the built-in ones take for as much news as there may be.
pub(crate) const FUEL_MAX: u64 = 2_000_000;
/// The most entries of a list that a template gets; a letter tells of so many pieces of news.
pub(crate) const NEWS_MAX: usize = 500;
/// The longest text that a template gets, in bytes, and all of those together: so much fits into a letter.
pub(crate) const NEWS_TEXT_MAX: usize = 32 << 10;
pub(crate) const NEWS_TEXTS_MAX: usize = 160 << 10;
pub(crate) const NEWS_LINES_MAX: usize = 4000;
/// The same of HTML.
pub(crate) const NEWS_HTML_MAX: usize = 128 << 10;
pub(crate) const NEWS_HTMLS_MAX: usize = 512 << 10;
/// The most kinds that one message tells of by themselves; what further ones there are is counted with the last.
pub(crate) const GROUPS_MAX: usize = 20;
/// The most messages that wait for one channel.
pub(crate) const PARCELS_MAX: usize = 200;
/// The most notices that wait to be looked at at all.
pub(crate) const WAITING_MAX: usize = 10_000;
/// How often a message is tried before it is laid aside, and tried once in [`REST_MAX`].
pub(crate) const TRIES_MAX: u32 = 10;
/// How long a channel is left alone after its first failure; after each further one twice as long …
pub(crate) const REST_FIRST: Duration = Duration::from_secs(30);
/// … up to this.
pub(crate) const REST_MAX: Duration = Duration::from_secs(3600);
/// What is older than this is told to nobody any more, unless it is an alarm.
pub(crate) const AGE_MAX: Duration = Duration::from_secs(7 * 24 * 3600);
/// The largest file in the spool that is read.
pub(crate) const SPOOLED_BYTES_MAX: u64 = 4 << 20;
