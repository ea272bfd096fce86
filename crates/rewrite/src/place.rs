//! Where a document stands in the archive, and what its links become there.

mod allowance;
mod resolve;

use std::borrow::Cow;
use std::sync::Arc;

use crate::{Error, Limits, Modifier, script};

use allowance::Allowance;
use resolve::Base;
pub(crate) use resolve::{in_ascii, scheme};

/// The address of a document in the archive: where replay lives, when the document was captured, what it was asked for as,
/// and its URL. It turns the links of the document into links into the archive.
///
/// ```
/// use rewrite::{Modifier, Place};
///
/// let place = Place::new("/web/", "20261116080000", Modifier::Page, "http://example.org/a/b.html")?;
/// assert_eq!(place.rewrite("../c.png", Modifier::Image), "/web/20261116080000im_/http://example.org/c.png");
/// assert_eq!(place.rewrite("#top", Modifier::Page), "#top");
/// # Ok::<(), rewrite::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Place {
    prefix: String,
    /// Where the path of the prefix begins.
    path_at: usize,
    /// Prefix and timestamp.
    head: String,
    modifier: Modifier,
    url: String,
    base: Base,
    /// So many bytes of its base a link may take.
    base_bytes_max: usize,
    /// What the links of a document that is being rewritten may gain.
    allowance: Option<Arc<Allowance>>,
}

impl Place {
    /// A place under `prefix`, which is a path or a URL and ends with a slash.
    ///
    /// # Errors
    /// [`Error::Prefix`], [`Error::Timestamp`] or [`Error::Url`], if one of them is none.
    pub fn new(prefix: &str, timestamp: &str, modifier: Modifier, url: &str) -> Result<Place, Error> {
        let path_at = path_of(prefix).ok_or_else(|| Error::Prefix { prefix: prefix.to_owned() })?;
        if timestamp.len() > 14 || !timestamp.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Error::Timestamp { timestamp: timestamp.to_owned() });
        }
        let base = Base::new(url).ok_or_else(|| Error::Url { url: url.to_owned() })?;
        Ok(Place {
            prefix: prefix.to_owned(),
            path_at,
            head: format!("{prefix}{timestamp}"),
            modifier,
            url: base.url().to_owned(),
            base,
            base_bytes_max: Limits::default().base_bytes_max,
            allowance: None,
        })
    }

    /// The same place, for one document that is rewritten within these limits.
    pub(crate) fn within(mut self, limits: &Limits) -> Place {
        self.base_bytes_max = limits.base_bytes_max;
        self.allowance = Some(Arc::new(Allowance::new(limits.gain_bytes_max)));
        self
    }

    /// So many bytes of the document were fed.
    pub(crate) fn earn(&self, bytes: usize) {
        if let Some(allowance) = &self.allowance {
            allowance.earn(bytes);
        }
    }

    /// Whether the document may become so many bytes longer.
    pub(crate) fn spend(&self, bytes: usize) -> bool {
        self.allowance.as_ref().is_none_or(|allowance| allowance.spend(bytes))
    }

    /// Whether a link stayed as it is because the document became too long.
    pub(crate) fn is_overdrawn(&self) -> bool {
        self.allowance.as_ref().is_some_and(|allowance| allowance.is_overdrawn())
    }

    /// A link as it stands in the document, without the escapes of HTML or CSS, turned into one into the archive.
    ///
    /// What leads nowhere else stays: fragments, `data:`, `mailto:` and the like, and what is in the archive already.
    /// `javascript:` is rewritten as a script.
    #[must_use]
    pub fn rewrite(&self, url: &str, modifier: Modifier) -> String {
        self.rewritten(url, modifier).unwrap_or_else(|| url.to_owned())
    }

    /// The same; nothing if the link stays as it is.
    pub(crate) fn rewritten(&self, url: &str, modifier: Modifier) -> Option<String> {
        let link = clean(url);
        if link.is_empty() || link.starts_with('#') || self.is_archived(&link) {
            return None;
        }
        if let Some(scheme) = resolve::scheme(&link)
            && !resolve::is_fetched(scheme)
        {
            return scheme.eq_ignore_ascii_case("javascript").then(|| self.javascript(&link));
        }
        let mut rewritten = String::with_capacity(self.head.len() + self.base.url().len() + link.len() + 8);
        rewritten.push_str(&self.head);
        rewritten.push_str(modifier.as_str());
        rewritten.push('/');
        let of_base = rewritten.len() + link.len() + self.base_bytes_max;
        let is_link = self.base.resolve(&link, &mut rewritten) && rewritten.len() <= of_base;
        (is_link && self.spend(rewritten.len().saturating_sub(url.len()))).then_some(rewritten)
    }

    /// The URL that a link of the document stands for, without the archive; nothing for what cannot be fetched.
    #[must_use]
    pub fn resolve(&self, url: &str) -> Option<String> {
        let link = clean(url);
        let mut resolved = String::with_capacity(self.base.url().len() + link.len());
        self.base.resolve(&link, &mut resolved).then_some(resolved)
    }

    /// Takes the base that a document names for its links from here on. One that makes no sense, or is longer than any real one,
    /// changes nothing.
    pub fn set_base(&mut self, url: &str) {
        let resolved = self.resolve(url).filter(|resolved| resolved.len() <= self.base_bytes_max);
        if let Some(base) = resolved.and_then(|resolved| Base::new(&resolved)) {
            self.base = base;
        }
    }

    /// A URL that a page put together, such as the query of a form, with the addresses in the archive that are inside of it
    /// turned back. Only prefixes with a host can be told from other text.
    #[must_use]
    pub fn original(&self, url: &str) -> String {
        if self.path_at == 0 {
            return url.to_owned();
        }
        let mut original = String::with_capacity(url.len());
        let mut rest = url;
        while let Some((before, behind)) = rest.split_once(&self.prefix) {
            original.push_str(before);
            rest = behind_head(behind);
            let encoded = ["http%3A", "https%3A", "ftp%3A"];
            if let Some(scheme) = encoded.iter().find(|scheme| rest.starts_with(**scheme)) {
                original.push_str(scheme.trim_end_matches("%3A"));
                original.push(':');
                rest = rest.get(scheme.len()..).unwrap_or_default();
            }
        }
        original.push_str(rest);
        original
    }

    /// What the document was asked for as.
    #[must_use]
    pub fn modifier(&self) -> Modifier {
        self.modifier
    }

    /// The URL of the document.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where replay lives.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// When the document was captured.
    #[must_use]
    pub fn timestamp(&self) -> &str {
        self.head.get(self.prefix.len()..).unwrap_or_default()
    }

    /// The path of the prefix.
    pub(crate) fn prefix_path(&self) -> &str {
        self.prefix.get(self.path_at..).unwrap_or_default()
    }

    /// What a link is that is followed by a click: in a frame it stays there, unless it leads out of it.
    pub(crate) fn followed(&self, target: Option<&str>) -> Modifier {
        let leaves = target.is_some_and(|target| {
            ["_top", "_blank", "_parent"].iter().any(|known| target.trim().eq_ignore_ascii_case(known))
        });
        if self.modifier == Modifier::Page || leaves { Modifier::Page } else { Modifier::Frame }
    }

    /// Whether a link leads into the archive already.
    fn is_archived(&self, link: &str) -> bool {
        if self.path_at > 0 && link.starts_with(&self.prefix) {
            return true;
        }
        let without_scheme = self.prefix.get(..self.path_at).and_then(|origin| origin.split_once(':'));
        let path = match without_scheme {
            Some((_, host)) => link.strip_prefix(host).unwrap_or(link),
            None => link,
        };
        path.strip_prefix(self.prefix_path()).is_some_and(is_address)
    }

    fn javascript(&self, link: &str) -> String {
        let (scheme, code) = link.split_at_checked("javascript:".len()).unwrap_or((link, ""));
        format!("{scheme}{}", script::rewrite_str(code, self))
    }
}

/// Where the path of a prefix begins.
fn path_of(prefix: &str) -> Option<usize> {
    if !prefix.ends_with('/') {
        return None;
    }
    if prefix.starts_with('/') {
        return (!prefix.starts_with("//")).then_some(0);
    }
    let host_at = prefix.find("://")? + 3;
    let path = prefix.get(host_at..)?.find('/')?;
    (path > 0).then_some(host_at + path)
}

/// Whether this is how addresses in the archive go on behind the prefix: `20261116im_/http:` or `http:`.
fn is_address(rest: &str) -> bool {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let behind = rest.get(digits..).unwrap_or_default();
    let (modifier, url) = match behind.split_once('/') {
        Some((modifier, url)) if modifier.is_empty() || modifier.ends_with('_') => (modifier, url),
        _ => ("", if digits == 0 { behind } else { "" }),
    };
    let known = modifier.len() <= 4 && (digits <= 14);
    known && (url.starts_with("//") || resolve::scheme(url).is_some_and(resolve::is_fetched))
}

/// What stands behind the time and modifier of an address, of which each may be missing.
fn behind_head(address: &str) -> &str {
    let digits = address.bytes().take_while(u8::is_ascii_digit).count();
    let modifier = address.get(digits..).and_then(|rest| rest.split_once('/'));
    match modifier {
        Some(("", url)) if digits > 0 => url,
        Some((modifier, url)) if modifier.len() <= 4 && modifier.ends_with('_') => url,
        _ => address,
    }
}

/// Blanks and control characters around a link, and tabs and line breaks in it, are no part of it.
///
/// <https://url.spec.whatwg.org/#concept-basic-url-parser>
fn clean(url: &str) -> Cow<'_, str> {
    let url = url.trim_matches(|character| character <= ' ');
    if url.bytes().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r')) {
        return url.chars().filter(|character| !matches!(character, '\t' | '\n' | '\r')).collect();
    }
    url.into()
}

#[cfg(test)]
mod tests;
