//! ZipNum: a sorted file of lines, cut into blocks that are packed one by one, with an index of what each begins with.
//!
//! ```text
//! index      org,iana)/ 20140127171238 TAB part TAB offset TAB length TAB number     one line per block
//! data       gzip member, N lines │ gzip member, N lines │ …                          one or more parts
//! locations  part TAB path TAB path …                                                 where a part lies
//! ```
//!
//! Finding a line costs a search by halving through the index and the unpacking of one block.

mod entry;
mod lookup;
mod writer;

pub use entry::{Entry, Locations};
pub use lookup::{Blocks, Found, ZipNum, read_block};
pub use writer::{Settings, Writer};
