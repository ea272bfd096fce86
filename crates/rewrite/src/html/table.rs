//! Which attribute of which element holds what: a table.

use crate::Modifier;

/// What an attribute holds, and so what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// One address.
    Address(Modifier),
    /// The address of a page that is followed.
    Followed,
    /// The address of a `link`, which its relation explains.
    Related,
    /// The address that others are relative to.
    Base,
    /// Pictures of several sizes.
    Set,
    /// Several addresses, with blanks or commas between.
    List(Modifier),
    /// An address only if it looks like one.
    Perhaps,
    /// The style of the element.
    Style,
    /// A script that an event starts.
    Handler,
    /// A whole document.
    Document,
    /// Something that no longer holds or would hinder, so that it is left out.
    Hindrance,
    /// What a frame may do.
    Sandbox,
    /// Something that hinders unless fonts are loaded with it.
    Origin,
}

/// What an attribute holds, if it matters. Names are in lower case.
pub(crate) fn holds(element: &str, attribute: &str) -> Option<Holds> {
    use Holds::{Address, Document, Followed, Handler, Hindrance, List, Origin, Perhaps, Set};
    Some(match attribute {
        "href" | "xlink:href" => return Some(href(element)),
        "src" => Address(source(element)),
        "srcset" | "imagesrcset" => Set,
        "style" => Holds::Style,
        "poster" | "background" | "lowsrc" | "icon" => Address(Modifier::Image),
        "dynsrc" | "movie" | "codebase" => Address(Modifier::Object),
        "data" if element == "object" => Address(Modifier::Object),
        "action" if element == "form" => Followed,
        "formaction" | "cite" | "longdesc" | "pluginspage" | "pluginurl" => Followed,
        "manifest" if element == "html" => Address(Modifier::Object),
        "ping" => List(Modifier::Page),
        "profile" if element == "head" => List(Modifier::Page),
        "archive" if matches!(element, "applet" | "object") => Perhaps,
        "value" if element == "param" => Perhaps,
        "srcdoc" if element == "iframe" => Document,
        "integrity" | "nonce" | "attributionsrc" => Hindrance,
        "csp" if element == "iframe" => Hindrance,
        "sandbox" if element == "iframe" => Holds::Sandbox,
        "crossorigin" => Origin,
        name if name.starts_with("on") && name.len() > 2 => Handler,
        _ => return None,
    })
}

fn href(element: &str) -> Holds {
    match element {
        "link" => Holds::Related,
        "base" => Holds::Base,
        "image" | "feimage" | "use" => Holds::Address(Modifier::Image),
        "script" => Holds::Address(Modifier::Script),
        _ => Holds::Followed,
    }
}

fn source(element: &str) -> Modifier {
    match element {
        "img" | "input" | "image" => Modifier::Image,
        "script" => Modifier::Script,
        "iframe" | "frame" | "portal" => Modifier::Frame,
        _ => Modifier::Object,
    }
}

/// Whether a name may be in the table, by its first letter and length. Most of a page's attributes are not.
pub(crate) fn may_hold(name: &str) -> bool {
    !matches!(
        name,
        "class" | "id" | "width" | "height" | "alt" | "title" | "type" | "name" | "rel" | "target"
    ) && !name.starts_with("data-")
        && !name.starts_with("aria-")
}

/// What the text of a `script` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Classic,
    Module,
    ImportMap,
    /// Rules by which the browser would load pages ahead, from the live web.
    Speculation,
    /// Data or templates, which pass.
    Data,
}

/// What the type of speculation rules becomes, so that nobody follows them.
pub(crate) const SPECULATION: &str = "x-archive-orig-speculationrules";

/// What the text of a script with a type, without escapes, is.
///
/// <https://html.spec.whatwg.org/multipage/scripting.html#prepare-the-script-element>
pub(crate) fn code(kind: &str) -> Code {
    let kind = kind.trim().to_ascii_lowercase();
    match kind.as_str() {
        "" => Code::Classic,
        "module" => Code::Module,
        "importmap" => Code::ImportMap,
        "speculationrules" => Code::Speculation,
        kind if crate::kind::is_script(kind.split(';').next().unwrap_or_default().trim()) => Code::Classic,
        _ => Code::Data,
    }
}
