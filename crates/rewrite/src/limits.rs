//! Bounds on what a document may make us hold.

/// Limits on a document. Beyond them it passes as it is, which [`crate::Rewriter::is_cut`] tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Memory of the HTML parser, in bytes: half for the longest tag, half for the elements that are open. Behind a longer tag the
    /// rest passes; where more elements are open the parser begins anew.
    pub html_bytes_max: usize,
    /// Bytes of one value that is looked at whole: an address in CSS, a specifier in a script, a line of a playlist, a tag
    /// of XML. What is longer passes as it is.
    pub value_bytes_max: usize,
    /// Brackets of a script that may be open at once.
    pub depth_max: usize,
    /// `srcdoc` inside of `srcdoc`.
    pub nesting_max: usize,
    /// Bytes of an import map, which is looked at whole.
    pub map_bytes_max: usize,
    /// Bytes of a base, and of what a link takes from it. A longer base changes nothing, and a link that would take more stays.
    pub base_bytes_max: usize,
    /// Bytes by which the links of a document may make it longer, beside sixteen for each byte of it. Links beyond stay.
    pub gain_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            html_bytes_max: 32 << 20,
            value_bytes_max: 8 << 10,
            depth_max: 10_000,
            nesting_max: 3,
            map_bytes_max: 256 << 10,
            base_bytes_max: 8 << 10,
            gain_bytes_max: 4 << 20,
        }
    }
}
