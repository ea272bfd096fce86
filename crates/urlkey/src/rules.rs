//! The rule sets by name: which of the peers' ideas of sameness is meant.

use std::fmt;
use std::str::FromStr;

use crate::host::push_reversed;
use crate::parts::Parts;
use crate::percent::into_text;
use crate::urlcanon::{self, remove_fragment};
use crate::wayback::SurtForm;
use crate::{Error, ia, jwarc, openwayback, outbackcdx, repair, scrapy, wayback, whatwg};

/// A rule set for canonical forms and keys. Where peers differ, varve uses [`Rules::Wayback`] unless told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Rules {
    /// The Internet Archive's Python `surt`, and with it pywb, cdxj-indexer and warcio. The default.
    #[default]
    Wayback,
    /// Google's safe browsing, as webarchive-commons has it (`BasicURLCanonicalizer`).
    Google,
    /// webarchive-commons `OrdinaryIAURLCanonicalizer`: what a fetcher would not notice.
    IaOrdinary,
    /// webarchive-commons `AggressiveIAURLCanonicalizer`: what a reader would not notice.
    IaAggressive,
    /// OutbackCDX.
    OutbackCdx,
    /// OpenWayback's `AggressiveUrlCanonicalizer`; keys in reading order.
    OpenWayback,
    /// jwarc's normalised SURT.
    Jwarc,
    /// `urlcanon.whatwg`: the URL standard, for any bytes and without failures.
    UrlcanonWhatwg,
    /// `urlcanon.google`.
    UrlcanonGoogle,
    /// `urlcanon.semantic_precise`: fragments count.
    UrlcanonSemanticPrecise,
    /// `urlcanon.semantic`.
    UrlcanonSemantic,
    /// `urlcanon.aggressive`.
    UrlcanonAggressive,
    /// Scrapy's `canonicalize_url`.
    Scrapy,
    /// The URL standard's own serialisation; fails where the standard does.
    Whatwg,
}

impl Rules {
    /// Every rule set, the default first.
    pub const ALL: [Rules; 14] = [
        Rules::Wayback,
        Rules::Google,
        Rules::IaOrdinary,
        Rules::IaAggressive,
        Rules::OutbackCdx,
        Rules::OpenWayback,
        Rules::Jwarc,
        Rules::UrlcanonWhatwg,
        Rules::UrlcanonGoogle,
        Rules::UrlcanonSemanticPrecise,
        Rules::UrlcanonSemantic,
        Rules::UrlcanonAggressive,
        Rules::Scrapy,
        Rules::Whatwg,
    ];

    /// The name in settings and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Rules::Wayback => "wayback",
            Rules::Google => "google",
            Rules::IaOrdinary => "ia-ordinary",
            Rules::IaAggressive => "ia-aggressive",
            Rules::OutbackCdx => "outbackcdx",
            Rules::OpenWayback => "openwayback",
            Rules::Jwarc => "jwarc",
            Rules::UrlcanonWhatwg => "urlcanon-whatwg",
            Rules::UrlcanonGoogle => "urlcanon-google",
            Rules::UrlcanonSemanticPrecise => "urlcanon-semantic-precise",
            Rules::UrlcanonSemantic => "urlcanon-semantic",
            Rules::UrlcanonAggressive => "urlcanon-aggressive",
            Rules::Scrapy => "scrapy",
            Rules::Whatwg => "whatwg",
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(name: &str) -> Result<Rules, Error> {
        let unknown = || Error::UnknownRules { name: crate::error::excerpt(name) };
        Rules::ALL.into_iter().find(|rules| rules.name() == name).ok_or_else(unknown)
    }
}

/// The canonical form of a URL, in reading order.
///
/// ```
/// use urlkey::{Rules, canonicalize};
/// let url = "HTTPS://www.Example.org:443/A//b/?y=2&x=1#top";
/// assert_eq!(canonicalize(url, Rules::Wayback)?, "https://example.org/a/b?x=1&y=2");
/// assert_eq!(canonicalize(url, Rules::Whatwg)?, "https://www.example.org/A//b/?y=2&x=1#top");
/// # Ok::<(), urlkey::Error>(())
/// ```
///
/// # Errors
/// [`Error::BadPort`], [`Error::BadHost`] or [`Error::NotAUrl`] where the rule set refuses the URL. The rule sets of
/// `urlcanon` refuse nothing.
pub fn canonicalize(url: &str, rules: Rules) -> Result<String, Error> {
    canonicalize_bytes(url.as_bytes(), rules).map(into_text)
}

/// As [`canonicalize`], for bytes in any encoding.
///
/// # Errors
/// As [`canonicalize`].
pub fn canonicalize_bytes(url: &[u8], rules: Rules) -> Result<Vec<u8>, Error> {
    let text = || String::from_utf8_lossy(url);
    Ok(match rules {
        Rules::Wayback => wayback::canonical_url(url)?,
        Rules::Google | Rules::IaOrdinary | Rules::IaAggressive if ia::is_opaque(url) => {
            url.trim_ascii().to_vec()
        }
        Rules::Google => ia::google(url)?.to_url(),
        Rules::IaOrdinary => ia::ordinary(url)?.to_url(),
        Rules::IaAggressive => ia::aggressive(url)?.to_url(),
        Rules::OutbackCdx => outbackcdx::canonical_url(url)?,
        Rules::OpenWayback => openwayback::aggressive_key(url)?,
        Rules::Jwarc => crate::unsurt(&into_text(jwarc::key(url)?)).into_bytes(),
        Rules::Scrapy => {
            let text = repair::decode(url, encoding_rs::UTF_8);
            scrapy::canonical_url(&text, scrapy::Canonical::default())?.into_bytes()
        }
        Rules::Whatwg => String::from(whatwg::parse_whatwg(&text(), None)?).into_bytes(),
        _ => urlcanon_parts(url, rules).to_bytes(),
    })
}

/// The key of a URL under these rules: in SURT order but for [`Rules::OpenWayback`], which never had that.
///
/// ```
/// use urlkey::{Rules, key_by};
/// assert_eq!(key_by("http://www.example.org/A", Rules::UrlcanonSemantic)?, "org,example,www)/A");
/// # Ok::<(), urlkey::Error>(())
/// ```
///
/// # Errors
/// As [`canonicalize`].
pub fn key_by(url: &str, rules: Rules) -> Result<String, Error> {
    let bytes = url.as_bytes();
    let key = match rules {
        Rules::Wayback => wayback::surt_with(bytes, SurtForm::default())?,
        Rules::OpenWayback => openwayback::aggressive_key(bytes)?,
        Rules::Jwarc => jwarc::key(bytes)?,
        Rules::OutbackCdx => outbackcdx::key(bytes)?,
        Rules::Google | Rules::IaOrdinary | Rules::IaAggressive => ia_key(bytes, rules)?,
        _ => Parts::parse(&canonicalize_bytes(bytes, rules)?).surt(false, false),
    };
    Ok(into_text(key))
}

fn ia_key(url: &[u8], rules: Rules) -> Result<Vec<u8>, Error> {
    if url.is_empty() {
        return Ok(b"-".to_vec());
    }
    if ia::is_opaque(url) {
        return Ok(url.trim_ascii().to_vec());
    }
    let parts = match rules {
        Rules::Google => ia::google(url)?,
        Rules::IaOrdinary => ia::ordinary(url)?,
        _ => ia::aggressive(url)?,
    };
    let Some(host) = &parts.host else { return Ok(parts.to_url()) };
    let mut key = Vec::with_capacity(url.len());
    push_reversed(&mut key, host);
    parts.push_port(&mut key);
    key.push(b')');
    parts.push_path_query(&mut key);
    Ok(key)
}

fn urlcanon_parts(url: &[u8], rules: Rules) -> Parts {
    let mut parts = Parts::parse(url);
    match rules {
        Rules::UrlcanonWhatwg => urlcanon::run(&mut parts, urlcanon::WHATWG),
        Rules::UrlcanonGoogle => urlcanon::run(&mut parts, urlcanon::GOOGLE),
        Rules::UrlcanonSemanticPrecise => urlcanon::run(&mut parts, urlcanon::SEMANTIC_PRECISE),
        Rules::UrlcanonSemantic => {
            urlcanon::run(&mut parts, urlcanon::SEMANTIC_PRECISE);
            remove_fragment(&mut parts);
        }
        _ => {
            urlcanon::run(&mut parts, urlcanon::SEMANTIC_PRECISE);
            remove_fragment(&mut parts);
            urlcanon::run(&mut parts, urlcanon::AGGRESSIVE);
        }
    }
    parts
}
