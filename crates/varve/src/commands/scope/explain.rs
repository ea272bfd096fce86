//! `varve scope explain`: which rule decides about a URL, and why.

use anyhow::Context as _;
use scope::{Candidate, Overrides, Scope, Step, Word};
use serde::Serialize;
use url::Url;

use crate::clock::now;
use crate::exit::Exit;
use crate::flags::Flags;
use crate::session::Session;
use crate::terminal::{Align, Columns, amount, escape};

/// Tell whether a URL would belong to a crawl, and which rule says so
///
/// The rules speak in their order, and the last that does not pass decides; --all shows what each of them says. The crawl is the one
/// that `varve harvest` would begin with the same options; its start URLs are those of --seed and --seeds, or the URL itself. The exit
/// code is 0 whatever the answer is; with --exit-code it is 1 if the URL does not belong.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The URL in question
    #[arg(value_name = "URL")]
    url: String,

    /// Where the crawl begins; may be given several times
    #[arg(long, value_name = "URL")]
    seed: Vec<String>,

    /// The page that links to it [default: the first start URL]
    #[arg(long, value_name = "URL")]
    via: Option<String>,

    /// How it is come to from a start URL: L for each link, E for what a page embeds, R for redirects, X for guesses [default: one
    /// link, or none for a start URL]
    #[arg(long, value_name = "PATH")]
    hops: Option<String>,

    /// Show what every rule says, also those that pass
    #[arg(long)]
    all: bool,

    /// Exit with 1 if the URL does not belong
    #[arg(long)]
    exit_code: bool,

    // Boxed, because there are many.
    #[command(flatten)]
    flags: Box<Flags>,
}

/// The answer for programs.
#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    #[serde(rename = "in")]
    is_in: bool,
    rule: &'a str,
    steps: Vec<StepRow<'a>>,
    sheets: &'a [String],
}

#[derive(Serialize)]
struct StepRow<'a> {
    rule: &'a str,
    word: String,
    why: &'a str,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let loaded = session.load_settings()?;
    let seeds = if args.seed.is_empty() { std::slice::from_ref(&args.url) } else { args.seed.as_slice() };
    let plan = plan::scope_of(&loaded, &args.flags.layer, seeds, &fetch::Clock::new(now))?;
    let url = plan::one_url(&args.url)?;
    let via = args.via.as_deref().map(plan::one_url).transpose()?;
    let starts = plan.seeds.starts();
    let is_start = starts.contains(&url);
    let hops = args.hops.clone().unwrap_or_else(|| if is_start { String::new() } else { "L".to_owned() });
    let via = via.or_else(|| starts.first().cloned()).filter(|_| !hops.is_empty());
    let scope = Scope::new(&plan).context("the scope makes no sense")?;
    // Of `indexpage` each page that the start page links to is the root of what lies below it.
    let root = via.as_ref().and_then(|via| {
        let hops = hops.get(..hops.len().saturating_sub(1)).unwrap_or_default();
        scope.root(&Candidate { url: via, via: starts.first(), hops, root: None })
    });
    let candidate = Candidate { url: &url, via: via.as_ref(), hops: &hops, root: root.as_deref() };
    let verdict = scope.decide(&candidate);
    let answer = Answer {
        url: &url,
        is_in: verdict.is_in,
        rule: verdict.rule.name(),
        steps: scope.explain(&candidate),
        scope: plan.preset.to_string(),
        starts: &starts,
    };
    answer.tell(plan.sheets.for_url(&url), args.all, session)?;
    Ok(if args.exit_code && !verdict.is_in { Exit::Failed } else { Exit::Done })
}

/// What the rules said.
struct Answer<'a> {
    url: &'a Url,
    is_in: bool,
    rule: &'a str,
    steps: Vec<Step>,
    /// How far the crawl goes, and from where.
    scope: String,
    starts: &'a [Url],
}

impl Answer<'_> {
    fn tell(&self, sheet: &Overrides, has_all: bool, session: &mut Session) -> anyhow::Result<()> {
        if session.globals.json {
            let steps = self.steps.iter().map(|Step { rule, word, why }| StepRow {
                rule: rule.name(),
                word: word.to_string(),
                why,
            });
            let steps = steps.collect();
            let Answer { is_in, rule, .. } = *self;
            return session.out.json(&Row {
                url: self.url.as_str(),
                is_in,
                rule,
                steps,
                sheets: &sheet.sheets,
            });
        }
        let verdict = if self.is_in { "belongs to the crawl" } else { "does not belong to the crawl" };
        session.out.line(format_args!("{} {verdict}: `{}` decides", escape(self.url.as_str()), self.rule))?;
        if has_all {
            self.every_rule(session)?;
        } else {
            self.those_that_matter(session)?;
        }
        if !sheet.sheets.is_empty() {
            if has_all {
                session.out.line("")?;
            }
            session.out.line(format_args!("sheets that hold here: {}", escape(&sheet.sheets.join(", "))))?;
        }
        Ok(())
    }

    /// A line for each rule, in their order.
    fn every_rule(&self, session: &mut Session) -> anyhow::Result<()> {
        session.out.line("")?;
        let columns = Columns::new([(Align::Left, 1), (Align::Left, 12), (Align::Left, 7)]);
        for Step { rule, word, why } in &self.steps {
            let mark = if rule.name() == self.rule && *word != Word::Passes { "*" } else { "" };
            let line = columns.row([mark, rule.name(), &word.to_string(), why]);
            if *word == Word::Passes {
                session.out.line(session.paint.faint(line))?;
            } else {
                session.out.line(line)?;
            }
        }
        Ok(())
    }

    /// Why the one that decides says so, and whom it overrules.
    fn those_that_matter(&self, session: &mut Session) -> anyhow::Result<()> {
        let spoken = self.steps.iter().rev().find(|step| step.rule.name() == self.rule);
        if self.rule == "default" {
            let starts = match self.starts {
                [start] => start.to_string(),
                starts => amount::counted(starts.len() as u64, "start URL"),
            };
            let (scope, starts) = (escape(&self.scope), escape(&starts));
            session.out.line(format_args!("  no rule takes it in; the scope is `{scope}` of {starts}"))?;
        } else if let Some(Step { why, .. }) = spoken {
            session.out.line(format_args!("  {}", escape(why)))?;
        }
        let contrary = if self.is_in { Word::Rejects } else { Word::Accepts };
        let overruled =
            self.steps.iter().filter(|step| step.word == contrary && step.rule.name() != "default");
        for Step { rule, word, why } in overruled {
            session.out.line(format_args!("  although `{}` {word}: {}", rule.name(), escape(why)))?;
        }
        Ok(())
    }
}
