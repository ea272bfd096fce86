//! CDXJ lines: a key, a time and a JSON object, as pywb and cdxj-indexer write them.
//!
//! ```text
//! org,example)/ 20140126200624 {"url": "http://example.org/", "mime": "text/html", "status": "200", …}
//! ```
//!
//! Also read: numbers that are JSON numbers, any order and spacing of members, the record type that OpenWayback puts before the
//! object, and objects that hold key and time themselves (`output=json` of CDX servers).

use std::borrow::Cow;

use crate::json::{Scanner, write_string};
use crate::{Capture, Error, Extra, Field, Limits, Value};

/// The order in which known members are written.
pub(crate) const ORDER: [Field; 12] = [
    Field::Url,
    Field::Mime,
    Field::Status,
    Field::Digest,
    Field::Length,
    Field::Offset,
    Field::Filename,
    Field::Redirect,
    Field::Robots,
    Field::OriginalLength,
    Field::OriginalOffset,
    Field::OriginalFilename,
];

/// Name under which the record type of an OpenWayback line is kept.
const RECORD_TYPE: &str = "record-type";

impl<'a> Capture<'a> {
    /// Reads a CDXJ line, without its line end.
    ///
    /// # Errors
    /// When the line is not of that form, a value is not what its field needs, or a limit is passed.
    pub fn parse_cdxj(line: &'a [u8], limits: &Limits) -> Result<Capture<'a>, Error> {
        let line = crate::format::utf8(line)?;
        let (key, rest) = line.split_once(' ').ok_or(Error::NotCdxj)?;
        let (timestamp, rest) = rest.split_once(' ').ok_or(Error::NotCdxj)?;
        let mut capture = Capture::default();
        capture.set_text(&Field::Key, Cow::Borrowed(key))?;
        capture.set_text(&Field::Timestamp, Cow::Borrowed(timestamp))?;
        let rest = rest.trim_start_matches(' ');
        let object = if rest.starts_with('{') {
            rest
        } else {
            let (record_type, object) = rest.split_once(' ').ok_or(Error::NotCdxj)?;
            let value = Value::Text(Cow::Borrowed(record_type));
            capture.extra.push(Extra::first(RECORD_TYPE, value));
            object
        };
        read_object(&mut capture, object, limits)?;
        Ok(capture)
    }

    /// Reads a line that is nothing but a JSON object, key and time among its members.
    ///
    /// # Errors
    /// As [`parse_cdxj`](Capture::parse_cdxj).
    pub fn parse_json(line: &'a [u8], limits: &Limits) -> Result<Capture<'a>, Error> {
        let mut capture = Capture::default();
        read_object(&mut capture, crate::format::utf8(line)?, limits)?;
        Ok(capture)
    }

    /// Appends the capture as a CDXJ line, without a line end.
    pub fn write_cdxj(&self, out: &mut Vec<u8>) {
        crate::layout::write_column(out, self.key.as_deref(), b' ');
        out.push(b' ');
        match self.timestamp {
            Some(timestamp) => out.extend_from_slice(&timestamp.digits()),
            None => out.push(b'-'),
        }
        out.extend_from_slice(b" {");
        self.write_members(out, true);
        out.push(b'}');
    }

    /// Appends the capture as one JSON object, key and time among its members, without a line end.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        let mut is_first = true;
        for field in [Field::Key, Field::Timestamp] {
            if let Some(text) = self.text(&field) {
                write_name(out, field.name(), &mut is_first);
                write_string(out, &text);
            }
        }
        self.write_members(out, is_first);
        out.push(b'}');
    }

    fn write_members(&self, out: &mut Vec<u8>, mut is_first: bool) {
        let mut slot = 0;
        for field in &ORDER {
            self.write_extras(out, &mut is_first, |of| of == slot);
            slot += 1;
            self.write_member(out, field, &mut is_first);
        }
        self.write_extras(out, &mut is_first, |of| of >= slot);
    }

    fn write_extras(&self, out: &mut Vec<u8>, is_first: &mut bool, stands_here: impl Fn(u8) -> bool) {
        for extra in self.extra.iter().filter(|extra| stands_here(extra.slot)) {
            out.extend_from_slice(if *is_first { b"" } else { b", " });
            *is_first = false;
            write_string(out, &extra.name);
            out.extend_from_slice(b": ");
            match &extra.value {
                Value::Text(text) => write_string(out, text),
                Value::Json(json) => out.extend_from_slice(json.as_bytes()),
            }
        }
    }

    fn write_member(&self, out: &mut Vec<u8>, field: &Field, is_first: &mut bool) {
        let original = self.original.as_deref();
        let (text, number) = match field {
            Field::Url => (self.url.as_deref(), None),
            Field::Mime => (self.mime.as_deref(), None),
            Field::Status => (None, self.status.map(u64::from)),
            Field::Digest => (self.digest.as_deref(), None),
            Field::Length => (None, self.length),
            Field::Offset => (None, self.offset),
            Field::Filename => (self.filename.as_deref(), None),
            Field::Redirect => (self.redirect.as_deref(), None),
            Field::Robots => (self.robots.as_deref(), None),
            Field::OriginalLength => (None, original.and_then(|place| place.length)),
            Field::OriginalOffset => (None, original.and_then(|place| place.offset)),
            Field::OriginalFilename => (original.and_then(|place| place.filename.as_deref()), None),
            Field::Key | Field::Timestamp | Field::Other(_) => (None, None),
        };
        if let Some(text) = text {
            write_name(out, field.name(), is_first);
            write_string(out, text);
        } else if let Some(number) = number {
            write_name(out, field.name(), is_first);
            out.push(b'"');
            write_number(out, number);
            out.push(b'"');
        }
    }
}

/// Writes the digits of a number; `format!` would be the slowest part of a line.
pub(crate) fn write_number(out: &mut Vec<u8>, mut number: u64) {
    let start = out.len();
    loop {
        out.push(b'0' + u8::try_from(number % 10).unwrap_or_default());
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.get_mut(start..).unwrap_or_default().reverse();
}

/// Writes the name of a known member, which needs no escapes.
fn write_name(out: &mut Vec<u8>, name: &str, is_first: &mut bool) {
    out.extend_from_slice(if *is_first { b"\"" } else { b", \"" });
    *is_first = false;
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\": ");
}

fn read_object<'a>(capture: &mut Capture<'a>, object: &'a str, limits: &Limits) -> Result<(), Error> {
    let mut scanner = Scanner::new(object);
    if !scanner.take(b'{') {
        return scanner.fault("an object was expected");
    }
    let mut slot = 0;
    let mut members = 0;
    let mut is_over = scanner.take(b'}');
    while !is_over {
        members += 1;
        if members > limits.json_members {
            return Err(Error::JsonTooBig { limit: limits.json_members, what: "members" });
        }
        let name = scanner.string()?;
        if !scanner.take(b':') {
            return scanner.fault("a colon was expected");
        }
        let value = if scanner.peek() == Some(b'"') {
            Value::Text(scanner.string()?)
        } else {
            Value::Json(Cow::Borrowed(
                scanner.raw_value(limits.json_depth.saturating_sub(1), limits.json_depth)?,
            ))
        };
        match Field::of_cdxj(&name) {
            Some(field) => {
                slot = if ORDER.contains(&field) { slot_behind(&field) } else { slot };
                set(capture, &field, value)?;
            }
            None => capture.extra.push(Extra { name, value, slot }),
        }
        is_over = scanner.take(b'}');
        if !is_over && !scanner.take(b',') {
            return scanner.fault("a comma or the end was expected");
        }
    }
    match scanner.peek() {
        None => Ok(()),
        Some(_) => scanner.fault("something behind the object"),
    }
}

/// The slot behind a known member; behind all of them for one that is not in [`ORDER`].
pub(crate) fn slot_behind(field: &Field) -> u8 {
    let at = ORDER.iter().position(|of| of == field);
    at.and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(u8::MAX)
}

fn set<'a>(capture: &mut Capture<'a>, field: &Field, value: Value<'a>) -> Result<(), Error> {
    match value {
        Value::Text(text) => capture.set_text(field, text),
        Value::Json(json) if json == "null" => capture.set_text(field, Cow::Borrowed("-")),
        Value::Json(json) if json.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
            capture.set_text(field, json)
        }
        Value::Json(_) => Err(Error::BadValue { field: field.name().to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let capture = Capture::parse_cdxj(line.as_bytes(), &Limits::default()).unwrap();
        let mut out = Vec::new();
        capture.write_cdxj(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expect);
    }

    #[track_caller]
    fn check_same(line: &str) {
        check(line, line);
    }

    #[test]
    fn lines_are_written_as_they_were_read() {
        check_same(
            r#"a)/ 20140126200624 {"url": "http://a/\"\u00e9", "mime": "text/html", "mime-detected": "x", "status": "200", "digest": "D", "length": "1", "offset": "0", "filename": "f", "requestBody": "a=b", "method": "POST", "n": [1, {"a":2}]}"#,
        );
        check_same(r#"- 20140126200624 {"mime": "application/warc-fields", "length": "353"}"#);
        check_same(r#"a)/ 20140126200624 {"locator": "urn:x", "mime_type": "text/html"}"#);
        check_same("a)/ 20140126200624 {}");
        check_same(
            r#"a)/ 20140126200624 {"url": "http://a/", "orig.length": "5", "orig.offset": "6", "orig.filename": "g"}"#,
        );
    }

    #[test]
    fn other_spellings_become_the_usual_one() {
        check(
            r#"a)/ 20140126200624 {"offset":0,"status":200,"mime":null,"digest":"-","url":"http://a/"}"#,
            r#"a)/ 20140126200624 {"url": "http://a/", "status": "200", "offset": "0"}"#,
        );
        check(
            r#"(a,)/ 2015-09-03T13:27:52Z response {"uri":"http://a/", "hsc":200}"#,
            r#"(a,)/ 20150903132752 {"record-type": "response", "uri": "http://a/", "hsc": 200}"#,
        );
        check(r#"- - {}"#, "- - {}");
    }

    #[test]
    fn key_and_time_inside_the_object_go_both_ways() {
        let line = br#"{"urlkey": "a)/", "timestamp": "20140126200624", "url": "http://a/", "x": 1}"#;
        let capture = Capture::parse_json(line, &Limits::default()).unwrap();
        assert_eq!(capture.key.as_deref(), Some("a)/"));
        let mut out = Vec::new();
        capture.write_json(&mut out);
        assert_eq!(out, line);
    }

    #[test]
    fn broken_lines_are_refused() {
        for bad in [
            "",
            "a)/",
            "a)/ 20140126200624",
            "a)/ 2014 {}",
            "a)/ 20140126200624 {",
            "a)/ 20140126200624 {} x",
            r#"a)/ 20140126200624 {"status": "abc"}"#,
            r#"a)/ 20140126200624 {"status": "99999"}"#,
            r#"a)/ 20140126200624 {"length": 1.5}"#,
            r#"a)/ 20140126200624 {"url": ["x"]}"#,
            r#"a)/ 20140126200624 {"url": "x" "mime": "y"}"#,
        ] {
            assert!(Capture::parse_cdxj(bad.as_bytes(), &Limits::default()).is_err(), "{bad}");
        }
        assert!(matches!(Capture::parse_cdxj(b"a \xff", &Limits::default()), Err(Error::NotUtf8 { at: 2 })));
    }
}
