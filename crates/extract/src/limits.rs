//! How much of a hostile document we are willing to look at.

use crate::Stop;

/// Bounds of one extraction. Whatever passes one is cut there, never refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a document that is not HTML and has to be held whole.
    pub document_bytes_max: usize,
    /// Links of one document. In a page, those that are only guesses take at most half of them, so that a script at its top
    /// leaves room for what is surely a link.
    pub links_max: usize,
    /// Bytes of one reference; longer ones are data, not addresses.
    pub reference_bytes_max: usize,
    /// Bytes of one tag with all its attributes; what is beyond is passed over.
    pub tag_bytes_max: usize,
    /// Attributes of one element that are looked at.
    pub attributes_max: usize,
    /// Open elements that are remembered; deeper ones are read as if they stood at this depth.
    pub depth_max: usize,
    /// Bytes of the visible text, and of the main text, that are kept.
    pub text_bytes_max: usize,
    /// Bytes of one title, heading, description or anchor text that are kept.
    pub phrase_bytes_max: usize,
    /// Headings of one document.
    pub headings_max: usize,
    /// `meta` elements of one document that are kept, and dates, and directives for robots.
    pub metas_max: usize,
    /// Bytes of one inline script or style, or of one string in it, that are searched for links.
    pub script_bytes_max: usize,
    /// Bytes that compressed parts of a document (a PDF's streams, a gzipped sitemap) may unfold to.
    pub unfolded_bytes_max: u64,
    /// Who is asked whether there is still time; nobody means that there always is.
    pub stop: Option<Stop>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            document_bytes_max: 32 << 20,
            links_max: 6_000,
            reference_bytes_max: 8 << 10,
            tag_bytes_max: 1 << 20,
            attributes_max: 256,
            depth_max: 512,
            text_bytes_max: 16 << 20,
            phrase_bytes_max: 4 << 10,
            headings_max: 1_000,
            metas_max: 1_000,
            script_bytes_max: 4 << 20,
            unfolded_bytes_max: 64 << 20,
            stop: None,
        }
    }
}
