//! Queries: `a=1&b=2`. Sorting them for keys, and reading and changing single parameters.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::percent::{decode_form, encode_form, into_text};
use crate::split::split;

/// The fields of a query in order: by name, then by value, a name without `=` first. Empty fields count.
pub fn sort_fields(query: &[u8]) -> Cow<'_, [u8]> {
    let fields = || query.split(|byte| *byte == b'&');
    if fields().map(name_and_value).is_sorted() {
        return Cow::Borrowed(query);
    }
    let mut sorted: Vec<&[u8]> = fields().collect();
    sorted.sort_by_key(|field| name_and_value(field));
    Cow::Owned(sorted.join(&b'&'))
}

fn name_and_value(field: &[u8]) -> (&[u8], Option<&[u8]>) {
    crate::handy::split_at_byte(field, b'=')
}

/// The value of the first parameter of that name, decoded. An empty value counts only if `keep_blank`.
///
/// ```
/// assert_eq!(urlkey::query::parameter("a?id=200&x=%20", "id", false).as_deref(), Some("200"));
/// ```
pub fn parameter(url: &str, name: &str, keep_blank: bool) -> Option<String> {
    let parts = split(url).ok()?;
    parse_fields(&parts.query, keep_blank, "&")
        .into_iter()
        .find(|(found, _)| found == name.as_bytes())
        .map(|(_, value)| into_text(value))
}

/// The URL with these parameters set: the first of each name is replaced, the others of that name go, new names are
/// added at the end. The whole query is encoded anew.
pub fn set_parameters(url: &str, parameters: &[(&str, &str)], separator: &str) -> String {
    let Ok(mut parts) = split(url) else { return url.to_owned() };
    let mut seen: Vec<&[u8]> = Vec::new();
    let mut fields = Vec::new();
    for (name, value) in parse_fields(&parts.query, true, separator) {
        if seen.contains(&name.as_slice()) {
            continue;
        }
        match parameters.iter().rev().find(|(wanted, _)| wanted.as_bytes() == name) {
            Some((wanted, new)) => {
                seen.push(wanted.as_bytes());
                fields.push((name, new.as_bytes().to_vec()));
            }
            None => fields.push((name, value)),
        }
    }
    for (name, value) in parameters {
        if !seen.contains(&name.as_bytes()) {
            seen.push(name.as_bytes());
            fields.push((name.as_bytes().to_vec(), value.as_bytes().to_vec()));
        }
    }
    parts.query = Cow::Owned(encode_fields(&fields, separator));
    parts.join()
}

/// Which parameters [`clean`] leaves, and how.
#[derive(Debug, Clone, Copy)]
pub struct Cleaning<'a> {
    /// The names meant.
    pub names: &'a [&'a str],
    /// Remove those names rather than all others.
    pub remove: bool,
    /// Of several parameters with one name keep the first.
    pub unique: bool,
    /// Keep what follows `#`.
    pub keep_fragment: bool,
    /// What stands between parameters, usually `&`.
    pub separator: &'a str,
    /// What stands between name and value, usually `=`.
    pub equals: &'a str,
}

impl Default for Cleaning<'_> {
    fn default() -> Self {
        Cleaning {
            names: &[],
            remove: false,
            unique: true,
            keep_fragment: false,
            separator: "&",
            equals: "=",
        }
    }
}

/// The URL with only some of its parameters, in their order and as they were written. Empty ones go.
///
/// ```
/// use urlkey::query::{Cleaning, clean};
/// let only_id = Cleaning { names: &["id"], ..Cleaning::default() };
/// assert_eq!(clean("p.html?&id=200&foo=bar#top", only_id), "p.html?id=200");
/// ```
pub fn clean(url: &str, cleaning: Cleaning<'_>) -> String {
    let (url, fragment) = url.split_once('#').unwrap_or((url, ""));
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let mut seen: HashSet<&str> = HashSet::new();
    let mut kept: Vec<&str> = Vec::new();
    if cleaning.remove || !cleaning.names.is_empty() {
        for field in query.split(cleaning.separator).filter(|field| !field.is_empty()) {
            let name = field.split(cleaning.equals).next().unwrap_or_default();
            if !seen.insert(name) && cleaning.unique {
                continue;
            }
            if cleaning.names.contains(&name) != cleaning.remove {
                kept.push(field);
            }
        }
    }
    let mut cleaned = base.to_owned();
    if !kept.is_empty() {
        cleaned.push('?');
        cleaned.push_str(&kept.join(cleaning.separator));
    }
    if cleaning.keep_fragment && !fragment.is_empty() {
        cleaned.push('#');
        cleaned.push_str(fragment);
    }
    cleaned
}

/// Names and values, decoded. Empty fields are passed over, and without `keep_blank` those without a value as well.
pub(crate) fn parse_fields(query: &str, keep_blank: bool, separator: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let fields: Box<dyn Iterator<Item = &str>> = if separator.is_empty() {
        Box::new(std::iter::once(query))
    } else {
        Box::new(query.split(separator))
    };
    fields
        .filter(|field| !field.is_empty())
        .filter_map(|field| {
            let (name, value) = field.split_once('=').unwrap_or((field, ""));
            (keep_blank || !value.is_empty())
                .then(|| (decode_form(name.as_bytes()), decode_form(value.as_bytes())))
        })
        .collect()
}

pub(crate) fn encode_fields(fields: &[(Vec<u8>, Vec<u8>)], separator: &str) -> String {
    let encoded: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}={}", encode_form(name), encode_form(value))).collect();
    encoded.join(separator)
}
