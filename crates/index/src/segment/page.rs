//! Pages: what a segment consists of, each with its checksum.
//!
//! ```text
//! ┌──────────┬───────────┬───────────────────────────────────────┐
//! │ checksum │ unpacked  │ bytes: a zstd frame,                  │
//! │ 8 bytes  │ 4 bytes   │ or as they are where `unpacked` is 0  │
//! └──────────┴───────────┴───────────────────────────────────────┘
//! ```
//! The checksum is XXH3 of all that follows it, seeded by the place of the page: a page in the wrong place is damage too.

use std::io::{self, Write};
use std::sync::Mutex;

use twox_hash::XxHash3_64;
use zstd::bulk::{Compressor, Decompressor};

use super::bytes::Bytes;

/// Bytes before those of the page itself.
pub(crate) const HEAD_BYTES: usize = 12;

/// Where a page lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Where it begins.
    pub(crate) at: u64,
    /// How many bytes it takes, its head included.
    pub(crate) bytes: usize,
}

/// Whether a page is worth packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Text.
    Zstd,
    /// Hashes, which no compressor makes smaller.
    None,
}

/// Writes pages one after another.
pub(crate) struct Pages<W> {
    out: W,
    at: u64,
    compressor: Compressor<'static>,
    page: Vec<u8>,
}

impl<W: Write> Pages<W> {
    pub(crate) fn new(out: W, level: i32) -> io::Result<Pages<W>> {
        Ok(Pages { out, at: 0, compressor: Compressor::new(level)?, page: Vec::new() })
    }

    /// Where the next page goes.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Writes bytes that are no page.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    pub(crate) fn put(&mut self, bytes: &[u8], packing: Packing) -> io::Result<Place> {
        let unpacked = match packing {
            Packing::Zstd => {
                u32::try_from(bytes.len()).map_err(|_| io::Error::other("a page of over 4 GiB"))?
            }
            Packing::None => 0,
        };
        self.page.clear();
        self.page.extend_from_slice(&[0; 8]);
        self.page.extend_from_slice(&unpacked.to_le_bytes());
        match packing {
            Packing::Zstd => {
                let mut frame = io::Cursor::new(std::mem::take(&mut self.page));
                frame.set_position(HEAD_BYTES as u64);
                frame.get_mut().reserve(zstd::zstd_safe::compress_bound(bytes.len()));
                let packed = self.compressor.compress_to_buffer(bytes, &mut frame);
                self.page = frame.into_inner();
                packed?;
            }
            Packing::None => self.page.extend_from_slice(bytes),
        }
        let mut page = std::mem::take(&mut self.page);
        let place = self.put_made(&mut page);
        self.page = page;
        place
    }

    /// Writes a page that was made elsewhere, with room for its head.
    pub(crate) fn put_made(&mut self, page: &mut [u8]) -> io::Result<Place> {
        let checksum = checksum(page.get(8..).unwrap_or_default(), self.at);
        if let Some(head) = page.first_chunk_mut() {
            *head = checksum.to_le_bytes();
        }
        let place = Place { at: self.at, bytes: page.len() };
        self.out.write_all(page)?;
        self.at += page.len() as u64;
        Ok(place)
    }

    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Verifies and unpacks pages. Decompressors are dear to make, so those that are idle are kept.
#[derive(Default)]
pub(crate) struct Unpacker {
    idle: Mutex<Vec<Decompressor<'static>>>,
    /// Off in fuzzing only, so that bytes that somebody made up get behind this door.
    is_trusting: bool,
}

impl Unpacker {
    pub(crate) fn trusting() -> Unpacker {
        Unpacker { is_trusting: true, ..Unpacker::default() }
    }

    pub(crate) fn is_trusting(&self) -> bool {
        self.is_trusting
    }

    /// The bytes of a page, or what ails it.
    pub(crate) fn unpack(&self, page: Vec<u8>, at: u64, bytes_max: usize) -> Result<Vec<u8>, String> {
        let mut rest = Bytes(&page);
        let found = rest.u64().ok_or("a page of a few bytes only")?;
        if !self.is_trusting && found != checksum(rest.0, at) {
            return Err("the checksum of a page is wrong".to_owned());
        }
        let unpacked = rest.u32().ok_or("a page of a few bytes only")? as usize;
        if unpacked > bytes_max || (unpacked == 0 && rest.0.len() > bytes_max) {
            return Err(format!("a page of more than {bytes_max} bytes"));
        }
        if unpacked == 0 {
            let mut page = page;
            page.drain(..HEAD_BYTES.min(page.len()));
            return Ok(page);
        }
        self.inflate(rest.0, unpacked)
    }

    /// What a zstd frame unfolds to, which must be so many bytes.
    pub(crate) fn inflate(&self, frame: &[u8], unpacked: usize) -> Result<Vec<u8>, String> {
        let mut decompressor = self.take()?;
        let mut bytes = Vec::with_capacity(unpacked);
        let done = decompressor.decompress_to_buffer(frame, &mut bytes);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(decompressor);
        }
        match done {
            Ok(length) if length == unpacked => Ok(bytes),
            Ok(length) => Err(format!("a page has {length} bytes and says that it has {unpacked}")),
            Err(error) => Err(format!("a page cannot be unpacked: {error}")),
        }
    }

    fn take(&self) -> Result<Decompressor<'static>, String> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        match idle {
            Some(decompressor) => Ok(decompressor),
            None => Decompressor::new().map_err(|error| error.to_string()),
        }
    }
}

/// XXH3 of these bytes, seeded by where they stand.
pub(crate) fn checksum(bytes: &[u8], at: u64) -> u64 {
    XxHash3_64::oneshot_with_seed(at, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(bytes: &[u8], packing: Packing) -> Vec<u8> {
        let mut pages = Pages::new(Vec::new(), 1).unwrap();
        pages.raw(b"before").unwrap();
        let place = pages.put(bytes, packing).unwrap();
        let file = pages.finish().unwrap();
        assert_eq!((place.at, place.bytes), (6, file.len() - 6));
        file[6..].to_vec()
    }

    #[test]
    fn pages_come_back() {
        for packing in [Packing::Zstd, Packing::None] {
            let text = b"layer upon layer upon layer upon layer".repeat(9);
            let page = page(&text, packing);
            assert_eq!(page.len() < text.len(), packing == Packing::Zstd);
            assert_eq!(Unpacker::default().unpack(page.clone(), 6, 1 << 10).unwrap(), text);
            assert!(Unpacker::default().unpack(page.clone(), 7, 1 << 10).unwrap_err().contains("checksum"));
            assert!(Unpacker::default().unpack(page, 6, 9).unwrap_err().contains("more than 9"));
        }
    }

    #[test]
    fn every_flipped_bit_is_seen() {
        let page = page(b"layer upon layer upon layer", Packing::Zstd);
        for bit in 0..page.len() * 8 {
            let mut page = page.clone();
            page[bit / 8] ^= 1 << (bit % 8);
            assert!(Unpacker::default().unpack(page, 6, 1 << 10).is_err(), "bit {bit}");
        }
        assert!(Unpacker::default().unpack(vec![1, 2], 6, 9).is_err());
    }
}
