//! Takes the object of a CDXJ line apart into its members, as they stand there, and knows nothing of what they mean.

use memchr::{memchr, memchr2};

/// One member: its name and value without quotes, escapes as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member<'a> {
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
    /// Whether the value is a text in quotes, or other JSON.
    pub(super) is_text: bool,
}

/// The members of an object that is written as we write them: `{"a": "b", "c": 1}`. `None` for any other spelling.
pub(super) fn split<'a>(object: &'a [u8], members: &mut Vec<Member<'a>>) -> Option<()> {
    members.clear();
    let mut rest = object.strip_prefix(b"{")?;
    if rest == b"}" {
        return Some(());
    }
    loop {
        let (name, behind) = string(rest)?;
        rest = behind.strip_prefix(b": ")?;
        let (value, is_text);
        if rest.first() == Some(&b'"') {
            (value, rest) = string(rest)?;
            is_text = true;
        } else {
            (value, rest) = json(rest)?;
            is_text = false;
        }
        members.push(Member { name, value, is_text });
        match rest {
            b"}" => return Some(()),
            _ => rest = rest.strip_prefix(b", ")?,
        }
    }
}

/// What stands between quotes, and what behind them.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = text.strip_prefix(b"\"")?;
    let mut at = 0;
    loop {
        let here = inside.get(at..)?;
        let found = at + memchr2(b'"', b'\\', here)?;
        if inside.get(found) == Some(&b'"') {
            return Some((inside.get(..found)?, inside.get(found + 1..)?));
        }
        at = found + 2;
    }
}

/// A value that is no text, up to the comma or the end of the object around it.
fn json(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'"' => {
                let (inside, _) = string(text.get(at..)?)?;
                at += inside.len() + 2;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => break,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => break,
            _ => {}
        }
        at += 1;
    }
    text.split_at_checked(at)
}

/// The object of a line, behind key and time.
pub(super) fn object_of(line: &[u8], order: usize) -> Option<&[u8]> {
    line.get(order + 1..).filter(|object| memchr(b'\n', object).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(object: &str, expect: Option<&[(&str, &str, bool)]>) {
        let mut members = Vec::new();
        let found = split(object.as_bytes(), &mut members).map(|()| {
            let text = |bytes| str::from_utf8(bytes).unwrap();
            members.iter().map(|member| (text(member.name), text(member.value), member.is_text)).collect()
        });
        assert_eq!(found, expect.map(<[_]>::to_vec), "{object}");
    }

    #[test]
    fn objects_come_apart() {
        check("{}", Some(&[]));
        check(r#"{"a": "b"}"#, Some(&[("a", "b", true)]));
        check(
            r#"{"a\"": "\\", "n": [1, {"x": "}"}], "m": 5}"#,
            Some(&[("a\\\"", "\\\\", true), ("n", "[1, {\"x\": \"}\"}]", false), ("m", "5", false)]),
        );
    }

    #[test]
    fn other_spellings_are_left_alone() {
        for other in [
            "",
            "{",
            "{ }",
            r#"{"a":"b"}"#,
            r#"{"a": "b","c": "d"}"#,
            r#"{"a": "b"} "#,
            r#"{"a": "b\"}"#,
            r#"{"a": [}"#,
        ] {
            check(other, None);
        }
    }
}
