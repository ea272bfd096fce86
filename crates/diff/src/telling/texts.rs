//! Two texts as a small piece of HTML: what changed with a little of what stands around it.

use std::ops::Range;

use super::fragment::{Form, Fragment};
use super::stretches::{beginning, changed};
use crate::{Difference, Hunk, Kind, Limits};

/// So much is shown of a line that is the same.
const LINE_CHARS_MAX: usize = 200;

impl Difference<'_> {
    /// What changed as HTML that can be put into any page, in at most so many bytes: a paragraph for each place, with so many lines (or
    /// whatever was compared) around it. Of lines that took the place of others the words are marked. Of elements it has `<p>`,
    /// `<del>`, `<ins>` and `<br>`, of attributes none.
    ///
    /// ```
    /// let difference = diff::lines("1\n2\n3\na cod\n", "1\n2\n3\na haddock\n", &diff::Limits::default());
    /// assert_eq!(difference.html(1, 1000), "<p>3<br>a <del>cod</del> <ins>haddock</ins><br></p>\n");
    /// ```
    #[must_use]
    pub fn html(&self, context: usize, bytes_max: usize) -> String {
        let mut fragment = Fragment::new(Form::Html, bytes_max);
        let mut words_left = Limits::default().refined_tokens_max;
        let mut left_out = 0;
        for (hunks, old) in self.groups(context) {
            if !fragment.begin() {
                left_out += hunks.len();
                continue;
            }
            let mut at = old.start;
            for hunk in hunks {
                self.push_same(at..hunk.old.start, &mut fragment);
                at = hunk.old.end;
                left_out += usize::from(!self.push_changed(hunk, &mut words_left, &mut fragment));
            }
            self.push_same(at..old.end, &mut fragment);
            fragment.end();
        }
        fragment.finish(left_out)
    }

    /// Whether there was room for some of it.
    fn push_changed(&self, hunk: &Hunk, words_left: &mut usize, fragment: &mut Fragment) -> bool {
        let mut is_told = false;
        if !fragment.is_full() {
            let (old, new) = (self.old_text(hunk.old.clone()), self.new_text(hunk.new.clone()));
            for stretch in changed(old, new, words_left) {
                is_told |= fragment.push(stretch.kind, &stretch.text) && stretch.kind != Kind::Same;
            }
        }
        is_told
    }

    fn push_same(&self, tokens: Range<usize>, fragment: &mut Fragment) {
        for token in tokens {
            if fragment.is_full() {
                return;
            }
            let text = self.old_text(token..token + 1);
            let line = text.trim_end_matches('\n');
            fragment.push(Kind::Same, &beginning(line, LINE_CHARS_MAX));
            fragment.push(Kind::Same, text.get(line.len()..).unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, lines, words};

    #[test]
    fn places_far_from_each_other_are_paragraphs() {
        let old = "1\n2\n3\n4\n5\n6\n7\n";
        let difference = lines(old, "x\n2\n3\n4\n5\n6\n7\n<b>\n", &Limits::default());
        let html = "<p><del>1<br></del><ins>x<br></ins>2<br></p>\n<p>7<br><ins>&lt;b&gt;<br></ins></p>\n";
        assert_eq!(difference.html(1, 1000), html);
        assert_eq!(difference.html(1, 60), "<p>… and 2 more changes</p>\n");
        assert_eq!(difference.html(1, 10), "");
        assert_eq!(difference.html(9, 1000).matches("<p>").count(), 1);
    }

    #[test]
    fn words_are_shown_with_words_around_them() {
        let difference = words("the cod swims in the sea", "the eel swims in the sea", &Limits::default());
        assert_eq!(difference.html(2, 1000), "<p>the <del>cod</del> <ins>eel</ins> swims</p>\n");
    }

    #[test]
    fn changes_that_do_not_fit_are_counted() {
        let old: String = (0..100).map(|number| format!("{number}\n")).collect();
        let new: String =
            (0..100).map(|number| format!("{number}{}\n", if number % 9 == 0 { "x" } else { "" })).collect();
        let difference = lines(&old, &new, &Limits::default());
        for (context, bytes_max) in [(0, 300), (100, 300)] {
            let html = difference.html(context, bytes_max);
            let told = html.matches("<del>").count();
            assert!(html.len() <= bytes_max && told > 0, "{html}");
            assert!(html.ends_with(&format!("<p>… and {} more changes</p>\n", 12 - told)), "{html}");
        }
    }
}
