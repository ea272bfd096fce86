//! The shape of a URL: what is left when its numbers are gone, and whether such shapes tend to run away.

use std::borrow::Cow;

use urlkey::session;

use crate::calendar::{self, contains_ignoring_case};

/// Kinds of URLs that a site can make without end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShapeKind {
    /// A page of a calendar, month or day after day.
    Calendar,
    /// A numbered page of a list.
    Pages,
    /// A list narrowed down by four fields or more.
    Facets,
    /// Another choice of fields for the same path.
    FacetSets,
    /// The same page with another session id.
    Sessions,
}

impl ShapeKind {
    /// What there are too many of, as a plural.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            ShapeKind::Calendar => "pages of one calendar",
            ShapeKind::Pages => "numbered pages of one list",
            ShapeKind::Facets => "ways to narrow down one list",
            ShapeKind::FacetSets => "choices of fields for one path",
            ShapeKind::Sessions => "session ids for one page",
        }
    }
}

/// The kind of a URL by its path and fields, if it is of one that counts. Session ids are another matter.
pub(super) fn kind(path: &str, query: Option<&str>) -> Option<ShapeKind> {
    let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    let digits_in_path = has_digit(path);
    if !digits_in_path && query.is_none() {
        return None;
    }
    if is_calendar(path, query, digits_in_path) {
        return Some(ShapeKind::Calendar);
    }
    if query.is_some_and(|query| has_digit(query) && query.split('&').any(is_page_field))
        || (digits_in_path && is_page_path(path))
    {
        return Some(ShapeKind::Pages);
    }
    let fields = query.map_or(0, |query| query.split('&').filter(|field| !field.is_empty()).count());
    (fields >= 4).then_some(ShapeKind::Facets)
}

fn is_calendar(path: &str, query: Option<&str>, digits_in_path: bool) -> bool {
    let words = ["calend", "kalend", "event", "agenda", "termin", "schedule", "booking"];
    let in_query = || calendar::year("", query).is_some();
    let in_path = || {
        digits_in_path
            && words.iter().any(|word| contains_ignoring_case(path, word))
            && calendar::year(path, None).is_some()
    };
    in_query() || in_path()
}

fn is_page_field(field: &str) -> bool {
    const NAMES: [&str; 12] =
        ["page", "p", "paged", "pg", "start", "offset", "skip", "from", "seite", "strana", "pageno", "next"];
    field.split_once('=').is_some_and(|(name, value)| {
        NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
            && !value.is_empty()
            && value.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn is_page_path(path: &str) -> bool {
    let mut parts = path.split('/');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.any(|part| matches!(part, "page" | "Page" | "seite" | "strana"))
        && parts.next().is_some_and(is_number)
}

/// The path with every run of digits as one zero, and the names of the fields in order.
pub(super) fn shape(path: &str, query: Option<&str>) -> String {
    let mut shape = String::with_capacity(path.len() + 32);
    let mut in_digits = false;
    for char in path.chars() {
        if !char.is_ascii_digit() {
            shape.push(char);
        } else if !in_digits {
            shape.push('0');
        }
        in_digits = char.is_ascii_digit();
    }
    for (index, name) in names(query).iter().enumerate() {
        shape.push(if index == 0 { '?' } else { '&' });
        shape.push_str(name);
    }
    shape
}

/// The names of the fields in order, each as often as it stands there.
pub(super) fn names(query: Option<&str>) -> Vec<&str> {
    let fields = query.unwrap_or_default().split('&').filter(|field| !field.is_empty());
    let mut names: Vec<&str> =
        fields.map(|field| field.split_once('=').map_or(field, |(name, _)| name)).collect();
    names.sort_unstable();
    names
}

/// A path and a query.
type Plain<'a> = (Cow<'a, [u8]>, Cow<'a, [u8]>);

/// Path and query without session ids, if there are any in it.
pub(super) fn without_session<'a>(path: &'a str, query: Option<&'a str>) -> Option<Plain<'a>> {
    let plain = session::strip_path(path.as_bytes());
    let plain = match path.split_once(';') {
        Some((front, rest)) if contains_ignoring_case(rest, "sessionid=") => {
            let back = rest.split_once('/').map_or("", |(_, back)| back);
            Cow::Owned([front.as_bytes(), b"/", back.as_bytes()].concat())
        }
        _ => plain,
    };
    let query = session::strip_query(query.unwrap_or_default().as_bytes());
    let has_one = matches!(plain, Cow::Owned(_)) || matches!(query, Cow::Owned(_));
    has_one.then_some((plain, query))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, query: Option<&str>, expect: Option<ShapeKind>) {
        assert_eq!(kind(path, query), expect, "{path} {query:?}");
    }

    #[test]
    fn calendars_lists_and_facets_are_told_from_articles() {
        check("/calendar/2026/11/16", None, Some(ShapeKind::Calendar));
        check("/cal", Some("year=2026&month=11"), Some(ShapeKind::Calendar));
        check("/x", Some("date=2026-11-16"), Some(ShapeKind::Calendar));
        check("/list", Some("page=7"), Some(ShapeKind::Pages));
        check("/blog/page/7/", None, Some(ShapeKind::Pages));
        check("/shop", Some("a=1&b=2&c=3&d=4"), Some(ShapeKind::Facets));
        check("/2026/11/16/some-article", None, None);
        check("/article/123456", None, None);
        check("/index.php", Some("id=5"), None);
        check("/wiki/Prague", None, None);
    }

    #[test]
    fn a_shape_has_no_numbers_and_no_values() {
        assert_eq!(shape("/a12/3-45", Some("b=1&a=2")), "/a0/0-0?a&b");
    }

    #[test]
    fn session_ids_are_found_in_path_and_query() {
        let id = "0123456789abcdef0123456789abcdef";
        assert!(without_session("/a", Some(&format!("PHPSESSID={id}"))).is_some());
        let (path, _) = without_session("/a;jsessionid=12ab/b", None).unwrap();
        assert_eq!(&*path, b"/a/b");
        assert!(without_session("/a;v=1", Some("id=5")).is_none());
    }
}
