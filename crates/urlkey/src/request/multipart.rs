//! Bodies of forms with files, `multipart/form-data`: each part becomes a field, whatever it holds.

use crate::percent::encode_form;

/// The most parts of a body that are read.
const PARTS_MAX: usize = 4096;

/// The parts as an encoded query; `None` if the type names no boundary or the body does not keep to it.
pub(super) fn fields(content_type: &str, body: &[u8]) -> Option<String> {
    let boundary = boundary(content_type)?;
    let delimiter = [b"--", boundary.as_bytes()].concat();
    let finder = memchr::memmem::Finder::new(&delimiter);
    let mut encoded = Vec::new();
    let mut rest = body.get(finder.find(body)? + delimiter.len()..)?;
    while encoded.len() < PARTS_MAX && !rest.starts_with(b"--") {
        let end = finder.find(rest).unwrap_or(rest.len());
        let part = rest.get(..end)?;
        if let Some((name, value)) = field(part) {
            encoded.push(format!("{}={}", encode_form(name.as_bytes()), encode_form(value)));
        }
        rest = match rest.get(end + delimiter.len()..) {
            Some(rest) => rest,
            None => break,
        };
    }
    Some(encoded.join("&"))
}

fn boundary(content_type: &str) -> Option<&str> {
    let (_, boundary) = content_type.split_once("boundary=")?;
    let boundary = match boundary.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => boundary.split(';').next()?.trim(),
    };
    (!boundary.is_empty()).then_some(boundary)
}

/// Name and value of a part: head, empty line, value, and the line break that belongs to the next delimiter.
fn field(part: &[u8]) -> Option<(String, &[u8])> {
    let part = part.strip_prefix(b"\r\n").or_else(|| part.strip_prefix(b"\n"))?;
    let (head, value) = match memchr::memmem::find(part, b"\r\n\r\n") {
        Some(at) => (part.get(..at)?, part.get(at + 4..)?),
        None => {
            let at = memchr::memmem::find(part, b"\n\n")?;
            (part.get(..at)?, part.get(at + 2..)?)
        }
    };
    let value = value.strip_suffix(b"\r\n").or_else(|| value.strip_suffix(b"\n")).unwrap_or(value);
    Some((name(&String::from_utf8_lossy(head))?, value))
}

fn name(head: &str) -> Option<String> {
    let disposition = head.lines().find_map(|line| {
        let (field, value) = line.split_once(':')?;
        field.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    })?;
    let start = disposition.match_indices("name=").map(|(at, _)| at).find(|at| {
        // `filename=` ends in the same letters.
        disposition.get(..*at).is_some_and(|before| before.ends_with([' ', ';', '\t']))
    })?;
    let value = disposition.get(start + 5..)?;
    Some(match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?.to_owned(),
        None => value.split(';').next()?.trim().to_owned(),
    })
}
