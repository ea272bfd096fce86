//! Statuses of answers: `200`, `4xx`, `500-599`.

use std::ops::RangeInclusive;

use crate::Error;
use crate::lists::excerpt;

/// Statuses in and out.
#[derive(Debug)]
pub(crate) struct Statuses {
    include: Vec<RangeInclusive<u16>>,
    exclude: Vec<RangeInclusive<u16>>,
}

impl Statuses {
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Statuses, Error> {
        let ranges = |words: &[String]| words.iter().map(|word| range(word)).collect::<Result<_, _>>();
        Ok(Statuses { include: ranges(include)?, exclude: ranges(exclude)? })
    }

    /// What has no status, such as a record of DNS, is nobody's business here.
    pub(crate) fn objection(&self, status: Option<u16>) -> Option<String> {
        let status = status?;
        let is_among = |ranges: &[RangeInclusive<u16>]| ranges.iter().any(|range| range.contains(&status));
        if is_among(&self.exclude) {
            return Some(format!("status {status} is excluded"));
        }
        let is_in = self.include.is_empty() || is_among(&self.include);
        (!is_in).then(|| format!("status {status} is not included"))
    }
}

fn range(word: &str) -> Result<RangeInclusive<u16>, Error> {
    let fault = || Error::Pattern {
        filter: "status",
        pattern: excerpt(word),
        why: "is no status such as `200`, `4xx` or `500-599`".to_owned(),
    };
    let number = |text: &str| -> Result<u16, Error> {
        let is_plain = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_plain { text.parse().map_err(|_| fault()) } else { Err(fault()) }
    };
    let word = word.trim().to_ascii_lowercase();
    if let Some(class) = word.strip_suffix("xx") {
        let first = number(&format!("{class}00"))?;
        return Ok(first..=first + 99);
    }
    match word.split_once('-') {
        Some((first, last)) => Ok(number(first.trim())?..=number(last.trim())?),
        None => number(&word).map(|status| status..=status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_numbers_classes_and_ranges() {
        for (word, expect) in [
            ("200", Some(200..=200)),
            ("4XX", Some(400..=499)),
            ("500-599", Some(500..=599)),
            ("x", None),
            ("2000", None),
            ("-5", None),
            ("", None),
        ] {
            assert_eq!(range(word).ok(), expect, "{word}");
        }
    }
}
