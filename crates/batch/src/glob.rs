//! Patterns of names: `*` stands for any run of characters, `?` for one.

/// A pattern that a whole name fits or not. Case matters, as it does in names of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: String,
}

impl Glob {
    /// The pattern that is written like this; every text is one.
    #[must_use]
    pub fn new(text: &str) -> Glob {
        Glob { text: text.to_owned() }
    }

    /// Whether the name of a file fits, as `<job>/<file>`, or without its job where the pattern has no slash.
    #[must_use]
    pub fn fits_file(&self, name: &str) -> bool {
        let file = if self.text.contains('/') { name } else { name.rsplit('/').next().unwrap_or(name) };
        self.fits(file)
    }

    /// Whether the whole text fits.
    #[must_use]
    pub fn fits(&self, text: &str) -> bool {
        let (mut pattern, mut rest) = (self.text.chars(), text.chars());
        // Behind the last star, and where in the text the star has been taken to end: only there it is gone back to, for what an
        // earlier star could take in the last one can as well.
        let mut star = None;
        loop {
            match (pattern.next(), rest.clone().next()) {
                (Some('*'), _) => star = Some((pattern.clone(), rest.clone())),
                (Some(wanted), Some(found)) if wanted == '?' || wanted == found => {
                    rest.next();
                }
                (None, None) => return true,
                _ => {
                    let Some((behind, taken)) = &mut star else { return false };
                    if taken.next().is_none() {
                        return false;
                    }
                    (pattern, rest) = (behind.clone(), taken.clone());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, name: &str, expect: bool) {
        assert_eq!(Glob::new(pattern).fits_file(name), expect, "{pattern} {name}");
    }

    #[test]
    fn stars_and_question_marks_stand_for_characters() {
        check("*", "job/a.warc.gz", true);
        check("*.warc.gz", "job/a.warc.gz", true);
        check("*.warc", "job/a.warc.gz", false);
        check("a-0000?.warc", "job/a-00001.warc", true);
        check("a-0000?.warc", "job/a-000010.warc", false);
        check("A*", "job/a.warc", false);
        check("*a*b*ab", "x/aabab", true);
        check("", "x/a", false);
        check("a*a", "x/a", false);
        check("?", "x/é", true);
    }

    #[test]
    fn a_pattern_with_a_slash_is_about_the_job_too() {
        check("job-2026*/*", "job-20261118/a.warc", true);
        check("job-2026*/*", "other/a.warc", false);
        check("*/a.warc", "job/a.warc", true);
        check("job*", "job/a.warc", false);
    }

    #[test]
    fn many_stars_take_no_longer_than_a_text_times_a_pattern() {
        let pattern = "*a".repeat(2_000);
        assert!(!Glob::new(&pattern).fits(&"a".repeat(1_999)));
        assert!(!Glob::new(&format!("{pattern}b")).fits(&"a".repeat(4_000)));
    }
}
