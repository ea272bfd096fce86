//! Whose words a question to `/cdx` is put in. Two servers share the address and most parameters, and mean other things by some.

use api::Error;

use super::parameters::{Parameters, excerpt};

/// Whose words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// pywb's: filters contain, JSON is an object to a line, and without `output` there are CDXJ lines.
    Pywb,
    /// The Wayback Machine's: filters are regexes over the whole field, JSON is one table, and without `output` there are 7 columns.
    Wayback,
}

/// Parameters that pywb does not know.
const WAYBACK_PARAMETERS: [&str; 8] = [
    "collapse",
    "fastLatest",
    "gzip",
    "lastSkipTimestamp",
    "resumeKey",
    "showDupeCount",
    "showResumeKey",
    "showSkipCount",
];
/// Names of fields that pywb spells otherwise. `mimetype` is not among them: in pywb's own tests filters have it.
const WAYBACK_FIELDS: [&str; 2] = ["original", "statuscode"];

impl Dialect {
    /// The one that `dialect` names, or else the one whose parameters or fields are used. pywb's where nothing tells.
    pub(crate) fn of(parameters: &Parameters<'_>) -> Result<Dialect, Error> {
        match parameters.get("dialect") {
            Some("pywb") => return Ok(Dialect::Pywb),
            Some("wayback") => return Ok(Dialect::Wayback),
            Some(other) => {
                return Err(Error::bad(format!("`{}` is no dialect: pywb or wayback", excerpt(other))));
            }
            None => {}
        }
        let lists = parameters.all("fl").chain(parameters.all("fields"));
        let is_wayback = WAYBACK_PARAMETERS.iter().any(|name| parameters.has(name))
            || parameters.all("filter").any(|filter| names(filter_field(filter)))
            || lists.flat_map(|list| list.split(',')).any(|name| names(name.trim()) || name == "mimetype");
        Ok(if is_wayback { Dialect::Wayback } else { Dialect::Pywb })
    }
}

fn names(field: &str) -> bool {
    WAYBACK_FIELDS.contains(&field)
}

fn filter_field(filter: &str) -> &str {
    let (field, _) = filter.split_once(':').unwrap_or_default();
    field.trim_start_matches(['!', '=', '~'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::Limits;

    #[track_caller]
    fn check(query: &str, expect: Dialect) {
        let limits = Limits::default();
        let parameters = Parameters::parse(query, &limits).unwrap();
        assert_eq!(Dialect::of(&parameters).unwrap(), expect, "{query}");
    }

    #[test]
    fn parameters_and_fields_tell() {
        check("url=a", Dialect::Pywb);
        check("url=a&filter=mimetype:html&fl=urlkey,mime", Dialect::Pywb);
        check("url=a&filter=!statuscode:200", Dialect::Wayback);
        check("url=a&fl=urlkey,original", Dialect::Wayback);
        check("url=a&collapse=digest", Dialect::Wayback);
        check("url=a&showResumeKey", Dialect::Wayback);
        check("url=a&collapse=digest&dialect=pywb", Dialect::Pywb);
        check("url=a&dialect=wayback", Dialect::Wayback);
    }
}
