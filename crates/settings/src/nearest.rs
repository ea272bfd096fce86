//! Which known name somebody may have meant.

/// The known name that a few slips of the fingers lead away from, if there is one.
pub(crate) fn nearest<'name>(meant: &str, known: impl IntoIterator<Item = &'name str>) -> Option<&'name str> {
    let meant = plain(meant);
    let length = meant.chars().count();
    // Longer names are no slip of anything, and comparing them would take long.
    if length > 64 {
        return None;
    }
    let slips_max = length / 3 + 1;
    // Letters that are wrong, missing, too many, or have changed places with their neighbour.
    let near = known.into_iter().map(|name| (strsim::osa_distance(&meant, &plain(name)), name));
    near.filter(|(slips, name)| *slips <= slips_max && *slips < name.len())
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, name)| name)
}

/// ` Did you mean …?`, or nothing.
pub fn did_you_mean<'name>(meant: &str, known: impl IntoIterator<Item = &'name str>) -> Option<String> {
    nearest(meant, known).map(|name| format!("did you mean `{name}`?"))
}

/// Case and the sign between words are no difference.
fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
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
