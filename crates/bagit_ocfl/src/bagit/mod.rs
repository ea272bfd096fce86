//! BagIt, RFC 8493: files in a folder `data`, and text files beside it that list their digests.
//!
//! ```text
//! bagit.txt                 version and encoding of the text files
//! bag-info.txt              who, when, how much: labels and values
//! manifest-sha256.txt       digest and path of every file in data/
//! tagmanifest-sha256.txt    the same for the files beside data/
//! fetch.txt                 files that are still elsewhere, if any
//! data/…                    the payload, as it was given
//! ```

mod check;
mod declaration;
mod fetch;
mod info;
mod lines;
mod manifest;
mod payload;
mod tags;
mod write;

pub use check::check;
pub use write::Writer;

/// Where the payload lies.
const PAYLOAD: &str = "data/";

/// A version of BagIt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32, u32);

impl Version {
    /// What is written, and what a bag that does not tell is judged by.
    const LATEST: Version = Version(1, 0);

    /// The drafts whose bags are about, and RFC 8493.
    fn is_known(self) -> bool {
        self == Version::LATEST || Version(0, 93) <= self && self <= Version(0, 97)
    }

    /// Version 1.0 forbids much that the drafts before it let pass.
    fn is_strict(self) -> bool {
        self >= Version::LATEST
    }
}
