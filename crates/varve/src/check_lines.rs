//! How `varve check` and `varve available` print the check of a page.

use watch::{Check, Outcome};

use crate::session::Session;
use crate::terminal::{Align, Columns, bytes, escape};

/// A check in a line: time, what was found, status, version, length, URL.
pub(crate) fn columns(check: &Check, word: &str) -> String {
    let columns = Columns::new([
        (Align::Left, 19),
        (Align::Left, 12),
        (Align::Right, 3),
        (Align::Right, 7),
        (Align::Right, 9),
    ]);
    let dash = || "-".to_owned();
    let cells = [
        format!("{:.0}", check.at).replace('T', " ").replace('Z', ""),
        word.to_owned(),
        check.status.map_or_else(dash, |status| status.to_string()),
        check.version.map_or_else(dash, |version| format!("v{version}")),
        check.length.map_or_else(dash, bytes),
        check.url.clone(),
    ];
    columns.row(cells.iter().map(String::as_str))
}

/// Prints what a person should know besides.
pub(crate) fn remark(check: &Check, session: &Session) {
    let url = escape(&check.url);
    if check.is_repeated {
        session.talk.note(&format!("{url}: asked just now; this is what was found then"));
    }
    if let Some(why) = &check.why {
        session.talk.note(&format!("{url}: {}", escape(why)));
    }
    for fault in &check.faults {
        session.talk.warning(&format!("{url}: the server {fault}"));
    }
    if matches!(check.outcome, Outcome::TooLarge { .. }) {
        session.talk.hint("`--force` takes it all the same");
    }
}
