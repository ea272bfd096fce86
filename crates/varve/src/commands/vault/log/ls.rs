//! `varve vault log ls`: the events, newest last.

use anyhow::anyhow;
use catalogue::Event;
use serde::Serialize;

use crate::exit::Exit;
use crate::hint::with_hint;
use crate::session::Session;
use crate::terminal::{Align, Columns};
use crate::usage::wrong;

/// The kinds of events that are written down.
const KINDS: [&str; 21] = [
    "accepted",
    "added",
    "adopted",
    "audited",
    "changed",
    "corrected",
    "failed",
    "forgotten",
    "given up",
    "missing",
    "noted",
    "refused",
    "removed",
    "repaired",
    "set aside",
    "sound again",
    "stored",
    "taken out",
    "to be forgotten",
    "undecided",
    "unknown",
];

/// Events that are looked at in one go.
const PIECE: u32 = 1000;

/// List what was done and found, the newest last
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only about this file: JOB/NAME
    #[arg(long, value_name = "FILE")]
    file: Option<String>,

    /// Only of this kind, such as `changed`, `repaired`, `unknown`
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,

    /// The last so many; 0 is all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    last: u32,
}

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    number: u64,
    at: String,
    kind: &'a str,
    file: &'a str,
    replica: &'a str,
    who: &'a str,
    what: &'a str,
    hash: String,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    if let Some(kind) = args.kind.as_deref().filter(|kind| !KINDS.contains(kind)) {
        let error = wrong(anyhow!("there is no kind `{kind}` of events"));
        return Err(with_hint(error, format!("the kinds are: {}", KINDS.join(", "))));
    }
    let kept = session.kept()?;
    let catalogue = kept.vault.catalogue();
    let most = if args.last == 0 { u32::MAX } else { args.last };
    let is_wanted = |event: &Event| args.kind.as_ref().is_none_or(|kind| event.happened.kind == *kind);
    if let Some(file) = &args.file {
        let mut events = catalogue.events_of(file, most)?;
        events.reverse();
        events.iter().filter(|event| is_wanted(event)).try_for_each(|event| tell(event, session))?;
        return Ok(Exit::Done);
    }
    if args.kind.is_none() && args.last > 0 {
        let mut events = catalogue.newest_events(most)?;
        events.reverse();
        events.iter().try_for_each(|event| tell(event, session))?;
        return Ok(Exit::Done);
    }
    // The whole log, piece by piece; of those that fit the last are kept.
    let mut last = std::collections::VecDeque::new();
    let mut behind = 0;
    loop {
        let events = catalogue.events(behind, PIECE)?;
        let Some(end) = events.last() else { break };
        behind = end.number;
        for event in events.into_iter().filter(|event| is_wanted(event)) {
            if args.last == 0 {
                tell(&event, session)?;
                continue;
            }
            last.push_back(event);
            if last.len() > most as usize {
                last.pop_front();
            }
        }
    }
    last.iter().try_for_each(|event| tell(event, session))?;
    Ok(Exit::Done)
}

fn tell(event: &Event, session: &mut Session) -> anyhow::Result<()> {
    let happened = &event.happened;
    if session.globals.json {
        return session.out.json(&Row {
            number: event.number,
            at: event.at.to_string(),
            kind: &happened.kind,
            file: &happened.file,
            replica: &happened.replica,
            who: &happened.who,
            what: &happened.what,
            hash: event.hash.to_string(),
        });
    }
    let columns = Columns::new([
        (Align::Right, 6),
        (Align::Left, 20),
        (Align::Left, 11),
        (Align::Left, 9),
        (Align::Left, 0),
    ]);
    let at: String = event.at.to_string().chars().take(19).map(|c| if c == 'T' { ' ' } else { c }).collect();
    let who = if happened.who == "varve" { String::new() } else { format!(" (by {})", happened.who) };
    let what = format!("{}{who}", happened.what);
    let cells = [
        event.number.to_string(),
        at,
        happened.kind.clone(),
        if happened.replica.is_empty() { "-".to_owned() } else { happened.replica.clone() },
        if happened.file.is_empty() { "-".to_owned() } else { happened.file.clone() },
        what,
    ];
    session.out.line(columns.row(cells.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever writes down something new gives it a place here.
    #[test]
    #[allow(clippy::disallowed_methods)] // Our own sources are short.
    fn every_kind_that_is_written_down_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../vault/src");
        let mut found = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            for call in text.split("happened(\"").skip(1) {
                let kind = call.split('"').next().unwrap();
                assert!(KINDS.contains(&kind), "{kind}");
                found += 1;
            }
        }
        assert!(found > 10, "{found}");
    }
}
