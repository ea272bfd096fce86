//! `varve watch show`: one watch in full.

use api::watches::{NOBODY, NewsOf, NewsRow, WatchRow};
use serde::Serialize;

use super::ls::time;
use super::naming;
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{Align, Columns, escape};
use crate::watching::{Asking, Ready};

/// News that are shown.
const NEWS: u32 = 10;

/// Show a watch: what is wanted of it, how it stands, and its last news
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which: its number or its URL
    #[arg(value_name = "ID|URL")]
    watch: String,

    /// Whose watch is meant, if several people watch the URL
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
}

/// A watch and its last news, for programs.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    watch: &'a WatchRow,
    last_news_rows: &'a [NewsRow],
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&Asking::default(), session)?;
    let ((row, news), after) = ready.ask(session, async |desk| {
        let watch = naming::find(desk, &args.watch, args.person.as_deref()).await?;
        let row = desk.row(&watch).await?.discreet();
        Ok((row, desk.news(&NewsOf::Watch(watch.id), None, NEWS).await?))
    })?;
    if session.globals.json {
        session.out.json(&Row { watch: &row, last_news_rows: &news })?;
    } else {
        let columns = Columns::new([(Align::Left, 8)]);
        for (name, value) in facts(&row) {
            session.out.line(columns.row([name, value.as_str()]))?;
        }
        for news in &news {
            let version = match (news.before, news.after) {
                (Some(before), Some(after)) => format!(" v{before} to v{after}"),
                _ => String::new(),
            };
            let line = format!("{} {}{version}: {}", time(&news.time), news.kind, news.summary);
            session.out.line(columns.row(["", line.as_str()]))?;
        }
    }
    session.out.finish()?;
    after.finish(session);
    Ok(Exit::Done)
}

/// A watch in a line, for whoever has just changed it.
pub(super) fn line(row: &WatchRow) -> String {
    let told = match told(row) {
        told if told.is_empty() => "nobody is told".to_owned(),
        told => format!("tells {told}"),
    };
    let every = if row.wish.paused { "paused".to_owned() } else { format!("every {}", row.wish.every) };
    escape(&format!("watch {}: {}, {every}, {told}", row.id, row.wish.url)).into_owned()
}

/// Who is told.
fn told(row: &WatchRow) -> String {
    let addresses = row.wish.notify.iter().filter(|to| *to != NOBODY);
    addresses.cloned().collect::<Vec<_>>().join(", ")
}

/// What there is to say, name by name.
fn facts(row: &WatchRow) -> Vec<(&'static str, String)> {
    let wish = &row.wish;
    let rules = &wish.rules;
    let mut facts = vec![("watch", row.id.to_string()), ("url", wish.url.clone())];
    let mut add = |name: &'static str, value: String| {
        if !value.is_empty() {
            facts.push((name, value));
        }
    };
    add("title", wish.title.clone());
    add("tags", wish.tags.join(", "));
    add("notes", wish.notes.clone());
    add("person", wish.owner.clone());
    add("added", time(&row.added));
    let now = if wish.every == row.pause { String::new() } else { format!(", just now {}", row.pause) };
    add("every", format!("{}{now}", wish.every));
    add("next", if wish.paused { "paused".to_owned() } else { time(&row.due) });
    if let Some(last) = &row.last {
        let status = last.status.map(|status| format!(", status {status}")).unwrap_or_default();
        add("last", format!("{} {}{status}", time(&last.time), last.outcome));
    }
    add("version", if row.version > 0 { format!("v{}", row.version) } else { "none yet".to_owned() });
    rules.only.iter().for_each(|rule| add("only", rule.clone()));
    rules.never.iter().for_each(|rule| add("never", rule.clone()));
    rules.triggers.iter().for_each(|trigger| add("trigger", trigger.to_string()));
    add("least", least(rules));
    let switches = [
        (rules.margins, "margins count"),
        (rules.noise, "noise counts"),
        (wish.head_first, "head first"),
        (wish.force, "force"),
    ];
    let switches: Vec<&str> =
        switches.into_iter().filter(|(is_on, _)| *is_on).map(|(_, word)| word).collect();
    add("how", switches.join(", "));
    add("tells", told(row));
    add("quiet", wish.quiet.clone());
    add("digest", wish.digest.clone());
    add(
        "gone",
        match wish.gone_after {
            Some(0) | None => String::new(),
            Some(count) => format!("told after {count} checks without it"),
        },
    );
    row.untold.iter().for_each(|untold| add("untold", untold.clone()));
    add("news", row.news.to_string());
    facts
}

fn least(rules: &diff::RuleSet) -> String {
    let words = (rules.words_min > 0).then(|| format!("{} words", rules.words_min));
    let share = (rules.share_min > 0.0).then(|| format!("{:.1} % of the words", rules.share_min * 100.0));
    words.into_iter().chain(share).collect::<Vec<_>>().join(", ")
}
