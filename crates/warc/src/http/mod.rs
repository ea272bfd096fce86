//! HTTP messages as servers and crawlers really wrote them: heads, transfer framing, content codings.

mod chunked;
mod coding;
mod head;

pub(crate) use chunked::Dechunker;
pub use chunked::{CHUNK_HEADER_BYTES_MAX, Dechunk, chunk_length};
pub use coding::{Coding, decoder};
pub use head::HttpHead;
