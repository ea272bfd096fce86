//! SURTs in all their spellings: with scheme, sortable, in steps from the URL up to its domain, and back again.
//!
//! Index keys are made elsewhere, by [`surt`](crate::surt()); these functions change the order of parts and nothing else.

use crate::host::{is_dotted_quad, push_reversed};
use crate::parts::Parts;

/// The full SURT of Heritrix: `http://www.archive.org:8080/a` is `http://(org,archive,www,:8080)/a`.
///
/// In lower case, userinfo kept after the port, addresses not turned round. A text without `scheme://host` stays as it
/// is. Nothing is cleaned up: Heritrix does that before, and so does [`PrefixSet`](crate::PrefixSet).
pub fn full_surt(url: &str) -> String {
    full_surt_parts(url).unwrap_or_else(|| url.to_owned())
}

fn full_surt_parts(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let word = |char: char| char.is_ascii_alphanumeric() || char == '_';
    if scheme.is_empty() || !scheme.chars().all(word) || rest.contains(char::is_whitespace) {
        return None;
    }
    let (userinfo, rest) = match rest.split_once('@') {
        Some((userinfo, rest)) if is_userinfo(userinfo) && !rest.is_empty() => (Some(userinfo), rest),
        _ => (None, rest),
    };
    let (host, port, path) = host_port_path(rest)?;
    let mut surt = Vec::with_capacity(url.len() + 3);
    surt.extend_from_slice(scheme.as_bytes());
    surt.extend_from_slice(b"://(");
    if is_dotted_quad(host.as_bytes()) {
        surt.extend_from_slice(host.as_bytes());
    } else {
        push_reversed(&mut surt, host.as_bytes());
        surt.push(b',');
    }
    surt.extend_from_slice(port.as_bytes());
    if let Some(userinfo) = userinfo {
        surt.push(b'@');
        surt.extend_from_slice(userinfo.as_bytes());
    }
    surt.push(b')');
    surt.extend_from_slice(path.as_bytes());
    Some(crate::percent::into_text(surt).to_lowercase())
}

fn is_userinfo(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|char| char.is_ascii_alphanumeric() || "-_.!~*'()%;:&=+$,".contains(char))
}

/// The shortest host after which only a port and a path follow.
fn host_port_path(text: &str) -> Option<(&str, &str, &str)> {
    let (authority, path) = text.split_at_checked(text.find('/').unwrap_or(text.len()))?;
    let (host, port) = match authority.rfind(':').and_then(|at| authority.split_at_checked(at)) {
        Some((host, port)) if port.len() > 1 && port.bytes().skip(1).all(|byte| byte.is_ascii_digit()) => {
            (host, port)
        }
        _ => (authority, ""),
    };
    (!host.is_empty()).then_some((host, port, path))
}

/// A key turned back into a URL without scheme: `org,example)/a` is `example.org/a`. A text that is no key stays.
///
/// ```
/// assert_eq!(urlkey::unsurt("org,example,www)/a?b)/"), "www.example.org/a?b)/");
/// ```
pub fn unsurt(key: &str) -> String {
    let Some((host, path)) = key.split_once(")/") else { return key.to_owned() };
    let mut url = String::with_capacity(key.len());
    for label in host.rsplit(',') {
        if !url.is_empty() {
            url.push('.');
        }
        url.push_str(label);
    }
    url.push('/');
    url.push_str(path);
    url
}

/// The host of a key with its labels in reading order, or `None` for a key without one, such as `urn:x`.
pub fn key_host(key: &str) -> Option<String> {
    let (host, _) = key.split_once(')')?;
    let host = host.split(':').next().unwrap_or(host);
    let labels: Vec<&str> = host.trim_end_matches(',').rsplit(',').collect();
    Some(labels.join("."))
}

impl Parts {
    /// The URL with its host turned round: `http://(org,example,foo,:81)/`. User and password go.
    pub fn surt(&self, with_scheme: bool, trailing_comma: bool) -> Vec<u8> {
        let mut surt = self.leading_junk.clone();
        if with_scheme {
            for part in [&self.scheme, &self.colon_after_scheme, &self.slashes] {
                surt.extend_from_slice(part);
            }
        }
        if !self.host.is_empty() {
            if with_scheme {
                surt.push(b'(');
            }
            surt.extend_from_slice(&ssurt_host(&self.host, trailing_comma));
            surt.extend_from_slice(&self.colon_before_port);
            surt.extend_from_slice(&self.port);
            surt.push(b')');
        }
        self.push_from_path(&mut surt);
        surt
    }

    /// The sortable form: host first, then port, scheme, user, path, so that what belongs together lies together.
    pub fn ssurt(&self) -> Vec<u8> {
        let mut ssurt = self.leading_junk.clone();
        ssurt.extend_from_slice(&ssurt_host(&self.host, true));
        for part in [
            &self.slashes,
            &self.port,
            &self.colon_before_port,
            &self.scheme,
            &self.at_sign,
            &self.username,
            &self.colon_before_password,
            &self.password,
            &self.colon_after_scheme,
        ] {
            ssurt.extend_from_slice(part);
        }
        self.push_from_path(&mut ssurt);
        ssurt
    }

    /// The SURT and everything it lies under, longest first: without fragment, without query, each folder, each domain.
    /// Empty for schemes that browsers do not treat specially.
    pub fn surt_ancestry(&self) -> Vec<Vec<u8>> {
        if !self.is_special() {
            return Vec::new();
        }
        let mut steps: Vec<Vec<u8>> = vec![[&*self.scheme, &self.colon_after_scheme, &self.slashes].concat()];
        if !self.host.is_empty() {
            if let Some(first) = steps.first_mut() {
                first.push(b'(');
            }
            let host = ssurt_host(&self.host, false);
            steps.extend(host.split(|byte| *byte == b',').map(|label| [label, b","].concat()));
            let port = if self.port.is_empty() {
                Vec::new()
            } else {
                [&*self.colon_before_port, &self.port].concat()
            };
            steps.push([port.as_slice(), b")"].concat());
        }
        let path = self.path.strip_prefix(b"/").unwrap_or(&self.path);
        if !self.path.is_empty() {
            steps.extend(path.split(|byte| *byte == b'/').map(|segment| [b"/", segment].concat()));
        }
        if !self.query.is_empty() {
            steps.push([&*self.question_mark, &self.query].concat());
        }
        if !self.fragment.is_empty() {
            steps.push([&*self.hash_sign, &self.fragment].concat());
        }
        if !self.trailing_junk.is_empty() {
            steps.push(self.trailing_junk.clone());
        }
        // A path of very many folders would make very many long texts; the shortest are the ones that matter.
        let most = if self.path.len() > 1 << 14 { steps.len().min(16) } else { steps.len().min(256) };
        (1..=most).rev().map(|count| steps.iter().take(count).flatten().copied().collect()).collect()
    }

    fn push_from_path(&self, out: &mut Vec<u8>) {
        for part in [
            &self.path,
            &self.question_mark,
            &self.query,
            &self.hash_sign,
            &self.fragment,
            &self.trailing_junk,
        ] {
            out.extend_from_slice(part);
        }
    }
}

/// The host turned round, `org,example,`; addresses stay as they are.
pub fn ssurt_host(host: &[u8], trailing_comma: bool) -> Vec<u8> {
    // `0.0.0.0` and its shorter spellings, such as a lone dot, are nobody's address.
    let is_address = crate::host::parse_ipv4(host).is_some_and(|address| !address.is_unspecified());
    if host.is_empty() || host.starts_with(b"[") || is_address {
        return host.to_vec();
    }
    reverse_host(host, trailing_comma)
}

/// Any host turned round. Commas in it become dots, so that turning back is possible.
pub fn reverse_host(host: &[u8], trailing_comma: bool) -> Vec<u8> {
    let mut reversed = Vec::with_capacity(host.len() + 1);
    for (index, label) in host.rsplit(|byte| *byte == b'.').enumerate() {
        if index > 0 {
            reversed.push(b',');
        }
        reversed.extend(label.iter().map(|byte| if *byte == b',' { b'.' } else { *byte }));
    }
    if trailing_comma {
        reversed.push(b',');
    }
    reversed
}
