//! How long a payload is, before it is sent.

use std::io;

use archive::{Form, Found, Payload};

use crate::error::Error;
use crate::replay::Replay;

/// The length of a payload in this form. Of one that is coded or chunked it is found by reading all of it, once: then it is kept.
pub(crate) fn of_payload(
    replay: &Replay,
    found: &Found,
    payload: &Payload,
    form: Form,
) -> Result<u64, Error> {
    if let Some(length) = payload.length() {
        return Ok(length);
    }
    let Some((file, offset)) = place(found) else { return count(found, form) };
    let name = format!("{file} {offset} {form:?}");
    if let Some(length) = replay.lengths().get(&name) {
        return Ok(length);
    }
    let length = count(found, form)?;
    replay.lengths().put(name, length);
    Ok(length)
}

/// Where the record with the payload lies.
fn place(found: &Found) -> Option<(String, u64)> {
    let original = found.original.as_ref().and_then(|original| original.file.clone().zip(original.offset));
    original.or_else(|| found.row.filename.as_deref().map(str::to_owned).zip(found.row.offset))
}

fn count(found: &Found, form: Form) -> Result<u64, Error> {
    Ok(io::copy(&mut found.payload(form)?, &mut io::sink())?)
}
