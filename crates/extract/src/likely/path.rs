//! Whether a string without a host is likely a path.

/// Whether a relative reference is very likely one. Its bytes have been looked at already.
pub(super) fn is_likely(text: &str) -> bool {
    let (path, query) = match text.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (text.split_once('#').map_or(text, |(path, _)| path), None),
    };
    if !path.bytes().all(super::is_path_byte) || query.is_some_and(|query| !is_query(query)) || is_mime(path)
    {
        return false;
    }
    let rooted = path.starts_with('/') && !path.starts_with("//");
    let dotted = path.starts_with("./") || path.starts_with("../");
    let segments = || path.split('/').filter(|segment| !matches!(*segment, "" | "." | ".."));
    let last = path.rsplit('/').next().unwrap_or_default();
    if path.contains("//") || segments().any(|segment| segment.starts_with(['-', '+', '=', ','])) {
        return false;
    }
    if is_known_ending(last) && !last.starts_with('.') {
        // `Node.js` is a name, `node.js` may be a file.
        let proper = !path.contains('/') && last.starts_with(|char: char| char.is_ascii_uppercase());
        return !(proper && last.ends_with(".js"));
    }
    if query.is_some() {
        return rooted || dotted || last.contains('.') || path.is_empty();
    }
    // From the root, two segments with letters are a path; one is as often a piece of markup or of a pattern.
    let worded = |segment: &str| segment.len() > 1 && segment.bytes().any(|byte| byte.is_ascii_alphabetic());
    rooted
        && segments().filter(|segment| worded(segment)).count() >= 2
        && !segments().any(|segment| segment.starts_with(':') || segment.starts_with('.'))
        || dotted && last.contains('.') && has_extension(last) && !last.starts_with('.')
}

/// Whether the path of an address ends in a point and an ending: `image.jpg`, not `example.com/` nor `data.txt/archive`.
#[must_use]
pub fn has_extension(address: &str) -> bool {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let path = match address.split_once("://") {
        Some((_, behind)) => behind.split_once('/').map_or("", |(_, path)| path),
        None => address,
    };
    let last = path.rsplit('/').next().unwrap_or_default();
    last.rsplit_once('.').is_some_and(|(_, ending)| {
        let plain = ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (1..=5).contains(&ending.len()) && plain && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// Whether it is a MIME type rather than a file in a folder of that name.
pub(super) fn is_mime(text: &str) -> bool {
    let Some((kind, subtype)) = text.split_once('/') else { return false };
    let kinds = [
        "text",
        "image",
        "audio",
        "video",
        "application",
        "font",
        "message",
        "multipart",
        "model",
        "chemical",
        "x-world",
    ];
    let known = kinds.iter().any(|known| kind.eq_ignore_ascii_case(known));
    known && !subtype.contains('/') && !is_known_ending(subtype)
}

/// `name=value` at least.
fn is_query(query: &str) -> bool {
    query.split_once('=').is_some_and(|(name, value)| !name.is_empty() && !value.is_empty())
}

/// Whether a segment ends in something that a server hands out.
fn is_known_ending(segment: &str) -> bool {
    let Some((name, ending)) = segment.rsplit_once('.') else { return false };
    let mut lower = [0_u8; 6];
    let Some(lower) = lower.get_mut(..ending.len()) else { return false };
    lower.copy_from_slice(ending.as_bytes());
    lower.make_ascii_lowercase();
    !name.is_empty() && ENDINGS.binary_search(&&*lower).is_ok()
}

/// In the order of the bytes, so that they can be searched.
const ENDINGS: [&[u8]; 117] = [
    b"3gp", b"7z", b"aac", b"apk", b"ashx", b"asmx", b"asp", b"aspx", b"atom", b"avi", b"avif", b"bmp",
    b"bz2", b"cfm", b"cgi", b"cjs", b"css", b"csv", b"cur", b"dae", b"dll", b"dmg", b"doc", b"docx", b"dwg",
    b"eot", b"eps", b"epub", b"exe", b"flac", b"flv", b"gif", b"glb", b"gltf", b"gpx", b"gz", b"htc", b"htm",
    b"html", b"ico", b"ics", b"iso", b"jar", b"jfif", b"jpe", b"jpeg", b"jpg", b"js", b"json", b"jsp",
    b"jspx", b"jxl", b"kml", b"kmz", b"m3u", b"m3u8", b"m4a", b"m4s", b"m4v", b"mid", b"mjs", b"mkv", b"mov",
    b"mp3", b"mp4", b"mpd", b"mpeg", b"mpg", b"mpga", b"odp", b"ods", b"odt", b"oga", b"ogg", b"ogv",
    b"opus", b"otf", b"pdf", b"php", b"php3", b"php5", b"phtml", b"png", b"ppt", b"pptx", b"rar", b"rdf",
    b"rss", b"rtf", b"shtml", b"svg", b"svgz", b"swf", b"tar", b"tgz", b"tif", b"tiff", b"ttf", b"txt",
    b"vtt", b"wasm", b"wav", b"webm", b"webp", b"wma", b"wmv", b"woff", b"woff2", b"xht", b"xhtml", b"xls",
    b"xlsx", b"xml", b"xsl", b"xz", b"zip", b"zst",
];
