//! Noise that is told by the words alone.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::Noise;

/// Texts longer than this are not looked at: a change in them is hardly noise alone.
const BYTES_MAX: usize = 64 << 10;

/// Dates, times and spans of time, in the languages that most pages are in.
static DATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let months = "jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz?|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|\
        sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|janvier|février|mars|avril|juin|juillet|août|septembre|\
        octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre";
    let days = "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|montag|\
        dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche";
    let units = "seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tage?n?|wochen?|\
        monate?n?|jahre?n?|ms";
    Regex::new(&format!(
        r"(?ix)
        \b\d{{4}}-\d{{2}}-\d{{2}}(?:[t\x20]\d{{2}}:\d{{2}}(?::\d{{2}}(?:\.\d+)?)?(?:\x20?z|[+-]\d{{2}}:?\d{{2}})?)?
        | \b\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d{{4}}|\d{{2}})\b
        | (?:\b(?:{days})\b[.,]?\s+)?\b(?:{months})\b\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?\b
        | (?:\b(?:{days})\b[.,]?\s+)?\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?\b(?:{months})\b\.?(?:,?\s+\d{{4}})?\b
        | \b(?:{months})\b\s+\d{{4}}\b
        | \b(?:{days})\b
        | \b\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:\.\d+)?)?(?:\s*[ap]\.?m\.?)?(?:\s+(?:utc|gmt|cet|cest|est|edt|pst|pdt))?
        | \b(?:\d+(?:\.\d+)?|an?|one|ein(?:er|em)?)\s+(?:{units})\b
        | \b(?:today|yesterday|just\s+now|heute|gestern)\b
        "
    ))
    .ok()
});

/// Numbers of sessions, digests and the like.
static TOKENS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b
        | \b[0-9a-f]{16,}\b
        | \b1[4-9]\d{8}(?:\d{3})?\b
        ",
    )
    .ok()
});

/// What stands beside numbers that count visits and the like.
static COUNTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?:
        views?|viewed|visits?|visitors?|visited|hits?|readers?|reads?|downloads?|downloaded|likes?|shares?|shared|followers?|subscribers?|
        comments?|online|users\s+active|guests?|impressions?|clicks?|page\s+generated|generated\s+in|rendered\s+in|queries|
        aufrufe?|besucher|besuche|zugriffe|gelesen|vues?|visites?|visiteurs?|vistas|visitas
        )\b",
    )
    .ok()
});

static NUMBERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\d+(?:[.,'\u{a0}]\d+)*").ok());

/// Whether two texts differ in nothing that means anything, and in what.
pub(crate) fn judge(old: &str, new: &str) -> Option<Noise> {
    if old.len().max(new.len()) > BYTES_MAX || old.is_empty() || new.is_empty() {
        return None;
    }
    if form(old) == form(new) {
        return Some(Noise::Form);
    }
    let masked = |text: &str| form(&mask(&mask(text, &TOKENS), &DATES));
    let (old_masked, new_masked) = (masked(old), masked(new));
    if old_masked == new_masked {
        let dates = |text: &str| form(&mask(text, &DATES));
        return Some(if dates(old) == dates(new) { Noise::Date } else { Noise::Token });
    }
    let is_counted = COUNTED.as_ref().is_some_and(|counted| counted.is_match(old) && counted.is_match(new));
    let numbers = |text: &str| form(&mask(&mask(text, &DATES), &NUMBERS));
    (is_counted && numbers(old) == numbers(new)).then_some(Noise::Counter)
}

/// The text with what a pattern finds hidden.
fn mask<'a>(text: &'a str, pattern: &LazyLock<Option<Regex>>) -> Cow<'a, str> {
    match &**pattern {
        Some(pattern) => pattern.replace_all(text, "\u{1}"),
        None => Cow::Borrowed(text),
    }
}

/// The text as far as its form does not matter: letters in lower case, digits, and the signs that change what they mean.
fn form(text: &str) -> String {
    let mut form = String::with_capacity(text.len());
    let mut gap = false;
    for char in text.chars() {
        if char.is_alphanumeric() || matches!(char, '\u{1}' | '$' | '€' | '£' | '¥' | '%' | '+' | '−') {
            if std::mem::take(&mut gap) && !form.is_empty() {
                form.push(' ');
            }
            form.extend(char.to_lowercase());
        } else if matches!(char, '.' | ',' | '-')
            && form.ends_with(|last: char| last.is_ascii_digit())
            && !gap
        {
            // A point within a number matters; one behind it is dropped below.
            form.push(char);
        } else {
            gap = true;
        }
    }
    while form.ends_with(['.', ',', '-']) {
        form.pop();
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expect: Option<Noise>) {
        assert_eq!(judge(old, new), expect, "{old} / {new}");
        assert_eq!(judge(new, old), expect, "{new} / {old}");
    }

    #[test]
    fn dates_and_times_are_noise() {
        check("Last updated on January 12, 2017", "Last updated on January 20, 2017", Some(Noise::Date));
        check("Stand: 12.01.2017, 10:15 Uhr", "Stand: 13.01.2017, 11:20 Uhr", Some(Noise::Date));
        check("3 hours ago", "a day ago", Some(Noise::Date));
        check("Monday, 3 May 2024", "Tuesday, 4 May 2024", Some(Noise::Date));
        check("2024-05-03T10:00:00Z", "2024-05-03T11:30:00Z", Some(Noise::Date));
    }

    #[test]
    fn counters_and_tokens_are_noise() {
        check("1,234 views", "1,240 views", Some(Noise::Counter));
        check("Page generated in 0.12 seconds", "Page generated in 0.35 seconds", Some(Noise::Date));
        check("Besucher: 17", "Besucher: 19", Some(Noise::Counter));
        check("id 0123456789abcdef0123", "id fedcba98765432100123", Some(Noise::Token));
    }

    #[test]
    fn the_form_alone_is_noise() {
        check("“Fish” – fresh", "\"Fish\" - Fresh!", Some(Noise::Form));
        check("a  b", "a b", Some(Noise::Form));
    }

    #[test]
    fn what_says_something_else_is_no_noise() {
        check("Price: 10 €", "Price: 12 €", None);
        check("in stock", "sold out", None);
        check("Version 1.2.3", "Version 1.2.4", None);
        check("12 left", "11 left", None);
        check("May be closed", "Will be closed", None);
        check("1.5 %", "15 %", None);
        check("", "something", None);
    }
}
