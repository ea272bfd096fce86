//! What files of many types begin with.
//!
//! The first tables are those of the standard, in its order; the last has what archives hold besides.
//! <https://mimesniff.spec.whatwg.org/#matching-a-mime-type-pattern>

/// Bytes at a place that betray a type.
#[derive(Debug)]
pub(super) struct Pattern {
    offset: usize,
    bytes: &'static [u8],
    /// Bytes that do not matter are 0 here; the same length as `bytes`, or empty where all matter.
    mask: &'static [u8],
    pub(super) mime: &'static str,
}

impl Pattern {
    #[inline]
    pub(super) fn matches(&self, header: &[u8]) -> bool {
        // Nearly all that does not match differs in the first byte, which no mask leaves out.
        self.bytes.first() == header.get(self.offset) && self.matches_whole(header)
    }

    fn matches_whole(&self, header: &[u8]) -> bool {
        let Some(there) = header.get(self.offset..).and_then(|rest| rest.get(..self.bytes.len())) else {
            return false;
        };
        if self.mask.is_empty() {
            return there == self.bytes;
        }
        there.iter().zip(self.mask).map(|(byte, mask)| byte & mask).eq(self.bytes.iter().copied())
    }
}

const fn at(offset: usize, bytes: &'static [u8], mime: &'static str) -> Pattern {
    Pattern { offset, bytes, mask: &[], mime }
}

const fn start(bytes: &'static [u8], mime: &'static str) -> Pattern {
    at(0, bytes, mime)
}

// This runs in the compiler, where a wrong place is an error of the build.
#[allow(clippy::indexing_slicing)]
const fn masked(bytes: &'static [u8], mask: &'static [u8], mime: &'static str) -> Pattern {
    assert!(bytes.len() == mask.len() && mask[0] == 0xff);
    Pattern { offset: 0, bytes, mask, mime }
}

/// `RIFF`, a length, and a name.
const RIFF: &[u8] = b"\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff";
const RIFF_WEBP: &[u8] = b"\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff\xff\xff";

/// <https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type>
pub(super) const HTML_TAGS: [&[u8]; 16] = [
    b"<!DOCTYPE HTML",
    b"<HTML",
    b"<HEAD",
    b"<SCRIPT",
    b"<IFRAME",
    b"<H1",
    b"<DIV",
    b"<FONT",
    b"<TABLE",
    b"<A",
    b"<STYLE",
    b"<TITLE",
    b"<B",
    b"<BODY",
    b"<BR",
    b"<P",
];

pub(super) const DOCUMENTS: &[Pattern] =
    &[start(b"%PDF-", "application/pdf"), start(b"%!PS-Adobe-", "application/postscript")];

/// <https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern>
pub(super) const IMAGES: &[Pattern] = &[
    start(b"\0\0\x01\0", "image/x-icon"),
    start(b"\0\0\x02\0", "image/x-icon"),
    start(b"BM", "image/bmp"),
    start(b"GIF87a", "image/gif"),
    start(b"GIF89a", "image/gif"),
    masked(b"RIFF\0\0\0\0WEBPVP", RIFF_WEBP, "image/webp"),
    start(b"\x89PNG\r\n\x1a\n", "image/png"),
    start(b"\xff\xd8\xff", "image/jpeg"),
];

/// <https://mimesniff.spec.whatwg.org/#matching-an-audio-or-video-type-pattern>
pub(super) const SOUNDS: &[Pattern] = &[
    masked(b"FORM\0\0\0\0AIFF", RIFF, "audio/aiff"),
    start(b"ID3", "audio/mpeg"),
    start(b"OggS\0", "application/ogg"),
    start(b"MThd\0\0\0\x06", "audio/midi"),
    masked(b"RIFF\0\0\0\0AVI ", RIFF, "video/avi"),
    masked(b"RIFF\0\0\0\0WAVE", RIFF, "audio/wave"),
    start(b"fLaC", "audio/flac"),
];

/// <https://mimesniff.spec.whatwg.org/#matching-an-archive-type-pattern>
pub(super) const ARCHIVES: &[Pattern] = &[
    start(b"\x1f\x8b\x08", "application/x-gzip"),
    start(b"PK\x03\x04", "application/zip"),
    start(b"Rar \x1a\x07\0", "application/x-rar-compressed"),
];

/// <https://mimesniff.spec.whatwg.org/#matching-a-font-type-pattern>, and what else is kept in archives. Long enough not to
/// be met by accident; short ones that are common are told by more than these bytes elsewhere.
#[rustfmt::skip]
pub(super) const MORE: &[Pattern] = &[
    // Fonts.
    at(34, b"LP", "application/vnd.ms-fontobject"),
    start(b"\0\x01\0\0\0", "font/ttf"),
    start(b"OTTO\0", "font/otf"),
    start(b"ttcf\0", "font/collection"),
    start(b"wOFF", "font/woff"),
    start(b"wOF2", "font/woff2"),
    // Pictures.
    start(b"\xff\x0a", "image/jxl"),
    start(b"\0\0\0\x0cJXL \r\n\x87\n", "image/jxl"),
    start(b"\0\0\0\x0cjP  \r\n\x87\n", "image/jp2"),
    start(b"II*\0", "image/tiff"),
    start(b"MM\0*", "image/tiff"),
    start(b"8BPS\0\x01", "image/vnd.adobe.photoshop"),
    start(b"AT&TFORM", "image/vnd.djvu"),
    start(b"gimp xcf", "image/x-xcf"),
    start(b"\xd7\xcd\xc6\x9a", "image/wmf"),
    at(40, b" EMF", "image/emf"),
    start(b"AC10", "image/vnd.dwg"),
    start(b"\x97JB2\r\n\x1a\n", "image/x-jbig2"),
    start(b"DDS ", "image/vnd.ms-dds"),
    start(b"qoif", "image/qoi"),
    // Sounds and films.
    start(b".snd", "audio/basic"),
    start(b"FLV\x01", "video/x-flv"),
    start(b"FWS", "application/x-shockwave-flash"),
    start(b"CWS", "application/x-shockwave-flash"),
    start(b"ZWS", "application/x-shockwave-flash"),
    start(b"0&\xb2u\x8ef\xcf\x11", "video/x-ms-asf"),
    start(b".RMF\0\0", "application/vnd.rn-realmedia"),
    start(b".ra\xfd", "audio/x-realaudio"),
    start(b"\0\0\x01\xba", "video/mpeg"),
    start(b"\0\0\x01\xb3", "video/mpeg"),
    start(b"#!AMR", "audio/amr"),
    start(b"MAC ", "audio/x-ape"),
    start(b"wvpk", "audio/x-wavpack"),
    start(b"MPCK", "audio/x-musepack"),
    // Archives and packed files.
    start(b"Rar!\x1a\x07", "application/vnd.rar"),
    start(b"PK\x05\x06", "application/zip"),
    start(b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    start(b"\xfd7zXZ\0", "application/x-xz"),
    start(b"\x28\xb5\x2f\xfd", "application/zstd"),
    start(b"BZh", "application/x-bzip2"),
    start(b"\x04\x22\x4d\x18", "application/x-lz4"),
    start(b"\x1f\x9d", "application/x-compress"),
    start(b"LZIP", "application/lzip"),
    at(257, b"ustar", "application/x-tar"),
    start(b"!<arch>\ndebian", "application/vnd.debian.binary-package"),
    start(b"!<arch>\n", "application/x-archive"),
    start(b"\xed\xab\xee\xdb", "application/x-rpm"),
    start(b"MSCF\0\0\0\0", "application/vnd.ms-cab-compressed"),
    start(b"ITSF\x03\0\0\0", "application/vnd.ms-htmlhelp"),
    at(2, b"-lh5-", "application/x-lzh-compressed"),
    start(b"\x60\xea", "application/x-arj"),
    start(b"Cr24", "application/x-chrome-extension"),
    start(b"xar!", "application/x-xar"),
    // What archives of the web are made of.
    start(b"WARC/1.", "application/warc"),
    start(b"WARC/0.1", "application/warc"),
    start(b"filedesc://", "application/x-arc"),
    // Programs.
    start(b"\x7fELF", "application/x-elf"),
    start(b"\0asm\x01\0\0\0", "application/wasm"),
    start(b"\xca\xfe\xba\xbe\0\0\0", "application/java-vm"),
    start(b"\xcf\xfa\xed\xfe", "application/x-mach-binary"),
    start(b"\xfe\xed\xfa\xcf", "application/x-mach-binary"),
    start(b"dex\n0", "application/vnd.android.dex"),
    // Documents and data.
    start(b"{\\rtf", "application/rtf"),
    start(b"%!PS", "application/postscript"),
    start(b"\xc5\xd0\xd3\xc6", "application/postscript"),
    start(b"%FDF-", "application/vnd.fdf"),
    start(b"SQLite format 3\0", "application/vnd.sqlite3"),
    start(b"\0\x01\0\0Standard Jet DB", "application/vnd.ms-access"),
    start(b"\0\x01\0\0Standard ACE DB", "application/vnd.ms-access"),
    start(b"d8:announce", "application/x-bittorrent"),
    start(b"d13:announce-list", "application/x-bittorrent"),
    start(b"\x89HDF\r\n\x1a\n", "application/x-hdf5"),
    start(b"PAR1", "application/vnd.apache.parquet"),
    start(b"BOOKMOBI", "application/x-mobipocket-ebook"),
    at(60, b"BOOKMOBI", "application/x-mobipocket-ebook"),
    start(b"\xffWPC", "application/vnd.wordperfect"),
    start(b"-----BEGIN PGP", "application/pgp-encrypted"),
    start(b"-----BEGIN CERTIFICATE", "application/x-x509-ca-cert"),
    start(b"glTF", "model/gltf-binary"),
];
