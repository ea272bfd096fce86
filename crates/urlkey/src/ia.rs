//! The canonical forms of the Internet Archive's Java library, webarchive-commons: `Google`, `Ordinary`, `Aggressive`.
//!
//! They are close relatives of the default rules and write URLs rather than keys.

use std::borrow::Cow;

use crate::handy::{HandyUrl, default_port, lowercase};
use crate::host::{resolve_ipv4, strip_www, tidy_dots, to_ascii_2003};
use crate::percent::{decode_repeatedly, encode_least};
use crate::query::sort_fields;
use crate::wayback::{apply, recode};
use crate::{Error, pathdots, session};

/// Google's safe browsing: escapes decoded as far as they go and made anew, host and path tidied, no fragment.
pub(crate) fn google(url: &[u8]) -> Result<HandyUrl<'_>, Error> {
    let mut url = HandyUrl::parse(url)?;
    url.fragment = None;
    for part in [&mut url.user, &mut url.password, &mut url.query].into_iter().flatten() {
        *part = Cow::Owned(recode(part));
    }
    if let Some(host) = url.host.as_mut() {
        google_host(host);
        apply(&mut url.path, decode_repeatedly);
        apply(&mut url.path, pathdots::wayback);
    } else {
        apply(&mut url.path, decode_repeatedly);
    }
    apply(&mut url.path, encode_least);
    Ok(url)
}

/// [`google`], and what a fetcher would not notice: scheme in lower case, no default port, no empty query.
pub(crate) fn ordinary(url: &[u8]) -> Result<HandyUrl<'_>, Error> {
    let mut url = google(url)?;
    url.scheme = lowercase(std::mem::take(&mut url.scheme));
    if url.port.is_some() && url.port == default_port(&url.scheme) {
        url.port = None;
    }
    url.query = url.query.take().filter(|query| !query.is_empty());
    Ok(url)
}

/// [`ordinary`], and what a reader would not notice: `www`, case, session ids, order of parameters, user.
pub(crate) fn aggressive(url: &[u8]) -> Result<HandyUrl<'_>, Error> {
    let mut url = ordinary(url)?;
    url.user = None;
    url.password = None;
    if let Some(host) = url.host.as_mut() {
        while strip_www(host).len() < host.len() {
            *host = Cow::Owned(strip_www(host).to_vec());
        }
    }
    url.path = lowercase(std::mem::take(&mut url.path));
    apply(&mut url.path, session::strip_path);
    if url.path.len() > 1 && url.path.ends_with(b"/") {
        url.path.to_mut().pop();
    }
    if let Some(query) = url.query.as_mut() {
        apply(query, session::strip_query);
        *query = lowercase(std::mem::take(query));
        apply(query, sort_fields);
    }
    url.query = url.query.take().filter(|query| !query.is_empty());
    Ok(url)
}

/// The names of records that never were on the web: nothing in them is changed.
pub(crate) fn is_opaque(url: &[u8]) -> bool {
    let url = url.trim_ascii();
    [b"dns:".as_slice(), b"filedesc:", b"warcinfo:"].iter().any(|scheme| url.starts_with(scheme))
}

fn google_host(host: &mut Cow<'_, [u8]>) {
    apply(host, decode_repeatedly);
    if !host.is_ascii()
        && let Some(ascii) = std::str::from_utf8(host).ok().and_then(to_ascii_2003)
    {
        *host = Cow::Owned(ascii);
    }
    apply(host, tidy_dots);
    match resolve_ipv4(host) {
        Some(address) => *host = Cow::Owned(address.to_string().into_bytes()),
        None => {
            *host = lowercase(std::mem::take(host));
            apply(host, encode_least);
        }
    }
}
