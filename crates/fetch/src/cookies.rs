//! Cookies that servers set and want back, for one job, within bounds.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cookie_store::{Cookie, CookieDomain, CookieStore, RawCookie, StoreAction};
use url::Url;
use warc::HttpHead;

/// How many cookies a jar holds. Where one more comes, one that has expired makes room, or else the oldest.
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

/// The cookies, and in which order they came: the store knows no order.
#[derive(Default)]
struct Held {
    store: CookieStore,
    /// When each came, by domain, path and name.
    numbers: HashMap<Key, u64>,
    by_age: BTreeMap<u64, (Key, String)>,
    /// The same for the hosts of one domain.
    of_owner: HashMap<String, BTreeMap<u64, Key>>,
    next: u64,
}

/// Domain, path and name, as the store has them.
type Key = (String, String, String);

/// So many of the oldest are searched for one that has expired: a flood of cookies is not to cost more than itself.
const SEARCHED: usize = 200;

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
        let Ok(cookie) = Cookie::try_from_raw_cookie(&cookie, url) else { return false };
        let domain = match &cookie.domain {
            CookieDomain::HostOnly(domain) | CookieDomain::Suffix(domain) => domain.clone(),
            CookieDomain::NotPresent | CookieDomain::Empty => host.to_owned(),
        };
        let key = (domain, String::from(&cookie.path), cookie.name().to_owned());
        let held = &mut *self.lock();
        match held.store.insert(cookie.into_owned(), url) {
            Ok(StoreAction::Inserted) => held.add(key, owner, &self.0.limits),
            Ok(StoreAction::UpdatedExisting) => {}
            Ok(StoreAction::ExpiredExisting) => held.remove(&key),
            Err(_) => return false,
        }
        true
    }

    /// The value of `Cookie` for this URL; `None` if there are none.
    #[must_use]
    pub fn header(&self, url: &Url) -> Option<String> {
        let held = self.lock();
        if held.numbers.is_empty() {
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

impl Held {
    fn add(&mut self, key: Key, owner: String, limits: &JarLimits) {
        self.next += 1;
        // One that had expired may have been there still.
        self.forget(&key);
        self.numbers.insert(key.clone(), self.next);
        self.by_age.insert(self.next, (key.clone(), owner.clone()));
        let of_owner = self.of_owner.entry(owner).or_default();
        of_owner.insert(self.next, key);
        if of_owner.len() > limits.per_domain {
            let superfluous = superfluous(&self.store, of_owner.values());
            superfluous.iter().for_each(|key| self.remove(key));
        }
        if self.numbers.len() > limits.total {
            let superfluous = superfluous(&self.store, self.by_age.values().map(|(key, _)| key));
            superfluous.iter().for_each(|key| self.remove(key));
        }
    }

    fn remove(&mut self, key: &Key) {
        let (domain, path, name) = key;
        self.store.remove(domain, path, name);
        self.forget(key);
    }

    fn forget(&mut self, key: &Key) {
        let Some(number) = self.numbers.remove(key) else { return };
        let Some((_, owner)) = self.by_age.remove(&number) else { return };
        if let Some(of_owner) = self.of_owner.get_mut(&owner) {
            of_owner.remove(&number);
            if of_owner.is_empty() {
                self.of_owner.remove(&owner);
            }
        }
    }
}

/// Those that have expired among the oldest; if none has, the oldest.
fn superfluous<'a>(store: &CookieStore, by_age: impl Iterator<Item = &'a Key> + Clone) -> Vec<Key> {
    let is_over = |(domain, path, name): &&Key| !store.contains(domain, path, name);
    let over: Vec<Key> = by_age.clone().take(SEARCHED).filter(is_over).cloned().collect();
    if over.is_empty() { by_age.take(1).cloned().collect() } else { over }
}

impl fmt::Debug for Jar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Jar of {}", self.lock().numbers.len())
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
        let has = |host: &str| jar.header(&url(&format!("http://{host}/"))).is_some();
        assert!(set("a.example.org", "a=1") && set("b.example.org", "b=1") && set("c.example.org", "c=1"));
        assert_eq!(["a", "b", "c"].map(|name| has(&format!("{name}.example.org"))), [false, true, true]);
        assert!(set("b.example.org", "b=2"));
        assert!(set("example.com", "a=1") && set("example.net", "a=1"));
        assert!(!has("b.example.org") && has("c.example.org") && has("example.com") && has("example.net"));
        assert_eq!(format!("{jar:?}"), "Jar of 3");
    }

    #[test]
    fn what_a_server_takes_back_leaves_room_for_others() {
        let jar = Jar::new(JarLimits { total: 2, per_domain: 2, bytes: 100 });
        let page = url("http://www.example.org/a/b");
        // Over and over: nothing adds up.
        for number in 0..10 {
            assert!(jar.set(&page, &format!("name{number}=1")));
            assert!(jar.set(&page, &format!("name{number}=; Max-Age=0")));
            assert_eq!(format!("{jar:?}"), "Jar of 0");
        }
        assert!(jar.set(&page, "one=1") && jar.set(&page, "two=2; Domain=example.org; Path=/"));
        assert_eq!(format!("{jar:?} {:?}", jar.header(&page).map(|sent| sent.len())), "Jar of 2 Some(12)");
    }
}
