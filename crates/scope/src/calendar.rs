//! Years in URLs: calendars whose "next month" never ends.
//!
//! Only what is clearly a date counts: `/2031/04/`, `/2031-04-30`, `?year=2031`, `?date=20310430`. A number alone may be
//! anything.

/// The year that a URL is about, if it says so.
pub(crate) fn year(path: &str, query: Option<&str>) -> Option<u32> {
    year_in_path(path).or_else(|| query?.split('&').find_map(year_in_field))
}

fn year_in_path(path: &str) -> Option<u32> {
    let bytes = path.as_bytes();
    // Only where a part begins with a digit is there anything to look at, and few do.
    let mut starts = bytes.windows(2).enumerate().filter(|(_, pair)| matches!(pair, [b'/', b'0'..=b'9']));
    starts.find_map(|(at, _)| {
        let (year, rest) = leading_year(path.get(at + 1..)?)?;
        let month = rest.strip_prefix(['/', '-', '.', '_'])?;
        starts_with_month(month).then_some(year)
    })
}

fn year_in_field(field: &str) -> Option<u32> {
    let (name, value) = field.split_once('=')?;
    let has = |word: &str| contains_ignoring_case(name, word);
    let (year, rest) = leading_year(value)?;
    if has("year") || has("jahr") || has("annee") || has("rok") || name.eq_ignore_ascii_case("y") {
        return rest.is_empty().then_some(year);
    }
    if !(has("date") || has("day") || has("month") || has("week") || has("datum") || has("cal")) {
        return None;
    }
    let month = rest.strip_prefix(['-', '.', '/', '_']).or_else(|| rest.strip_prefix("%2F")).unwrap_or(rest);
    starts_with_month(month).then_some(year)
}

/// Four or five digits and what is behind them; a calendar that runs on for ever does not stop at 9999.
fn leading_year(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    // `20310430` is a date without anything between.
    let length = if digits == 8 || digits == 6 { 4 } else { digits };
    if !(4..=5).contains(&length) {
        return None;
    }
    let (year, rest) = text.split_at_checked(length)?;
    Some((year.parse().ok()?, rest))
}

/// One or two digits from 1 to 12, then the end, another part or the day.
fn starts_with_month(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let length = match digits {
        1 | 2 => digits,
        4 => 2,
        _ => return false,
    };
    let month = text.get(..length).and_then(|month| month.parse::<u32>().ok());
    month.is_some_and(|month| (1..=12).contains(&month))
}

pub(crate) fn contains_ignoring_case(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}
