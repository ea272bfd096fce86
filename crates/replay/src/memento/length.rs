//! How long a payload is, before it is sent.

use std::io::{self, Read};

use archive::{Archive, Form, Found};
use warc::{Compression, HttpHead, Nature, Options, Reader};

use crate::error::Error;
use crate::replay::Replay;

/// The length of a payload in this form. Of one that is coded or chunked it is found by reading all of it, once: then it is kept.
pub(crate) fn of_payload(replay: &Replay, found: &Found, form: Form) -> Result<u64, Error> {
    if is_plain(found)
        && let Some(length) = by_record(&replay.settings().archive, found)?
    {
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

/// The length as far as it is to be had without reading the payload.
pub(crate) fn known(replay: &Replay, found: &Found) -> Result<Option<u64>, Error> {
    if is_plain(found) { by_record(&replay.settings().archive, found) } else { Ok(None) }
}

fn is_plain(found: &Found) -> bool {
    let head = found.head.as_ref();
    head.is_none_or(|head| !head.is_chunked() && head.get("content-encoding").is_none())
}

/// What the header of the record says, less what stands before the payload. That a server lied about it does not matter.
fn by_record(archive: &Archive, found: &Found) -> Result<Option<u64>, Error> {
    let Some((file, offset)) = place(found) else { return Ok(None) };
    let read = |offset| archive.store().read(&file, offset).map_err(archive::Error::from);
    let options = Options::default();
    let nature = if file.ends_with(".gz") {
        Nature { compression: Compression::Gzip, dictionary: Vec::new() }
    } else {
        Nature::of(read(0)?, options.limits).map_err(archive::Error::from)?
    };
    let mut reader = Reader::at(read(offset)?, offset, &nature, options).map_err(archive::Error::from)?;
    let Some(mut record) = reader.next_record().map_err(archive::Error::from)? else { return Ok(None) };
    let head = record.http().map_err(archive::Error::from)?.map_or(0, |http: &HttpHead| http.raw().len());
    let length = record.head().content_length();
    Ok(length.and_then(|length| length.checked_sub(head as u64)))
}

/// Where the record with the payload lies.
fn place(found: &Found) -> Option<(String, u64)> {
    let original = found.original.as_ref().and_then(|original| original.file.clone().zip(original.offset));
    original.or_else(|| found.row.filename.as_deref().map(str::to_owned).zip(found.row.offset))
}

fn count(found: &Found, form: Form) -> Result<u64, Error> {
    Ok(io::copy(&mut found.payload(form)?.by_ref(), &mut io::sink())?)
}
