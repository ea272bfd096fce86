//! A difference as people see it: lines that went and came, or both sides, and what else there is to say.

use std::io::Write as _;

use anyhow::Context as _;
use api::watches::Compared;
use diff::{Span, lines};
use unicode_width::UnicodeWidthStr as _;

use crate::session::Session;
use crate::terminal::{Lines, bytes, counted, escape};

/// Columns of the screen for the two sides together.
const SIDE_WIDTH: usize = 160;

/// Lines that are the same around a change.
const CONTEXT: usize = 3;

/// A difference, and how it is shown.
pub(crate) struct Shown<'a> {
    pub(crate) compared: &'a Compared,
    pub(crate) noise: bool,
}

impl Shown<'_> {
    /// As `diff -u` has it, coloured if colours are wanted.
    pub(crate) fn unified(&self, session: &mut Session) -> anyhow::Result<()> {
        let text = self.compared.unified(self.noise);
        for line in text.lines() {
            let shown = escape(line);
            let painted = match line.as_bytes().first() {
                _ if line.starts_with("--- ") || line.starts_with("+++ ") => {
                    session.paint.strong(shown).to_string()
                }
                Some(b'-') => session.paint.bad(shown).to_string(),
                Some(b'+') => session.paint.good(shown).to_string(),
                Some(b'@') => session.paint.faint(shown).to_string(),
                _ => shown.into_owned(),
            };
            session.out.line(painted)?;
        }
        self.unseen(session)
    }

    pub(crate) fn side(&self, session: &mut Session) -> anyhow::Result<()> {
        let mut out = Lines::new(&mut session.out);
        out.write_all(self.sides(true).as_bytes()).context("cannot write to standard output")?;
        out.finish().context("cannot write to standard output")?;
        self.unseen(session)
    }

    /// Both texts side by side. What is cut off on a screen stands in full in a file.
    pub(crate) fn sides(&self, is_cut: bool) -> String {
        let (old, new) = match self.noise {
            true => (self.compared.old_text.clone(), self.compared.new_text.clone()),
            false => self.compared.quiet(),
        };
        let limits = diff::Limits::default();
        let difference = lines(&old, &new, &limits);
        let rows = difference.rows(Some(CONTEXT));
        let plain = |spans: &[Span<'_>]| -> String { spans.iter().map(|span| span.text).collect() };
        let widest =
            rows.iter().filter_map(|row| row.old.as_ref()).map(|half| plain(&half.spans).width()).max();
        let width = widest.unwrap_or(0).min(if is_cut { SIDE_WIDTH / 2 } else { usize::MAX });
        let right_width = SIDE_WIDTH.saturating_sub(width + 3);
        let mut text = String::new();
        for row in &rows {
            if row.left_out > 0 {
                text.push_str(&format!("… {} the same\n", counted(row.left_out as u64, "line")));
            }
            let half = |half: &Option<diff::Half<'_>>| {
                half.as_ref().map(|half| plain(&half.spans)).unwrap_or_default()
            };
            let (left, right) = (half(&row.old), half(&row.new));
            let (left, right) =
                if is_cut { (cut(&left, width), cut(&right, right_width)) } else { (left, right) };
            let sign = match (row.same, &row.old, &row.new) {
                (true, ..) => ' ',
                (_, Some(_), Some(_)) => '|',
                (_, Some(_), None) => '<',
                _ => '>',
            };
            let gap = " ".repeat(width.saturating_sub(left.width()));
            text.push_str(format!("{left}{gap} {sign} {right}").trim_end());
            text.push('\n');
        }
        text
    }

    /// Links, images and the title, which are not to be seen in the text.
    fn unseen(&self, session: &mut Session) -> anyhow::Result<()> {
        for finding in self.compared.unseen() {
            let name = finding.attribute.as_deref().unwrap_or(&finding.path);
            let line = format!("{name}: {} -> {}", dash(&finding.old), dash(&finding.new));
            session.out.line(escape(&line))?;
        }
        Ok(())
    }

    /// What the rules make of it, in a line.
    pub(crate) fn verdict(&self, session: &mut Session) -> anyhow::Result<()> {
        let row = &self.compared.row;
        let told = if row.meaningful { "would be told" } else { "would not be told" };
        let mut line = format!("from version {} to {}: {told}", row.before.number, row.after.number);
        if row.text {
            line.push_str(&format!(", {} ({:.1} %)", counted(row.words as u64, "word"), row.share * 100.0));
        }
        row.fired.iter().for_each(|fired| line.push_str(&format!("; {fired}")));
        session.out.line(session.paint.strong(escape(&line)))
    }

    /// What a person should know besides.
    pub(crate) fn remark(&self, session: &Session) {
        let row = &self.compared.row;
        match row.changed {
            None => session.talk.note(&format!(
                "asked for the first time; from now on it is compared with version {}",
                row.after.number
            )),
            _ if row.empty => {
                session.talk.note(&format!("nothing changed: version {} is what it was", row.after.number))
            }
            _ if !row.text => session.talk.note(&format!(
                "another document, of {} (was {}); what differs cannot be told of such documents",
                bytes(row.after.length),
                bytes(row.before.length)
            )),
            _ if !row.meaningful && row.findings.is_empty() => {
                session
                    .talk
                    .note("nothing changed but what changes at every visit, or does not count by the rules");
            }
            _ => {}
        }
        if !row.left_out.is_empty() && !self.noise {
            let places = counted(row.left_out.len() as u64, "place");
            session.talk.hint(&format!("{places} left out as noise; `--noise` shows them"));
        }
        if row.coarse {
            session
                .talk
                .note("the documents are large: what differs is told in larger pieces than could be found");
        }
    }
}

fn dash(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

/// As much of a line as fits.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        if cut.width() + 2 > width {
            break;
        }
        cut.push(c);
    }
    cut.push('…');
    cut
}
