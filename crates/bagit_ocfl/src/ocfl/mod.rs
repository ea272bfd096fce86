//! OCFL objects, versions 1.0 and 1.1 of the Oxford Common File Layout: versions of files in folders, with an inventory of them all.
//!
//! ```text
//! 0=ocfl_object_1.1        what this is
//! inventory.json           every version: which logical path is which digest, and where its content lies
//! inventory.json.sha512    the digest of the inventory
//! v1/inventory.json        the inventory as it was then, with its digest
//! v1/content/…             the files that came with this version
//! ```

mod check;
mod inventory;
mod json;
mod manifest;
mod versions;
mod write;

pub use check::check;
pub use write::{About, Writer};

const INVENTORY: &str = "inventory.json";
/// The folder of content, where the inventory does not name another.
const CONTENT: &str = "content";

/// A version of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Spec {
    V1_0,
    V1_1,
}

impl Spec {
    const ALL: [Spec; 2] = [Spec::V1_0, Spec::V1_1];

    fn number(self) -> &'static str {
        match self {
            Spec::V1_0 => "1.0",
            Spec::V1_1 => "1.1",
        }
    }

    /// What the file that declares it holds; its name has `0=` before.
    fn declaration(self) -> String {
        format!("ocfl_object_{}", self.number())
    }

    /// What an inventory has as its type.
    fn inventory_type(self) -> String {
        format!("https://ocfl.io/{}/spec/#inventory", self.number())
    }
}

/// Whether a text has a scheme and something behind it.
fn is_uri(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, rest)| {
        !rest.is_empty()
            && scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}
