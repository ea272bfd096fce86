//! User names and passwords in URLs: taken out of a URL when it is read, and hidden in text that may quote one.

use std::borrow::Cow;
use std::fmt;

use url::{Position, Url};

use crate::percent;

/// What stands for a user name and password in text that is shown.
const HIDDEN: &str = "…";

/// A user name and a password, and the origin that asks for them. `Debug` shows the origin alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// Scheme, host and port, as [`Login::origin_of`] writes them.
    pub origin: String,
    /// The user name, without percent-encoding.
    pub user: Vec<u8>,
    /// The password, without percent-encoding; may be empty.
    pub password: Vec<u8>,
}

impl Login {
    /// Removes user name and password from a URL and returns them; `None` if it has neither.
    pub fn take(url: &mut Url) -> Option<Login> {
        if !Login::is_in(url) {
            return None;
        }
        let plain = |text: &str| percent::decode(text.as_bytes()).into_owned();
        let (user, password) = (plain(url.username()), plain(url.password().unwrap_or_default()));
        // Only URLs without a host cannot lose them, and have none.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        Some(Login { origin: Login::origin_of(url), user, password })
    }

    /// Whether a URL has a user name or a password in it.
    #[must_use]
    pub fn is_in(url: &Url) -> bool {
        !url.username().is_empty() || url.password().is_some()
    }

    /// The origin of a URL: scheme, host and, unless it is the scheme's own, port. Never user name and password.
    #[must_use]
    pub fn origin_of(url: &Url) -> String {
        format!("{}://{}", url.scheme(), &url[Position::BeforeHost..Position::BeforePath])
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// Hides what may be user name and password in a text that was meant to be one URL, however badly it is written. Only the part
/// behind the last `@` and the scheme are certain to hold neither.
#[must_use]
pub fn hide_login(text: &str) -> Cow<'_, str> {
    let Some(at) = text.rfind('@') else { return Cow::Borrowed(text) };
    let scheme = match text.find("://") {
        Some(colon) if colon < at => colon + "://".len(),
        _ => ["http:", "https:"]
            .iter()
            .find(|scheme| text.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme)))
            .map_or(0, |scheme| scheme.len()),
    };
    let (begin, end) = (text.get(..scheme).unwrap_or_default(), text.get(at..).unwrap_or_default());
    Cow::Owned([begin, HIDDEN, end].concat())
}

/// Hides user names and passwords of all URLs in a text, such as a message that quotes them.
#[must_use]
pub fn hide_logins(text: &str) -> Cow<'_, str> {
    replace_logins(text, HIDDEN, false)
}

/// Removes user names and passwords of all URLs in a text, such as a list of seeds.
#[must_use]
pub fn remove_logins(text: &str) -> Cow<'_, str> {
    replace_logins(text, "", true)
}

/// Removes user name and password of one URL, and leaves URLs in its path or query as they are.
#[must_use]
pub fn remove_login(url: &str) -> Cow<'_, str> {
    let is_scheme = |scheme: &str| !scheme.contains(['/', '?', '#']);
    let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| is_scheme(scheme)) else {
        return Cow::Borrowed(url);
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    match authority.rfind('@').and_then(|at| rest.get(at + 1..)) {
        Some(rest) => Cow::Owned([scheme, "://", rest].concat()),
        None => Cow::Borrowed(url),
    }
}

fn replace_logins<'a>(text: &'a str, replacement: &str, with_sign: bool) -> Cow<'a, str> {
    let mut hidden = String::new();
    let mut rest = text;
    while let Some(colon) = rest.find("://") {
        let (before, behind) = rest.split_at_checked(colon + "://".len()).unwrap_or((rest, ""));
        let is_end = |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '\\');
        let authority = behind.get(..behind.find(is_end).unwrap_or(behind.len())).unwrap_or_default();
        hidden.push_str(before);
        rest = behind;
        if let Some(at) = authority.rfind('@') {
            hidden.push_str(replacement);
            rest = behind.get(at + usize::from(with_sign)..).unwrap_or_default();
        }
    }
    if hidden.is_empty() {
        return Cow::Borrowed(text);
    }
    hidden.push_str(rest);
    Cow::Owned(hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn taken(text: &str) -> (String, Option<(String, String, String)>) {
        let mut url = Url::parse(text).unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let login = Login::take(&mut url);
        (url.into(), login.map(|login| (login.origin, text(login.user), text(login.password))))
    }

    #[test]
    fn the_login_of_one_url_is_removed_and_others_stay() {
        for (url, expected) in [
            ("http://u:PW@a.org/?to=http://v:x@b.org/", "http://a.org/?to=http://v:x@b.org/"),
            ("http://u@a.org", "http://a.org"),
            ("http://a.org/u:PW@b", "http://a.org/u:PW@b"),
            ("a.org/?to=http://v:x@b.org/", "a.org/?to=http://v:x@b.org/"),
            ("mailto:me@a.org", "mailto:me@a.org"),
        ] {
            assert_eq!(remove_login(url), expected);
        }
    }

    #[test]
    fn user_name_and_password_leave_the_url() {
        let login = |origin: &str, user: &str, password: &str| {
            Some((origin.to_owned(), user.to_owned(), password.to_owned()))
        };
        assert_eq!(
            taken("http://me:p%40ss@Example.org:80/a?b#c"),
            ("http://example.org/a?b#c".to_owned(), login("http://example.org", "me", "p@ss"))
        );
        assert_eq!(
            taken("https://me@[::1]:8443"),
            ("https://[::1]:8443/".to_owned(), login("https://[::1]:8443", "me", ""))
        );
        assert_eq!(
            taken("http://:pw@example.org/"),
            ("http://example.org/".to_owned(), login("http://example.org", "", "pw"))
        );
        assert_eq!(taken("http://example.org/@a:b").1, None);
        assert_eq!(taken("mailto:me@example.org").1, None);
    }

    #[test]
    fn debug_shows_neither_user_name_nor_password() {
        let login = Login::take(&mut Url::parse("http://sesame:open@example.org/").unwrap()).unwrap();
        assert_eq!(format!("{login:?}"), "Login { origin: \"http://example.org\", .. }");
    }

    #[test]
    fn badly_written_urls_hide_the_password_too() {
        for (text, shown) in [
            ("http://me:pw@example.org/a", "http://…@example.org/a"),
            ("http://me:p w@example.org/a", "http://…@example.org/a"),
            ("http://me:p/w@example.org:x/", "http://…@example.org:x/"),
            ("http://me:p://w@example.org/", "http://…@example.org/"),
            ("HTTP:me:pw@example.org", "HTTP:…@example.org"),
            ("me:pw@example.org", "…@example.org"),
            ("example.org/a", "example.org/a"),
            ("me@pw://x", "…@pw://x"),
            ("", ""),
        ] {
            assert_eq!(hide_login(text), shown);
        }
    }

    #[test]
    fn messages_hide_the_passwords_of_all_urls() {
        for (text, shown) in [
            ("`http://me:pw@a.example/x` and http://b@c/", "`http://…@a.example/x` and http://…@c/"),
            ("http://a.example/@b http://c.example me@d", "http://a.example/@b http://c.example me@d"),
            ("http://me:p@w@a.example", "http://…@a.example"),
            ("no URL", "no URL"),
            ("ends with ://", "ends with ://"),
        ] {
            assert_eq!(hide_logins(text), shown);
            assert_eq!(remove_logins(text), shown.replace("…@", ""));
        }
    }
}
