//! How hard records are worth packing.

use fetch::Exchange;

/// How hard a record of a few hundred bytes is worth packing: higher levels spend their time on setting up their tables, and gain
/// nothing.
pub(super) fn of_small(usual: u32) -> u32 {
    usual.min(1)
}

/// How hard an answer is worth packing. What is packed already gives nothing back: where it is long its heads do not matter either,
/// and it is stored as it is, which costs a tenth of trying.
pub(super) fn of_answer(usual: u32, mime: &str, exchange: &Exchange) -> u32 {
    const STORED_BYTES_MIN: u64 = 16 << 10;
    let coding = exchange.head.as_ref().and_then(|head| head.get("content-encoding")).unwrap_or_default();
    let is_coded = !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity");
    match exchange.response.len() {
        _ if !is_coded && !is_packed(mime) => usual,
        STORED_BYTES_MIN.. => 0,
        _ => usual.min(1),
    }
}

/// Whether documents of this type are compressed by their own format.
fn is_packed(mime: &str) -> bool {
    let Some((kind, format)) = mime.split_once('/') else { return false };
    match kind {
        "video" => true,
        "audio" => !matches!(format, "wav" | "x-wav" | "midi" | "x-midi" | "aiff" | "x-aiff"),
        "image" => !matches!(
            format,
            "svg+xml" | "bmp" | "x-ms-bmp" | "tiff" | "x-icon" | "vnd.microsoft.icon" | "x-portable-pixmap"
        ),
        "font" => matches!(format, "woff" | "woff2"),
        _ => {
            const PACKED: [&str; 17] = [
                "zip",
                "gzip",
                "x-gzip",
                "x-bzip2",
                "x-xz",
                "zstd",
                "x-7z-compressed",
                "vnd.rar",
                "x-rar-compressed",
                "java-archive",
                "epub+zip",
                "font-woff",
                "font-woff2",
                "vnd.android.package-archive",
                "x-shockwave-flash",
                "ogg",
                "x-lzma",
            ];
            kind == "application"
                && (PACKED.contains(&format)
                    || format.starts_with("vnd.openxmlformats-")
                    || format.starts_with("vnd.oasis.opendocument."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_pack_themselves_are_known() {
        for mime in ["image/jpeg", "video/mp4", "application/zip", "font/woff2", "audio/mpeg", "image/webp"] {
            assert!(is_packed(mime), "{mime}");
        }
        for mime in
            ["text/html", "image/svg+xml", "application/json", "application/pdf", "font/ttf", "audio/wav", ""]
        {
            assert!(!is_packed(mime), "{mime}");
        }
        assert!(is_packed("application/vnd.openxmlformats-officedocument.wordprocessingml.document"));
    }
}
