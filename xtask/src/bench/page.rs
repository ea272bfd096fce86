//! Tables of outcomes, and the page that they go to.
//!
//! `docs/benchmarks.md` is written by hand except between two marks for each bench:
//!
//! ```text
//! <!-- bench formats: begin -->
//! <!-- bench formats: end -->
//! ```

use std::fmt::Write as _;
use std::fs;

use anyhow::Context as _;

use super::contest::Outcome;
use super::machine;
use crate::places;
use crate::step::seconds;

/// Puts a table between the marks of a bench, with the command that made it and the machine's facts.
pub(crate) fn put(bench: &str, table: &str) -> anyhow::Result<()> {
    let path = places::root().join("docs").join("benchmarks.md");
    let page = fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let part = format!("`cargo xtask bench {bench}` on {}.\n\n{table}", machine::facts());
    let page = replace(&page, bench, &part)
        .with_context(|| format!("docs/benchmarks.md has no marks for `{bench}`"))?;
    fs::write(&path, page).with_context(|| format!("cannot write `{}`", path.display()))
}

/// Outcomes as a table of Markdown.
pub(crate) fn table(outcomes: &[Outcome]) -> String {
    let mut text =
        String::from("| what | ours | peer | ratio | must | aim | |\n|---|---|---|---|---|---|---|\n");
    for outcome in outcomes {
        let Outcome { what, ours, peer, must, aim } = outcome;
        let (our_time, peer_time) = (seconds(ours.1), seconds(peer.1));
        let aim = aim.map_or_else(|| "–".to_owned(), |aim| format!("{aim:.1}"));
        let verdict = if outcome.is_reached() { "reached" } else { "**missed**" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {what} | {} {our_time} | {} {peer_time} | {:.2} | {must:.1} | {aim} | {verdict} |",
            ours.0,
            peer.0,
            outcome.ratio()
        );
    }
    text
}

/// The page with the part between the marks exchanged; `None` where the marks are missing.
fn replace(page: &str, bench: &str, part: &str) -> Option<String> {
    let begin = format!("<!-- bench {bench}: begin -->\n");
    let end = format!("<!-- bench {bench}: end -->");
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{}\n{end}{after}", part.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let page = "# A\n<!-- bench x: begin -->\nold\n<!-- bench x: end -->\nB\n";
        let changed = replace(page, "x", "new\n").unwrap();
        assert_eq!(changed, "# A\n<!-- bench x: begin -->\nnew\n<!-- bench x: end -->\nB\n");
        assert_eq!(replace(&changed, "x", "new\n").as_ref(), Some(&changed));
        assert_eq!(replace(page, "y", "new"), None);
    }

    #[test]
    fn a_missed_ratio_is_said() {
        let side = |millis| ("side".to_owned(), Duration::from_millis(millis));
        let outcome =
            Outcome { what: "read".into(), ours: side(2000), peer: side(1000), must: 1.0, aim: Some(1.5) };
        let table = table(&[outcome]);
        assert!(
            table.ends_with("| read | side 2.0 s | side 1.0 s | 0.50 | 1.0 | 1.5 | **missed** |\n"),
            "{table}"
        );
    }
}
