//! What a URL's extension says about the file behind it: not much, but before fetching there is nothing else.

use crate::Error;

/// The extension of the last part of a path, without its dot; `None` for `/a.b/c`, `/.htaccess` and `/a.`.
pub(crate) fn of_path(path: &str) -> Option<&str> {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let (stem, extension) = name.rsplit_once('.')?;
    let is_plain =
        (1..=10).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (!stem.is_empty() && is_plain).then_some(extension)
}

/// Whether a file with this extension is something that a page needs to show.
pub(crate) fn is_embeddable(path: &str) -> bool {
    of_path(path).and_then(mime).is_some_and(|mime| {
        let (kind, _) = mime.split_once('/').unwrap_or((mime, ""));
        matches!(kind, "image" | "audio" | "video" | "font")
            || matches!(mime, "text/css" | "text/javascript" | "application/json" | "application/wasm")
            || matches!(mime, "application/vnd.apple.mpegurl" | "application/dash+xml" | "text/vtt")
    })
}

/// Kinds of files as a user writes them: `.zip`, `zip`, `video/*`, `image/svg+xml`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kinds {
    extensions: Vec<String>,
    mimes: Vec<String>,
}

impl Kinds {
    pub(crate) fn new(words: &[String]) -> Result<Kinds, Error> {
        let mut kinds = Kinds::default();
        for word in words {
            let bad = || Error::Extension(crate::error::excerpt(word));
            let plain = word.trim().to_ascii_lowercase();
            if let Some((kind, subkind)) = plain.split_once('/') {
                let is_token = |text: &str| !text.is_empty() && !text.contains(['/', ' ', ';']);
                if !is_token(kind) || !is_token(subkind) {
                    return Err(bad());
                }
                kinds.mimes.push(plain);
            } else {
                let extension =
                    plain.strip_prefix("*.").or_else(|| plain.strip_prefix('.')).unwrap_or(&plain);
                if extension.is_empty() || !extension.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                    return Err(bad());
                }
                kinds.extensions.push(extension.to_owned());
            }
        }
        Ok(kinds)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.extensions.is_empty() && self.mimes.is_empty()
    }

    /// Whether a file with this extension is one of them.
    pub(crate) fn has(&self, extension: &str) -> bool {
        self.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
            || mime(extension).is_some_and(|mime| self.mimes.iter().any(|pattern| fits(pattern, mime)))
    }
}

fn fits(pattern: &str, mime: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(front) => pattern == "*/*" || mime.starts_with(front),
        None => pattern == mime,
    }
}

/// The usual type of files with this extension.
pub(crate) fn mime(extension: &str) -> Option<&'static str> {
    let mut lower = [0; 10];
    let lower = lower.get_mut(..extension.len())?;
    lower.copy_from_slice(extension.as_bytes());
    lower.make_ascii_lowercase();
    let at = TABLE.binary_search_by(|(known, _)| known.as_bytes().cmp(lower)).ok()?;
    TABLE.get(at).map(|(_, mime)| *mime)
}

/// Extensions in order, with their types. Pages written by a program count as pages.
const TABLE: &[(&str, &str)] = &[
    ("7z", "application/x-7z-compressed"),
    ("aac", "audio/aac"),
    ("apk", "application/vnd.android.package-archive"),
    ("asp", "text/html"),
    ("aspx", "text/html"),
    ("atom", "application/atom+xml"),
    ("avi", "video/x-msvideo"),
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    ("bz2", "application/x-bzip2"),
    ("cgi", "text/html"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("deb", "application/vnd.debian.binary-package"),
    ("dmg", "application/x-apple-diskimage"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("eot", "application/vnd.ms-fontobject"),
    ("epub", "application/epub+zip"),
    ("exe", "application/vnd.microsoft.portable-executable"),
    ("flac", "audio/flac"),
    ("flv", "video/x-flv"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("ico", "image/vnd.microsoft.icon"),
    ("ics", "text/calendar"),
    ("iso", "application/x-iso9660-image"),
    ("jar", "application/java-archive"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("jsp", "text/html"),
    ("m3u8", "application/vnd.apple.mpegurl"),
    ("m4a", "audio/mp4"),
    ("m4s", "video/mp4"),
    ("m4v", "video/mp4"),
    ("mjs", "text/javascript"),
    ("mkv", "video/matroska"),
    ("mov", "video/quicktime"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("mpd", "application/dash+xml"),
    ("mpeg", "video/mpeg"),
    ("mpg", "video/mpeg"),
    ("msi", "application/x-msi"),
    ("odp", "application/vnd.oasis.opendocument.presentation"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("oga", "audio/ogg"),
    ("ogg", "audio/ogg"),
    ("ogv", "video/ogg"),
    ("opus", "audio/ogg"),
    ("otf", "font/otf"),
    ("pdf", "application/pdf"),
    ("php", "text/html"),
    ("pl", "text/html"),
    ("png", "image/png"),
    ("ppt", "application/vnd.ms-powerpoint"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("ps", "application/postscript"),
    ("rar", "application/vnd.rar"),
    ("rdf", "application/rdf+xml"),
    ("rpm", "application/x-rpm"),
    ("rss", "application/rss+xml"),
    ("rtf", "application/rtf"),
    ("shtml", "text/html"),
    ("svg", "image/svg+xml"),
    ("svgz", "image/svg+xml"),
    ("swf", "application/vnd.adobe.flash.movie"),
    ("tar", "application/x-tar"),
    ("tgz", "application/gzip"),
    ("tif", "image/tiff"),
    ("tiff", "image/tiff"),
    ("ts", "video/mp2t"),
    ("ttf", "font/ttf"),
    ("txt", "text/plain"),
    ("vtt", "text/vtt"),
    ("wasm", "application/wasm"),
    ("wav", "audio/wav"),
    ("weba", "audio/webm"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    ("wmv", "video/x-ms-wmv"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("xhtml", "application/xhtml+xml"),
    ("xls", "application/vnd.ms-excel"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("xml", "application/xml"),
    ("xz", "application/x-xz"),
    ("zip", "application/zip"),
    ("zst", "application/zstd"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(TABLE.is_sorted_by(|(one, _), (other, _)| one < other));
    }

    #[test]
    fn an_extension_is_the_end_of_the_last_part() {
        for (path, extension) in [
            ("/image.JPG", Some("JPG")),
            ("/foo", None),
            ("/foo.txt/", None),
            ("/a.dir/b", None),
            ("/my.file.txt", Some("txt")),
            ("/.htaccess", None),
            ("/a.", None),
            ("/v1.2-beta", None),
        ] {
            assert_eq!(of_path(path), extension, "{path}");
        }
    }

    #[test]
    fn kinds_are_extensions_or_types() {
        let kinds = Kinds::new(&[".ZIP".to_owned(), "video/*".to_owned(), "image/png".to_owned()]).unwrap();
        for (extension, is_in) in [("zip", true), ("Mp4", true), ("png", true), ("jpg", false), ("x", false)]
        {
            assert_eq!(kinds.has(extension), is_in, "{extension}");
        }
        assert!(Kinds::new(&["video/".to_owned()]).is_err());
        assert!(Kinds::new(&["a b".to_owned()]).is_err());
    }

    #[test]
    fn pages_are_not_embedded_by_their_extension() {
        assert!(is_embeddable("/a/b.woff2"));
        assert!(!is_embeddable("/a/b.html"));
        assert!(!is_embeddable("/2000/svg"));
    }
}
