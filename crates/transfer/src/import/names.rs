//! What imported files are called in the store: as before, as far as the store allows, and no two alike in the whole archive.

use std::collections::{HashMap, HashSet};

/// So much of a name is kept, which leaves room for a number and endings.
const STEM_BYTES_MAX: usize = 150;

/// A name for each wish, in their order, and none of those that are taken. Where files may be salvaged, what comes of each has a name
/// of its own, too.
pub(super) fn of<'a>(
    wishes: impl Iterator<Item = &'a str>,
    taken: impl Iterator<Item = &'a str>,
    is_salvaging: bool,
) -> Vec<String> {
    let mut names = Names { taken: taken.map(key).collect(), is_salvaging, ..Names::default() };
    wishes.map(|wish| names.choose(wish)).collect()
}

/// The names that are taken so far.
#[derive(Default)]
struct Names {
    /// Their keys.
    taken: HashSet<String>,
    /// The number to try first for each stem, in lower case: a package may hold thousands of files of one name, and all
    /// lower numbers are taken for good.
    next: HashMap<String, u64>,
    is_salvaging: bool,
    /// Names that were looked at.
    #[cfg(test)]
    tried: u64,
}

impl Names {
    fn choose(&mut self, wish: &str) -> String {
        let (stem, ending) = split(&sound(wish));
        let stem: String = stem.chars().take(STEM_BYTES_MAX).collect();
        let lower = stem.to_ascii_lowercase();
        for number in self.next.get(&lower).copied().unwrap_or(1).. {
            let name = match number {
                1 => format!("{stem}{ending}"),
                number => format!("{stem}-{number}{ending}"),
            };
            if self.take(&name) {
                self.next.insert(lower, number + 1);
                return name;
            }
        }
        String::new()
    }

    /// Takes a name if it is free. A file may get another ending when it is looked at, so stems alone must differ.
    fn take(&mut self, name: &str) -> bool {
        #[cfg(test)]
        {
            self.tried += 1;
        }
        let (own, salvaged) = (key(name), key(&salvaged(name)));
        if self.taken.contains(&own) || self.is_salvaging && self.taken.contains(&salvaged) {
            return false;
        }
        self.taken.insert(own);
        if self.is_salvaging {
            self.taken.insert(salvaged);
        }
        true
    }
}

/// What must differ from name to name.
fn key(name: &str) -> String {
    split(name).0.to_ascii_lowercase()
}

/// What the new file of a damaged one is called.
pub(super) fn salvaged(name: &str) -> String {
    format!("{}-salvaged.warc.gz", split(name).0)
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
    let mut stem = stem.to_owned();
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
        let names = of(wishes.iter().copied(), ["taken.warc.gz"].into_iter(), false);
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

    #[test]
    fn long_names_differ_too() {
        let long = format!("{}.warc.gz", "x".repeat(400));
        let names = of([long.as_str(); 12].into_iter(), [long.as_str()].into_iter(), true);
        let different: HashSet<&String> = names.iter().collect();
        assert_eq!(different.len(), 12);
        assert!(names.iter().all(|name| store::is_name(&format!("{}.ref", salvaged(name)))), "{names:?}");
        // And from those that an earlier import got.
        let more = of([long.as_str()].into_iter(), names.iter().map(String::as_str), false);
        assert!(!names.contains(&more[0]), "{more:?}");
    }

    #[test]
    fn names_for_60_000_files_of_one_name_are_found_in_linear_time() {
        let mut names = Names { is_salvaging: true, ..Names::default() };
        let chosen: HashSet<String> = (0..60_000).map(|_| names.choose("set-data.warc.gz")).collect();
        assert_eq!((chosen.len(), names.tried), (60_000, 60_000));
        assert!(chosen.contains("set-data-60000.warc.gz"));
    }

    #[test]
    fn what_may_be_salvaged_has_a_name_of_its_own() {
        let wishes = ["a.warc", "a-salvaged.warc.gz", "b-salvaged.arc", "b.warc"];
        let names = of(wishes.into_iter(), std::iter::empty(), true);
        assert_eq!(names, ["a.warc", "a-salvaged-2.warc.gz", "b-salvaged.arc", "b-2.warc"]);
        let names = of(wishes.into_iter(), std::iter::empty(), false);
        assert_eq!(names, wishes);
    }

    #[test]
    fn a_salvaged_file_is_a_packed_warc() {
        for name in ["a.warc.gz", "a.arc", "a.warc.zst", "a"] {
            assert_eq!(salvaged(name), "a-salvaged.warc.gz");
        }
    }
}
