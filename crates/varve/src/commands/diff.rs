//! `varve diff`: what changed in a page, since I last looked or between two times.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use api::watches::{Compared, Which};
use clap::ValueEnum;
use diff::{RuleSet, Span, lines};
use unicode_width::UnicodeWidthStr as _;

use crate::commands::watch::Rules;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::moment;
use crate::new_file::NewFile;
use crate::session::Session;
use crate::terminal::{Lines, bytes, counted, escape};
use crate::usage::wrong;
use crate::watching::{Asking, Looking, Ready};

/// Columns of the screen for the two sides together.
const SIDE_WIDTH: usize = 160;

/// Lines that are the same around a change.
const CONTEXT: usize = 3;

/// Show what changed in a page
///
/// Without a time: what changed since I last asked. The page is checked first; asking again at once shows nothing. With one time: from then
/// to now. With two: from the one to the other. A time before all versions means the oldest one, and one after the newest means that the page
/// is checked first. The page must have been checked before, by `varve check`, `varve diff` or a watch.
///
/// Compared is what a reader sees. What changes at every visit is left out, and so is what the rules of my watch of the page leave out.
/// The exit code is 0 if nothing changed that counts, 3 if something did, and 4 if the page is not to be had.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The page
    #[arg(value_name = "URL")]
    url: String,

    /// From when: a version such as v3, or a time such as 2026, 20261116043246, 2026-11-16 or 2026-11-16T04:32:46Z
    #[arg(value_name = "T1", value_parser = which)]
    from: Option<Which>,

    /// Until when, likewise [default: now]
    #[arg(value_name = "T2", value_parser = which)]
    to: Option<Which>,

    /// How it is shown
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Show also what changes at every visit
    #[arg(long)]
    noise: bool,

    /// Whose last look it is, and whose watch of the page has the rules [default: me, or as `[watch]` says]
    #[arg(long, value_name = "NAME")]
    person: Option<String>,

    /// Write it to this file, whole or not at all
    #[arg(short, long = "output", value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "out")]
    force: bool,

    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    asking: Asking,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines that went and lines that came, as `diff -u` has them
    #[default]
    Unified,
    /// The older one on the left, the newer on the right
    Side,
    /// A page with what went and what came marked
    Html,
    /// For programs; so does --json
    Json,
    /// The bytes that make the newer document of the older one
    Patch,
}

/// A version number such as `v3`, or a time. Numbers alone are times: 2026 is a year.
pub(crate) fn which(text: &str) -> Result<Which, String> {
    if text == "now" {
        return Ok(Which::Current);
    }
    if let Some(number) = text.strip_prefix(['v', 'V'])
        && let Ok(number) = number.parse::<u32>()
    {
        return Ok(Which::Number(number));
    }
    // Four digits are a year; what is shorter is none, and probably a version.
    if text.len() < 4 && text.parse::<u32>().is_ok() {
        return Err(format!("write v{text} for version {text}, or a time such as 2026-11-16"));
    }
    moment::parse(text).map(Which::At).map_err(|why| format!("{why}; a version is written v3"))
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    if args.format == Format::Patch && args.out.is_none() && session.out.is_terminal() {
        return Err(wrong(anyhow!("a patch is bytes, which a terminal cannot show")))
            .hint("`-o FILE` writes it to a file");
    }
    let format = if session.globals.json { Format::Json } else { args.format };
    let ready = Ready::of(&args.asking, session)?;
    let found = ready.ask(session, async |desk| {
        let mut looking = Looking { noise: args.noise, ..Looking::default() };
        let person = args.person.as_deref().unwrap_or(&desk.usual.person).to_owned();
        let watch = desk.watch_of(&person, &crate::watching::address(&args.url)?).await?;
        looking.watch = watch.as_ref().map(|watch| watch.id);
        if !args.rules.is_empty() {
            let mut rules = watch.map_or_else(RuleSet::default, |watch| watch.wish.rules);
            args.rules.clone().lay(&mut rules)?;
            looking.rules = Some(rules);
        }
        let compared = match args.from {
            None => desk.changes(&args.url, Some(&person), &looking).await,
            Some(from) => desk.difference(&args.url, from, args.to.unwrap_or(Which::Current), &looking).await,
        };
        let compared = match compared {
            Err(fault) if fault.is_missing() => return Ok(Err(anyhow::Error::from(fault))),
            compared => compared?,
        };
        let patch = match format {
            Format::Patch => {
                let row = &compared.row;
                let (from, to) = (Which::Number(row.before.number), Which::Number(row.after.number));
                Some(desk.patch(&args.url, from, to).await?)
            }
            _ => None,
        };
        Ok(Ok((compared, patch)))
    });
    let (found, after) = found?;
    let (compared, patch) = match found {
        Ok(found) => found,
        Err(error) => {
            crate::report::failure(&session.talk, &error);
            after.finish(session);
            return Ok(Exit::Missing);
        }
    };
    let shown = Shown { compared: &compared, noise: args.noise };
    match (format, &args.out) {
        (Format::Unified, None) => shown.unified(session)?,
        (Format::Side, None) => shown.side(session)?,
        (Format::Json, None) => session.out.json(&compared.row)?,
        (format, path) => {
            let made = match format {
                Format::Patch => patch.unwrap_or_default(),
                Format::Html => compared.html(args.noise).into_bytes(),
                Format::Json => serde_json::to_vec(&compared.row)?,
                Format::Side => shown.sides(false).into_bytes(),
                Format::Unified => compared.unified(args.noise).into_bytes(),
            };
            match path {
                Some(path) => {
                    let mut file = NewFile::create(path, args.force)?;
                    file.write_all(&made).context("cannot write the difference")?;
                    file.finish()?;
                    session.talk.note(&format!("{} written to {}", bytes(made.len() as u64), path.display()));
                }
                None => session.out.write_all(&made).context("cannot write to standard output")?,
            }
        }
    }
    session.out.finish()?;
    shown.remark(session);
    after.finish(session);
    Ok(if compared.row.meaningful { Exit::Changed } else { Exit::Done })
}

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

    fn side(&self, session: &mut Session) -> anyhow::Result<()> {
        let mut out = Lines::new(&mut session.out);
        out.write_all(self.sides(true).as_bytes()).context("cannot write to standard output")?;
        out.finish().context("cannot write to standard output")?;
        self.unseen(session)
    }

    /// Both texts side by side. What is cut off on a screen stands in full in a file.
    fn sides(&self, is_cut: bool) -> String {
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
    fn remark(&self, session: &Session) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_not_mistaken_for_years() {
        assert_eq!(which("v3"), Ok(Which::Number(3)));
        assert_eq!(which("now"), Ok(Which::Current));
        let year = "2026-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(which("2026"), Ok(Which::At(year)));
        assert!(which("3").unwrap_err().starts_with("write v3"));
        assert!(which("yesterday").is_err() && which("vv").is_err());
    }
}
