//! Parses the header block of a WARC record.

use std::ops::Range;

use super::head::{FieldPlace, Head};
use super::kind::{RecordType, Version};
use super::name::Name;
use crate::fault::{Fault, FaultKind};
use crate::limits::Limits;
use crate::lines::{Lines, folded, trimmed};

/// Fills `head` from its raw bytes, which end with the blank line (or wherever the file did). Faults go to `faults`.
pub(crate) fn parse_head(head: &mut Head, offset: u64, limits: &Limits, faults: &mut dyn FnMut(Fault)) {
    head.raw_length = head.text.len();
    head.fields.clear();
    head.content_length = None;
    head.record_type = RecordType::Other(String::new());
    let mut fault = |kind, message: String| faults(Fault::new(offset, kind, message));

    let mut lines = Lines::new(head.raw_length);
    let Some(first) = lines.next(&head.text) else { return };
    let version = head.text.get(first.text.clone()).unwrap_or_default();
    head.version = Version::of_line(version);
    if head.version == Version::WarcUnknown {
        let shown = String::from_utf8_lossy(version.get(..40).unwrap_or(version)).into_owned();
        fault(FaultKind::Version, format!("`{shown}` is not a version of WARC"));
    }
    let mut bare_lf = !first.crlf;
    while let Some(line) = lines.next(&head.text) {
        bare_lf |= !line.crlf;
        let bytes = head.text.get(line.text.clone()).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        if matches!(bytes, [b' ' | b'\t', ..]) {
            if !head.fold(line.text) {
                fault(FaultKind::HeaderLine, "a folded line continues no field".to_owned());
            }
            continue;
        }
        let Some(colon) = memchr::memchr(b':', bytes) else {
            let shown = String::from_utf8_lossy(bytes.get(..80).unwrap_or(bytes)).into_owned();
            fault(FaultKind::HeaderLine, format!("header line has no colon: `{shown}`"));
            continue;
        };
        if head.fields.len() >= limits.head_fields {
            fault(FaultKind::Limit, format!("more than {} header fields", limits.head_fields));
            break;
        }
        let start = line.text.start;
        let spelling = trimmed(&head.text, start..start + colon);
        let value = trimmed(&head.text, start + colon + 1..line.text.end);
        let name = Name::of(head.text.get(spelling.clone()).unwrap_or_default());
        head.fields.push(FieldPlace { name, spelling, value });
    }
    if bare_lf {
        fault(FaultKind::LineEnding, "header lines do not end in CR LF".to_owned());
    }
    head.resolve();
}

impl Head {
    /// Joins a folded line to the value before it; false if there is none.
    fn fold(&mut self, line: Range<usize>) -> bool {
        let Some(field) = self.fields.last_mut() else { return false };
        field.value = folded(&mut self.text, field.value.clone(), line);
        true
    }

    /// Reads the two values that everything else depends on.
    pub(super) fn resolve(&mut self) {
        self.content_length = self.get(Name::ContentLength).and_then(decimal);
        self.record_type = match self.text(Name::RecordType) {
            Some(name) => RecordType::of(&name),
            None => RecordType::Other(String::new()),
        };
    }
}

/// A number written in decimal digits and nothing else.
pub(crate) fn decimal(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(bytes).ok()?.parse().ok()
}
