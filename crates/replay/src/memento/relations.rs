//! The `Link` header: where the original was, and where its other captures are.
//!
//! <https://www.rfc-editor.org/rfc/rfc7089#section-2.2>

use cdx::Timestamp;

use crate::error::Error;
use crate::versions::{Row, Versions};
use crate::visit::{Visit, safe};

/// The captures around one, as far as this one may see them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Neighbours {
    pub(crate) first: Option<Row>,
    pub(crate) last: Option<Row>,
    pub(crate) previous: Option<Row>,
    pub(crate) next: Option<Row>,
}

impl Neighbours {
    /// Those around a capture of this time and status. Around a page there are pages: what only leads elsewhere, as from `http` to `https`, or
    /// says "as before" would be passed over for the page itself, so that nobody got past it.
    pub(crate) fn of(
        visit: &Visit,
        versions: &Versions,
        at: Timestamp,
        status: Option<u16>,
    ) -> Result<Neighbours, Error> {
        let behind = Timestamp::from_number(at.as_number().saturating_add(1)).unwrap_or(at);
        let leads = |status: Option<u16>| status.is_some_and(|status| (300..=399).contains(&status));
        let is_page = !leads(status);
        let first =
            |rows| visit.first_seen_of(rows, |row| !(is_page && leads(row.status) && !row.is_revisit()));
        Ok(Neighbours {
            first: first(versions.all())?,
            last: first(versions.all_backwards())?,
            previous: first(versions.before(at))?,
            next: first(versions.from(behind))?,
        })
    }
}

/// The header of one capture.
pub(crate) fn of_memento(visit: &Visit, form: &str, url: &str, at: Timestamp, around: &Neighbours) -> String {
    let mut links = vec![of_original(visit, url)];
    let itself = (at, url.to_owned());
    let rows = [
        ("first", &around.first),
        ("prev", &around.previous),
        ("", &None),
        ("next", &around.next),
        ("last", &around.last),
    ];
    let mut mementos: Vec<((Timestamp, String), Vec<&str>)> = Vec::new();
    for (relation, row) in rows {
        let place = match row {
            // Several URLs may have a capture of one second: the one that is shown is called by its own.
            Some(row) if row.timestamp == Some(at) => Some(itself.clone()),
            Some(row) => row.timestamp.map(|at| (at, row.url.as_deref().unwrap_or_default().to_owned())),
            None if relation.is_empty() => Some(itself.clone()),
            None => None,
        };
        let Some(place) = place else { continue };
        match mementos.iter_mut().find(|(known, _)| known.0 == place.0) {
            Some((_, relations)) => relations.push(relation),
            None => mementos.push((place, vec![relation])),
        }
    }
    for ((at, url), relations) in mementos {
        let words: Vec<&str> =
            relations.into_iter().filter(|word| !word.is_empty()).chain(["memento"]).collect();
        let (time, date) = (at.to_string(), http_date(at));
        let address = visit.address(&time, form, &url);
        links.push(format!("<{address}>; rel=\"{}\"; datetime=\"{date}\"", words.join(" ")));
    }
    links.join(", ")
}

/// The header of what is about all captures.
pub(crate) fn of_original(visit: &Visit, url: &str) -> String {
    format!(
        "<{}>; rel=\"original\", <{}>; rel=\"timegate\", <{}>; rel=\"timemap\"; type=\"application/link-format\"",
        safe(url),
        visit.gate(url),
        visit.map("link", url),
    )
}

/// As headers have it.
pub(crate) fn http_date(at: Timestamp) -> String {
    urlkey::time::to_http_date(urlkey::time::parse_14_clamped(&at.to_string()))
}
