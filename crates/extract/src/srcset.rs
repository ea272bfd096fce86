//! The candidates of `srcset`: pictures of several sizes in one attribute.
//!
//! <https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute>: a comma ends a candidate only behind a
//! blank or descriptor, or as the last character of an address, so addresses with commas and `data:` stay whole.

/// The addresses of all candidates, as written.
pub fn references(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = value;
    std::iter::from_fn(move || {
        let start = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let end = start.find(|c: char| c.is_ascii_whitespace()).unwrap_or(start.len());
        let (address, behind) = start.split_at_checked(end)?;
        let trimmed = address.trim_end_matches(',');
        rest = if trimmed.len() < address.len() { behind } else { behind_descriptors(behind) };
        (!trimmed.is_empty()).then_some(trimmed)
    })
}

/// What follows the comma that ends a candidate's descriptors; commas in parentheses do not.
fn behind_descriptors(text: &str) -> &str {
    let mut inside = false;
    let end = text.find(|c| {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            ',' => return !inside,
            _ => {}
        }
        false
    });
    end.and_then(|end| text.get(end + 1..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: &[&str]) {
        assert_eq!(references(value).collect::<Vec<_>>(), expected, "{value}");
    }

    #[test]
    fn candidates_are_told_apart() {
        check("a.jpg", &["a.jpg"]);
        check("a.jpg 1x, b.jpg 2x", &["a.jpg", "b.jpg"]);
        check(" , a.jpg 150w,b.jpg 160w 20h ,, c.jpg", &["a.jpg", "b.jpg", "c.jpg"]);
        check("", &[]);
        check(" ,, ", &[]);
    }

    #[test]
    fn a_comma_may_belong_to_an_address() {
        check("w_10,h_5/a.jpg 1x, w_20,h_9/a.jpg 2x", &["w_10,h_5/a.jpg", "w_20,h_9/a.jpg"]);
        check("a.jpg, b.jpg", &["a.jpg", "b.jpg"]);
        check("a.jpg,b.jpg", &["a.jpg,b.jpg"]);
        check("data:image/png;base64,AAAA 1x, b.png 2x", &["data:image/png;base64,AAAA", "b.png"]);
    }

    #[test]
    fn commas_in_parentheses_end_nothing() {
        check("a.jpg calc(1, 2) 1x, b.jpg", &["a.jpg", "b.jpg"]);
    }
}
