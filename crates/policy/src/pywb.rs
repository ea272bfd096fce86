//! Rules of pywb's access lists (`.aclj`), for institutions that move from pywb.
//!
//! A line is a key, a `-`, and an object with `access` (`allow`, `block`, `exclude`, `allow_ignore_embargo`) and perhaps `user`,
//! `before`, `after`, `older`, `newer`. A key with `###` behind it means that URL alone, one that ends with a comma a domain.
//!
//! A time of fewer than fourteen digits stands there for its last second: `"after": "20140126"` is from the 27th on, and
//! `"before": "20140126"` still holds on the 26th.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::error::Error;
use crate::lines::read_time;
use crate::rules::{Rule, RuleSet, Verdict};

/// Marks a key that stands for itself alone.
const EXACT: &str = "###";

impl RuleSet {
    /// Reads the lines of a pywb access list. The parser ignores fields that are not about access.
    ///
    /// # Errors
    /// At the first line that is not a rule.
    pub fn parse_pywb(text: &str) -> Result<RuleSet, Error> {
        let mut rules = RuleSet::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let (key, rule) = read_line(line).map_err(|reason| Error::BadLine { line: number, reason })?;
            let exact = key.strip_suffix(EXACT);
            rules.add(exact.unwrap_or(key), exact.is_some(), rule);
        }
        Ok(rules)
    }
}

fn read_line(line: &str) -> Result<(&str, Rule), String> {
    let malformed = || "not a key, a `-` and an object".to_owned();
    let (key, rest) = line.trim().split_once(' ').ok_or_else(malformed)?;
    let object = rest.trim_start().strip_prefix('-').ok_or_else(malformed)?;
    let object: Value = serde_json::from_str(object).map_err(|error| error.to_string())?;
    let verdict = match object.get("access").and_then(Value::as_str) {
        Some("allow" | "allow_ignore_embargo") => Verdict::Allow,
        Some("block") => Verdict::Block,
        Some("exclude") => Verdict::Exclude,
        Some(other) => {
            return Err(format!("`{other}` is none of allow, block, exclude and allow_ignore_embargo"));
        }
        None => return Err("no word on access".to_owned()),
    };
    let mut rule = Rule::of(verdict);
    rule.user = object.get("user").and_then(Value::as_str).map(str::to_owned);
    let time = |name| object.get(name).map(read_last_second).transpose();
    rule.before = time("before")?;
    // What is of that very second is not after it.
    let next =
        |at: Timestamp| at.checked_add(SignedDuration::from_secs(1)).map_err(|error| error.to_string());
    rule.from = time("after")?.map(next).transpose()?;
    rule.older = object.get("older").map(read_length).transpose()?;
    rule.newer = object.get("newer").map(read_length).transpose()?;
    Ok((key, rule))
}

/// The last second that these digits can mean.
fn read_last_second(value: &Value) -> Result<Timestamp, String> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // The first it can mean is read as well, which knows what is no time.
    let first = read_time(&text)?;
    Ok(urlkey::time::parse_14_latest(&text.replace('-', "")).unwrap_or(first))
}

/// `{"years": 1, "days": 3}`
fn read_length(object: &Value) -> Result<SignedDuration, String> {
    let bad = || format!("`{object}` is no length of time");
    let parts = object.as_object().ok_or_else(bad)?;
    let mut hours = 0_f64;
    for (unit, number) in parts {
        let hours_each = match unit.as_str() {
            "years" => 365.25 * 24.0,
            "months" => 30.4375 * 24.0,
            "weeks" => 7.0 * 24.0,
            "days" => 24.0,
            "hours" => 1.0,
            _ => return Err(bad()),
        };
        hours += number.as_f64().ok_or_else(bad)? * hours_each;
    }
    SignedDuration::try_from_secs_f64(hours * 3600.0).map_err(|_| bad())
}
