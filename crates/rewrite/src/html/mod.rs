//! HTML: every address, script and style of a page, as it comes.
//!
//! | question | file |
//! |---|---|
//! | Which attribute holds what? | `table.rs` |
//! | What becomes of it? | `attribute.rs`, `srcset.rs`, `relation.rs` |
//! | What do `meta` elements do? | `meta.rs`, `refresh.rs` |
//! | How does a page run through the parser? | `stream.rs` |
//! | What happens at a start tag, and to the text of scripts and styles? | `page.rs`, `inside.rs` |
//! | What if too many elements are open? | `open.rs` |
//! | How does a page begin? | `start.rs` |
//! | Where do import maps lead? | `import_map.rs` |

pub(crate) mod attribute;
mod import_map;
mod inside;
pub(crate) mod meta;
mod open;
mod page;
pub(crate) mod refresh;
pub(crate) mod relation;
mod srcset;
mod start;
mod stream;
pub(crate) mod table;

use crate::{Limits, Place};

pub(crate) use stream::Stream;

/// What is put into pages, and how far into documents inside of documents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inserted {
    pub(crate) head: String,
    pub(crate) foot: String,
    pub(crate) limits: Limits,
}

impl Inserted {
    /// What is put into a document inside of this one: nothing at its end, and it may hold fewer others.
    fn inside(&self, head: String) -> Option<Inserted> {
        let nesting_max = self.limits.nesting_max.checked_sub(1)?;
        let limits = Limits { nesting_max, ..self.limits.clone() };
        Some(Inserted { head, foot: String::new(), limits })
    }
}

/// A whole document inside of an attribute; nothing if it stays. One that is beyond a limit is left empty, because its scripts
/// would run without what is put into the head.
fn document(html: &str, inserted: &Inserted, place: &Place) -> Option<String> {
    let inserted = inserted.inside(inserted.head.clone()).filter(|inserted| place.spend(inserted.head.len()));
    let Some(inserted) = inserted else { return Some(String::new()) };
    let mut stream = Stream::decoded(place.clone(), inserted);
    let mut out = Vec::with_capacity(html.len() + 256);
    stream.feed(html.as_bytes(), &mut out);
    stream.finish(&mut out);
    String::from_utf8(out).ok().filter(|out| out != html)
}
