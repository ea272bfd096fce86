//! What a page says about itself: `<meta name="robots">` and the header `X-Robots-Tag`.
//!
//! <https://www.w3.org/TR/html4/appendix/notes.html#h-B.4.1.2> and what search engines have added since.

use crate::txt::is_named;

/// Kept of what is ignored, so that a page cannot make us keep it whole.
const IGNORED_MAX: usize = 16;
const IGNORED_CHARS_MAX: usize = 100;

/// What is asked of a robot that has the page already.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Directives {
    /// The page is not to be indexed.
    pub noindex: bool,
    /// Its links are not to be followed.
    pub nofollow: bool,
    /// What else was said and has no effect here, such as `noarchive` or `unavailable_after: 25 Jun 2010`.
    pub ignored: Vec<String>,
}

/// Whether a `meta` element of this name speaks to a crawler of these names, separated by commas.
#[must_use]
pub fn meta_is_for(name: &str, names: &str) -> bool {
    let name = name.trim();
    name.eq_ignore_ascii_case("robots") || is_named(name, names)
}

impl Directives {
    /// Reads the `content` of a `meta` element: `noindex, nofollow`.
    #[must_use]
    pub fn from_meta(content: &str) -> Directives {
        let mut directives = Directives::default();
        directives.read(content, None);
        directives
    }

    /// Reads one `X-Robots-Tag`. `otherbot: noindex, nofollow` speaks to that crawler only, up to the next name.
    #[must_use]
    pub fn from_header(value: &str, names: &str) -> Directives {
        let mut directives = Directives::default();
        directives.read(value, Some(names));
        directives
    }

    /// Both together: what one of them forbids is forbidden.
    pub fn merge(&mut self, other: Directives) {
        self.noindex |= other.noindex;
        self.nofollow |= other.nofollow;
        let room = IGNORED_MAX.saturating_sub(self.ignored.len());
        self.ignored.extend(other.ignored.into_iter().take(room));
    }

    /// `names` where parts may be addressed to somebody.
    fn read(&mut self, text: &str, names: Option<&str>) {
        let mut is_for_us = true;
        // The date behind `unavailable_after` may hold commas of its own.
        let mut in_date = false;
        for part in text.split(',') {
            let mut part = part.trim();
            if let (Some((name, rest)), Some(names)) = (part.split_once(':'), names)
                && !has_value(name)
                && !(in_date && is_of_date(name))
            {
                is_for_us = is_named(name.trim(), names);
                part = rest.trim();
                in_date = false;
            }
            let is_known = part.split([' ', '\t', ';']).any(|word| effect(word).is_some());
            if in_date && !is_known && !starts_valued(part) {
                self.lengthen_ignored(part, is_for_us);
                continue;
            }
            in_date = part.get(..17).is_some_and(|start| start.eq_ignore_ascii_case("unavailable_after"));
            if is_for_us {
                self.obey(part);
            }
        }
    }

    fn obey(&mut self, part: &str) {
        if starts_valued(part) {
            return self.ignore(part);
        }
        for word in part.split([' ', '\t', '\n', '\r', ';']).filter(|word| !word.is_empty()) {
            match effect(word) {
                Some((noindex, nofollow)) => {
                    self.noindex |= noindex;
                    self.nofollow |= nofollow;
                }
                None => self.ignore(word),
            }
        }
    }

    fn ignore(&mut self, text: &str) {
        if self.ignored.len() < IGNORED_MAX {
            self.ignored.push(text.chars().take(IGNORED_CHARS_MAX).collect());
        }
    }

    fn lengthen_ignored(&mut self, text: &str, is_for_us: bool) {
        if let Some(last) = self.ignored.last_mut().filter(|last| is_for_us && last.len() < IGNORED_CHARS_MAX)
        {
            last.push_str(", ");
            last.extend(text.chars().take(IGNORED_CHARS_MAX));
        }
    }
}

/// Whether a word forbids indexing and following; `None` for words that do neither nor their opposite.
fn effect(word: &str) -> Option<(bool, bool)> {
    const EFFECTS: [(&str, (bool, bool)); 6] = [
        ("noindex", (true, false)),
        ("nofollow", (false, true)),
        ("none", (true, true)),
        ("all", (false, false)),
        ("index", (false, false)),
        ("follow", (false, false)),
    ];
    EFFECTS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, effect)| *effect)
}

/// Whether what stands before a colon is part of a date, as in ` 25-Jun-10 15:00:00 PST`, and not a crawler's name.
fn is_of_date(before: &str) -> bool {
    let hour = before.rsplit([' ', 't', 'T']).next().unwrap_or_default();
    !hour.is_empty() && hour.bytes().all(|byte| byte.is_ascii_digit())
}

/// `max-snippet: 20`, `unavailable_after: 25 Jun 2010`: a name and a value, not a crawler and a directive.
fn starts_valued(part: &str) -> bool {
    part.split_once(':').is_some_and(|(name, _)| has_value(name))
}

fn has_value(name: &str) -> bool {
    ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]
        .iter()
        .any(|known| name.trim().eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: Directives, noindex: bool, nofollow: bool, ignored: &[&str]) {
        assert_eq!((found.noindex, found.nofollow), (noindex, nofollow), "{found:?}");
        assert_eq!(found.ignored, ignored);
    }

    #[test]
    fn c2_meta_says_noindex_nofollow_and_none() {
        check(Directives::from_meta("noindex"), true, false, &[]);
        check(Directives::from_meta("INDEX, NoFollow"), false, true, &[]);
        check(Directives::from_meta(" none "), true, true, &[]);
        check(Directives::from_meta("all"), false, false, &[]);
        check(Directives::from_meta("noindex nofollow"), true, true, &[]);
        check(Directives::from_meta(""), false, false, &[]);
    }

    #[test]
    fn c2_what_has_no_effect_is_listed() {
        check(
            Directives::from_meta("noarchive, max-snippet:20"),
            false,
            false,
            &["noarchive", "max-snippet:20"],
        );
        check(
            Directives::from_meta("unavailable_after: Friday, 25-Jun-10 15:00:00 PST, noindex"),
            true,
            false,
            &["unavailable_after: Friday, 25-Jun-10 15:00:00 PST"],
        );
    }

    #[test]
    fn c2_a_header_may_speak_to_one_crawler() {
        let header = "googlebot: noindex, nofollow, varve: nofollow";
        check(Directives::from_header(header, "varve/1.0"), false, true, &[]);
        check(Directives::from_header(header, "googlebot"), true, true, &[]);
        check(Directives::from_header(header, "other"), false, false, &[]);
        check(Directives::from_header("noindex, googlebot: nofollow", "other"), true, false, &[]);
        check(
            Directives::from_header("unavailable_after: 25 Jun 2010 15:00:00 PST", "varve"),
            false,
            false,
            &["unavailable_after: 25 Jun 2010 15:00:00 PST"],
        );
    }

    #[test]
    fn c2_behind_a_date_another_crawler_may_be_spoken_to() {
        let header = "unavailable_after: 25 Jun 2010, otherbot: noindex";
        check(Directives::from_header(header, "varve"), false, false, &["unavailable_after: 25 Jun 2010"]);
        check(Directives::from_header(header, "otherbot"), true, false, &["unavailable_after: 25 Jun 2010"]);
        let date = "unavailable_after: Friday, 25-Jun-10 15:00:00 PST, varve: none";
        check(
            Directives::from_header(date, "varve"),
            true,
            true,
            &["unavailable_after: Friday, 25-Jun-10 15:00:00 PST"],
        );
    }

    #[test]
    fn c2_the_strictest_of_several_holds() {
        let mut all = Directives::from_meta("all");
        all.merge(Directives::from_header("noindex", "varve"));
        all.merge(Directives::from_meta("follow, x"));
        check(all, true, false, &["x"]);
    }

    #[test]
    fn c2_a_meta_element_is_for_all_robots_or_for_one() {
        assert!(meta_is_for("ROBOTS", "varve"));
        assert!(meta_is_for("varve", "Varve/1.0"));
        assert!(!meta_is_for("googlebot", "varve"));
        assert!(!meta_is_for("", ""));
    }

    #[test]
    fn endless_nonsense_is_not_kept() {
        let found = Directives::from_meta(&"x,".repeat(10_000));
        assert_eq!(found.ignored.len(), IGNORED_MAX);
        let long = format!("unavailable_after: a{}", ", b".repeat(10_000));
        assert!(Directives::from_meta(&long).ignored.concat().len() < 400);
    }
}
