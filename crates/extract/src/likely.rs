//! Whether a string is likely an address, where nothing but its looks can tell.
//!
//! Scripts and JSON are full of strings with slashes and dots: MIME types, dates, versions, selectors, names of modules,
//! halves of addresses. [`is`] is for those and would rather miss one than fetch a hundred that do not exist;
//! [`may_be`] is for places where an address is expected, such as `data-src` or a JSON field called `url`.

mod host;
mod path;

pub use path::has_extension;

/// The address in a string that is very likely one: absolute, without scheme but with a host (`//cdn.example.org/x.js`,
/// `www.example.org`), or a path with an ending, a query, or several segments from the root.
///
/// The answer is the string itself, or `http://` and the string for a bare host, which would not resolve to it.
#[must_use]
pub fn is(text: &str) -> Option<Likely<'_>> {
    let text = text.trim_ascii();
    if !(2..=MAX).contains(&text.len()) || memchr::memchr2(b'/', b'.', text.as_bytes()).is_none() {
        return None;
    }
    // Most strings fail here: words with blanks, selectors, markup, format strings.
    if !text.bytes().all(is_address_byte) || ends_open(text) || has_hole(text) {
        return None;
    }
    if let Some(behind) = behind_scheme(text) {
        return (host::leads(behind, host::Trust::Scheme) && !is_namespace(behind))
            .then_some(Likely::AsWritten(text));
    }
    if let Some(behind) = text.strip_prefix("//") {
        return host::leads(behind, host::Trust::Slashes).then_some(Likely::AsWritten(text));
    }
    if host::leads(text, host::Trust::Bare) {
        return Some(Likely::Host(text));
    }
    path::is_likely(text).then_some(Likely::AsWritten(text))
}

/// What [`is`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likely<'a> {
    /// An address as it stands.
    AsWritten(&'a str),
    /// A host, perhaps with a path, that lacks its scheme.
    Host(&'a str),
}

impl Likely<'_> {
    /// The reference that leads there.
    #[must_use]
    pub fn reference(self) -> String {
        match self {
            Likely::AsWritten(text) => text.to_owned(),
            Likely::Host(text) => format!("http://{text}"),
        }
    }
}

/// Whether a string may be an address, given that one is expected here: something with a slash, an ending or a query, and
/// nothing that addresses do not hold.
#[must_use]
pub fn may_be(text: &str) -> bool {
    let text = text.trim_ascii();
    if !(2..=MAX).contains(&text.len()) || is_data(text) {
        return false;
    }
    if let Some(behind) = behind_scheme(text) {
        // With a scheme in front, blanks are somebody's carelessness.
        return host::leads(behind, host::Trust::Scheme) && !text.contains(['<', '>', '"', '{', '}']);
    }
    let odd =
        |char: char| char.is_ascii_control() || char.is_whitespace() || "<>\"'{}[]()\\^|`".contains(char);
    if text.contains(odd) || text.starts_with([';', ',', '=', ':', '#']) || path::is_mime(text) {
        return false;
    }
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    let number = path.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'/' | b'-' | b'%'));
    let assigned = path.contains('=') && !path.contains('/');
    !number && !assigned && (path.contains('/') || query.contains('=') || has_extension(path))
}

/// Whether it holds its data itself.
#[must_use]
pub fn is_data(text: &str) -> bool {
    text.trim_ascii_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Longer strings are not looked at; the limits of [`crate::Links`] decide below that.
const MAX: usize = 64 << 10;

/// What stands behind `http://`, `https://` or `ftp://`.
pub(crate) fn behind_scheme(text: &str) -> Option<&str> {
    if !matches!(text.as_bytes().first(), Some(b'h' | b'H' | b'f' | b'F')) {
        return None;
    }
    let known = ["http://", "https://", "ftp://"];
    known.iter().find_map(|scheme| {
        let (head, behind) = text.split_at_checked(scheme.len())?;
        head.eq_ignore_ascii_case(scheme).then_some(behind)
    })
}

/// The names of XML's namespaces are in every script that makes elements, and lead nowhere.
fn is_namespace(behind: &str) -> bool {
    let Some(path) = behind.strip_prefix("www.w3.org/") else { return false };
    [
        "1998/Math/MathML",
        "1999/xhtml",
        "1999/xlink",
        "2000/svg",
        "2000/xmlns",
        "2005/Atom",
        "XML/1998/namespace",
    ]
    .iter()
    .any(|name| path.trim_end_matches(['/', '#']) == *name)
}

/// Something is to be put in: `$1`, `%s`, `/:id`.
fn has_hole(text: &str) -> bool {
    let mut pairs = text.as_bytes().windows(2);
    pairs.any(|pair| matches!(pair, [b'$', b'0'..=b'9'] | [b'%', b's'] | [b'/', b':']))
}

/// Half an address: more was to be put behind it.
fn ends_open(text: &str) -> bool {
    text.ends_with(['=', '?', '&', '#', '-', '_', ',', ':', '.', '%'])
}

/// What may stand in an address as people write it. Blanks, quotes, brackets, braces and markup do not.
fn is_address_byte(byte: u8) -> bool {
    BYTES.get(usize::from(byte)).is_some_and(|class| class & ADDRESS != 0)
}

/// What may stand in a path that nothing else vouches for.
fn is_path_byte(byte: u8) -> bool {
    BYTES.get(usize::from(byte)).is_some_and(|class| class & PATH != 0)
}

const ADDRESS: u8 = 1;
const PATH: u8 = 2;

// Made when the program is built, where an index out of range would be an error of the compiler.
#[allow(clippy::indexing_slicing)]
const BYTES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | 0x80.. => ADDRESS | PATH,
            b'-' | b'.' | b'_' | b'~' | b':' | b'/' | b'@' | b'$' | b'&' | b'+' | b',' | b';' | b'='
            | b'%' => ADDRESS | PATH,
            b'?' | b'#' | b'!' | b'*' | b'(' | b')' | b'\'' => ADDRESS,
            _ => 0,
        };
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    table
};
