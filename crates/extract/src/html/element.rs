//! The elements we know, and what is so of each: a table.

use super::names::Names;

/// A block: what is inside stands on lines of its own.
pub(super) const BLOCK: u16 = 1;
/// It has no end tag.
pub(super) const VOID: u16 = 1 << 1;
/// It is remembered while it is open.
pub(super) const KEPT: u16 = 1 << 2;
/// What is inside is not shown.
pub(super) const UNSEEN: u16 = 1 << 3;
/// A start tag of it inside of SVG or MathML ends that.
pub(super) const BREAKS_OUT: u16 = 1 << 4;
/// Something that a start or end tag of it sets off, see `opening.rs`.
pub(super) const SPECIAL: u16 = 1 << 5;
/// Closes an open `p`.
pub(super) const ENDS_P: u16 = 1 << 6;

/// A kept block that ends paragraphs, the most usual kind.
const BOX: u16 = BLOCK | KEPT | ENDS_P;

macro_rules! elements {
    ($($(#[$doc:meta])* $id:ident $name:literal $properties:expr,)*) => {
        /// An element by its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub(super) enum Element {
            /// One that is not in the table.
            Other,
            $($id,)*
        }

        const COUNT: usize = [$($name),*].len();
        static NAMES: Names<COUNT> = Names::new([$($name),*]);
        static ELEMENTS: [Element; COUNT + 1] = [Element::Other, $(Element::$id),*];
        static PROPERTIES: [u16; COUNT + 1] = [0, $($properties),*];
    };
}

elements! {
    A "a" SPECIAL, Abbr "abbr" 0, Address "address" BOX, Applet "applet" SPECIAL, Area "area" VOID | SPECIAL,
    Article "article" BOX, Aside "aside" BOX, Audio "audio" 0, B "b" BREAKS_OUT, Base "base" VOID | SPECIAL,
    Blockquote "blockquote" BOX | BREAKS_OUT, Body "body" BOX | BREAKS_OUT | SPECIAL, Br "br" VOID | BLOCK | BREAKS_OUT,
    Button "button" KEPT | SPECIAL, Caption "caption" BLOCK | KEPT, Center "center" BOX | BREAKS_OUT,
    Code "code" BREAKS_OUT, Col "col" VOID, Dd "dd" BOX | BREAKS_OUT, Desc "desc" SPECIAL, Details "details" BOX,
    Dialog "dialog" BOX, Dir "dir" BOX, Div "div" BOX | BREAKS_OUT, Dl "dl" BOX | BREAKS_OUT, Dt "dt" BOX | BREAKS_OUT,
    Em "em" BREAKS_OUT, Embed "embed" VOID | BREAKS_OUT | SPECIAL, FeImage "feimage" 0, Fieldset "fieldset" BOX,
    Figcaption "figcaption" BOX, Figure "figure" BOX, Font "font" 0, Footer "footer" BOX,
    ForeignObject "foreignobject" SPECIAL, Form "form" BOX | SPECIAL, Frame "frame" VOID, Frameset "frameset" BLOCK,
    H1 "h1" BOX | BREAKS_OUT | SPECIAL, H2 "h2" BOX | BREAKS_OUT | SPECIAL, H3 "h3" BOX | BREAKS_OUT | SPECIAL,
    H4 "h4" BOX | BREAKS_OUT | SPECIAL, H5 "h5" BOX | BREAKS_OUT | SPECIAL, H6 "h6" BOX | BREAKS_OUT | SPECIAL,
    Head "head" BREAKS_OUT, Header "header" BOX, Hgroup "hgroup" BOX, Hr "hr" VOID | BLOCK | BREAKS_OUT | ENDS_P,
    Html "html" BLOCK | SPECIAL, I "i" BREAKS_OUT, Iframe "iframe" SPECIAL, Image "image" 0,
    Img "img" VOID | BREAKS_OUT | SPECIAL, Input "input" VOID, Ins "ins" 0, Legend "legend" BLOCK | KEPT,
    Li "li" BOX | BREAKS_OUT, Link "link" VOID | SPECIAL, Listing "listing" BOX | BREAKS_OUT, Main "main" BOX,
    Map "map" 0, Math "math" SPECIAL, Menu "menu" BOX | BREAKS_OUT, Meta "meta" VOID | BREAKS_OUT | SPECIAL,
    Nav "nav" BOX, Nobr "nobr" BREAKS_OUT, Noembed "noembed" SPECIAL, Noframes "noframes" SPECIAL,
    Noscript "noscript" KEPT | UNSEEN | SPECIAL, Object "object" SPECIAL, Ol "ol" BOX | BREAKS_OUT,
    Optgroup "optgroup" BLOCK, Opt "option" BLOCK | SPECIAL, P "p" BOX | BREAKS_OUT, Param "param" VOID | SPECIAL,
    Picture "picture" 0, Plaintext "plaintext" BLOCK | KEPT | SPECIAL, Pre "pre" BOX | BREAKS_OUT, Q "q" 0, Rp "rp" 0,
    Ruby "ruby" BREAKS_OUT, S "s" BREAKS_OUT, Script "script" SPECIAL, Search "search" BOX, Section "section" BOX,
    Select "select" KEPT | SPECIAL, Small "small" BREAKS_OUT, Source "source" VOID, Span "span" BREAKS_OUT,
    Strike "strike" BREAKS_OUT, Strong "strong" BREAKS_OUT, Style "style" SPECIAL, Sub "sub" BREAKS_OUT,
    Summary "summary" BOX, Sup "sup" BREAKS_OUT, Svg "svg" KEPT | UNSEEN | SPECIAL, Table "table" BOX | BREAKS_OUT,
    Tbody "tbody" BLOCK | KEPT, Td "td" BLOCK | KEPT | SPECIAL, Template "template" KEPT | UNSEEN,
    Textarea "textarea" SPECIAL, Tfoot "tfoot" BLOCK | KEPT, Th "th" BLOCK | KEPT | SPECIAL, Thead "thead" BLOCK | KEPT,
    Time "time" SPECIAL, Title "title" SPECIAL, Tr "tr" BLOCK | KEPT, Track "track" VOID, Tt "tt" BREAKS_OUT,
    U "u" BREAKS_OUT, Ul "ul" BOX | BREAKS_OUT, Use "use" 0, Var "var" BREAKS_OUT, Video "video" 0, Wbr "wbr" VOID,
    Xmp "xmp" BLOCK | KEPT | SPECIAL,
}

/// How many elements there are, that of no name included.
pub(super) const ELEMENT_COUNT: usize = COUNT + 1;

impl Element {
    /// The element of a name in any case.
    #[cfg(test)]
    fn of(name: &str) -> Element {
        Element::by(super::token::key(name.as_bytes()), name)
    }

    /// The element of a name in any case, whose first eight bytes are known as a number.
    #[inline]
    pub(super) fn by(key: u64, name: &str) -> Element {
        let number = NAMES.number_by(key, name.as_bytes());
        ELEMENTS.get(usize::from(number)).copied().unwrap_or(Element::Other)
    }

    /// Its name in lower case, if it is in the table.
    pub(super) fn name(self) -> Option<&'static str> {
        NAMES.name(self as u8)
    }

    /// Whether all of these properties are its own.
    #[inline]
    pub(super) fn has(self, properties: u16) -> bool {
        self.properties() & properties == properties
    }

    /// All that is so of it.
    #[inline]
    pub(super) fn properties(self) -> u16 {
        PROPERTIES.get(self as usize).copied().unwrap_or(0)
    }

    /// The level of a heading.
    pub(super) fn heading_level(self) -> Option<u8> {
        (Element::H1..=Element::H6).contains(&self).then(|| self as u8 - Element::H1 as u8 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case() {
        for number in 1..=COUNT {
            let name = NAMES.name(number as u8).unwrap();
            assert_eq!(Element::of(name) as usize, number, "{name}");
            assert_eq!(Element::of(&name.to_ascii_uppercase()) as usize, number, "{name}");
        }
        assert_eq!(Element::of("blink"), Element::Other);
        assert_eq!(Element::of(""), Element::Other);
    }

    #[test]
    fn headings_have_levels() {
        assert_eq!(Element::H1.heading_level(), Some(1));
        assert_eq!(Element::H6.heading_level(), Some(6));
        assert_eq!(Element::Head.heading_level(), None);
    }
}
