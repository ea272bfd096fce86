//! Settings that are one of a few words.

use super::kind::{Given, Kind, Raw, Wrong};

/// Makes an enum of words, each with what it means.
macro_rules! words {
    ($( $(#[doc = $about:literal])+ $name:ident { $( $(#[doc = $doc:literal])+ $variant:ident = $word:literal, )+ } )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum $name {
                $( $(#[doc = $doc])+ $variant, )+
            }

            impl Kind for $name {
                fn allowed() -> String {
                    either(&[$($word),+])
                }

                fn read(given: &Given<'_>) -> Result<Self, Wrong> {
                    match given.raw {
                        $( Raw::Text(text) if text == $word => Ok($name::$variant), )+
                        _ => Err(Wrong::default()),
                    }
                }

                fn show(&self) -> String {
                    match self {
                        $( $name::$variant => concat!("\"", $word, "\"").to_owned(), )+
                    }
                }
            }
        )+
    };
}

/// `"a", "b" or "c"`.
fn either(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

words! {
    /// What robots.txt and robots META elements are worth.
    Robots {
        /// They are obeyed.
        Obey = "obey",
        /// robots.txt is obeyed; what pages say of themselves is not.
        Txt = "txt",
        /// They are fetched and kept, and not obeyed.
        Ignore = "ignore",
    }

    /// What is done about what an audit finds.
    Repairs {
        /// It is repaired if it is clear what is right.
        Auto = "auto",
        /// Somebody decides.
        Ask = "ask",
    }

    /// The same in a sheet, where it is about robots.txt alone.
    SheetRobots {
        /// It is obeyed.
        Obey = "obey",
        /// It is fetched and kept, and not obeyed.
        Ignore = "ignore",
    }

    /// What happens when the budget of a domain or host is used up.
    OnBudget {
        /// What is left of it is dropped.
        End = "end",
        /// The job pauses and asks.
        Ask = "ask",
    }

    /// What counts as known content.
    Dedup {
        /// Nothing.
        Off = "off",
        /// The same content under the same URL.
        Url = "url",
        /// The same content anywhere in the archive.
        Content = "content",
    }

    /// Which documents are looked for among the known.
    DedupTypes {
        /// All.
        All = "all",
        /// All that are not text.
        NonText = "non-text",
    }

    /// Which kinds of address names are looked up for.
    Addresses {
        /// IPv6 and IPv4.
        Both = "both",
        /// IPv4 alone.
        Ipv4 = "ipv4",
        /// IPv6 alone.
        Ipv6 = "ipv6",
    }
}
