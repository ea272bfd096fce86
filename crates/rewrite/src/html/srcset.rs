//! Sets of pictures: `a.png 1x, b.png 2x`.

/// The set with other addresses; nothing if all stay.
pub(super) fn rewrite(value: &str, to: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut rewritten = String::with_capacity(value.len() + 64);
    let mut from = 0;
    for address in extract::srcset::references(value) {
        let Some(link) = to(address) else { continue };
        // References are parts of the value, so that their place is the distance of their first bytes.
        let at = (address.as_ptr() as usize).wrapping_sub(value.as_ptr() as usize);
        rewritten.push_str(value.get(from..at)?);
        rewritten.push_str(&link);
        from = at + address.len();
    }
    if from == 0 {
        return None;
    }
    rewritten.push_str(value.get(from..)?);
    Some(rewritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: Option<&str>) {
        let rewritten = rewrite(value, |link| (!link.starts_with("data:")).then(|| format!("[{link}]")));
        assert_eq!(rewritten.as_deref(), expected, "{value}");
    }

    #[test]
    fn each_address_is_rewritten() {
        check("a.png 1x, b.png 2x", Some("[a.png] 1x, [b.png] 2x"));
        check("a,b 1x,c", Some("[a,b] 1x,[c]"));
        check(" a , data:x,y 2x, b", Some(" [a] , data:x,y 2x, [b]"));
    }

    #[test]
    fn a_set_without_addresses_stays() {
        check("", None);
        check("data:,", None);
    }
}
