//! The end of a crawl: how it is brought about by Ctrl-C, and what is said about it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use anyhow::Context as _;
use crawl::Ended;

use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{amount, escape};

/// Whoever presses Ctrl-C: once, and crawls end cleanly; twice, and the process ends at once, which loses nothing either.
#[derive(Clone, Default)]
pub(super) struct Interrupts(Arc<AtomicU32>);

impl Interrupts {
    /// Listens for Ctrl-C and for being asked to end, on a thread of its own.
    pub(super) fn listen() -> anyhow::Result<Interrupts> {
        let interrupts = Interrupts::default();
        let count = interrupts.0.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot listen for Ctrl-C")?;
        thread::spawn(move || {
            runtime.block_on(async {
                let Ok(mut ended) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
                else {
                    return;
                };
                loop {
                    tokio::select! {
                        interrupted = tokio::signal::ctrl_c() => if interrupted.is_err() { return },
                        _ = ended.recv() => {}
                    }
                    if count.fetch_add(1, Ordering::SeqCst) > 0 {
                        // What was told is on the disk; the rest is fetched again.
                        std::process::exit(i32::from(Exit::Failed.code()));
                    }
                }
            });
        });
        Ok(interrupts)
    }

    /// Whether there was one.
    pub(super) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }
}

/// Says what became of a crawl.
pub(crate) fn tell(ended: &Ended, session: &mut Session) -> anyhow::Result<Exit> {
    let counts = ended.counts;
    let is_there = session.archive().is_ok_and(|archive| crawl::work(&archive).join(&ended.job).is_dir());
    if session.globals.json {
        session.out.json(&super::row::Row::of(ended))?;
    } else {
        let what = if ended.is_committed {
            "committed"
        } else if is_there {
            "stopped"
        } else {
            "nothing came, nothing is kept"
        };
        session.out.line(format!(
            "{}: {what}; {}, {}: {} new, {} unchanged, {} gone, {} filtered, {} failed",
            escape(&ended.job),
            amount::counted(counts.got.urls, "document"),
            amount::bytes(counts.got.bytes),
            amount::grouped(counts.novel.urls),
            amount::grouped(counts.duplicate.urls + counts.not_modified.urls),
            amount::grouped(counts.gone),
            amount::grouped(counts.filtered.urls),
            amount::grouped(counts.failed),
        ))?;
    }
    session.out.finish()?;
    remark(ended, is_there, session);
    let is_good = ended.is_committed && ended.seeds.iter().any(|(_, status)| *status > 0);
    Ok(if is_good { Exit::Done } else { Exit::Failed })
}

/// What a person should know, and what to do about it.
fn remark(ended: &Ended, is_there: bool, session: &Session) {
    let job = &ended.job;
    for (seed, status) in ended.seeds.iter().filter(|(_, status)| *status <= 0).take(10) {
        let why = match status {
            0 => "it was not asked for".to_owned(),
            -9998 => "robots.txt forbids it".to_owned(),
            -1 | -6 => "its host was not found".to_owned(),
            -2 => "nobody answers there".to_owned(),
            -61 => "whether robots.txt forbids it could not be found out".to_owned(),
            -5001 => "its address is local or private, and was not asked: `--allow-private` lets it be; or a sheet \
                      leaves it out"
                .to_owned(),
            status => format!("it was not answered ({status})"),
        };
        session.talk.warning(&format!("start URL {}: {why}", escape(seed)));
    }
    if !ended.is_complete {
        session.talk.note(&format!("{}; {} left", ended.how, amount::counted(ended.queued, "URL")));
    }
    if !ended.is_committed && is_there {
        session.talk.hint(&format!(
            "`varve harvest --resume {job}` goes on, `varve jobs commit {job}` keeps what is there, `varve jobs discard \
             {job}` throws it away"
        ));
    }
}
