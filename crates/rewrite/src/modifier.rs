//! What an archived URL is asked for: the two letters and an underscore behind the timestamp.

/// What something is wanted as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// A page of its own, with the banner.
    Page,
    /// A page in a frame, without.
    Frame,
    /// The payload as it was captured.
    Raw,
    /// A picture.
    Image,
    /// A script.
    Script,
    /// A style sheet.
    Style,
    /// What is embedded: media, fonts, plug-ins' objects.
    Object,
    /// The script of a worker.
    Worker,
}

impl Modifier {
    /// As it stands in an address.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Modifier::Page => "",
            Modifier::Frame => "if_",
            Modifier::Raw => "id_",
            Modifier::Image => "im_",
            Modifier::Script => "js_",
            Modifier::Style => "cs_",
            Modifier::Object => "oe_",
            Modifier::Worker => "sw_",
        }
    }

    /// Reads one from an address. Those that we do not know, of other archives' software, are taken for [`Modifier::Frame`].
    #[must_use]
    pub fn parse(text: &str) -> Modifier {
        match text {
            "" => Modifier::Page,
            "id_" => Modifier::Raw,
            "im_" => Modifier::Image,
            "js_" | "esm_" => Modifier::Script,
            "cs_" => Modifier::Style,
            "oe_" => Modifier::Object,
            "sw_" | "wkr_" => Modifier::Worker,
            _ => Modifier::Frame,
        }
    }

    /// Whether what is shown is a page by itself, or in a frame.
    #[must_use]
    pub fn is_page(self) -> bool {
        matches!(self, Modifier::Page | Modifier::Frame)
    }

    /// Whether it is put into a page by the page itself. Such a thing is shown where it is asked for; anything else has an address
    /// of its own, to which one is sent.
    #[must_use]
    pub fn is_embedded(self) -> bool {
        use Modifier::{Frame, Image, Object, Page, Raw, Script, Style, Worker};
        match self {
            Page | Frame | Raw => false,
            Image | Script | Style | Object | Worker => true,
        }
    }
}

/// A modifier with its spelling: other archives' software has names of its own, and what was asked for by one of them keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// What it means.
    pub modifier: Modifier,
    /// How it was spelt.
    pub text: String,
}

impl Form {
    /// The form that is spelt so.
    #[must_use]
    pub fn of(text: &str) -> Form {
        Form { modifier: Modifier::parse(text), text: text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        use Modifier::{Frame, Image, Object, Page, Raw, Script, Style, Worker};
        for modifier in [Page, Frame, Raw, Image, Script, Style, Object, Worker] {
            assert_eq!(Modifier::parse(modifier.as_str()), modifier);
        }
    }

    #[test]
    fn other_archives_modifiers_are_frames() {
        for text in ["mp_", "fr_", "fw_", "xy_"] {
            assert_eq!(Modifier::parse(text), Modifier::Frame, "{text}");
        }
        assert_eq!(Modifier::parse("wkr_"), Modifier::Worker);
    }
}
