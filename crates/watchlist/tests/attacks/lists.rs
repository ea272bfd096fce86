//! Any bytes as a list of every kind.

use watchlist::{Error, Format, Limits, List, Place, decode, detect, jsonl, opml, read, table};

/// Small, so that no try takes long.
fn limits() -> Limits {
    Limits {
        entries_max: 200,
        bytes_max: 1 << 20,
        yaml_bytes_max: 1 << 20,
        items_max: 20,
        ..Limits::default()
    }
}

pub(crate) fn attack(bytes: &[u8]) {
    let limits = limits();
    let text = match decode(bytes, &limits) {
        Ok(text) => text,
        Err(error) => return placed(&error, bytes.len()),
    };
    let known = detect(&text);
    match read(&text, &limits) {
        Ok(list) => {
            assert_eq!(Ok(list), known.unwrap().read(&text, &limits), "read otherwise than by its kind")
        }
        Err(Error::Unknown) => assert_eq!(known, None),
        Err(error) => placed(&error, bytes.len()),
    }
    for format in Format::ALL {
        match format.read(&text, &limits) {
            Ok(list) => holds(&list, &limits),
            Err(error) => placed(&error, bytes.len()),
        }
    }
}

/// An error names a line that is there.
fn placed(error: &Error, bytes: usize) {
    assert!(!error.to_string().is_empty());
    if let Error::Syntax { place: Place::Line { line, .. }, .. }
    | Error::TooMany { place: Place::Line { line, .. }, .. } = error
    {
        assert!((1..=bytes + 2).contains(line), "no such line: {error}");
    }
}

/// What was read is within its bounds, and is written and read again.
fn holds(list: &List, limits: &Limits) {
    assert!(list.entries.len() <= limits.entries_max && list.left_out.len() <= limits.entries_max);
    for entry in &list.entries {
        assert!(
            entry.url.starts_with("http") || entry.url.to_ascii_lowercase().starts_with("http"),
            "{}",
            entry.url
        );
        assert!(entry.unsupported.len() <= 100);
        assert!(entry.only.iter().chain(&entry.never).all(|rule| !rule.text.trim().is_empty()));
    }
    let wide = Limits::default();
    let again = jsonl::read(&jsonl::write(&list.entries), &wide).unwrap();
    assert_eq!(again.entries, list.entries, "our export loses something");
    assert_eq!(
        table::read(&table::write(&list.entries).text, &wide).unwrap().entries.len(),
        list.entries.len()
    );
    assert_eq!(
        opml::read(&opml::write("t", &list.entries).text, &wide).unwrap().entries.len(),
        list.entries.len()
    );
}
