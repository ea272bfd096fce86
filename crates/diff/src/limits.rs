//! How much work one comparison may be. The web is hostile input, and a leaf asks no clock: work is counted instead.

/// Bounds on whatever is compared. What exceeds one is answered more coarsely, or refused, and the answer says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a text; a longer one is only told to be the same or not.
    pub text_bytes_max: usize,
    /// Tokens of both texts together that are compared in full. With more they are cut at what is found once in
    /// each text, and compared piece by piece until twice as much work is done as this many tokens are at worst, about a second.
    pub tokens_max: usize,
    /// Tokens that are looked at when changed lines are compared word by word.
    pub refined_tokens_max: usize,
    /// Bytes of a page of HTML or XML; the rest is not read.
    pub page_bytes_max: usize,
    /// Elements and texts of a page; the rest is not read.
    pub nodes_max: usize,
    /// Elements within each other; deeper ones become siblings.
    pub depth_max: usize,
    /// Bytes of a JSON document.
    pub json_bytes_max: usize,
    /// Changes that a comparison of pages or JSON lists; that there are more is told.
    pub changes_max: usize,
    /// Bytes that a patch starts from or ends at.
    pub patched_bytes_max: usize,
    /// Bytes of a rule as it is written.
    pub rule_bytes_max: usize,
    /// Rules of a set.
    pub rules_max: usize,
    /// Bytes that a compiled pattern may take.
    pub regex_bytes_max: usize,
    /// Steps of one pattern on one document; a step is a byte looked at, or a byte of memory that the pattern fills anew.
    pub regex_steps_max: u64,
    /// Steps of one XPath expression; a step is about one node looked at.
    pub xpath_steps_max: u64,
    /// Blocks, links and the like whose habits are kept in mind by what learns noise.
    pub habits_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            text_bytes_max: 64 << 20,
            tokens_max: 40_000,
            refined_tokens_max: 200_000,
            page_bytes_max: 16 << 20,
            nodes_max: 400_000,
            depth_max: 256,
            json_bytes_max: 16 << 20,
            changes_max: 10_000,
            patched_bytes_max: 256 << 20,
            rule_bytes_max: 4096,
            rules_max: 256,
            regex_bytes_max: 2 << 20,
            regex_steps_max: 1_000_000_000,
            xpath_steps_max: 10_000_000,
            habits_max: 4096,
        }
    }
}
