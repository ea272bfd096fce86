//! What the standards ask of a record's header, beyond its being readable.
//!
//! ISO 28500 (WARC 1.0 and 1.1), section 5 for the fields and section 6 for the types of records.

use urlkey::time::Precision;

use crate::digest::Algorithm;
use crate::error::Error;
use crate::fault::{Fault, FaultKind};
use crate::record::{Head, Name, Profile, RecordType, Truncated, Version, parse};

/// Everything that is against the standard in this header.
#[must_use]
pub fn faults(head: &Head, offset: u64) -> Vec<Fault> {
    let mut check = Check { head, offset, faults: Vec::new() };
    if head.version().is_arc() {
        check.arc();
    } else {
        check.required();
        check.repeated();
        check.forms();
        check.content_type();
        check.by_type();
        check.segments();
    }
    check.faults
}

struct Check<'a> {
    head: &'a Head,
    offset: u64,
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn say(&mut self, kind: FaultKind, message: String) {
        self.faults.push(Fault::new(self.offset, kind, message));
    }

    fn need(&mut self, name: Name) {
        if self.head.get(name).is_none_or(<[u8]>::is_empty) {
            self.say(FaultKind::MissingField, format!("{} is missing", name.text()));
        }
    }

    fn required(&mut self) {
        for name in [Name::RecordType, Name::RecordId, Name::Date, Name::ContentLength] {
            self.need(name);
        }
        if let RecordType::Other(kind) = self.head.record_type()
            && !kind.is_empty()
        {
            self.say(FaultKind::UnknownValue, format!("`{}` is no type of record", short(kind)));
        }
    }

    fn repeated(&mut self) {
        let mut seen: Vec<Name> = Vec::new();
        for (name, _) in self.head.known_fields() {
            if name.repeats() {
                continue;
            }
            if seen.contains(&name) {
                self.faults.push(Fault::new(
                    self.offset,
                    FaultKind::RepeatedField,
                    format!("{} stands more than once", name.text()),
                ));
            }
            seen.push(name);
        }
    }

    /// Each value is of its field's form.
    fn forms(&mut self) {
        for (name, value) in self.head.known_fields() {
            let text = String::from_utf8_lossy(value);
            let wrong = match name {
                Name::RecordId
                | Name::ConcurrentTo
                | Name::RefersTo
                | Name::WarcinfoId
                | Name::SegmentOriginId => (!is_bracketed_uri(&text)).then_some("a URI in angle brackets"),
                Name::TargetUri | Name::RefersToTargetUri | Name::Profile => {
                    (!is_uri(unbracketed(&text))).then_some("a URI")
                }
                Name::Date | Name::RefersToDate => self.date_fault(&text),
                Name::IpAddress => text.parse::<std::net::IpAddr>().is_err().then_some("an IP address"),
                Name::ContentLength | Name::SegmentNumber | Name::SegmentTotalLength => {
                    parse::decimal(value).is_none().then_some("a number")
                }
                Name::ContentType | Name::IdentifiedPayloadType => {
                    (!is_media_type(&text)).then_some("a media type")
                }
                Name::BlockDigest | Name::PayloadDigest => {
                    self.faults.extend(
                        digest_fault(name, &text)
                            .map(|(kind, message)| Fault::new(self.offset, kind, message)),
                    );
                    None
                }
                _ => None,
            };
            if let Some(wanted) = wrong {
                let message = format!("{} is not {wanted}: `{}`", name.text(), short(&text));
                self.faults.push(Fault::new(self.offset, FaultKind::InvalidField, message));
            }
        }
        if let Some(Truncated::Other(reason)) = self.head.truncated() {
            self.say(FaultKind::UnknownValue, format!("`{}` is no reason for truncation", short(&reason)));
        }
        if let Some(Profile::Other(uri)) = self.head.profile() {
            self.say(FaultKind::UnknownValue, format!("`{}` is no profile that we know", short(&uri)));
        }
    }

    fn date_fault(&self, text: &str) -> Option<&'static str> {
        match urlkey::time::parse_warc_date(&text.to_ascii_uppercase()) {
            Err(_) => Some("a date of the form YYYY-MM-DDThh:mm:ssZ"),
            Ok(date) if self.head.version() == Version::Warc1_0 && date.precision != Precision::Second => {
                Some("a date to the second, as WARC 1.0 asks")
            }
            Ok(_) => None,
        }
    }

    fn content_type(&mut self) {
        let kind = self.head.record_type();
        let Some(media) = self.head.content_type() else {
            if self.head.content_length().unwrap_or(0) > 0 && *kind != RecordType::Continuation {
                self.say(FaultKind::Recommended, "Content-Type should say what the block is".to_owned());
            }
            return;
        };
        if *kind == RecordType::Warcinfo && !media.to_ascii_lowercase().starts_with("application/warc-fields")
        {
            let message = format!("a warcinfo should be application/warc-fields, not `{}`", short(&media));
            self.say(FaultKind::Recommended, message);
        }
        let expected = match kind {
            RecordType::Response | RecordType::Revisit => "response",
            RecordType::Request => "request",
            _ => return,
        };
        let said = media.split(';').find_map(|part| part.trim().strip_prefix("msgtype="));
        if let Some(said) = said.map(|said| said.trim_matches('"'))
            && !said.eq_ignore_ascii_case(expected)
        {
            let message = format!("Content-Type says msgtype={} in a {} record", short(said), kind.name());
            self.say(FaultKind::InvalidField, message);
        }
    }

    /// Which fields a type of record must have, and which it must not.
    fn by_type(&mut self) {
        use RecordType::{Continuation, Conversion, Request, Resource, Response, Revisit, Warcinfo};
        let kind = self.head.record_type();
        if matches!(kind, RecordType::Other(_)) {
            return;
        }
        match kind {
            Response | Resource | Request | Revisit | Conversion | Continuation => self.need(Name::TargetUri),
            _ => {}
        }
        if *kind == Revisit {
            self.need(Name::Profile);
        }
        let misplaced: Vec<Name> = self
            .head
            .known_fields()
            .map(|(name, _)| name)
            .filter(|name| match name {
                Name::TargetUri => matches!(kind, Warcinfo),
                Name::ConcurrentTo => matches!(kind, Warcinfo | Conversion | Continuation),
                Name::IpAddress => matches!(kind, Warcinfo | Conversion | Continuation),
                Name::RefersTo => matches!(kind, Warcinfo | Response | Resource | Request | Continuation),
                Name::RefersToTargetUri | Name::RefersToDate | Name::Profile => !matches!(kind, Revisit),
                Name::WarcinfoId => matches!(kind, Warcinfo),
                Name::Filename => !matches!(kind, Warcinfo),
                Name::IdentifiedPayloadType => matches!(kind, Warcinfo),
                Name::SegmentOriginId | Name::SegmentTotalLength => !matches!(kind, Continuation),
                _ => false,
            })
            .collect();
        for name in misplaced {
            let message = format!("{} must not stand in a {} record", name.text(), kind.name());
            self.say(FaultKind::MisplacedField, message);
        }
    }

    fn segments(&mut self) {
        let kind = self.head.record_type();
        let number = self.head.segment_number();
        match (kind, number) {
            (RecordType::Continuation, None) => {
                self.need(Name::SegmentNumber);
                self.need(Name::SegmentOriginId);
            }
            (RecordType::Continuation, Some(number)) => {
                self.need(Name::SegmentOriginId);
                if number < 2 {
                    self.say(
                        FaultKind::InvalidField,
                        "a continuation's segment number is at least 2".to_owned(),
                    );
                }
            }
            (_, Some(number)) if number != 1 => {
                let message = format!("segment number {number} in a record that is no continuation");
                self.say(FaultKind::InvalidField, message);
            }
            _ => {}
        }
    }

    /// The little that ARC lines promise. Their dates are looked at where they are parsed.
    fn arc(&mut self) {
        if *self.head.record_type() == RecordType::ArcHeader {
            return;
        }
        if let Some(address) = self.head.text(Name::IpAddress)
            && address.parse::<std::net::IpAddr>().is_err()
            && address != "-"
        {
            let message = format!("not an IP address: `{}`", short(&address));
            self.say(FaultKind::InvalidField, message);
        }
        if self.head.target_uri().is_none_or(|uri| !is_uri(&uri.replace(' ', "%20"))) {
            self.say(FaultKind::InvalidField, "the line does not start with a URI".to_owned());
        }
    }
}

fn digest_fault(name: Name, text: &str) -> Option<(FaultKind, String)> {
    let Some((algorithm, value)) = text.split_once(':') else {
        return Some((
            FaultKind::InvalidField,
            format!("{} names no algorithm: `{}`", name.text(), short(text)),
        ));
    };
    if Algorithm::of(algorithm).is_none() {
        let message = format!("{} has an algorithm that we do not know: `{}`", name.text(), short(algorithm));
        return Some((FaultKind::UnknownValue, message));
    }
    match crate::digest::Digest::parse(text) {
        Err(Error::Digest(_)) => {
            let message = format!("{} is no {algorithm} value: `{}`", name.text(), short(value));
            Some((FaultKind::InvalidField, message))
        }
        _ => None,
    }
}

fn unbracketed(text: &str) -> &str {
    text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(text)
}

fn is_bracketed_uri(text: &str) -> bool {
    text.starts_with('<') && text.ends_with('>') && is_uri(unbracketed(text))
}

/// A scheme, a colon and something behind it, without blanks. More would call real captures invalid.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let mut letters = scheme.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !rest.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '<' || c == '>')
}

fn is_media_type(text: &str) -> bool {
    let essence = text.split(';').next().unwrap_or_default().trim();
    let token = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
    };
    essence.split_once('/').is_some_and(|(kind, sub)| token(kind) && token(sub))
}

/// Enough of a value to recognise it by.
fn short(text: &str) -> String {
    let mut shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
