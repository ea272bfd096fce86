//! Packs records whose blocks lie in memory: one gzip member each, made in one go.
//!
//! At most levels a third faster than the streaming [`Writer`](super::Writer) for the same size (`examples/press.rs`), and it needs no
//! sink: a member can be made on one thread and written by another. What is too large to lie in memory goes through the `Writer`.

use super::draft::Draft;
use super::encode::{Encoding, QUICK_LEVEL};
use super::quick::{Quick, bound, stored};
use super::writer::Writer;
use crate::error::Error;
use crate::member::{Deflater, Inflated, Inflater};

/// Scratch memory beyond this is given back after each record.
const KEPT_BYTES_MAX: usize = 4 << 20;

/// Packs one record after another, and keeps its memory between them.
///
/// ```
/// use warc::{Draft, Press, RecordType, Version};
///
/// let date = "2026-11-15T10:11:12Z".parse()?;
/// let draft = Draft::new(Version::Warc1_1, &RecordType::Resource, "urn:uuid:1", date).target_uri("urn:varve");
/// let mut press = Press::default();
/// let mut file = Vec::new();
/// let length = press.pack(&draft, b"a layer of sediment", 6, &mut file)?;
/// assert_eq!(length, file.len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Press {
    /// Compressors, with the level of each.
    deflaters: Vec<(u32, Deflater)>,
    quick: Option<Box<Quick>>,
    record: Vec<u8>,
    packed: Vec<u8>,
}

impl Press {
    /// Appends the record to `out` as one gzip member: how many bytes it takes. Levels go from 0 (stored) over 1
    /// (quick) and 6 (usual) to 12.
    ///
    /// # Errors
    /// When a field of the header cannot be written. Nothing has been appended then.
    pub fn pack(&mut self, draft: &Draft, block: &[u8], level: u32, out: &mut Vec<u8>) -> Result<u64, Error> {
        let level = level.min(12);
        self.record.clear();
        draft.write_to(block.len() as u64, &mut self.record)?;
        if level == 0 {
            return Ok(stored(&[&self.record, block, b"\r\n\r\n"], out));
        }
        self.record.extend_from_slice(block);
        self.record.extend_from_slice(b"\r\n\r\n");
        let before = out.len();
        if self.deflate(level, out).is_none() {
            // Without memory for a compressor the streaming one may still have its own.
            let mut writer = Writer::new(Vec::new(), &Encoding::Gzip(level))?;
            writer.write(draft, block)?;
            out.extend_from_slice(&writer.into_inner());
        }
        for scratch in [&mut self.record, &mut self.packed] {
            if scratch.capacity() > KEPT_BYTES_MAX {
                *scratch = Vec::new();
            }
        }
        Ok((out.len() - before) as u64)
    }

    fn deflate(&mut self, level: u32, out: &mut Vec<u8>) -> Option<()> {
        let length = if level == QUICK_LEVEL {
            let bound = bound(self.record.len());
            self.make_room(bound);
            let quick = self.quick.get_or_insert_with(|| Box::new(Quick::new()));
            let length = quick.gzip(&self.record, &mut self.packed)?;
            debug_assert!(
                reads_back(self.packed.get(..length)?, &self.record),
                "a member of our own does not read back"
            );
            length
        } else {
            let place = self.deflater(level)?;
            let bound = self.deflaters.get_mut(place)?.1.bound(self.record.len());
            self.make_room(bound);
            self.deflaters.get_mut(place)?.1.gzip(&self.record, &mut self.packed)?
        };
        out.extend_from_slice(self.packed.get(..length)?);
        Some(())
    }

    /// The place of the compressor of a level.
    fn deflater(&mut self, level: u32) -> Option<usize> {
        if let Some(place) = self.deflaters.iter().position(|(of, _)| *of == level) {
            return Some(place);
        }
        self.deflaters.push((level, Deflater::new(level)?));
        Some(self.deflaters.len() - 1)
    }

    fn make_room(&mut self, bound: usize) {
        if self.packed.len() < bound {
            self.packed.resize(bound, 0);
        }
    }
}

/// Whether another reader than ours gets the record back. What is packed by our own code may be the only copy of a document, so
/// that every test that packs asks this.
fn reads_back(member: &[u8], record: &[u8]) -> bool {
    let mut back = vec![0; record.len()];
    let read = Inflater::new().map(|mut inflater| inflater.gzip(member, &mut back));
    read == Some(Inflated::Whole(member.len(), record.len())) && back == record
}
