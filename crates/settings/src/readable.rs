//! What other parts of the program understand, made into kinds of settings.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use fetch::dns::Override;
use fetch::{Exception, Network, Proxy};
use filter::{Filter, Languages};
use scope::{Patterns, Plan, Preset, Scope, Seeds};

use super::kind::{Parsed, Readable};

impl Readable for Preset {
    const ALLOWED: &'static str = "page, prefix, host, domain, multi, multi:.example.org, indexpage or list";
}

impl Readable for Proxy {
    const ALLOWED: &'static str = "a proxy such as http://host:3128 or socks5://host:1080";

    fn discreet(text: &str) -> Option<String> {
        text.contains('@').then(|| urlkey::hide_login(text).into_owned())
    }
}

impl Readable for Exception {
    const ALLOWED: &'static str = "a domain, =host, a network such as 10.0.0.0/8, or *";
}

impl Readable for Network {
    const ALLOWED: &'static str = "a network such as 192.168.0.0/16, or an address";
}

impl Readable for Override {
    const ALLOWED: &'static str = "host:port:address or host:address";
}

/// A regular expression for whole URLs.
#[derive(Clone, Debug)]
pub struct Pattern;

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Pattern, String> {
        match Patterns::new("patterns", [text]) {
            Ok(_) => Ok(Pattern),
            Err(scope::Error::Pattern { why, .. }) => Err(format!("it {why}")),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Readable for Pattern {
    const ALLOWED: &'static str = "a regular expression for whole URLs, such as .*/calendar/.*";

    fn reason(error: String) -> Option<String> {
        Some(error)
    }
}

/// A prefix of URLs in any of its spellings, as a SURT.
#[derive(Clone, Debug)]
pub struct Prefix(pub String);

impl FromStr for Prefix {
    type Err = String;

    fn from_str(text: &str) -> Result<Prefix, String> {
        if text.trim().contains(char::is_whitespace) {
            return Err("it has a blank in it".to_owned());
        }
        // Of what a list excludes it says the prefix, also where it is written as a URL.
        match Seeds::parse(&format!("-{}", text.trim())) {
            Ok(seeds) => match seeds.prefixes() {
                [(surt, _)] => Ok(Prefix(surt.clone())),
                _ => Err("it names no part of the web".to_owned()),
            },
            Err(scope::Error::Seed { why, .. }) => Err(format!("it {why}")),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Readable for Prefix {
    const ALLOWED: &'static str = "a SURT prefix such as http://(org,example, or a URL or a host";

    fn discreet(text: &str) -> Option<String> {
        Some(urlkey::hide_logins(text).into_owned()).filter(|hidden| hidden != text)
    }

    fn reason(error: String) -> Option<String> {
        Some(error)
    }
}

/// An extension or a type of files.
#[derive(Clone, Debug)]
pub struct FileKind;

impl FromStr for FileKind {
    type Err = String;

    fn from_str(text: &str) -> Result<FileKind, String> {
        let plan = Plan { extensions: vec![text.to_owned()], ..Plan::default() };
        Scope::new(&plan).map(|_| FileKind).map_err(|_| "that is neither".to_owned())
    }
}

impl Readable for FileKind {
    const ALLOWED: &'static str = "an extension such as .zip or a type such as video/*";
}

/// A domain with everything below it.
#[derive(Clone, Debug)]
pub struct Domain;

impl FromStr for Domain {
    type Err = String;

    fn from_str(text: &str) -> Result<Domain, String> {
        let plan = Plan { domains: vec![text.to_owned()], ..Plan::default() };
        Scope::new(&plan).map(|_| Domain).map_err(|_| "that is none".to_owned())
    }
}

impl Readable for Domain {
    const ALLOWED: &'static str = "a domain such as example.org";
}

/// The address of a name server; its port may be left out.
#[derive(Clone, Copy, Debug)]
pub struct NameServer(pub SocketAddr);

impl FromStr for NameServer {
    type Err = String;

    fn from_str(text: &str) -> Result<NameServer, String> {
        let alone = || text.parse().ok().map(|address| SocketAddr::new(address, 53));
        let address = text.parse().ok().or_else(alone);
        address.map(NameServer).ok_or_else(|| "that is no address".to_owned())
    }
}

impl Readable for NameServer {
    const ALLOWED: &'static str = "an address such as 9.9.9.9 or [::1]:5353";
}

/// Which years pages may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Years {
    /// From 1500 to ten years on.
    Usual,
    /// All.
    Any,
    /// From the first to the last.
    Between(u16, u16),
}

impl FromStr for Years {
    type Err = String;

    fn from_str(text: &str) -> Result<Years, String> {
        match text {
            "usual" => return Ok(Years::Usual),
            "none" => return Ok(Years::Any),
            _ => {}
        }
        let years = text.split_once('-').and_then(|(first, last)| {
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first <= last).then_some(Years::Between(first, last))
        });
        years.ok_or_else(|| "that is no span of years".to_owned())
    }
}

impl fmt::Display for Years {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Years::Usual => f.write_str("usual"),
            Years::Any => f.write_str("none"),
            Years::Between(first, last) => write!(f, "{first}-{last}"),
        }
    }
}

impl Readable for Years {
    const ALLOWED: &'static str = "usual, none, or years such as 1990-2030";
}

/// A header of requests.
#[derive(Clone, Debug)]
pub struct HeaderText {
    /// Its name.
    pub name: String,
    /// What it says.
    pub value: String,
}

impl FromStr for HeaderText {
    type Err = String;

    fn from_str(text: &str) -> Result<HeaderText, String> {
        let (name, value) = text.split_once(':').ok_or("it has no colon")?;
        let (name, value) = (name.trim(), value.trim());
        if !fetch::is_token(name) || value.contains(|c: char| c.is_control() && c != '\t') {
            return Err("it cannot be sent".to_owned());
        }
        Ok(HeaderText { name: name.to_owned(), value: value.to_owned() })
    }
}

impl Readable for HeaderText {
    const ALLOWED: &'static str = "a header such as \"Cookie: consent=yes\"";

    fn reason(error: String) -> Option<String> {
        Some(error)
    }
}

/// Makes a kind of a pattern that a filter understands.
macro_rules! filter_pattern {
    ($(#[doc = $about:literal])+ $name:ident, $allowed:literal, $make:expr) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        pub struct $name;

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                let make: fn(Vec<String>) -> Result<Filter, filter::Error> = $make;
                make(vec![text.to_owned()]).map(|_| $name).map_err(|error| match error {
                    filter::Error::Pattern { why, .. } => format!("it {why}"),
                    error => error.to_string(),
                })
            }
        }

        impl Readable for $name {
            const ALLOWED: &'static str = $allowed;
        }
    };
}

filter_pattern! {
    /// Types of documents.
    MimePattern, "a type such as text/html or image/*", |text| Filter::mime(&text, &[])
}
filter_pattern! {
    /// Statuses of answers.
    StatusRange, "a status such as 404, 4xx or 500-599", |text| Filter::status(&text, &[])
}
filter_pattern! {
    /// A language.
    Language, "a language such as cs or pt-BR", |text| {
        Filter::language(&Languages { include: text, ..Languages::default() })
    }
}

impl<T: fmt::Display> Parsed<T> {
    /// A value that is not read from anywhere.
    pub fn of(value: T) -> Parsed<T> {
        Parsed { text: value.to_string(), value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<T: Readable<Err = String>>(text: &str, is_good: bool) {
        assert_eq!(text.parse::<T>().is_ok(), is_good, "{text}");
    }

    #[test]
    fn kinds_of_files_are_extensions_or_types() {
        for text in [".zip", "zip", "video/*", "image/png"] {
            check::<FileKind>(text, true);
        }
        for text in ["", ".", "/", "video/", "./ a", "a b"] {
            check::<FileKind>(text, false);
        }
    }

    #[test]
    fn prefixes_are_surts_urls_or_hosts() {
        for text in ["http://(org,example,", "(org,example,", "example.org", "https://example.org/a/"] {
            check::<Prefix>(text, true);
        }
        for text in ["", "http://()", "ht tp://(org,", "http://"] {
            check::<Prefix>(text, false);
        }
    }

    #[test]
    fn years_are_a_span() {
        for text in ["usual", "none", "1990-2030", "2000 - 2000"] {
            check::<Years>(text, true);
        }
        for text in ["", "1990", "2030-1990", "-", "a-b"] {
            check::<Years>(text, false);
        }
    }

    #[test]
    fn patterns_headers_and_name_servers_are_checked() {
        check::<Pattern>(".*/calendar/.*", true);
        check::<Pattern>("(", false);
        check::<HeaderText>("Cookie: consent=yes", true);
        check::<HeaderText>("Cookie", false);
        check::<HeaderText>("A b: c", false);
        check::<NameServer>("9.9.9.9", true);
        check::<NameServer>("[::1]:5353", true);
        check::<NameServer>("dns.example", false);
    }
}
