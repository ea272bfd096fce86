//! OPML 2.0, the lists of feed readers: outlines within outlines, which are the folders.

mod read;
mod write;

pub use read::read;
pub use write::write;
