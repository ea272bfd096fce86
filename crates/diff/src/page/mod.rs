//! Pages of HTML, and XML: read into a tree, shown as a reader sees them, and compared block by block.
//!
//! | question | file |
//! |---|---|
//! | What does a tree look like? | `tree.rs` |
//! | How does it come about? | `build.rs`, and `elements.rs` for what is known of elements |
//! | What does a reader see? | `blocks.rs`, `region.rs` |
//! | What changed? | `compare.rs`, `attributes.rs`, `pairs.rs` |
//! | Which addresses are the same? | `address.rs` |

mod address;
mod attributes;
mod blocks;
mod build;
mod compare;
mod elements;
mod pairs;
mod region;
mod source;
mod tree;

pub use attributes::AttributeChange;
pub(crate) use blocks::text_of;
pub use blocks::{Block, Role};
pub(crate) use compare::compare_blocks;
pub use compare::{Change, Changes, compare};
pub use region::Region;
pub(crate) use tree::Data;
pub use tree::{NodeId, Page};
