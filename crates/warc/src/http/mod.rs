//! HTTP messages as servers and crawlers really wrote them: heads, transfer framing, content codings.

mod chunked;
mod coding;
mod head;

pub use chunked::Dechunk;
pub(crate) use chunked::Dechunker;
pub use coding::{Coding, decoder};
pub use head::HttpHead;
