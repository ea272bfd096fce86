//! Where a page sends its reader, and after how long.

/// A refresh: what a `meta` element or an HTTP header asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// How long the page is shown first.
    pub delay_ms: u64,
    /// Where to go then, as written; none means that the page itself is loaded again.
    pub reference: Option<String>,
    /// It stands inside of `noscript`: only readers without scripts are sent.
    pub is_noscript: bool,
}

impl Refresh {
    /// Reads a value such as `5; url=/next`. `None` if it has no delay, because browsers do nothing then.
    ///
    /// <https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps>, except that fractions of
    /// a second count.
    #[must_use]
    pub fn parse(value: &str) -> Option<Refresh> {
        let value = value.trim_ascii_start();
        let whole = value.bytes().take_while(u8::is_ascii_digit).count();
        let number = value.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        if number == 0 {
            return None;
        }
        let (delay, rest) = value.split_at_checked(number)?;
        let (seconds, fraction) = delay.split_at_checked(whole)?;
        let fraction = fraction.trim_start_matches('.').bytes().take(3).chain(*b"000").take(3);
        let fraction = fraction.fold(0, |sum, digit| sum * 10 + u64::from(digit.saturating_sub(b'0').min(9)));
        let seconds: u64 = if seconds.is_empty() { 0 } else { seconds.parse().unwrap_or(u64::MAX / 2000) };
        let delay_ms = seconds.saturating_mul(1000).saturating_add(fraction);
        let reference = reference(rest);
        Some(Refresh { delay_ms, reference: reference.map(str::to_owned), is_noscript: false })
    }
}

/// The address behind the delay.
fn reference(rest: &str) -> Option<&str> {
    let trimmed = rest.trim_ascii_start();
    let separated = trimmed.strip_prefix([';', ',']).unwrap_or(trimmed);
    // Without a separator there must be at least a blank.
    if separated.len() == rest.len() {
        return None;
    }
    let address = separated.trim_ascii_start();
    let address = after_url(address).unwrap_or(address);
    let address = match address.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inside = address.get(1..)?;
            inside.split_once(quote).map_or(inside, |(inside, _)| inside)
        }
        _ => address,
    };
    let address = address.trim_ascii();
    (!address.is_empty()).then_some(address)
}

/// What follows `url` and an equals sign.
fn after_url(text: &str) -> Option<&str> {
    let (word, rest) = text.split_at_checked(3)?;
    let rest = word.eq_ignore_ascii_case("url").then_some(rest)?;
    Some(rest.trim_ascii_start().strip_prefix('=')?.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, delay_ms: u64, reference: Option<&str>) {
        let refresh = Refresh::parse(value).unwrap();
        assert_eq!((refresh.delay_ms, refresh.reference.as_deref()), (delay_ms, reference), "{value}");
    }

    #[test]
    fn delays_and_addresses_are_read() {
        check("5;url=http://example.org/", 5000, Some("http://example.org/"));
        check(" .1 ; URL = 'a b' tail", 100, Some("a b"));
        check("3.14159,url=\"x", 3141, Some("x"));
        check("0 /next", 0, Some("/next"));
        check("0; url.html", 0, Some("url.html"));
        check("10", 10_000, None);
        check("99999999999999999999;x", (u64::MAX / 2000) * 1000, Some("x"));
    }

    #[test]
    fn a_value_without_a_delay_does_nothing() {
        for value in ["", "url=/x", ";/x", "soon"] {
            assert_eq!(Refresh::parse(value), None, "{value}");
        }
    }

    #[test]
    fn a_delay_with_letters_behind_is_only_a_delay() {
        check("5url=/x", 5000, None);
    }
}
