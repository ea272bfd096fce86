//! The values on disk: wishes, packed tightly.
//!
//! ```text
//! wish   tries 1 | hops n, bytes | url's beginning 1 | n, bytes | via: 0, or 1 + bytes shared with the url, then n, bytes
//!        | tag: the rest
//! ```
//!
//! Lengths are base-128 numbers, low groups first. Host and precedence of a wish are in its key. Most URLs begin with a scheme
//! and the host, and for those two schemes one byte says it. A page and the link that it leads to often begin alike, so of
//! `via` only what differs is kept.

use crate::wish::Wish;

/// Beginnings of a URL that are kept as a number: this, then the host.
const BEGINNINGS: [(u8, &str); 2] = [(1, "http://"), (2, "https://")];
/// The URL is kept whole.
const WHOLE: u8 = 0;

/// Appends a wish, without host and precedence.
pub(crate) fn write_wish(wish: &Wish, out: &mut Vec<u8>) {
    out.push(wish.tries);
    write_bytes(wish.hops.as_bytes(), out);
    let known = BEGINNINGS.iter().find_map(|(code, scheme)| {
        Some((*code, wish.url.strip_prefix(scheme)?.strip_prefix(wish.host.as_str())?))
    });
    let (code, rest) = known.unwrap_or((WHOLE, &wish.url));
    out.push(code);
    write_bytes(rest.as_bytes(), out);
    match &wish.via {
        None => write_number(0, out),
        Some(via) => {
            let shared = wish.url.bytes().zip(via.bytes()).take_while(|(a, b)| a == b).count();
            write_number(shared + 1, out);
            write_bytes(via.as_bytes().get(shared..).unwrap_or_default(), out);
        }
    }
    out.extend_from_slice(&wish.tag);
}

/// The wish that was written; `None` if these are not its bytes.
pub(crate) fn read_wish(mut bytes: &[u8], host: &str, precedence: u8) -> Option<Wish> {
    let tries = *bytes.split_off_first()?;
    let hops = read_text(&mut bytes)?;
    let code = *bytes.split_off_first()?;
    let rest = read_text(&mut bytes)?;
    let url = match BEGINNINGS.iter().find(|(known, _)| *known == code) {
        Some((_, scheme)) => [scheme, host, &rest].concat(),
        None if code == WHOLE => rest,
        None => return None,
    };
    let via = match read_number(&mut bytes)? {
        0 => None,
        shared => {
            let shared = url.as_bytes().get(..shared - 1)?;
            Some(String::from_utf8([shared, read_bytes(&mut bytes)?].concat()).ok()?)
        }
    };
    Some(Wish { url, host: host.to_owned(), via, hops, precedence, tries, tag: bytes.to_vec() })
}

/// Appends a wish that is postponed: its number of the host and precedence come first.
pub(crate) fn write_postponed(host: u32, wish: &Wish, out: &mut Vec<u8>) {
    out.extend_from_slice(&host.to_be_bytes());
    out.push(wish.precedence);
    write_wish(wish, out);
}

/// Host, precedence, and the wish as it stands in a queue.
pub(crate) fn read_postponed(bytes: &[u8]) -> Option<(u32, u8, &[u8])> {
    let (host, rest) = bytes.split_first_chunk()?;
    let (precedence, wish) = rest.split_first()?;
    Some((u32::from_be_bytes(*host), *precedence, wish))
}

pub(crate) fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    write_number(bytes.len(), out);
    out.extend_from_slice(bytes);
}

pub(crate) fn read_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = read_number(bytes)?;
    bytes.split_off(..length)
}

fn read_text(bytes: &mut &[u8]) -> Option<String> {
    String::from_utf8(read_bytes(bytes)?.to_vec()).ok()
}

pub(crate) fn write_number(mut number: usize, out: &mut Vec<u8>) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            out.push(low & 0x7f);
            return;
        }
        out.push(low | 0x80);
    }
}

pub(crate) fn read_number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    for shift in (0..usize::BITS).step_by(7) {
        let byte = *bytes.split_off_first()?;
        let group = usize::from(byte & 0x7f);
        number |= group.checked_shl(shift).filter(|shifted| shifted >> shift == group)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wish(url: &str, via: Option<&str>) -> Wish {
        Wish { url: url.into(), host: "h".into(), via: via.map(str::to_owned), ..Wish::default() }
    }

    #[test]
    fn scheme_and_host_of_a_url_are_one_byte() {
        let url =
            |url: &str| check(&Wish { url: url.into(), host: "example.org:81".into(), ..Wish::default() });
        assert_eq!(url("https://example.org:81/a"), url("x/a") - 1);
        assert_eq!(url("http://example.org:81/a"), url("x/a") - 1);
        assert_eq!(url("ftp://example.org:81/a"), url("x/a") + 19);
        assert_eq!(url("https://example.org:81"), url(""));
    }

    #[track_caller]
    fn check(wish: &Wish) -> usize {
        let mut bytes = Vec::new();
        write_wish(wish, &mut bytes);
        assert_eq!(read_wish(&bytes, &wish.host, wish.precedence).as_ref(), Some(wish));
        bytes.len()
    }

    #[test]
    fn what_via_shares_with_the_url_is_kept_once() {
        let long = check(&wish("http://example.org/a/b", Some("https://example.org/a/c")));
        let short = check(&wish("http://example.org/a/b", Some("http://example.org/a/c")));
        assert!(short + 16 < long, "{short} {long}");
        check(&wish("http://example.org/a", Some("http://example.org/a")));
        check(&wish("", Some("")));
        check(&wish("é", Some("è")));
    }

    proptest! {
        #[test]
        fn any_wish_reads_back(
            url in ".{0,300}", via in proptest::option::of(".{0,200}"), hops in "[LREXM]{0,20}",
            tries: u8, precedence: u8, tag: Vec<u8>,
        ) {
            check(&Wish { url, host: "h".into(), via, hops, precedence, tries, tag });
        }

        #[test]
        fn any_bytes_are_a_wish_or_none(bytes: Vec<u8>) {
            if let Some(wish) = read_wish(&bytes, "h", 0) {
                let mut again = Vec::new();
                write_wish(&wish, &mut again);
                prop_assert_eq!(read_wish(&again, "h", 0), Some(wish));
            }
            read_postponed(&bytes);
        }

        #[test]
        fn numbers_read_back(number: usize) {
            let mut bytes = Vec::new();
            write_number(number, &mut bytes);
            prop_assert_eq!(read_number(&mut bytes.as_slice()), Some(number));
        }
    }
}
