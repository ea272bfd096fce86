//! `varve watch run`: makes the rounds, until somebody ends it.

use std::sync::{Arc, mpsc};

use anyhow::{Context as _, anyhow};
use api::watches::NewsRow;
use archive::Archive;
use serde::Serialize;
use watch::{Event, Made, Rounds, Tempo};

use super::ls::time;
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::interrupts::Interrupts;
use crate::progress::Progress;
use crate::replication;
use crate::session::Session;
use crate::terminal::{Align, Columns, counted, escape, grouped};
use crate::watching::{Asking, Fault, Post, Ready, job_of, news_row};

/// Make the rounds: check what is due, tell what is news
///
/// Goes on until Ctrl-C. Prints what is news, a line each: time, what happened, versions, URL, in short. What has become overdue is spread over
/// some minutes. Captures come into the archive now and then (`commit_every` of `[watch]`), and at the end. `varve up` makes the rounds as
/// well; of one archive one process makes them at a time.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Check what is due by now, tell it, and end: for cron and the like
    #[arg(long)]
    once: bool,

    #[command(flatten)]
    asking: Asking,
}

/// What happens, as it reaches whoever prints.
enum Told {
    Checked,
    Line(Box<NewsRow>),
    Warning(String),
    Committed(String),
}

/// What came of it, for programs.
#[derive(Serialize)]
struct Row {
    checks: u64,
    changed: u64,
    missing: u64,
    failed: u64,
    news: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&args.asking, session)?;
    let interrupts = Interrupts::listen()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("cannot start threads")?;
    let (tell, told) = mpsc::channel();
    let mut tempo = ready.tempo();
    tempo.courier = Some(Arc::new(Post::new(&ready.file, ready.archive.folder(), None)?));
    if args.once {
        // Whoever says "now" means it.
        tempo.spread_from = u32::MAX;
    }
    let heard_by = tell.clone();
    tempo.listener = Arc::new(move |event| {
        for told in heard(&event) {
            // Nobody listens any more if nothing can be printed.
            let _ = heard_by.send(told);
        }
    });
    let archive = ready.archive.clone();
    let rounds = runtime.spawn(make(ready, tempo, args.once, interrupts.clone(), tell));
    print(told, &archive, &interrupts, session)?;
    let Some(made) = runtime.block_on(rounds).context("the rounds have ended oddly")?? else {
        let error = anyhow!("another process makes the rounds of this archive");
        return Err(with_hint(error, "`varve up` does, or another `varve watch run`; one is enough"));
    };
    tell_made(made, session)?;
    Ok(Exit::Done)
}

/// Makes the rounds; nothing if somebody else does.
async fn make(
    ready: Ready,
    tempo: Tempo,
    is_once: bool,
    ends: Interrupts,
    tell: mpsc::Sender<Told>,
) -> anyhow::Result<Option<Made>> {
    let desk = ready.open().await?;
    let Some(mut rounds) = Rounds::begin(&desk.monitor, tempo).await.map_err(Fault::from)? else {
        desk.monitor.close().await;
        return Ok(None);
    };
    let made = match is_once {
        true => tokio::select! {
            made = rounds.once() => made.map_err(Fault::from)?,
            () = ends.wanted() => rounds.made(),
        },
        false => rounds.run(async move { ends.wanted().await }).await.map_err(Fault::from)?,
    };
    if let Some(done) = desk.monitor.commit().await.map_err(Fault::from)?
        && let Some(job) = job_of(&done)
    {
        let _ = tell.send(Told::Committed(job.to_owned()));
    }
    desk.monitor.close().await;
    Ok(Some(made))
}

/// Prints what is told, until there is nobody left to tell anything.
fn print(
    told: mpsc::Receiver<Told>,
    archive: &Archive,
    interrupts: &Interrupts,
    session: &mut Session,
) -> anyhow::Result<()> {
    let bar = Progress::checks(&session.talk, "watching");
    let columns = Columns::new([(Align::Left, 19), (Align::Left, 7), (Align::Left, 9)]);
    for told in told {
        match told {
            Told::Checked => bar.inc(1),
            Told::Line(news) if session.globals.json => session.out.json(&news)?,
            Told::Line(news) => {
                let versions = match (news.before, news.after) {
                    (Some(before), Some(after)) => format!("v{before}..v{after}"),
                    _ => "-".to_owned(),
                };
                let cells = [&time(&news.time), news.kind, &versions, &news.url, &news.summary];
                session.out.line(columns.row(cells.map(|cell| -> &str { cell })))?;
            }
            Told::Warning(text) => session.talk.warning(&text),
            Told::Committed(job) => replication::after_commit(archive, &job, interrupts, session),
        }
        // Somebody may read along in a pipe.
        session.out.finish()?;
    }
    bar.finish();
    Ok(())
}

/// What of an event is told.
fn heard(event: &Event<'_>) -> Vec<Told> {
    match event {
        Event::Checked(_) => vec![Told::Checked],
        Event::News(news) => vec![Told::Line(Box::new(news_row(news)))],
        Event::NotChecked(watch, error) => {
            vec![Told::Warning(format!("watch {}, {}: not checked: {error}", watch.id, escape(&watch.url)))]
        }
        Event::Posted(posted) => {
            let mut told = Vec::new();
            if posted.failed > 0 {
                let messages = counted(posted.failed, "message");
                told.push(Told::Warning(format!("{messages} could not be sent, and will be tried again")));
            }
            if posted.given_up > 0 {
                let messages = counted(posted.given_up, "message");
                told.push(Told::Warning(format!("{messages} could not be sent; `varve watch ls` tells why")));
            }
            told
        }
        Event::Committed(committed) => {
            job_of(committed).map(|job| Told::Committed(job.to_owned())).into_iter().collect()
        }
        Event::Trouble(error) => {
            vec![Told::Warning(format!("{:#}; it is tried again", anyhow::Error::new((*error).clone())))]
        }
        _ => Vec::new(),
    }
}

fn tell_made(made: Made, session: &mut Session) -> anyhow::Result<()> {
    let Made { checks, changed, missing, failed, news } = made;
    if session.globals.json {
        session.out.json(&Row { checks, changed, missing, failed, news })?;
        return session.out.finish();
    }
    let mut text =
        format!("{}, {} changed, {} not there", counted(checks, "check"), grouped(changed), grouped(missing));
    if failed > 0 {
        text.push_str(&format!(", {} not made", grouped(failed)));
    }
    session.talk.note(&format!("{text}; {} news", grouped(news)));
    Ok(())
}
