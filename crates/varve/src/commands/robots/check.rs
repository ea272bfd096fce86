//! `varve robots check`: may a crawler fetch these?

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use robots::{Limits, Robots, Verdict};
use serde::Serialize;
use settings::Input;

use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::session::Session;
use crate::terminal::escape;
use crate::usage::wrong;

/// A longer line is no URL that anybody could have fetched.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Enough of a rule to know it again.
const LINE_CHARS_SHOWN: usize = 1000;

/// Say of each URL whether a robots.txt allows it: allowed or disallowed, a tab, the URL
///
/// The rules are those of RFC 9309. The exit code is 0 whatever the answers are; with --exit-code it is 1 if any URL is
/// disallowed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The robots.txt; - is standard input
    #[arg(value_name = "ROBOTS_FILE")]
    file: PathBuf,

    /// URLs or paths; - is one per line of standard input
    #[arg(required = true, value_name = "URL")]
    urls: Vec<String>,

    /// The name that the crawler goes by, or several separated by commas
    #[arg(long, value_name = "NAME", default_value = "varve")]
    agent: String,

    /// Say also which line decided
    #[arg(long)]
    explain: bool,

    /// Exit with 1 if any URL is disallowed
    #[arg(long)]
    exit_code: bool,
}

/// An answer as JSON.
#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    allowed: bool,
    /// The line of the rule that decided.
    line: Option<usize>,
    /// That line as it stands there.
    rule: Option<String>,
    crawl_delay_s: Option<f64>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    if args.file.as_os_str() == "-" && args.urls.iter().any(|url| url == "-") {
        return Err(wrong(anyhow!("standard input cannot be both the robots.txt and the URLs")))
            .hint("name the file, or put the URLs on the command line");
    }
    let bytes = read(&args.file)?;
    let robots = Robots::parse(&bytes, &Limits::default());
    if robots.is_cut() {
        let limit = Limits::default().robots_bytes;
        session
            .talk
            .warning(&format!("the robots.txt is longer than {limit} bytes; the rest is not looked at"));
    }
    doubt(&bytes, &robots, &args.agent, session);
    let lines = if args.explain || session.globals.json { lines(&bytes) } else { Vec::new() };
    let mut answers = Answers { robots, lines, args: &args, session, is_any_closed: false };
    for url in &args.urls {
        if url == "-" { answers.answer_stdin()? } else { answers.answer(url)? }
    }
    let is_bad = answers.is_any_closed && args.exit_code;
    Ok(if is_bad { Exit::Failed } else { Exit::Done })
}

/// Says what makes the answers worth little.
fn doubt(bytes: &[u8], robots: &Robots, agent: &str, session: &Session) {
    let (known, _) = robots.line_counts();
    if known == 0 && !bytes.trim_ascii().is_empty() {
        session.talk.warning("no line of the file is one of a robots.txt, so everything is allowed");
    }
    for name in agent.split(',').map(str::trim).filter(|name| name.is_empty() || name.contains([' ', '('])) {
        session.talk.warning(&format!(
            "`{name}` is not a name that a robots.txt could have: give the product alone, such as varve"
        ));
    }
}

/// The file, and no more of it than shows that there is more than is looked at.
fn read(path: &std::path::Path) -> anyhow::Result<Vec<u8>> {
    let input = Input::open(path)?;
    let name = input.name.clone();
    let mut bytes = Vec::new();
    let limit = Limits::default().robots_bytes as u64 + 16;
    input.take(limit).read_to_end(&mut bytes).with_context(|| format!("cannot read `{name}`"))?;
    Ok(bytes)
}

/// The lines as the rules count them: each of CR, LF and CRLF ends one.
fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    text.split(['\r', '\n']).map(|line| line.trim().chars().take(LINE_CHARS_SHOWN).collect()).collect()
}

struct Answers<'a> {
    robots: Robots,
    /// The file as it stands there, where somebody wants to see it.
    lines: Vec<String>,
    args: &'a Args,
    session: &'a mut Session,
    is_any_closed: bool,
}

impl Answers<'_> {
    /// Answers every line. Whoever waits for an answer before sending the next line gets it.
    fn answer_stdin(&mut self) -> anyhow::Result<()> {
        let mut input = BufReader::with_capacity(64 << 10, io::stdin());
        let mut line = Vec::new();
        loop {
            if !input.buffer().contains(&b'\n') {
                self.session.out.finish()?;
            }
            line.clear();
            let taken = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
            if taken.context("cannot read standard input")? == 0 {
                return Ok(());
            }
            if !line.ends_with(b"\n") && line.len() as u64 == LINE_BYTES_MAX {
                input.skip_until(b'\n').context("cannot read standard input")?;
            }
            let url = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
            self.answer(&url)?;
        }
    }

    fn answer(&mut self, url: &str) -> anyhow::Result<()> {
        let url = &*urlkey::remove_logins(url);
        let lower = url.get(..8).unwrap_or(url).to_ascii_lowercase();
        if !(url.starts_with('/') || lower.starts_with("http://") || lower.starts_with("https://")) {
            let warning = format!("`{url}` is neither a URL of the web nor a path that begins with a slash");
            self.session.talk.warning(&warning);
        }
        let verdict = self.robots.allows(&self.args.agent, url);
        self.is_any_closed |= !verdict.allowed;
        let rule = self.rule(verdict);
        if self.session.globals.json {
            let delay = self.robots.crawl_delay(&self.args.agent);
            return self.session.out.json(&Row {
                url,
                allowed: verdict.allowed,
                line: verdict.line,
                rule,
                crawl_delay_s: delay.map(|delay| delay.as_secs_f64()),
            });
        }
        let word = if verdict.allowed { "allowed" } else { "disallowed" };
        let because = match (verdict.line, rule) {
            _ if !self.args.explain => String::new(),
            (Some(line), Some(rule)) => format!("\tline {line}: {}", escape(&rule)),
            _ if robots::path_of(url) == "/robots.txt" => "\talways allowed".to_owned(),
            _ => "\tno rule".to_owned(),
        };
        self.session.out.line(format_args!("{word}\t{}{because}", escape(url)))
    }

    fn rule(&self, verdict: Verdict) -> Option<String> {
        self.lines.get(verdict.line?.checked_sub(1)?).cloned()
    }
}
