//! HTML: read piece by piece in one pass, without a tree, into what a page links to and what it says.
//!
//! | question | file |
//! |---|---|
//! | What comes out? | `page.rs` |
//! | How is it put together? | `reader.rs`, and `opening.rs` for what a start tag sets off |
//! | What is a tag, a comment, a text? | `token/`, after the standard's tokenizer |
//! | What does `&amp;` stand for? | `reference/` |
//! | Which elements and attributes do we know? | `element.rs`, `attribute.rs` |
//! | Which attributes hold links? | `links/` |
//! | What do `meta` elements say? | `meta.rs`, `refresh.rs` |
//! | How does text run? | `flow.rs`, `open.rs` |
//! | What of it is the page's own text? | `main_text/` |
//!
//! ```
//! use extract::Limits;
//! use extract::html::{Reader, Wanted};
//!
//! let mut reader = Reader::new(Wanted::ALL, &Limits::default());
//! reader.write("<title>Herring &amp; eel</title><p>See <a href='/fi");
//! reader.write("sh'>all fish</a>.");
//! let page = reader.finish();
//!
//! assert_eq!(page.title.as_deref(), Some("Herring & eel"));
//! assert_eq!(page.text, "See all fish.");
//! let link = &page.links.as_slice()[0];
//! assert_eq!((link.reference.as_str(), link.text.as_str()), ("/fish", "all fish"));
//! assert_eq!(link.rule.to_string(), "a@href");
//! ```

mod attribute;
mod element;
mod flow;
mod foreign;
mod links;
mod main_text;
mod meta;
mod names;
mod open;
mod opening;
mod page;
mod reader;
mod reference;
mod refresh;
pub mod token;

pub use page::{LeftOut, Page, Wanted};
pub use reader::Reader;
pub use reference::{decode_attribute, decode_text};
pub use refresh::Refresh;
