//! What the elements of feeds and drawings mean.

use super::walk::Tag;

/// What an element is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A channel, a feed: what its `title` says is the document's.
    Feed,
    /// An item or entry in it.
    Item,
    /// The title of the feed or drawing.
    Title,
    /// Its text is an address.
    Address,
    /// A `link` of Atom, whose address is in an attribute.
    AtomLink,
    /// A file that goes with an item, by its `url`.
    Media,
    /// The picture of a feed: an `image` with a `url`.
    Image,
    /// Its text is the address of the item, if it looks like one.
    Permalink,
    /// Its text is no address, whatever it looks like.
    Nothing,
    /// Its text is the address of a picture that is shown with the feed.
    Logo,
    /// Its text is HTML.
    Markup,
    /// An element of a drawing.
    Svg,
    /// Its text is CSS.
    Style,
    /// Its text is a script.
    Script,
    /// Anything else.
    Other,
}

/// The role of an element by its name without prefix and the role of its parent.
pub(super) fn role(name: &str, parent: Role, tag: &Tag<'_>) -> Role {
    if name == "svg" || parent == Role::Svg {
        return drawing(name);
    }
    match name {
        "rss" | "channel" | "feed" | "RDF" => Role::Feed,
        "item" | "entry" => Role::Item,
        "title" if parent == Role::Feed => Role::Title,
        "image" if parent == Role::Feed => Role::Image,
        "url" if parent == Role::Image => Role::Logo,
        "icon" | "logo" if parent == Role::Feed => Role::Logo,
        "link" if tag.attribute("href", 16).is_some() => Role::AtomLink,
        "link" | "loc" | "location" | "comments" | "commentRss" => Role::Address,
        // An address unless it says that it is none.
        "guid" if tag.attribute("isPermaLink", 16).as_deref() == Some("false") => Role::Nothing,
        "guid" => Role::Permalink,
        "enclosure" | "content" | "thumbnail" | "player" if tag.attribute("url", 16).is_some() => Role::Media,
        "description" | "encoded" | "content" | "summary" | "body" => Role::Markup,
        _ => Role::Other,
    }
}

/// Drawings have styles, scripts and a title of their own; everything else in them is drawn.
fn drawing(name: &str) -> Role {
    match name {
        "style" => Role::Style,
        "script" => Role::Script,
        "title" => Role::Title,
        _ => Role::Svg,
    }
}
