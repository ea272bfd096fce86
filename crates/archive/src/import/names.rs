//! What imported files are called in the store: as before, as far as the store allows, and no two alike in the whole archive.

use std::collections::HashSet;

/// So much of a name is kept, which leaves room for a number and endings.
const STEM_BYTES_MAX: usize = 150;

/// A name for each wish, in their order, and none of those that are taken.
pub(super) fn of<'a>(
    wishes: impl Iterator<Item = &'a str>,
    taken: impl Iterator<Item = &'a str>,
) -> Vec<String> {
    let mut taken: HashSet<String> = taken.map(|name| split(name).0.to_ascii_lowercase()).collect();
    wishes
        .map(|wish| {
            let (stem, ending) = split(&sound(wish));
            let numbers = (1_u64..).map(|number| match number {
                1 => format!("{stem}{ending}"),
                number => format!("{stem}-{number}{ending}"),
            });
            // A file may get another ending when it is looked at, so stems alone must differ.
            let fresh = numbers.into_iter().find(|name| taken.insert(split(name).0.to_ascii_lowercase()));
            fresh.unwrap_or_default()
        })
        .collect()
}

/// With nothing in it that the store would refuse, or take for something of its own.
fn sound(wish: &str) -> String {
    let is_sound = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let name: String = wish.bytes().map(|byte| if is_sound(byte) { char::from(byte) } else { '_' }).collect();
    let name = name.trim_start_matches(['.', '-']).to_owned();
    if name.is_empty() { "file.warc".to_owned() } else { name }
}

/// The stem and `.warc.gz` or the like; what has none gets one.
fn split(name: &str) -> (String, String) {
    let packed = [".gz", ".zst"].iter().find(|ending| name.ends_with(**ending)).copied().unwrap_or_default();
    let stem = name.strip_suffix(packed).unwrap_or(name);
    let format = [".warc", ".arc"].iter().find(|ending| stem.ends_with(**ending)).copied();
    let stem = format.and_then(|format| stem.strip_suffix(format)).unwrap_or(stem);
    let mut stem: String = stem.chars().take(STEM_BYTES_MAX).collect();
    // A job's own settings and logs are found by such a name.
    if stem.is_empty() || stem.ends_with("-metadata") {
        stem.push('_');
    }
    (stem, format!("{}{packed}", format.unwrap_or(".warc")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wishes: &[&str], expect: &[&str]) {
        let names = of(wishes.iter().copied(), ["taken.warc.gz"].into_iter());
        assert_eq!(names, expect);
        assert!(names.iter().all(|name| store::is_name(name)), "{names:?}");
    }

    #[test]
    fn names_are_kept_as_far_as_the_store_allows() {
        check(&["a.warc.gz", "b.arc", "c.warc.zst"], &["a.warc.gz", "b.arc", "c.warc.zst"]);
        check(
            &["a b/é.warc", ".hidden.warc", "", "x"],
            &["a_b___.warc", "hidden.warc", "file.warc", "x.warc"],
        );
        check(&["job-metadata.warc.gz"], &["job-metadata_.warc.gz"]);
    }

    #[test]
    fn no_two_are_alike() {
        check(&["taken.warc"], &["taken-2.warc"]);
        check(
            &["a.warc", "a.warc", "a.warc.gz", "A.warc"],
            &["a.warc", "a-2.warc", "a-3.warc.gz", "A-4.warc"],
        );
    }
}
