//! The declaration of a document's type: where it ends, and whether it could change what is put into the document.

use memchr::memmem;

/// Where a declaration ends: behind the first `>` outside of quotes, comments, instructions and the square brackets of its own
/// declarations. `None` if that is not among the bytes that are looked at.
pub(super) fn end(rest: &[u8], long: usize) -> Option<usize> {
    let rest = rest.get(..long).unwrap_or(rest);
    let mut is_inside = false;
    let mut at = 2;
    while let Some(byte) = rest.get(at) {
        let behind = rest.get(at..)?;
        at += match byte {
            b'"' | b'\'' => behind.get(1..)?.iter().position(|other| other == byte)? + 2,
            b'<' if is_inside && behind.starts_with(b"<!--") => memmem::find(behind.get(4..)?, b"-->")? + 7,
            b'<' if is_inside && behind.starts_with(b"<?") => memmem::find(behind, b"?>")? + 2,
            b'[' if !is_inside => {
                is_inside = true;
                1
            }
            b']' if is_inside => {
                is_inside = false;
                1
            }
            b'>' if !is_inside => return Some(at + 1),
            _ => 1,
        };
    }
    None
}

/// Whether a declaration changes nothing of what is put in: it has no attributes that elements get by themselves, no entities by which
/// it could get some, and no instruction, which could name a transformation.
pub(super) fn is_plain(declaration: &[u8]) -> bool {
    let has = |mark: &[u8]| memmem::find(declaration, mark).is_some();
    !has(b"<!ATTLIST") && !has(b"%") && !has(b"<?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(declaration: &str) {
        let text = format!("{declaration}<svg>");
        assert_eq!(end(text.as_bytes(), 8 << 10), Some(declaration.len()), "{declaration}");
    }

    #[test]
    fn declarations_end_behind_their_own() {
        check("<!DOCTYPE html>");
        check("<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" 'a>b'>");
        check("<!DOCTYPE svg [<!ENTITY a \"><html><head>\"> <!-- ]> ' --> <?x ]> ?> ]>");
        assert_eq!(end(b"<!DOCTYPE svg [<!ENTITY a \"", 8 << 10), None);
        assert_eq!(end(b"<!DOCTYPE svg [ ]>", 10), None);
    }

    #[test]
    fn declarations_that_give_attributes_to_elements_are_told() {
        assert!(is_plain(b"<!DOCTYPE svg [<!ENTITY ns \"http://www.w3.org/2000/svg\">]>"));
        assert!(!is_plain(b"<!DOCTYPE svg [<!ATTLIST script type CDATA #FIXED 'a'>]>"));
        assert!(!is_plain(b"<!DOCTYPE svg [<!ENTITY % a '&#60;!ATTLIST script type CDATA \"a\">'> %a;]>"));
        assert!(!is_plain(b"<!DOCTYPE svg [<?xml-stylesheet type='text/xsl' href='#a'?>]>"));
    }
}
