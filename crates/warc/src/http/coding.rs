//! Removes content codings, and stops bombs.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// A content coding that can be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Coding {
    /// `gzip` or `x-gzip`.
    Gzip,
    /// `deflate`: zlib by the standard, raw from many servers. Which one it is shows in the first bytes.
    Deflate,
    /// `br`.
    Brotli,
    /// `zstd`.
    Zstd,
}

impl Coding {
    /// The codings of a `Content-Encoding` value, in the order they must be removed. `None` if one is not known.
    #[must_use]
    pub fn list(value: &str) -> Option<Vec<Coding>> {
        let mut codings = Vec::new();
        for name in value.split(',').map(str::trim).rev() {
            match name.to_ascii_lowercase().as_str() {
                "gzip" | "x-gzip" => codings.push(Coding::Gzip),
                "deflate" => codings.push(Coding::Deflate),
                "br" => codings.push(Coding::Brotli),
                "zstd" => codings.push(Coding::Zstd),
                // Some servers name what is no coding at all.
                "identity" | "none" | "utf-8" | "" => {}
                _ => return None,
            }
        }
        // Each coding multiplies what a bomb can do, and nobody stacks them in earnest.
        (codings.len() <= 4).then_some(codings)
    }
}

/// The content below these codings, in the order of [`Coding::list`]; reading more than `limit` bytes is an error, unless there
/// is nothing to remove.
///
/// A body that is said to be coded and is not (crawlers store decoded bodies under the old header) is passed on as it is.
pub fn decoder<'a>(
    mut inner: Box<dyn BufRead + Send + 'a>,
    codings: &[Coding],
    limit: u64,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    if codings.is_empty() {
        return Ok(inner);
    }
    for coding in codings {
        inner = Box::new(BufReader::with_capacity(32 << 10, remove(inner, *coding)?));
    }
    Ok(Box::new(Limited { inner, left: limit }))
}

fn remove<'a>(
    mut inner: Box<dyn BufRead + Send + 'a>,
    coding: Coding,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let start = inner.fill_buf()?;
    Ok(match (coding, start) {
        (_, []) => inner,
        (Coding::Gzip, [0x1f, 0x8b, ..] | [0x1f]) => Box::new(MultiGzDecoder::new(inner)),
        (Coding::Gzip, _) => inner,
        // A zlib stream names method 8 and its first two bytes divide by 31 (RFC 1950, 2.2).
        (Coding::Deflate, [cmf, flg, ..])
            if cmf & 0x0f == 8 && (u16::from(*cmf) << 8 | u16::from(*flg)) % 31 == 0 =>
        {
            Box::new(ZlibDecoder::new(inner))
        }
        (Coding::Deflate, _) => Box::new(DeflateDecoder::new(inner)),
        // These seven bits announce a window beyond RFC 7932's 16 MiB, which is memory that the stranger asks us for.
        (Coding::Brotli, [first, ..]) if first & 0x7f == 0x11 => {
            return Err(io::Error::other("the brotli stream asks for a window above the limit"));
        }
        (Coding::Brotli, _) => Box::new(brotli::Decompressor::new(inner, 4096)),
        (Coding::Zstd, [0x28, 0xb5, 0x2f, 0xfd, ..]) => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(inner)?;
            // RFC 9659 lets nobody send windows of more than 8 MiB.
            decoder.window_log_max(23)?;
            Box::new(decoder)
        }
        (Coding::Zstd, _) => inner,
    })
}

struct Limited<'a> {
    inner: Box<dyn BufRead + Send + 'a>,
    left: u64,
}

impl Read for Limited<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => {
                self.left = left;
                Ok(count)
            }
            None => Err(io::Error::other("the content unfolds to more bytes than the limit")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: &[u8] = b"one layer of sediment, then another, then another";

    #[track_caller]
    fn check(bytes: &[u8], value: &str) {
        let codings = Coding::list(value).unwrap();
        let mut out = Vec::new();
        decoder(Box::new(bytes), &codings, 1000).unwrap().read_to_end(&mut out).unwrap();
        assert_eq!(out, TEXT, "{value}");
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn each_coding_is_removed() {
        check(&gzip(TEXT), "gzip");
        check(&gzip(TEXT), "X-GZIP");
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(TEXT).unwrap();
        check(&zlib.finish().unwrap(), "deflate");
        let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        raw.write_all(TEXT).unwrap();
        check(&raw.finish().unwrap(), "deflate");
        let mut br = Vec::new();
        brotli::BrotliCompress(&mut &TEXT[..], &mut br, &brotli::enc::BrotliEncoderParams::default())
            .unwrap();
        check(&br, "br");
        check(&zstd::encode_all(TEXT, 3).unwrap(), "zstd");
        check(&zstd::encode_all(gzip(TEXT).as_slice(), 3).unwrap(), "gzip, zstd");
    }

    #[test]
    fn content_that_is_not_coded_is_passed_on() {
        check(TEXT, "gzip");
        check(TEXT, "zstd");
        check(TEXT, "identity");
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let bomb = gzip(&vec![0; 1 << 20]);
        let mut out = Vec::new();
        let error = decoder(Box::new(&bomb[..]), &[Coding::Gzip], 1000).unwrap().read_to_end(&mut out);
        assert!(error.unwrap_err().to_string().contains("limit"));
        assert!(out.len() <= 1000);
    }

    #[test]
    fn unknown_coding_is_said() {
        assert_eq!(Coding::list("compress"), None);
        assert_eq!(Coding::list("gzip,gzip,gzip,gzip,gzip"), None);
    }
}
