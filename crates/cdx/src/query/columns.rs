//! Chosen fields of captures, under the names by which they were asked for.

use crate::cdxj::write_number;
use crate::json::write_string;
use crate::layout::write_column;
use crate::{Capture, Field};

/// Fields to be shown, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    columns: Vec<(Box<str>, Field)>,
}

impl Columns {
    /// The fields of a list such as `urlkey,timestamp,original`. Empty places in it are passed over.
    #[must_use]
    pub fn parse(list: &str) -> Columns {
        let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
        Columns { columns: names.map(|name| (name.into(), Field::named(name))).collect() }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The names, as they were asked for.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_ref())
    }

    /// The columns that show other fields than these.
    #[must_use]
    pub fn without(mut self, fields: &[Field]) -> Columns {
        self.columns.retain(|(_, field)| !fields.contains(field));
        self
    }

    /// Appends a line: values, blanks between them, `-` where one is missing.
    pub fn write_line(&self, capture: &Capture<'_>, out: &mut Vec<u8>) {
        for (at, (_, field)) in self.columns.iter().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            match (field, capture) {
                (Field::Timestamp, Capture { timestamp: Some(time), .. }) => {
                    out.extend_from_slice(&time.digits());
                }
                (field, capture) => match number(field, capture) {
                    Some(number) => write_number(out, number),
                    None => write_column(out, capture.text(field).as_deref(), b' '),
                },
            }
        }
    }

    /// Appends a JSON object of texts. A field that captures have and this one lacks is `-`; one that captures do not have at all
    /// is left out, as pywb does it.
    pub fn write_object(&self, capture: &Capture<'_>, out: &mut Vec<u8>) {
        out.push(b'{');
        let mut is_first = true;
        for (name, field) in &self.columns {
            let text = capture.text(field);
            if text.is_none() && matches!(field, Field::Other(_)) {
                continue;
            }
            out.extend_from_slice(if is_first { b"" } else { b", " });
            is_first = false;
            write_string(out, name);
            out.extend_from_slice(b": ");
            write_string(out, text.as_deref().unwrap_or("-"));
        }
        out.push(b'}');
    }

    /// Appends a JSON array of texts, `-` where one is missing: a row of the Wayback Machine's CDX server.
    pub fn write_texts(&self, capture: &Capture<'_>, out: &mut Vec<u8>) {
        self.write_array(out, |field, out| write_string(out, capture.text(field).as_deref().unwrap_or("-")));
    }

    /// Appends a JSON array in which numbers are numbers: a row of OutbackCDX. A status that is missing is 0, another number -1.
    pub fn write_values(&self, capture: &Capture<'_>, out: &mut Vec<u8>) {
        self.write_array(out, |field, out| write_value(field, capture, out));
    }

    /// Appends a JSON object in which numbers are numbers: an element of OutbackCDX's `jsondict`.
    pub fn write_dictionary(&self, capture: &Capture<'_>, out: &mut Vec<u8>) {
        out.push(b'{');
        for (at, (name, field)) in self.columns.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b"," } else { b"" });
            write_string(out, name);
            out.push(b':');
            write_value(field, capture, out);
        }
        out.push(b'}');
    }

    /// Appends the names as a JSON array.
    pub fn write_names(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        for (at, name) in self.names().enumerate() {
            out.extend_from_slice(if at > 0 { b"," } else { b"" });
            write_string(out, name);
        }
        out.push(b']');
    }

    fn write_array(&self, out: &mut Vec<u8>, mut write: impl FnMut(&Field, &mut Vec<u8>)) {
        out.push(b'[');
        for (at, (_, field)) in self.columns.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b"," } else { b"" });
            write(field, out);
        }
        out.push(b']');
    }
}

/// The value of a field that is a number.
fn number(field: &Field, capture: &Capture<'_>) -> Option<u64> {
    let original = capture.original.as_deref();
    match field {
        Field::Timestamp => capture.timestamp.map(crate::Timestamp::as_number),
        Field::Status => capture.status.map(u64::from),
        Field::Length => capture.length,
        Field::Offset => capture.offset,
        Field::OriginalLength => original.and_then(|place| place.length),
        Field::OriginalOffset => original.and_then(|place| place.offset),
        _ => None,
    }
}

fn write_value(field: &Field, capture: &Capture<'_>, out: &mut Vec<u8>) {
    match field {
        Field::Timestamp
        | Field::Status
        | Field::Length
        | Field::Offset
        | Field::OriginalLength
        | Field::OriginalOffset => match number(field, capture) {
            Some(number) => write_number(out, number),
            None if *field == Field::Status => out.push(b'0'),
            None => out.extend_from_slice(b"-1"),
        },
        field => write_string(out, capture.text(field).as_deref().unwrap_or("-")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture() -> Capture<'static> {
        Capture {
            key: Some("a)/".into()),
            timestamp: crate::Timestamp::from_number(20_140_126_200_624),
            url: Some("http://a/ \"".into()),
            length: Some(12),
            ..Capture::default()
        }
    }

    #[track_caller]
    fn check(write: impl Fn(&Columns, &Capture<'_>, &mut Vec<u8>), expect: &str) {
        let mut out = Vec::new();
        write(&Columns::parse("urlkey,timestamp,,original, statuscode,length,nosuch"), &capture(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expect);
    }

    #[test]
    fn fields_are_shown_as_each_server_does() {
        check(Columns::write_line, r#"a)/ 20140126200624 http://a/%20" - 12 -"#);
        check(
            Columns::write_object,
            r#"{"urlkey": "a)/", "timestamp": "20140126200624", "original": "http://a/ \"", "statuscode": "-", "length": "12"}"#,
        );
        check(Columns::write_texts, r#"["a)/","20140126200624","http://a/ \"","-","12","-"]"#);
        check(Columns::write_values, r#"["a)/",20140126200624,"http://a/ \"",0,12,"-"]"#);
        check(
            |columns, _, out| columns.write_names(out),
            r#"["urlkey","timestamp","original","statuscode","length","nosuch"]"#,
        );
    }
}
