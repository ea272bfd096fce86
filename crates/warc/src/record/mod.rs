//! Records: their headers, their types, and how both formats write them.

pub(crate) mod arc;
mod head;
mod kind;
mod name;
pub(crate) mod parse;

pub use head::Head;
pub use kind::{Profile, RecordType, Truncated, Version};
pub use name::Name;
