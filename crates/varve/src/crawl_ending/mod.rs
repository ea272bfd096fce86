//! What is said about the end of a crawl.

mod row;

use crawl::Ended;
use supervisor::{SEEDS_TOLD, seed_fate};

use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{amount, escape};

/// Says what became of a crawl.
pub(crate) fn tell(ended: &Ended, session: &mut Session) -> anyhow::Result<Exit> {
    let is_there = session.archive().is_ok_and(|archive| archive.work().join(&ended.job).is_dir());
    if session.globals.json {
        session.out.json(&row::Row::of(ended))?;
    } else {
        session.out.line(told(ended, is_there))?;
    }
    session.out.finish()?;
    let is_good = ended.is_committed && ended.seeds.iter().any(|(_, status)| *status > 0);
    remark(ended, is_there, is_good, session);
    Ok(if is_good { Exit::Done } else { Exit::Failed })
}

/// What became of a crawl, in a line.
pub(crate) fn told(ended: &Ended, is_there: bool) -> String {
    let counts = ended.counts;
    let what = if ended.is_committed {
        "committed"
    } else if is_there {
        "stopped"
    } else {
        "nothing came, nothing is kept"
    };
    format!(
        "{}: {what}; {}, {}: {} new, {} unchanged, {} gone, {} filtered, {} failed",
        escape(&ended.job),
        amount::counted(counts.got.urls, "document"),
        amount::bytes(counts.got.bytes),
        amount::grouped(counts.novel.urls),
        amount::grouped(counts.duplicate.urls + counts.not_modified.urls),
        amount::grouped(counts.gone),
        amount::grouped(counts.filtered.urls),
        amount::grouped(counts.failed),
    )
}

/// What a person should know, and what to do about it. Where it has failed, also those who want quiet are told why.
fn remark(ended: &Ended, is_there: bool, is_good: bool, session: &Session) {
    let (job, talk) = (&ended.job, &session.talk);
    let warning = |text: &str| if is_good { talk.warning(text) } else { talk.error(text) };
    let note = |text: &str| if is_good { talk.note(text) } else { talk.reason(text) };
    // Those that were not asked for yet are no news of a crawl that can go on.
    let is_missed = |status: i32| status < 0 || status == 0 && (ended.is_committed || !is_there);
    let missed: Vec<_> = ended.seeds.iter().filter(|(_, status)| is_missed(*status)).collect();
    for (seed, status) in missed.iter().take(SEEDS_TOLD) {
        warning(&format!("start URL {}: {}", escape(seed), seed_fate(*status, "`--allow-private`")));
    }
    match missed.len().saturating_sub(SEEDS_TOLD) as u64 {
        0 => {}
        more => warning(&format!("{} did not come", amount::counted(more, "more start URL"))),
    }
    if !ended.is_complete {
        let left = ended.queued + ended.counts.over_budget;
        note(&format!("{}; {} left", ended.how, amount::counted(left, "URL")));
    }
    if !ended.is_committed && is_there {
        session.talk.hint(&format!(
            "`varve harvest --resume {job}` goes on, `varve jobs commit {job}` keeps what is there, `varve jobs discard \
             {job}` throws it away"
        ));
    }
}
