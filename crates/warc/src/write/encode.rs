//! Turns one record's bytes into one member.

use std::fmt;
use std::io::{self, Write};

use flate2::{Compress, FlushCompress, Status};
use zstd::stream::raw::{self, InBuffer, Operation, OutBuffer};
use zstd::zstd_safe::CParameter;

use super::quick::Stream;
use crate::member::Compression;

/// The level that is for speed, and has a compressor of its own.
pub(super) const QUICK_LEVEL: u32 = 1;

/// How records are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encoding {
    /// As they are.
    Plain,
    /// A gzip member each, at this level (0 to 9; 1 is quick, 6 is usual).
    Gzip(u32),
    /// A zstd frame each, at this level (1 to 22; 3 is usual), with this dictionary if it is not empty.
    Zstd(i32, Vec<u8>),
}

impl Encoding {
    /// The usual level for this compression.
    #[must_use]
    pub fn usual(compression: Compression) -> Encoding {
        match compression {
            Compression::None => Encoding::Plain,
            Compression::Gzip => Encoding::Gzip(6),
            Compression::Zstd => Encoding::Zstd(3, Vec::new()),
        }
    }

    /// What must stand at the head of a file: the dictionary in a skippable frame, if there is one.
    pub(super) fn file_head(&self) -> Vec<u8> {
        match self {
            Encoding::Zstd(_, dictionary) if !dictionary.is_empty() => {
                let length = u32::try_from(dictionary.len()).unwrap_or(u32::MAX);
                [&[0x5d, 0x2a, 0x4d, 0x18], &length.to_le_bytes()[..], dictionary].concat()
            }
            _ => Vec::new(),
        }
    }
}

/// Encodes one member after another, and keeps its memory between them.
pub(super) struct MemberEncoder {
    codec: Codec,
    buffer: Vec<u8>,
}

enum Codec {
    Plain,
    Quick(Stream),
    Gzip(Compress),
    Zstd(raw::Encoder<'static>),
}

impl fmt::Debug for MemberEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemberEncoder").finish_non_exhaustive()
    }
}

impl MemberEncoder {
    pub(super) fn new(encoding: &Encoding) -> io::Result<MemberEncoder> {
        let codec = match encoding {
            Encoding::Plain => Codec::Plain,
            Encoding::Gzip(QUICK_LEVEL) => Codec::Quick(Stream::new()),
            Encoding::Gzip(level) => {
                Codec::Gzip(Compress::new_gzip(flate2::Compression::new((*level).min(9)), 15))
            }
            Encoding::Zstd(level, dictionary) => {
                let mut encoder = raw::Encoder::with_dictionary(*level, dictionary)?;
                // Zstd checks nothing by itself; gzip always does.
                encoder.set_parameter(CParameter::ChecksumFlag(true))?;
                Codec::Zstd(encoder)
            }
        };
        Ok(MemberEncoder { codec, buffer: vec![0; 64 << 10] })
    }

    /// Begins a member that will hold `length` bytes.
    pub(super) fn begin(&mut self, length: u64) -> io::Result<()> {
        match &mut self.codec {
            Codec::Plain => Ok(()),
            Codec::Quick(stream) => {
                stream.begin();
                Ok(())
            }
            Codec::Gzip(compress) => {
                compress.reset();
                Ok(())
            }
            Codec::Zstd(encoder) => {
                encoder.reinit()?;
                encoder.set_pledged_src_size(Some(length))
            }
        }
    }

    /// Writes further bytes of the member; how many bytes went to the sink.
    pub(super) fn push(&mut self, mut bytes: &[u8], sink: &mut impl Write) -> io::Result<u64> {
        let mut written = 0;
        match &mut self.codec {
            Codec::Plain => {
                sink.write_all(bytes)?;
                written = bytes.len() as u64;
            }
            Codec::Quick(stream) => return stream.push(bytes, sink),
            Codec::Gzip(compress) => {
                while !bytes.is_empty() {
                    let (before_in, before_out) = (compress.total_in(), compress.total_out());
                    compress.compress(bytes, &mut self.buffer, FlushCompress::None)?;
                    let taken = (compress.total_in() - before_in) as usize;
                    let made = (compress.total_out() - before_out) as usize;
                    sink.write_all(self.buffer.get(..made).unwrap_or_default())?;
                    written += made as u64;
                    bytes = bytes.get(taken..).unwrap_or_default();
                }
            }
            Codec::Zstd(encoder) => {
                let mut input = InBuffer::around(bytes);
                while input.pos() < bytes.len() {
                    let mut output = OutBuffer::around(self.buffer.as_mut_slice());
                    encoder.run(&mut input, &mut output)?;
                    sink.write_all(output.as_slice())?;
                    written += output.pos() as u64;
                }
            }
        }
        Ok(written)
    }

    /// Ends the member; how many bytes went to the sink.
    pub(super) fn end(&mut self, sink: &mut impl Write) -> io::Result<u64> {
        let mut written = 0;
        match &mut self.codec {
            Codec::Plain => {}
            Codec::Quick(stream) => return stream.end(sink),
            Codec::Gzip(compress) => loop {
                let before = compress.total_out();
                let status = compress.compress(&[], &mut self.buffer, FlushCompress::Finish)?;
                let made = (compress.total_out() - before) as usize;
                sink.write_all(self.buffer.get(..made).unwrap_or_default())?;
                written += made as u64;
                if status == Status::StreamEnd {
                    break;
                }
            },
            Codec::Zstd(encoder) => loop {
                let mut output = OutBuffer::around(self.buffer.as_mut_slice());
                let left = encoder.finish(&mut output, true)?;
                sink.write_all(output.as_slice())?;
                written += output.pos() as u64;
                if left == 0 {
                    break;
                }
            },
        }
        Ok(written)
    }
}
