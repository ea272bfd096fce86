//! ZIP as far as WACZ needs it: stored and deflated entries, ZIP64, the central directory as the only truth.
//!
//! Numbers are those of APPNOTE.TXT 6.3.10, sections 4.3 and 4.5. A reader of our own because every rule about hostile packages is a
//! rule about the directory: names, links, two entries of a name, entries over entries, counts and lengths before anything is held.

mod broken;
mod content;
mod directory;
mod entry;
mod fields;
mod window;
mod write;

pub use broken::{Remnant, remnants};
pub use content::Content;
pub use entry::{Entry, Method};
pub use window::{Span, Window};

pub(crate) use content::{open, span};
pub(crate) use directory::read;
pub(crate) use entry::checked_path;
pub(crate) use write::ZipWriter;

/// Begins each local header, central header and end of the directory.
pub(crate) mod signature {
    pub(crate) const LOCAL: u32 = 0x0403_4b50;
    pub(crate) const CENTRAL: u32 = 0x0201_4b50;
    pub(crate) const END: u32 = 0x0605_4b50;
    pub(crate) const END_64: u32 = 0x0606_4b50;
    pub(crate) const LOCATOR_64: u32 = 0x0706_4b50;
}

/// Fixed parts of those.
pub(crate) mod length {
    pub(crate) const LOCAL: u64 = 30;
    pub(crate) const CENTRAL: u64 = 46;
    pub(crate) const END: u64 = 22;
    pub(crate) const END_64: u64 = 56;
    pub(crate) const LOCATOR_64: u64 = 20;
}

/// What stands in 32 bits where the number stands in the ZIP64 field.
pub(crate) const ELSEWHERE: u32 = u32::MAX;
/// Number of the ZIP64 field among the extra ones.
pub(crate) const EXTRA_64: u16 = 1;
