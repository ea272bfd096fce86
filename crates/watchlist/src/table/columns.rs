//! The columns of a table, and the names that people give them.

/// What a column says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Url,
    Title,
    Page,
    Feed,
    Folder,
    Tags,
    Every,
    /// A number, of this many seconds each.
    Interval(u32),
    Paused,
    /// Yes if it is *not* paused.
    Active,
    Only,
    Never,
    Css,
    XPath,
    Triggers,
    Appears,
    Disappears,
    Method,
    Headers,
    Body,
    Notify,
    Quiet,
    Notes,
    Unsupported,
}

/// The columns that are written, in their order.
pub(super) const WRITTEN: [(Column, &str); 20] = [
    (Column::Url, "url"),
    (Column::Title, "title"),
    (Column::Page, "page"),
    (Column::Feed, "feed"),
    (Column::Folder, "folder"),
    (Column::Tags, "tags"),
    (Column::Every, "every"),
    (Column::Paused, "paused"),
    (Column::Only, "only"),
    (Column::Never, "never"),
    (Column::Triggers, "triggers"),
    (Column::Method, "method"),
    (Column::Headers, "headers"),
    (Column::Body, "body"),
    (Column::Notify, "notify"),
    (Column::Quiet, "quiet"),
    (Column::Notes, "notes"),
    (Column::Unsupported, "unsupported"),
    // Only read, but listed so that the names stand in one place.
    (Column::Appears, "appears"),
    (Column::Disappears, "disappears"),
];

/// What a name means. Case, blanks, `_` and `-` do not count.
pub(super) fn column(name: &str) -> Option<Column> {
    // `url: x` is no name, but a line of YAML.
    if name.contains([':', '[', '{']) {
        return None;
    }
    let name: String =
        name.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    Some(match name.as_str() {
        "url" | "uri" | "link" | "address" | "website" | "watchurl" | "pageurl" => Column::Url,
        "title" | "name" | "label" => Column::Title,
        "page" | "htmlurl" | "linktoopen" => Column::Page,
        "feed" | "isfeed" => Column::Feed,
        "folder" | "group" | "category" => Column::Folder,
        "tags" | "tag" | "labels" | "groups" | "categories" => Column::Tags,
        "every" | "interval" | "frequency" | "pace" | "schedule" => Column::Every,
        "intervalseconds" | "intervalsec" | "intervals" | "seconds" => Column::Interval(1),
        "intervalmin" | "intervalminutes" | "minutes" => Column::Interval(60),
        "intervalhours" | "intervalh" | "hours" => Column::Interval(3600),
        "paused" | "ispaused" | "disabled" => Column::Paused,
        "active" | "enabled" => Column::Active,
        "only" | "include" | "includefilters" | "filter" | "filters" | "selector" => Column::Only,
        "never" | "exclude" | "subtractiveselectors" | "ignore" => Column::Never,
        "css" | "cssselector" => Column::Css,
        "xpath" => Column::XPath,
        "triggers" | "trigger" => Column::Triggers,
        "appears" | "triggertext" => Column::Appears,
        "disappears" | "textshouldnotbepresent" => Column::Disappears,
        "method" => Column::Method,
        "headers" => Column::Headers,
        "body" | "data" => Column::Body,
        "notify" | "email" | "mail" | "notification" | "notifications" | "notificationurls" => Column::Notify,
        "quiet" | "quiethours" => Column::Quiet,
        "notes" | "note" | "comment" | "description" => Column::Notes,
        "unsupported" => Column::Unsupported,
        _ => return None,
    })
}

/// What parts the columns of a first row: whichever of the three there is most of.
pub(super) fn delimiter(row: &str) -> u8 {
    let count = |delimiter: u8| row.bytes().filter(|byte| *byte == delimiter).count();
    // The last of equals is taken: where there is none, a comma.
    [b'\t', b';', b','].into_iter().max_by_key(|delimiter| count(*delimiter)).unwrap_or(b',')
}

/// Whether a first row names a column of URLs.
pub(crate) fn looks_like(row: &str) -> bool {
    let delimiter = char::from(delimiter(row));
    row.split(delimiter).any(|name| column(name.trim_matches('"')) == Some(Column::Url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_that_is_written_is_read() {
        for (column, name) in WRITTEN {
            assert_eq!(super::column(name), Some(column), "{name}");
        }
    }

    #[test]
    fn a_first_row_names_urls() {
        for row in ["url", "Title;URL;Interval (min)", "\"name\",\"Website\"", "a\tlink"] {
            assert!(looks_like(row), "{row}");
        }
        for row in ["", "https://example.org/", "name: url", "a,b"] {
            assert!(!looks_like(row), "{row}");
        }
    }
}
