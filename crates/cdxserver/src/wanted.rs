//! What is wanted of a CDX server, whoever's words it was put in.

use api::{Error, Limits};
use cdx::Timestamp;
use cdx::query::{Collapse, Columns, Filter, Resolver, Sieve, TimeRange};

use super::dialect::Dialect;
use super::gate::ACCESS;
use super::link::Links;
use super::mark::Mark;
use super::output::{CDX11, CDX14, Output, members};
use super::parameters::{Parameters, excerpt};
use super::scope::Scope;
use crate::CdxServer;

/// A question.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) scope: Scope,
    pub(crate) sieve: Sieve,
    pub(crate) sort: Sort,
    /// At most so many rows; negative: the last so many. `None` for no limit.
    pub(crate) limit: Option<i64>,
    /// Rows that are passed over first.
    pub(crate) skip: u64,
    /// Where to go on.
    pub(crate) resume: Option<Mark>,
    /// Whether to say where to go on.
    pub(crate) shows_mark: bool,
    /// Of rows that are alike the last is kept, not the first.
    pub(crate) keeps_last: bool,
    pub(crate) output: Output,
    /// Whether rows say that their captures may not be seen.
    pub(crate) shows_access: bool,
}

/// In which order rows are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// By key and time.
    Forward,
    /// The last first.
    Reverse,
    /// By distance from a time.
    Nearest(Timestamp),
}

impl Wanted {
    /// What the parameters of `/cdx` ask for.
    pub(crate) fn parse(
        server: &CdxServer,
        collection: &str,
        parameters: &Parameters<'_>,
    ) -> Result<Wanted, Error> {
        let dialect = Dialect::of(parameters)?;
        let scope = Scope::of_url(parameters)?;
        let filters = filters(
            parameters,
            server.limits(),
            match dialect {
                Dialect::Pywb => Filter::pywb,
                Dialect::Wayback => Filter::outback,
            },
        )?;
        let resume = parameters.get("resumeKey").map(|text| {
            Mark::parse(text).ok_or_else(|| Error::bad(format!("`{}` is no resumeKey", excerpt(text))))
        });
        let is_resolving = parameters.is_on("resolveRevisits");
        let columns = columns(parameters, server.limits())?;
        let shows_access = parameters.is_on("showAccess")
            || columns.as_ref().is_some_and(|columns| columns.names().any(|name| name == ACCESS));
        let output =
            output(parameters, dialect, columns, is_resolving, || links(server, collection, parameters))?;
        Ok(Wanted {
            scope,
            sieve: Sieve {
                resolver: is_resolving.then(|| match dialect {
                    Dialect::Pywb => Resolver::default(),
                    Dialect::Wayback => Resolver::of_places(),
                }),
                filters,
                time: time_range(parameters)?,
                omit_self_redirects: parameters.is_on("omitSelfRedirects"),
                collapses: collapses(parameters, server.limits())?,
            },
            sort: sort(parameters, server)?,
            limit: limit(parameters)?,
            skip: parameters.number("offset")?.unwrap_or_default(),
            resume: resume.transpose()?,
            shows_mark: parameters.is_on("showResumeKey"),
            keeps_last: false,
            output,
            shows_access,
        })
    }
}

/// `limit`; 0 is none, as in pywb.
pub(crate) fn limit(parameters: &Parameters<'_>) -> Result<Option<i64>, Error> {
    Ok(parameters.number::<i64>("limit")?.filter(|limit| *limit != 0))
}

/// `from` and `to`, with pywb's older `from_ts`.
pub(crate) fn time_range(parameters: &Parameters<'_>) -> Result<TimeRange, Error> {
    let from = parameters.get("from").or_else(|| parameters.get("from_ts"));
    Ok(TimeRange::parse(from, parameters.get("to"))?)
}

/// All filters, each read by the same words.
pub(crate) fn filters(
    parameters: &Parameters<'_>,
    limits: &Limits,
    read: fn(&str) -> Result<Filter, cdx::Error>,
) -> Result<Vec<Filter>, Error> {
    let mut filters = Vec::new();
    for text in parameters.all("filter") {
        if filters.len() == limits.filters {
            return Err(Error::bad(format!("more than {} filters", limits.filters)));
        }
        filters.push(read(expression(text, limits)?)?);
    }
    Ok(filters)
}

/// `fl` or `fields`.
pub(crate) fn columns(parameters: &Parameters<'_>, limits: &Limits) -> Result<Option<Columns>, Error> {
    let Some(list) = parameters.get("fields").or_else(|| parameters.get("fl")) else { return Ok(None) };
    Ok(Some(Columns::parse(expression(list, limits)?)).filter(|columns| !columns.is_empty()))
}

/// An expression of bearable length.
pub(crate) fn expression<'e>(text: &'e str, limits: &Limits) -> Result<&'e str, Error> {
    if text.len() > limits.expression_bytes {
        return Err(Error::bad(format!("an expression of more than {} bytes", limits.expression_bytes)));
    }
    Ok(text)
}

/// `collapse` and `collapseTime`.
fn collapses(parameters: &Parameters<'_>, limits: &Limits) -> Result<Vec<Collapse>, Error> {
    let digits = parameters.number::<u32>("collapseTime")?;
    let mut collapses: Vec<Collapse> = digits.map(Collapse::by_time).into_iter().collect();
    for text in parameters.all("collapse") {
        if collapses.len() == limits.filters {
            return Err(Error::bad(format!("collapsed in more than {} ways", limits.filters)));
        }
        collapses.push(Collapse::by_field(expression(text, limits)?)?);
    }
    Ok(collapses)
}

/// `sort`, `reverse` and `closest`. `sort=closest` without a time, as pywb asks for the newest, is no order of its own.
fn sort(parameters: &Parameters<'_>, server: &CdxServer) -> Result<Sort, Error> {
    if let Some(time) = closest(parameters, server)? {
        return Ok(Sort::Nearest(time));
    }
    match parameters.get("sort") {
        Some("reverse") => Ok(Sort::Reverse),
        Some("default" | "closest" | "forward" | "regular") | None => {
            Ok(if parameters.is_on("reverse") { Sort::Reverse } else { Sort::Forward })
        }
        Some(other) => Err(Error::bad(format!("`{}` is no sort: reverse or closest", excerpt(other)))),
    }
}

/// The time that captures should be near to.
pub(crate) fn closest(parameters: &Parameters<'_>, server: &CdxServer) -> Result<Option<Timestamp>, Error> {
    match parameters.get("closest") {
        None => Ok(None),
        Some("now" | "latest") => Ok(Timestamp::parse(&urlkey::time::to_14(server.now())).ok()),
        Some(text) => {
            let digits = text.get(..14).unwrap_or(text);
            let digits = Timestamp::earliest(digits)?.to_string();
            // What is left out is the earliest that the calendar has: `2014` is the first of January.
            let at = urlkey::time::parse_14_clamped(&digits);
            Ok(Timestamp::parse(&urlkey::time::to_14(at)).ok())
        }
    }
}

fn output(
    parameters: &Parameters<'_>,
    dialect: Dialect,
    columns: Option<Columns>,
    is_resolving: bool,
    links: impl FnOnce() -> Links,
) -> Result<Output, Error> {
    const WAYBACK: &str = "urlkey,timestamp,original,mimetype,statuscode,digest,length";
    let all = if is_resolving { CDX14 } else { CDX11 };
    let or = |columns: Option<Columns>, list: &str| columns.unwrap_or_else(|| Columns::parse(list));
    Ok(match (parameters.get("output"), dialect) {
        (Some("json"), Dialect::Pywb) => Output::Objects(columns),
        (Some("json"), Dialect::Wayback) => Output::Table(or(columns, WAYBACK)),
        (Some("cdxj"), _) | (None, Dialect::Pywb) => Output::Cdxj(columns.map(members)),
        (Some("text" | "txt" | "cdx" | "csv"), Dialect::Pywb) => Output::Lines(or(columns, all)),
        (Some("text" | "txt" | "cdx" | "csv") | None, Dialect::Wayback) => {
            Output::Lines(or(columns, WAYBACK))
        }
        (Some("link"), _) => Output::Link(links()),
        (Some(other), _) => {
            return Err(Error::bad(format!("`{}` is no output: cdxj, json, text or link", excerpt(other))));
        }
    })
}

fn links(server: &CdxServer, collection: &str, parameters: &Parameters<'_>) -> Links {
    let is_one = !parameters.get("url").is_some_and(|url| url.contains('*'));
    let original =
        parameters.get("url").filter(|_| is_one).map(|url| urlkey::add_default_scheme(url).into_owned());
    Links { prefix: format!("{}/{collection}/", server.replay()), original }
}
