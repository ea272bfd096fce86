//! `varve notify test`: does a notice arrive?

use anyhow::anyhow;
use notify::{Group, Message, Notice, Severity};
use serde::Serialize;
use supervisor::notifying;

use crate::clock::now;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::record_id;
use crate::session::Session;
use crate::terminal::escape;

/// Send a test notice to everybody who is to be told of troubles
///
/// By mail and by each webhook, one after another and at once, whatever the settings say on how often and how much it must matter. Each way is
/// told with whether the server took it. The exit code is 1 if one did not.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// How it went, for programs.
#[derive(Serialize)]
struct Row<'a> {
    channel: &'a str,
    sent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

pub(crate) fn run(_: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let loaded = session.load_settings()?;
    let values = loaded.file.notify.values();
    let channels = notifying::channels(&values, loaded.archive()?, &fetch::Clock::new(now))?;
    if channels.is_empty() {
        return Err(anyhow!("the settings name nobody who is to be told"))
            .hint("write `email` and `smtp`, or `webhook`, below `[notify]` in varve.toml");
    }
    if !values.webhook.is_empty() && !notifying::is_signed() {
        session.talk.warning("what webhooks are sent is not signed: $VARVE_WEBHOOK_SECRET is not set");
    }
    let mut exit = Exit::Done;
    for channel in channels {
        let name = channel.name();
        let error = channel.send(&message()).err().map(|error| error.in_full());
        if error.is_some() {
            exit = Exit::Failed;
        }
        if session.globals.json {
            let row = Row { channel: &name, sent: error.is_none(), error: error.as_deref() };
            session.out.json(&row)?;
        } else {
            let how = match &error {
                None => session.paint.good("sent").to_string(),
                Some(error) => format!("{} {}", session.paint.bad("failed:"), escape(error)),
            };
            session.out.line(format!("{}: {how}", escape(&name)))?;
        }
        // Each may take a while.
        session.out.finish()?;
    }
    Ok(exit)
}

/// What they are told; each is a message of its own.
fn message() -> Message {
    let at = now();
    let notice = Notice::new(at, "test", Severity::Info, "this is a test: notices arrive here")
        .line("Nothing has happened. Somebody has run `varve notify test`.");
    let group = Group {
        kind: notice.kind.clone(),
        severity: notice.severity,
        count: 1,
        first: at,
        last: at,
        notices: vec![notice],
    };
    Message { id: record_id::new().trim_start_matches("urn:uuid:").to_owned(), groups: vec![group] }
}
