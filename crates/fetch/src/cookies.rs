//! Cookies that servers set and want back, for one job, within bounds.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cookie_store::{CookieStore, RawCookie, StoreAction};
use url::Url;
use warc::HttpHead;

/// How many cookies a jar takes. What does not fit is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JarLimits {
    /// In all.
    pub total: usize,
    /// From the hosts of one domain.
    pub per_domain: usize,
    /// Bytes of one: name, value and attributes.
    pub bytes: usize,
}

impl Default for JarLimits {
    fn default() -> JarLimits {
        JarLimits { total: 3000, per_domain: 180, bytes: 4096 }
    }
}

/// The cookies of one job. Clones share them.
#[derive(Clone)]
pub struct Jar(Arc<Inner>);

struct Inner {
    limits: JarLimits,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    store: CookieStore,
    total: usize,
    per_domain: HashMap<String, usize>,
}

impl Default for Jar {
    fn default() -> Jar {
        Jar::new(JarLimits::default())
    }
}

impl Jar {
    /// An empty jar.
    #[must_use]
    pub fn new(limits: JarLimits) -> Jar {
        Jar(Arc::new(Inner { limits, held: Mutex::new(Held::default()) }))
    }

    /// Takes the cookies that a response sets.
    pub fn take(&self, url: &Url, head: &HttpHead) {
        for (name, value) in head.fields() {
            if name.eq_ignore_ascii_case(b"set-cookie") {
                self.set(url, &String::from_utf8_lossy(value));
            }
        }
    }

    /// Takes one cookie as a `Set-Cookie` header has it; says whether it was taken.
    pub fn set(&self, url: &Url, text: &str) -> bool {
        if text.len() > self.0.limits.bytes {
            return false;
        }
        let Ok(cookie) = RawCookie::parse(text) else { return false };
        let host = url.host_str().unwrap_or_default();
        let domain = cookie.domain().map(|domain| domain.trim_start_matches('.').to_ascii_lowercase());
        // A cookie for all of `co.uk` would be sent to strangers; only a host of that very name may have it.
        let is_too_wide = |domain: &String| domain != host && urlkey::public_suffix(domain) == Some(domain);
        if domain.as_ref().is_some_and(is_too_wide) {
            return false;
        }
        let owner = urlkey::registrable_domain(host).unwrap_or(host).to_owned();
        let held = &mut *self.lock();
        let of_domain = held.per_domain.get(&owner).copied().unwrap_or_default();
        let is_full = held.total >= self.0.limits.total || of_domain >= self.0.limits.per_domain;
        let path = cookie.path().unwrap_or("/");
        let is_known = || held.store.contains_any(domain.as_deref().unwrap_or(host), path, cookie.name());
        if is_full && !is_known() {
            return false;
        }
        let stored = held.store.insert_raw(&cookie, url);
        if matches!(stored, Ok(StoreAction::Inserted)) {
            held.total += 1;
            *held.per_domain.entry(owner).or_default() += 1;
        }
        stored.is_ok()
    }

    /// The value of `Cookie` for this URL; `None` if there are none.
    #[must_use]
    pub fn header(&self, url: &Url) -> Option<String> {
        let held = self.lock();
        if held.total == 0 {
            return None;
        }
        let mut header = String::new();
        for (name, value) in held.store.get_request_values(url) {
            if !header.is_empty() {
                header.push_str("; ");
            }
            header.push_str(name);
            header.push('=');
            header.push_str(value);
        }
        // A value may hold bytes that no header may.
        header.retain(|c| c != '\r' && c != '\n' && c != '\0');
        (!header.is_empty()).then_some(header)
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Jar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Jar of {}", self.lock().total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn cookies_go_back_where_they_belong() {
        let jar = Jar::default();
        assert!(jar.set(&url("http://www.example.org/a/b"), "one=1; Path=/"));
        assert!(jar.set(&url("http://www.example.org/a/b"), "two=2; Domain=example.org; Path=/a"));
        assert!(jar.set(&url("https://www.example.org/"), "safe=3; Secure"));
        let header = |text: &str| jar.header(&url(text));
        let both = header("http://www.example.org/a/").unwrap();
        assert!(both.contains("one=1") && both.contains("two=2") && !both.contains("safe"), "{both}");
        assert_eq!(header("http://other.example.org/a/").as_deref(), Some("two=2"));
        assert_eq!(header("http://example.com/"), None);
        assert!(header("https://www.example.org/").unwrap().contains("safe=3"));
    }

    #[test]
    fn strangers_and_public_suffixes_set_nothing() {
        let jar = Jar::default();
        assert!(!jar.set(&url("http://www.example.co.uk/"), "a=1; Domain=co.uk"));
        assert!(!jar.set(&url("http://www.example.org/"), "a=1; Domain=example.com"));
        assert!(!jar.set(&url("http://www.example.org/"), &format!("a={}", "x".repeat(5000))));
        assert!(jar.header(&url("http://www.example.org/")).is_none());
    }

    #[test]
    fn a_jar_is_bounded() {
        let jar = Jar::new(JarLimits { total: 3, per_domain: 2, bytes: 100 });
        let set = |host: &str, text: &str| jar.set(&url(&format!("http://{host}/")), text);
        assert!(set("a.example.org", "a=1") && set("b.example.org", "b=1") && !set("c.example.org", "c=1"));
        assert!(set("a.example.org", "a=2"));
        assert!(set("example.com", "a=1") && !set("example.net", "a=1"));
    }
}
