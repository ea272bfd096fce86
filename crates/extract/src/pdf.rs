//! The links and the title of a PDF.
//!
//! Nothing is rendered and no table of objects is trusted: the file is read from its start to its end once, objects as they
//! come, so that broken and half-written files give what they have. Compressed streams of objects are unfolded up to a limit.
//! What is encrypted is only said to be.

mod inflate;
mod object;
mod text;
mod token;

use crate::{Hop, Limits, Link, Links, Rule, script};

use object::Objects;

/// What a PDF says besides its links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// From its information dictionary or its XMP metadata.
    pub title: Option<String>,
    /// It is encrypted, so nothing in it was read.
    pub encrypted: bool,
}

/// Adds the links of a PDF: its actions that open an address or another file, and the addresses in its scripts.
pub fn links(pdf: &[u8], limits: &Limits, links: &mut Links) -> Said {
    let mut objects = Objects::new(limits);
    objects.read_file(pdf);
    let found = objects.into_found();
    if found.encrypted {
        return Said { title: None, encrypted: true };
    }
    for (reference, attribute) in found.addresses {
        let reference = based(reference, found.base.as_deref());
        links.add(Link::new(reference, Hop::Navigation, Rule::new("pdf", attribute)));
    }
    for source in found.scripts {
        script::links(&source, links);
        if links.is_enough() {
            break;
        }
    }
    // The objects have a watch of their own, which may have ended their reading.
    links.is_time_up();
    Said { title: found.title.or(found.metadata_title), encrypted: false }
}

/// A document may name the address that its own are relative to.
fn based(reference: String, base: Option<&str>) -> String {
    let Some(base) = base else { return reference };
    urlkey::parse_whatwg(&reference, Some(base)).map_or(reference, String::from)
}
