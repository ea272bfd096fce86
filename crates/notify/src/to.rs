//! Somebody who is told, as people write it.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::limits::TO_BYTES_MAX;
use crate::mail::Address;
use crate::webhook::Hook;

/// What there is, for complaints.
const SUPPORTED: &str = "mailto:ann@example.org, https://hooks.example.org/…, jsons://hooks.example.org/…, \
     and http:// or json:// to this machine are supported";

/// Somebody who is told: a person by mail, or a program by a webhook.
///
/// ```
/// use notify::To;
///
/// let ann: To = "ann@example.org".parse()?;
/// assert_eq!((ann.to_string().as_str(), ann.full().as_str()), ("ann@example.org", "mailto:ann@example.org"));
///
/// let hook: To = "https://hooks.example.org/T0/secret".parse()?;
/// assert_eq!(hook.to_string(), "https://hooks.example.org/…");
/// assert_eq!(hook.full().parse::<To>()?, hook);
///
/// let error = "slack://token/token".parse::<To>().unwrap_err();
/// assert!(error.to_string().starts_with("`slack:…` cannot be used: mailto:ann@example.org, https://hooks"));
/// # Ok::<(), notify::Error>(())
/// ```
///
/// Printed, it holds no secret: of a webhook only the host is told. [`To::full`] is for keeping it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// A person.
    Mail(Address),
    /// A program.
    Hook(Hook),
}

impl To {
    /// All of it, to keep it: read again it is the same. The address of a webhook is a secret.
    #[must_use]
    pub fn full(&self) -> String {
        match self {
            To::Mail(address) => format!("mailto:{}", encoded(address.as_str())),
            To::Hook(hook) => hook.as_str().to_owned(),
        }
    }
}

impl fmt::Display for To {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            To::Mail(address) => formatter.write_str(address.as_str()),
            To::Hook(hook) => hook.fmt(formatter),
        }
    }
}

/// `ann@example.org` or `mailto:ann@example.org` is a person; `https://…`, and `http://…` on this machine, a program. `jsons://` and `json://`
/// are what Apprise calls such webhooks.
impl FromStr for To {
    type Err = Error;

    fn from_str(text: &str) -> Result<To, Error> {
        let text = text.trim();
        let given = |text: String, why: &str| Error::Given { text, why: why.to_owned() };
        if text.len() > TO_BYTES_MAX {
            return Err(given("…".to_owned(), "it is too long"));
        }
        let Some((scheme, rest)) = scheme(text) else {
            // What is no mail address either may be the address of a webhook without its scheme.
            return match text.contains('@') && !text.contains(['/', ':']) {
                true => text.parse().map(To::Mail),
                false => Err(given("…".to_owned(), SUPPORTED)),
            };
        };
        // In other addresses a secret may stand anywhere, also where the host should be.
        let shown = format!("{scheme}:…");
        match (scheme.as_str(), rest.strip_prefix("//")) {
            ("mailto" | "mailtos", Some(_)) => {
                Err(given(shown, "the mail server is in the settings; write mailto:ann@example.org"))
            }
            ("mailto", None) if rest.contains(['?', ',']) => {
                Err(given(shown, "one address is wanted, with nothing behind it"))
            }
            ("mailto", None) => {
                let address =
                    decoded(rest).ok_or_else(|| given(shown, "there is a % that encodes nothing"))?;
                address.parse().map(To::Mail)
            }
            ("https" | "http", Some(_)) => text.parse().map(To::Hook),
            ("jsons" | "json", Some(rest)) => {
                if rest.contains('?') {
                    return Err(given(shown, "options behind it are not understood; write https://…"));
                }
                let scheme = if scheme == "jsons" { "https" } else { "http" };
                format!("{scheme}://{rest}").parse().map(To::Hook)
            }
            _ => Err(given(shown, SUPPORTED)),
        }
    }
}

/// The scheme in lower case, and what follows the colon.
fn scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.len() <= 20
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then(|| (scheme.to_ascii_lowercase(), rest))
}

/// A mail address as it stands in a URL (RFC 6068, 2).
fn encoded(address: &str) -> String {
    let mut text = String::new();
    for c in address.chars() {
        match c.is_ascii_alphanumeric() || "-._~!$'*+@".contains(c) {
            true => text.push(c),
            // Addresses are ASCII.
            false => text.push_str(&format!("%{:02X}", u32::from(c))),
        }
    }
    text
}

fn decoded(text: &str) -> Option<String> {
    let mut pieces = text.split('%');
    let mut address = pieces.next()?.to_owned();
    for piece in pieces {
        let byte = piece.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        // No address has others; that it is none is said by whoever reads it.
        address.push(char::from(u8::from_str_radix(byte, 16).ok()?));
        address.push_str(piece.get(2..)?);
    }
    Some(address)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, full: &str, shown: &str) {
        let to = text.parse::<To>().unwrap();
        assert_eq!((to.full().as_str(), to.to_string().as_str()), (full, shown), "{text}");
        assert_eq!(to.full().parse::<To>().unwrap(), to, "{text}");
        assert!(shown.contains('@') || !format!("{to:?}").contains("hunter2"), "{to:?}");
    }

    #[test]
    fn people_are_told_by_mail() {
        for text in
            ["ann@example.org", "mailto:ann@example.org", "MailTo:ann@example.org", " ann@example.org\n"]
        {
            check(text, "mailto:ann@example.org", "ann@example.org");
        }
        check("mailto:ann%2Bnews@example.org", "mailto:ann+news@example.org", "ann+news@example.org");
        check("mailto:a%25b%3f@example.org", "mailto:a%25b%3F@example.org", "a%b?@example.org");
    }

    #[test]
    fn programs_are_told_by_webhooks_that_are_not_shown() {
        for text in ["https://hooks.example.org/hunter2?a=1", "HTTPS://hooks.example.org/hunter2?a=1"] {
            check(text, "https://hooks.example.org/hunter2?a=1", "https://hooks.example.org/…");
        }
        check(
            "jsons://hooks.example.org/hunter2",
            "https://hooks.example.org/hunter2",
            "https://hooks.example.org/…",
        );
        check("json://localhost:8080/hunter2", "http://localhost:8080/hunter2", "http://localhost/…");
    }

    #[test]
    fn what_is_not_understood_is_told_with_what_is_and_without_its_secrets() {
        for (text, shown, why) in [
            ("slack://hunter2/hunter2", "`slack:…`", "are supported"),
            ("tgram:hunter2", "`tgram:…`", "are supported"),
            ("htps://example.org/hunter2", "`htps:…`", "are supported"),
            ("varve:hunter2@example.org", "`varve:…`", "are supported"),
            ("hooks.example.org/hunter2", "`…`", "are supported"),
            ("hooks.example.org/@hunter2", "`…`", "are supported"),
            ("", "`…`", "are supported"),
            ("mailto://ann:hunter2@example.org", "`mailto:…`", "write mailto:ann@example.org"),
            ("mailtos://ann:hunter2@example.org", "`mailtos:…`", "write mailto:ann@example.org"),
            ("mailto:ann@example.org?cc=hunter2", "`mailto:…`", "nothing behind it"),
            ("mailto:ann@example.org,ben@example.org", "`mailto:…`", "nothing behind it"),
            ("mailto:ann%2@example.org", "`mailto:…`", "encodes nothing"),
            ("mailto:ann%0d%0aBcc%3a@example.org", "`ann\u{fffd}\u{fffd}Bcc:@example.org`", "is wanted"),
            ("ann@", "`ann@`", "it is no mail address"),
            ("http://example.org/hunter2", "`http://example.org/…`", "write https://"),
            ("json://example.org/hunter2", "`http://example.org/…`", "write https://"),
            ("jsons://u:hunter2@example.org/", "`https://example.org/…`", "are not sent"),
            ("jsons://example.org/?+X-Token=hunter2", "`jsons:…`", "write https://…"),
            ("https:hunter2", "`https:…`", "are supported"),
        ] {
            let error = text.parse::<To>().unwrap_err();
            let said = error.to_string();
            assert!(said.starts_with(shown) && said.ends_with(why), "{text}: {said}");
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
        }
        assert!(format!("https://example.org/{}", "x".repeat(5000)).parse::<To>().is_err());
    }

    proptest! {
        #[test]
        fn what_is_understood_can_be_kept(
            text in "(mailto:)?[!-~]{1,12}@[a-z]{1,5}\\.org|(https|jsons|json)://[a-z0-9.:\\[\\]]{1,12}/\\PC{0,20}|\\PC{0,30}",
        ) {
            if let Ok(to) = text.parse::<To>() {
                prop_assert_eq!(to.full().parse::<To>().unwrap(), to);
            }
        }
    }
}
