//! Zstandard frames, and the dictionary that a `.warc.zst` file may begin with.
//!
//! The dictionary stands in a skippable frame of its own at the head of the file, as the IIPC's note on zstd
//! compression of WARC has it: magic `5D 2A 4D 18`, length, then the dictionary, itself possibly a zstd frame.

use std::io::{self, Read};

use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};
use zstd::zstd_safe::DParameter;

use super::Unfolded;
use crate::error::Error;
use crate::fault::{Fault, FaultKind};
use crate::limits::Limits;
use crate::window::Window;

/// First byte of the skippable frame that holds the dictionary.
const DICTIONARY_MAGIC: u8 = 0x5d;
const FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

pub(super) struct Zstd {
    decoder: Decoder<'static>,
    dictionary: Vec<u8>,
}

impl std::fmt::Debug for Zstd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Zstd").field("dictionary", &self.dictionary.len()).finish_non_exhaustive()
    }
}

impl Zstd {
    pub(super) fn new(dictionary: &[u8], limits: &Limits, offset: u64) -> Result<Zstd, Error> {
        let decoder = decoder(dictionary, limits).map_err(|source| Error::Read { offset, source })?;
        Ok(Zstd { decoder, dictionary: dictionary.to_vec() })
    }

    pub(super) fn dictionary(&self) -> &[u8] {
        &self.dictionary
    }

    /// Begins the frame at the window's start; false if it was a skippable one and has been stepped over.
    pub(super) fn begin<R: Read>(&mut self, window: &mut Window<R>, limits: &Limits) -> Result<bool, Error> {
        let offset = window.offset();
        match window.unread() {
            [a, b, c, d, ..] if [*a, *b, *c, *d] == FRAME_MAGIC => {
                self.decoder.reinit().map_err(|source| Error::Read { offset, source })?;
                Ok(true)
            }
            [kind @ 0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] => {
                let kind = *kind;
                let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
                window.consume(8);
                if kind == DICTIONARY_MAGIC && offset == 0 {
                    self.take_dictionary(window, length, limits)?;
                } else {
                    skip(window, length)?;
                }
                Ok(false)
            }
            _ => Err(Fault::new(offset, FaultKind::Garbage, "no zstd frame begins here").into()),
        }
    }

    fn take_dictionary<R: Read>(
        &mut self,
        window: &mut Window<R>,
        length: usize,
        limits: &Limits,
    ) -> Result<(), Error> {
        let bad = |message: &str| Error::from(Fault::new(0, FaultKind::BadMember, message));
        if length > limits.dictionary_bytes {
            let message = format!("the zstd dictionary has {length} bytes, more than the limit");
            return Err(Fault::new(0, FaultKind::Limit, message).into());
        }
        let mut stored = Vec::new();
        while stored.len() < length {
            let offset = window.offset();
            let unread = window.fill_to(1).map_err(|source| Error::Read { offset, source })?;
            if unread.is_empty() {
                return Err(bad("the file ends within its zstd dictionary"));
            }
            let take = unread.len().min(length - stored.len());
            stored.extend_from_slice(unread.get(..take).unwrap_or_default());
            window.consume(take);
        }
        self.dictionary = if stored.starts_with(&FRAME_MAGIC) {
            let mut unfolded = Vec::new();
            let reader = zstd::stream::read::Decoder::with_buffer(stored.as_slice());
            reader
                .and_then(|reader| reader.take(limits.dictionary_bytes as u64 + 1).read_to_end(&mut unfolded))
                .map_err(|_| bad("the zstd dictionary cannot be decompressed"))?;
            unfolded
        } else {
            stored
        };
        if self.dictionary.len() > limits.dictionary_bytes {
            return Err(bad("the zstd dictionary unfolds to more than the limit"));
        }
        self.decoder =
            decoder(&self.dictionary, limits).map_err(|_| bad("the zstd dictionary cannot be used"))?;
        Ok(())
    }

    /// Decompresses a further stretch into `out`: the whole frame if it fits.
    pub(super) fn step<R: Read>(
        &mut self,
        window: &mut Window<R>,
        out: &mut Unfolded,
        began: u64,
    ) -> Result<(), Error> {
        let before = out.end;
        // A small frame that lies whole in the window goes into the large buffer at once, which spares zstd a copy.
        let is_first = out.total == 0 && !out.is_sparing;
        while out.end == before && !out.ended {
            let offset = window.offset();
            window.fill_to(out.step / 2).map_err(|source| Error::Read { offset, source })?;
            let mut input = InBuffer::around(window.unread());
            let space = if is_first { out.bytes.as_mut_slice() } else { out.space() };
            let mut output = OutBuffer::around(space);
            let left = self.decoder.run(&mut input, &mut output);
            out.end += output.pos();
            let taken = input.pos();
            window.consume(taken);
            match left {
                Ok(0) => out.ended = true,
                Ok(_) if taken > 0 || out.end > before => {}
                Ok(_) if window.ended() => {
                    let message = "the file ends within this zstd frame";
                    return Err(Fault::new(began, FaultKind::TruncatedMember, message).into());
                }
                Ok(_) => {}
                Err(error) => {
                    let message = format!("the zstd frame cannot be decompressed: {error}");
                    // The frame is sound, but asks for a larger window than we set aside.
                    let kind = match message.contains("too much memory") {
                        true => FaultKind::Limit,
                        false => FaultKind::BadMember,
                    };
                    return Err(Fault::new(began, kind, message).into());
                }
            }
        }
        Ok(())
    }
}

fn decoder(dictionary: &[u8], limits: &Limits) -> io::Result<Decoder<'static>> {
    let mut decoder = Decoder::with_dictionary(dictionary)?;
    decoder.set_parameter(DParameter::WindowLogMax(limits.zstd_window_log))?;
    Ok(decoder)
}

fn skip<R: Read>(window: &mut Window<R>, mut length: usize) -> Result<(), Error> {
    while length > 0 {
        let offset = window.offset();
        let unread = window.fill_to(1).map_err(|source| Error::Read { offset, source })?;
        if unread.is_empty() {
            let message = "the file ends within a skippable zstd frame";
            return Err(Fault::new(offset, FaultKind::TruncatedMember, message).into());
        }
        let step = unread.len().min(length);
        window.consume(step);
        length -= step;
    }
    Ok(())
}
