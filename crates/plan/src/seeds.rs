//! Where a harvest begins: start URLs of the command line, and lists of them (B10).

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use scope::Seeds;
use settings::{Error as Explained, Explain as _, Input, failure, wrong};
use url::Url;
use urlkey::{Decision, Login};

use super::error::Result;

/// A longer list is no list that a person made.
const LIST_BYTES_MAX: u64 = 1 << 30;

/// All of them: those of the command line first, then the lists in their order; `-` is standard input.
///
/// # Errors
/// When a URL or a list makes no sense, or a list cannot be read.
pub fn read<'a>(urls: &[String], lists: impl Iterator<Item = &'a Path>) -> Result<Seeds> {
    let mut seeds = Seeds::default();
    for text in urls {
        seeds.extend(one_seed(text)?);
    }
    for path in lists {
        let name = path.display().to_string();
        let name = if name == "-" { "standard input".to_owned() } else { name };
        let mut text = String::new();
        let input = Input::open(path)?;
        input
            .take(LIST_BYTES_MAX)
            .read_to_string(&mut text)
            .with_context(|| format!("cannot read `{name}`"))?;
        seeds.extend(Seeds::parse(&text).map_err(|error| match error {
            scope::Error::Seed { line, text, why } => failure!("{name}, line {line}: `{text}` {why}"),
            error => Explained::above(format!("cannot use `{name}`"), error),
        })?);
    }
    Ok(seeds)
}

/// One URL of the command line, without user name and password; `http://` may be left out.
///
/// # Errors
/// When it is no URL.
pub fn one_url(text: &str) -> Result<Url> {
    Ok(one_url_with_login(text)?.0)
}

/// The same, and the user name and password that it has.
///
/// # Errors
/// When it is no URL.
pub fn one_url_with_login(text: &str) -> Result<(Url, Option<Login>)> {
    let mut seeds = one_seed(text)?;
    let login = seeds.take_logins().pop();
    let url = seeds.urls().first().cloned();
    let error = || failure!("`{}` is no URL", urlkey::hide_login(text)).as_usage();
    Ok(url.map(|url| (url, login)).ok_or_else(error)?)
}

fn one_seed(text: &str) -> Result<Seeds> {
    // A list ends an entry at a space, and a URL that somebody copied may have one.
    let parsed = Seeds::parse(&text.trim().replace(' ', "%20")).map_err(|error| match error {
        scope::Error::Seed { text, why, .. } => {
            failure!("`{text}` {why}").as_usage().with_hint("write it like http://example.org/page.html")
        }
        error => wrong(error),
    })?;
    match parsed.urls() {
        [_] => Ok(parsed),
        _ => {
            let error = failure!("`{}` is no URL", urlkey::hide_login(text)).as_usage();
            Err(error.with_hint("prefixes stand in a list, see `--seeds`").into())
        }
    }
}

/// Refuses seeds that nothing could come of. Those that the command line names are its own fault.
pub(crate) fn check(seeds: &Seeds, schemes: &[String], named: &[String]) -> Result<()> {
    let starts = seeds.starts();
    if starts.is_empty() {
        let error = failure!("there is no URL to begin with").as_usage();
        return Err(error.with_hint("name one, or a list of them with `--seeds FILE`").into());
    }
    let is_fetched = |url: &&Url| schemes.iter().any(|scheme| scheme.eq_ignore_ascii_case(url.scheme()));
    let Some(url) = starts.iter().find(|url| !is_fetched(url)) else { return Ok(()) };
    let error = failure!("`{url}`: URLs of the scheme `{}` are not fetched", url.scheme());
    let is_named = named.iter().any(|text| one_url(text).is_ok_and(|named| named == *url));
    let error = if is_named { error.as_usage() } else { error };
    Err(error.with_hint(format!("those of {} are", schemes.join(" and "))).into())
}

/// URLs and prefixes as a list.
pub(crate) fn text(urls: &[Url], prefixes: &[(String, Decision)]) -> String {
    let mut text = String::new();
    for url in urls {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{url}");
    }
    for (prefix, decision) in prefixes {
        let sign = if *decision == Decision::Reject { '-' } else { '+' };
        let _ = writeln!(text, "{sign}{prefix}");
    }
    text
}

/// The registered domain of a URL, or its host where there is none.
#[must_use]
pub fn domain(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    urlkey::registrable_domain(host).unwrap_or(host).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b10_a_list_says_the_same_when_it_is_written_again() {
        let list = "https://example.org/\nexample.com\n+http://(org,example,docs,\n-http://(org,example,)/private/\n";
        let seeds = Seeds::parse(list).unwrap();
        assert_eq!(Seeds::parse(&text(seeds.urls(), seeds.prefixes())).unwrap(), seeds);
        let domains: Vec<String> = seeds.starts().iter().map(domain).collect();
        assert_eq!(domains, ["example.org", "example.com"]);
    }

    #[test]
    fn a_space_in_a_url_of_the_command_line_is_part_of_it() {
        let seeds = read(&["http://example.org/a b".to_owned()], std::iter::empty()).unwrap();
        assert_eq!(seeds.urls()[0].as_str(), "http://example.org/a%20b");
    }

    #[track_caller]
    fn refused(list: &str) -> String {
        let seeds = Seeds::parse(list).unwrap();
        check(&seeds, &["http".to_owned(), "https".to_owned()], &[]).unwrap_err().to_string()
    }

    #[test]
    fn a2_at_least_one_url_is_needed() {
        assert_eq!(refused(""), "there is no URL to begin with");
        assert_eq!(refused("-http://(org,example,"), "there is no URL to begin with");
        assert!(refused("ftp://example.org/").contains("scheme `ftp`"));
    }
}
