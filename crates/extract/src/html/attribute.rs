//! The attributes we look at: a table.

use super::names::Names;
use super::token::NAMED;

macro_rules! attributes {
    ($($id:ident $name:literal,)*) => {
        /// An attribute by its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub(super) enum Attribute {
            /// One that nobody asks for.
            Other,
            $($id,)*
            /// `onclick` and the like.
            Handler,
            /// `data-src` and the like.
            Data,
        }

        const COUNT: usize = [$($name),*].len();
        static NAMES: Names<COUNT> = Names::new([$($name),*]);
        static ATTRIBUTES: [Attribute; COUNT + 1] = [Attribute::Other, $(Attribute::$id,)*];
    };
}

attributes! {
    // Those that matter to text and to the page as a whole.
    Class "class", Id "id", Role "role", Hidden "hidden", AriaHidden "aria-hidden",
    Lang "lang", XmlLang "xml:lang", Datetime "datetime",
    // Those that are words for a link.
    Alt "alt", Title "title",
    // Those that say more of a link.
    Rel "rel", Type "type", Name "name", Property "property", HttpEquiv "http-equiv",
    Itemprop "itemprop", Content "content", Value "value", Method "method", Formmethod "formmethod",
    // Those that hold links.
    Href "href", Src "src", Srcset "srcset", Imagesrcset "imagesrcset", Style "style", Poster "poster", ObjectData "data",
    Action "action", Formaction "formaction", Background "background", Cite "cite", Longdesc "longdesc",
    Codebase "codebase", Archive "archive", Code "code", Manifest "manifest", Ping "ping", Profile "profile",
    XlinkHref "xlink:href", Icon "icon", Lowsrc "lowsrc", Dynsrc "dynsrc", Flashvars "flashvars", Srcdoc "srcdoc",
    Pluginspage "pluginspage", Pluginurl "pluginurl", Movie "movie",
}

impl Attribute {
    /// The attribute of a name in any case.
    #[cfg(test)]
    fn of(name: &[u8]) -> Attribute {
        let number = NAMES.number(name);
        if number != 0 {
            return Attribute::from_number(number);
        }
        Attribute::unlisted(name)
    }

    /// One that is known by how its name begins.
    #[inline]
    fn unlisted(name: &[u8]) -> Attribute {
        match name {
            [b'o' | b'O', b'n' | b'N', _, ..] => Attribute::Handler,
            [b'd' | b'D', b'a' | b'A', b't' | b'T', b'a' | b'A', b'-', _, ..] => Attribute::Data,
            _ => Attribute::Other,
        }
    }

    /// The number of a name in any case, if its attribute is this one or comes behind it; or else 0. The first eight bytes of
    /// the name are known as a number.
    #[inline]
    pub(super) fn number_from(self, key: u64, name: &[u8]) -> u8 {
        let number = NAMES.number_by(key, name);
        if number != 0 {
            return if number < self as u8 { 0 } else { number };
        }
        Attribute::unlisted(name).number()
    }

    /// The attribute that the tokenizer kept under a number.
    #[inline]
    pub(super) fn from_number(number: u8) -> Attribute {
        if number >= NAMED {
            return if number == NAMED { Attribute::Handler } else { Attribute::Data };
        }
        ATTRIBUTES.get(usize::from(number)).copied().unwrap_or(Attribute::Other)
    }

    /// Its name in lower case, if it is in the table.
    pub(super) fn name(self) -> Option<&'static str> {
        NAMES.name(self as u8)
    }

    /// The number under which the tokenizer keeps it.
    #[inline]
    pub(super) fn number(self) -> u8 {
        match self {
            Attribute::Handler => NAMED,
            Attribute::Data => NAMED + 1,
            known => known as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::key;
    use super::*;

    #[test]
    fn names_are_found_in_any_case() {
        for number in 1..=COUNT {
            let name = NAMES.name(number as u8).unwrap();
            assert_eq!(Attribute::of(name.as_bytes()) as usize, number, "{name}");
            assert_eq!(Attribute::from_number(number as u8) as usize, number, "{name}");
        }
        assert_eq!(Attribute::of(b"width"), Attribute::Other);
        assert_eq!(Attribute::of(b"onClick"), Attribute::Handler);
        assert_eq!(Attribute::of(b"DATA-src"), Attribute::Data);
        assert_eq!(Attribute::from_number(Attribute::Data.number()), Attribute::Data);
    }

    #[test]
    fn what_comes_before_the_first_that_is_wanted_has_no_number() {
        let from = |first: Attribute, name: &[u8]| first.number_from(key(name), name);
        assert_eq!(from(Attribute::Rel, b"title"), 0);
        assert_eq!(from(Attribute::Rel, b"REL"), Attribute::Rel.number());
        assert_eq!(from(Attribute::Alt, b"title"), Attribute::Title.number());
        assert_eq!(from(Attribute::Rel, b"width"), 0);
        assert_eq!(from(Attribute::Rel, b"onclick"), Attribute::Handler.number());
    }
}
