//! Times: the shared vectors, and a table for each promise.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::print_stderr, clippy::panic, missing_docs)]

use serde_json::Value;
use testkit::vectors;
use urlkey::Error;
use urlkey::time::{self, Precision};

#[track_caller]
fn check_warc(text: &str, expect: &str, precision: Precision) {
    let date = time::parse_warc_date(text).unwrap();
    assert_eq!(time::to_warc_date_precise(date.timestamp), expect, "{text}");
    assert_eq!(date.precision, precision, "{text}");
}

#[track_caller]
fn check_lenient(text: &str, expect: &str) {
    let timestamp = time::parse_lenient(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(time::to_warc_date_precise(timestamp), expect, "{text}");
}

#[test]
fn warc_dates_of_every_precision_are_read() {
    check_warc("2014", "2014-01-01T00:00:00Z", Precision::Year);
    check_warc("2014-12", "2014-12-01T00:00:00Z", Precision::Month);
    check_warc("2014-12-26", "2014-12-26T00:00:00Z", Precision::Day);
    check_warc("2014-12-26T09:50Z", "2014-12-26T09:50:00Z", Precision::Minute);
    check_warc("2014-12-26T09:50:10Z", "2014-12-26T09:50:10Z", Precision::Second);
    check_warc("2014-12-26T09:50:10.2500Z", "2014-12-26T09:50:10.25Z", Precision::Fraction(4));
    check_warc("2014-12-26T09:50:10.123456789Z", "2014-12-26T09:50:10.123456789Z", Precision::Fraction(9));
}

#[test]
fn what_warc_does_not_allow_is_refused() {
    for text in [
        "",
        "2",
        "20141226095010",
        "2014-12-26T09:50:10",
        "2014-12-26 09:50:10Z",
        "2014-12-26T09:50:10+00:00",
        "2014-1-1",
        "2014-12-26T09Z",
        "2014-12-26T09:50:10.Z",
        "2014-12-26T09:50:10.1234567890Z",
        " 2014",
        "２０１４",
        "+2014-12-26",
        "2014-12-26T09:50:10ZZ",
    ] {
        assert!(matches!(time::parse_warc_date(text), Err(Error::NotADate { .. })), "{text}");
    }
    for text in ["2014-02-30", "2014-13", "2014-12-26T24:00:00Z", "2014-12-26T09:61Z", "0000-00-00T00:00:00Z"]
    {
        assert!(matches!(time::parse_warc_date(text), Err(Error::NoSuchDate { .. })), "{text}");
    }
}

#[test]
fn years_that_cannot_be_written_are_refused() {
    assert!(matches!(time::parse_iso("0000-01-01T00:00:00+14:00"), Err(Error::NoSuchDate { .. })));
    assert!(time::parse_iso("0000-01-01T00:00:00-14:00").is_ok());
}

#[test]
fn dates_from_the_wild_are_read_leniently() {
    check_lenient("2014-12-26T09:50:10+01:00", "2014-12-26T08:50:10Z");
    check_lenient("2014-12-26 09:50:10", "2014-12-26T09:50:10Z");
    check_lenient("2011-03-05T10:1", "2011-03-05T10:00:00Z");
    check_lenient("2011-03-0", "2011-03-01T00:00:00Z");
    check_lenient("20110305", "2011-03-05T00:00:00Z");
    check_lenient("2011030510151", "2011-03-05T10:15:00Z");
    check_lenient("02-03-94  12:00AM", "1994-02-03T00:00:00Z");
    check_lenient("Thu, 3 Feb 1994 1:02:03 PM EST", "1994-02-03T18:02:03Z");
    check_lenient("1990-12-31T23:59:60Z", "1990-12-31T23:59:59.999999999Z");
}

/// The notations that Perl's HTTP::Date knows, all for one instant.
#[test]
fn one_instant_in_many_notations() {
    for text in [
        "Thu, 03 Feb 1994 00:00:00 GMT",
        "Thursday, 03-Feb-94 00:00:00 GMT",
        "Thu Feb  3 00:00:00 GMT 1994",
        "Thu Feb  3 00:00:00 1994",
        "03/Feb/1994:00:00:00 0000",
        "03/Feb/1994:01:00:00 +0100",
        "03 Feb 1994 00:00:00 GMT",
        "03-Feb-94 00:00:00 GMT",
        "03-Feb-1994 00:00 GMT",
        "03-Feb-1994 00:00",
        "03-Feb-1994",
        "02-03-94  12:00AM",
        "Feb  3 1994",
        "1994-02-03 00:00:00 +0000",
        "1994-02-03T00:00:00 Z",
        "1994-02-02T23:00:00-01:00",
        "19940203T000000Z",
        "19940203000000",
        "199402030000",
        "19940203",
    ] {
        check_lenient(text, "1994-02-03T00:00:00Z");
    }
}

#[test]
fn nonsense_is_an_error_and_not_a_panic() {
    for text in
        ["", "yesterday", "99999999999999", "Thu, 33 Feb 1994 00:00:00 GMT", "1/2", "::", "+", "-", "\u{0}"]
    {
        assert!(time::parse_lenient(text).is_err(), "{text}");
    }
    assert!(time::parse_lenient(&"1".repeat(10_000)).is_err());
}

#[test]
fn digits_are_padded_both_ways() {
    assert_eq!(time::pad_earliest("2014"), "20140101000000");
    assert_eq!(time::pad_latest("2014"), "20141231235959");
    assert_eq!(time::pad_earliest("201412260950101234"), "20141226095010");
    let day = |digits| time::to_14(time::parse_14_latest(digits).unwrap());
    assert_eq!(day("201402"), "20140228235959");
    assert_eq!(day("201602"), "20160229235959");
    assert_eq!(time::to_17(time::parse_14("20141226095010123").unwrap()), "20141226095010123");
    for digits in ["", "2", "201", "20141", "x014", "201402301", "20140230", "99991331"] {
        assert!(time::parse_14(digits).is_err(), "{digits}");
    }
}

#[test]
fn http_dates_of_all_three_forms_are_read() {
    for text in
        ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
    {
        assert_eq!(time::to_14(time::parse_http_date(text).unwrap()), "19941106084937", "{text}");
    }
    assert!(time::parse_http_date("06 Nov 1994 08:49:37 GMT").is_err());
}

/// What our functions say to one vector. `None` for an operation that is not about time.
fn answer(case: &Value) -> Option<String> {
    let input = case["input"].as_str().unwrap_or_default();
    let shown =
        |result: Result<_, Error>| result.map_or_else(|error| error.to_string(), time::to_warc_date_precise);
    let iso = |text| time::parse_iso(text).map(|date| date.timestamp);
    Some(match case["op"].as_str()? {
        "parse_date" => shown(time::parse_lenient(input)),
        "parse_http_date" => shown(time::parse_http_date(input)),
        "iso_date_to_datetime" => {
            // warcio counts in microseconds and writes all six of them.
            let text = shown(iso(input));
            match text.split_once('.') {
                Some((start, end)) => format!("{start}.{:0<6}Z", end.trim_end_matches('Z')),
                None => text,
            }
        }
        "datetime_to_http_date" => time::to_http_date(iso(input).ok()?),
        "datetime_to_iso_date" if case["options"]["use_micros"] == true => shown(iso(input)),
        "datetime_to_iso_date" => time::to_warc_date(iso(input).ok()?),
        "pad_timestamp" => time::pad_latest(input).get(..6)?.to_owned(),
        "timestamp_to_datetime" => shown(Ok(time::parse_14_clamped(input))),
        "timestamp_to_sec" => time::parse_14_clamped(input).as_second().to_string(),
        "timestamp_to_http_date" => time::to_http_date(time::parse_14_clamped(input)),
        "sec_to_timestamp" => time::to_14(jiff::Timestamp::from_second(case["input"].as_i64()?).ok()?),
        _ => return None,
    })
}

#[test]
fn shared_vectors_of_dates_pass() {
    let Some(dir) = vectors::dir() else { return };
    let mut failed = Vec::new();
    let cases = vectors::jsonl(dir.join("06-dates-charset-mime/dates.jsonl"));
    for case in &cases {
        let expect = case["expect"].as_str().map_or_else(|| case["expect"].to_string(), str::to_owned);
        let ours = answer(case).unwrap_or_else(|| panic!("nobody answers {case}"));
        if ours != expect {
            failed.push(format!("{case}: we say {ours}"));
        }
    }
    eprintln!("dates.jsonl: {} pass, {} differ", cases.len() - failed.len(), failed.len());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
