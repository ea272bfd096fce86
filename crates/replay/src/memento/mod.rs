//! Mementos: captures, shown.

mod fields;
mod length;
mod media_type;
mod opened;
mod relations;
mod script;
mod show;
mod title;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use cdx::Timestamp;
use rewrite::Form;

use crate::alike;
use crate::choose::{Choice, PassedOver, Taken, Wanted, Why, choose};
use crate::error::Error;
use crate::pages;
use crate::versions::Versions;
use crate::visit::Visit;

pub(crate) use fields::insert;
pub(crate) use relations::{Neighbours, http_date, of_memento, of_original};

/// The header that says what was nearer and is not shown.
const PASSED_OVER: HeaderName = HeaderName::from_static("x-archive-passed-over");

/// Shows the capture nearest to a time, or leads to where it is shown.
pub(crate) fn answer(visit: &Visit, time: &str, form: &Form, url: &str) -> Result<Response, Error> {
    let preferred = preference(visit);
    let (asked_form, form) = (form, preferred.as_ref().map_or(form, |(_, preferred)| preferred));
    // Without a time it is the header that says which.
    if time.is_empty() && !form.modifier.is_embedded() {
        return gate(visit, form, url);
    }
    // What a script asks for is shown to it where it asks: a redirect that the live site did not send would not be followed by all.
    let is_raw = form.modifier == rewrite::Modifier::Raw;
    let is_script = is_raw && visit.header("sec-fetch-dest") == Some("empty");
    let wanted = Wanted {
        at: at(time),
        url,
        is_precise: time.len() == 14,
        is_embedded: form.modifier.is_embedded(),
        is_raw,
        is_script,
        but: None,
    };
    let (versions, choice) = look(visit, wanted)?;
    let taken = match taken(visit, &versions, url, choice)? {
        Ok(taken) => taken,
        Err(response) => return Ok(response),
    };
    // A page that is shown for another keeps its address, so that it can say so.
    let is_told = taken.passed_over.is_some() && form.modifier == rewrite::Modifier::Page;
    let is_asked = preferred.as_ref().is_none_or(|(_, preferred)| preferred.modifier == asked_form.modifier);
    let is_shown = (taken.is_exact && is_asked) || form.modifier.is_embedded() || is_told || is_script;
    let (at, mut response) = match is_shown {
        true => (taken.at, show::show(visit, &versions, taken, form, (time, url))?),
        false => (taken.at, lead(visit, &taken, &form.text)),
    };
    if response.status() == StatusCode::BAD_GATEWAY && form.modifier.is_embedded() {
        // Nobody reads an error in the place of a picture: another capture is better than none.
        let choice = choose(&visit.replay, &visit.asker, &versions, Wanted { but: Some(at), ..wanted })?;
        if let Choice::Taken(taken) = choice {
            response = show::show(visit, &versions, *taken, form, (time, url))?;
        }
    }
    if is_raw {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("sec-fetch-dest"));
    }
    tell_preference(response.headers_mut(), preferred.as_ref());
    Ok(response)
}

/// The TimeGate: leads to the capture nearest to the time that the header asks for, or to the newest.
pub(crate) fn gate(visit: &Visit, form: &Form, url: &str) -> Result<Response, Error> {
    let asked =
        match visit.headers.get("accept-datetime").map(|value| String::from_utf8_lossy(value.as_bytes())) {
            None => None,
            Some(text) => match urlkey::time::parse_http_date(text.trim()) {
                Ok(time) => Some(urlkey::time::to_14(time)),
                Err(_) => return Ok(pages::bad_time(visit, &text)),
            },
        };
    let at = at(asked.as_deref().unwrap_or_default());
    let (versions, choice) = look(
        visit,
        Wanted { at, url, is_precise: false, is_embedded: false, is_raw: false, is_script: false, but: None },
    )?;
    let taken = match taken(visit, &versions, url, choice)? {
        Ok(taken) => taken,
        Err(response) => return Ok(response),
    };
    let preferred = preference(visit);
    let form = preferred.as_ref().map_or(form, |(_, preferred)| preferred);
    let mut response = lead(visit, &taken, &form.text);
    let around = Neighbours::of(visit, &versions, taken.at, taken.found.status())?;
    let headers = response.headers_mut();
    insert(headers, header::LINK, &of_memento(visit, &form.text, &taken.found.url, taken.at, &around));
    insert(headers, header::VARY, "accept-datetime");
    tell_preference(headers, preferred.as_ref());
    Ok(response)
}

/// The capture to show, or the page that says why there is none.
fn taken(
    visit: &Visit,
    versions: &Versions,
    url: &str,
    choice: Choice,
) -> Result<Result<Taken, Response>, Error> {
    Ok(Err(match choice {
        Choice::Taken(taken) => return Ok(Ok(*taken)),
        Choice::Missing => pages::missing(visit, url)?,
        Choice::Refused(decision) => pages::refused(visit, url, decision)?,
        Choice::Useless(passed_over) => pages::useless(visit, versions, url, &passed_over)?,
    }))
}

/// The form that a client prefers to the one it asks for, as some that work with mementos do: `Prefer: raw`. What it prefers
/// otherwise is passed over, as <https://www.rfc-editor.org/rfc/rfc7240#section-2> has it.
fn preference(visit: &Visit) -> Option<(&'static str, Form)> {
    let preferences = visit.header("prefer")?.split(',').map(str::trim);
    preferences
        .filter_map(|word| match word {
            "raw" => Some(("raw", Form::of("id_"))),
            "rewritten" => Some(("rewritten", Form::of("if_"))),
            _ => None,
        })
        .next()
}

fn tell_preference(headers: &mut HeaderMap, preferred: Option<&(&'static str, Form)>) {
    if let Some((word, _)) = preferred {
        insert(headers, HeaderName::from_static("preference-applied"), word);
        headers.append(header::VARY, HeaderValue::from_static("prefer"));
    }
}

/// Looks for the capture to show, under each key that the URL may have.
fn look(visit: &Visit, wanted: Wanted<'_>) -> Result<(Versions, Choice), Error> {
    let chosen = |key: &str| -> Result<(Versions, Choice), Error> {
        let versions = if wanted.is_embedded {
            Versions::unread(&visit.snapshot, key)
        } else {
            Versions::read(&visit.snapshot, key, visit.replay.limits().captures_at_once)?
        };
        let choice = choose(&visit.replay, &visit.asker, &versions, wanted)?;
        Ok((versions, choice))
    };
    let mut found = None;
    for key in visit.keys(wanted.url) {
        let (versions, choice) = chosen(&key)?;
        if !matches!(choice, Choice::Missing) {
            return Ok((versions, choice));
        }
        found = Some((versions, choice));
    }
    if (wanted.is_embedded || wanted.is_raw)
        && let Some(key) = alike::key(visit, wanted.url, wanted.at)?
    {
        return chosen(&key);
    }
    let none = || (Versions::unread(&visit.snapshot, ""), Choice::Missing);
    Ok(found.unwrap_or_else(none))
}

/// Leads to the address of a capture itself.
fn lead(visit: &Visit, taken: &Taken, form: &str) -> Response {
    let mut response = Response::default();
    // A form that was posted is posted again.
    let is_plain = matches!(visit.method, axum::http::Method::GET | axum::http::Method::HEAD);
    *response.status_mut() = if is_plain { StatusCode::FOUND } else { StatusCode::TEMPORARY_REDIRECT };
    let address = visit.address(&taken.at.to_string(), form, &taken.found.url);
    let headers = response.headers_mut();
    insert(headers, header::LOCATION, &address);
    // A nearer capture may come in tomorrow.
    insert(headers, header::CACHE_CONTROL, "private, max-age=60");
    tell_passed_over(headers, taken.passed_over.as_ref());
    response
}

fn tell_passed_over(headers: &mut HeaderMap, passed_over: Option<&PassedOver>) {
    let Some(passed_over) = passed_over else { return };
    let why = match &passed_over.why {
        Why::Status(status) => format!("status {status}"),
        Why::NotModified => "as before".to_owned(),
        Why::Circle => "leads to itself".to_owned(),
        Why::Damaged(_) => "damaged".to_owned(),
        Why::Withheld => "withheld".to_owned(),
    };
    insert(headers, PASSED_OVER, &format!("{}; {why}", passed_over.at));
}

/// The time that digits mean: missing ones are the last that they can be, and none at all the newest capture.
fn at(digits: &str) -> Timestamp {
    let time = urlkey::time::to_14(urlkey::time::parse_14_clamped(digits));
    let newest = Timestamp::from_number(29_991_231_235_959);
    Timestamp::parse(&time).ok().or(newest).unwrap_or_else(|| at("2999"))
}
