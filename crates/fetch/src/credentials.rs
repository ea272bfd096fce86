//! User names and passwords of servers: each is sent to its own origin and to no other.

use std::fmt;
use std::sync::Arc;

use data_encoding::BASE64;
use url::Url;
use urlkey::Login;

/// Finds the user name and password of an origin (`https://example.org:8443`). It is asked before each request, so it must be quick.
pub trait CredentialSource: Send + Sync {
    /// The login of this origin, if there is one.
    fn find(&self, origin: &str) -> Option<Login>;
}

/// Where a fetcher finds user names and passwords. `Debug` shows none of them.
#[derive(Clone, Default)]
pub struct Credentials(Option<Arc<dyn CredentialSource>>);

impl Credentials {
    /// Those of a source.
    #[must_use]
    pub fn new(source: Arc<dyn CredentialSource>) -> Credentials {
        Credentials(Some(source))
    }

    /// The value of `Authorization` for a request: from the URL itself, or for its origin.
    pub(crate) fn authorization(&self, url: &Url) -> Option<String> {
        if Login::is_in(url) {
            return Login::take(&mut url.clone()).map(|login| basic(&login));
        }
        let source = self.0.as_ref()?;
        let origin = Login::origin_of(url);
        let login = source.find(&origin).filter(|login| login.origin == origin)?;
        Some(basic(&login))
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}

/// RFC 7617.
fn basic(login: &Login) -> String {
    format!("Basic {}", BASE64.encode(&[login.user.as_slice(), &login.password].join(&b':')))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(Login);

    impl CredentialSource for One {
        fn find(&self, _origin: &str) -> Option<Login> {
            Some(self.0.clone())
        }
    }

    #[test]
    fn a_login_is_sent_to_its_own_origin_only() {
        let url = |text: &str| Url::parse(text).unwrap();
        let login = Login::take(&mut url("https://me:pw@example.org/a")).unwrap();
        let credentials = Credentials::new(Arc::new(One(login)));
        let sent = |text: &str| credentials.authorization(&url(text));
        assert_eq!(sent("https://example.org/b").as_deref(), Some("Basic bWU6cHc="));
        for other in ["http://example.org/", "https://example.org:444/", "https://www.example.org/"] {
            assert_eq!(sent(other), None, "{other}");
        }
        assert_eq!(sent("https://you:x@example.org/").as_deref(), Some("Basic eW91Ong="));
        assert_eq!(format!("{credentials:?}"), "Credentials");
    }
}
