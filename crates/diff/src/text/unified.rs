//! The form that `diff -u` writes and `patch` reads.

use std::fmt::Write as _;
use std::ops::Range;

use super::{Difference, Hunk};

impl Difference<'_> {
    /// As `diff -u` has it, with so many lines of context; empty if the texts are the same.
    ///
    /// Sense it makes for lines only: of words and characters each would stand on a line of its own.
    #[must_use]
    pub fn unified(&self, old_name: &str, new_name: &str, context: usize) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut text = format!("--- {old_name}\n+++ {new_name}\n");
        for (group, old) in self.groups(context) {
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            let new =
                first.new.start - (first.old.start - old.start)..last.new.end + (old.end - last.old.end);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "@@ -{} +{} @@", place(&old), place(&new));
            self.group(group, old, &mut text);
        }
        text
    }

    /// Hunks whose contexts touch go together, with what of the old text that is.
    pub(crate) fn groups(&self, context: usize) -> impl Iterator<Item = (&[Hunk], Range<usize>)> {
        let mut rest = self.hunks.as_slice();
        std::iter::from_fn(move || {
            let first = rest.first()?;
            let mut count = 1;
            while let (Some(last), Some(next)) = (rest.get(count - 1), rest.get(count))
                && next.old.start - last.old.end <= context.saturating_mul(2)
            {
                count += 1;
            }
            let (group, after) = rest.split_at(count);
            rest = after;
            let end = group.last().unwrap_or(first).old.end;
            Some((
                group,
                first.old.start.saturating_sub(context)..self.old.len().min(end.saturating_add(context)),
            ))
        })
    }

    fn group(&self, hunks: &[Hunk], old: Range<usize>, text: &mut String) {
        let mut at = old.start;
        for hunk in hunks {
            (at..hunk.old.start).for_each(|line| push(text, ' ', self.old.get(line)));
            hunk.old.clone().for_each(|line| push(text, '-', self.old.get(line)));
            hunk.new.clone().for_each(|line| push(text, '+', self.new.get(line)));
            at = hunk.old.end;
        }
        (at..old.end).for_each(|line| push(text, ' ', self.old.get(line)));
    }
}

/// First line and number of lines. Of nothing it is the line before, as POSIX has it.
fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn push(text: &mut String, mark: char, line: &str) {
    text.push(mark);
    text.push_str(line);
    if !line.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, lines};

    #[track_caller]
    fn check(old: &str, new: &str, context: usize, expect: &str) {
        let unified = lines(old, new, &Limits::default()).unified("a", "b", context);
        assert_eq!(unified, format!("--- a\n+++ b\n{expect}"));
    }

    #[test]
    fn the_same_is_nothing() {
        assert_eq!(lines("a\n", "a\n", &Limits::default()).unified("a", "b", 3), "");
    }

    #[test]
    fn added_to_nothing_and_taken_away_to_nothing() {
        check("", "a\n", 3, "@@ -0,0 +1 @@\n+a\n");
        check("a\nb\n", "", 3, "@@ -1,2 +0,0 @@\n-a\n-b\n");
    }

    #[test]
    fn a_missing_line_end_is_told() {
        check("a\nb", "a\nb\n", 0, "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n");
    }

    #[test]
    fn hunks_near_each_other_go_together() {
        let old = "1\n2\n3\n4\n5\n6\n7\n";
        check(old, "1\nx\n3\n4\n5\ny\n7\n", 2, "@@ -1,7 +1,7 @@\n 1\n-2\n+x\n 3\n 4\n 5\n-6\n+y\n 7\n");
        check(
            old,
            "1\nx\n3\n4\n5\ny\n7\n",
            1,
            "@@ -1,3 +1,3 @@\n 1\n-2\n+x\n 3\n@@ -5,3 +5,3 @@\n 5\n-6\n+y\n 7\n",
        );
    }
}
