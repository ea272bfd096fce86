//! JSON in a call: the name of the function is the one that the page asked for, which differs from visit to visit.

/// So many bytes are looked at.
const START_BYTES: usize = 1024;

/// Parameters by which pages name the function.
const PARAMETERS: [&str; 5] = ["callback", "jsonp", "jsoncallback", "jsonpcallback", "cb"];

/// The start of what may be JSON in a call.
#[derive(Debug)]
pub(crate) struct Start {
    name: String,
    held: Vec<u8>,
}

impl Start {
    /// Nothing where the URL that was asked for names no function.
    pub(crate) fn new(url: &str) -> Option<Start> {
        let (_, query) = url.split_once('?')?;
        let name =
            query.split('&').filter_map(|parameter| parameter.split_once('=')).find_map(|(key, value)| {
                PARAMETERS.iter().any(|known| key.eq_ignore_ascii_case(known)).then_some(value)
            })?;
        let is_name = !name.is_empty() && name.bytes().all(is_name_byte);
        is_name.then(|| Start { name: name.to_owned(), held: Vec::new() })
    }

    /// Takes bytes. Once it is known what the document is, gives it back as it then begins, and whether it is a call.
    pub(crate) fn feed(&mut self, bytes: &[u8], last: bool) -> Option<(Vec<u8>, bool)> {
        self.held.extend_from_slice(bytes);
        if self.held.len() < START_BYTES && !last {
            return None;
        }
        let held = std::mem::take(&mut self.held);
        let start = held.get(..START_BYTES).unwrap_or(&held);
        let Some(arguments) = arguments(start) else { return Some((held, false)) };
        let mut renamed = self.name.clone().into_bytes();
        renamed.extend_from_slice(held.get(arguments..).unwrap_or_default());
        Some((renamed, true))
    }
}

/// Where the parenthesis of a call stands that takes an object or a list.
fn arguments(start: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = start.get(at..)?;
        at += rest.len() - rest.trim_ascii_start().len();
        let rest = start.get(at..)?;
        at += match rest {
            [b'/', b'*', ..] => memchr::memmem::find(rest, b"*/")? + 2,
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest)? + 1,
            [b';', ..] => 1,
            _ => break,
        };
    }
    let name = start.get(at..)?.iter().take_while(|byte| is_name_byte(**byte)).count();
    let behind = start.get(at + name..)?;
    let open = at + name + (behind.len() - behind.trim_ascii_start().len());
    let inside = start.get(open..)?.strip_prefix(b"(")?.trim_ascii_start();
    (name > 0 && matches!(inside.first(), Some(b'{' | b'['))).then_some(open)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'[' | b']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, code: &str, expected: Option<&str>) {
        let found = Start::new(url).and_then(|mut start| {
            let (bytes, is_call) = start.feed(code.as_bytes(), true)?;
            is_call.then(|| String::from_utf8(bytes).unwrap())
        });
        assert_eq!(found.as_deref(), expected, "{url} {code}");
    }

    #[test]
    fn functions_get_the_name_that_was_asked_for() {
        check("http://e.org/?callback=b", "/**/ a({\"x\": 1});", Some("b({\"x\": 1});"));
        check("http://e.org/?x&jsonp=b.c", "// y\n;a.d ([1])", Some("b.c([1])"));
    }

    #[test]
    fn what_is_no_call_passes() {
        check("http://e.org/", "a({})", None);
        check("http://e.org/?callback=b", "a(1)", None);
        check("http://e.org/?callback=b", "{\"x\": 1}", None);
        check("http://e.org/?callback=b", "x /* */ a({})", None);
        check("http://e.org/?callback=b%3Calert", "a({})", None);
    }
}
