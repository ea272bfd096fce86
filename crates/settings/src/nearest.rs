//! Which known name somebody may have meant.

/// The known name that a few slips of the fingers lead away from, if there is one.
pub(crate) fn nearest<'name>(meant: &str, known: impl IntoIterator<Item = &'name str>) -> Option<&'name str> {
    let meant = plain(meant);
    // Longer names are no slip of anything, and comparing them would take long.
    if meant.len() > 64 {
        return None;
    }
    let slips_max = meant.len() / 3 + 1;
    let near = known.into_iter().map(|name| (slips(&meant, &plain(name)), name));
    near.filter(|(slips, name)| *slips <= slips_max && *slips < name.len())
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, name)| name)
}

/// ` Did you mean …?`, or nothing.
pub fn did_you_mean<'name>(meant: &str, known: impl IntoIterator<Item = &'name str>) -> Option<String> {
    nearest(meant, known).map(|name| format!("did you mean `{name}`?"))
}

/// Case and the sign between words are no difference.
fn plain(name: &str) -> Vec<char> {
    name.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
}

/// How many letters are wrong, missing, too many, or have changed places with their neighbour.
fn slips(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut a_before = None;
    for (row, a_char) in a.iter().enumerate() {
        let mut now = vec![row + 1];
        let mut b_before = None;
        for (column, b_char) in b.iter().enumerate() {
            let at = |cells: &[usize], index: usize| cells.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut cost = (at(&last, column) + usize::from(a_char != b_char))
                .min(at(&last, column + 1) + 1)
                .min(at(&now, column) + 1);
            if a_before == Some(b_char) && b_before == Some(a_char) {
                cost = cost.min(at(&before_last, column.wrapping_sub(1)) + 1);
            }
            now.push(cost);
            b_before = Some(b_char);
        }
        before_last = std::mem::replace(&mut last, now);
        a_before = Some(a_char);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 6] = ["depth", "width", "max_objects", "max_bytes", "robots", "delay"];

    #[track_caller]
    fn check(meant: &str, expected: Option<&str>) {
        assert_eq!(nearest(meant, KNOWN), expected, "{meant}");
    }

    #[test]
    fn slips_of_the_fingers_are_forgiven() {
        check("dpeth", Some("depth"));
        check("deph", Some("depth"));
        check("max-objects", Some("max_objects"));
        check("MaxObjects", Some("max_objects"));
        check("max_object", Some("max_objects"));
        check("robot", Some("robots"));
    }

    #[test]
    fn another_word_is_not_taken_for_a_known_one() {
        check("proxy", None);
        check("x", None);
        check("", None);
        check(&"depth".repeat(100), None);
    }
}
