//! `varve watch test`: what rules keep of a page, and what they would tell.

use api::watches::{Preview, WatchWish, Which};
use serde::Serialize;

use super::naming;
use crate::difference::Shown;
use crate::exit::Exit;
use crate::rule_options::Rules;
use crate::session::Session;
use crate::terminal::{Lines, grouped};
use crate::watching::{Asking, Looking, Ready, address};

/// Try rules: what they keep of a page, and what they would have told last
///
/// No watch is made. A page that was never checked is, as by `varve check`; else what is known of it is taken. If there are two versions, it is said
/// what the rules make of the last change. For a watch, the rules are its own, with those that are given laid over them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A page, or a watch by its number
    #[arg(value_name = "ID|URL")]
    page: String,

    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    asking: Asking,
}

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    preview: &'a Preview,
    last_change: Option<&'a api::watches::DifferenceRow>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&args.asking, session)?;
    let ((preview, compared), after) = ready.ask(session, async |desk| {
        let watch = match args.page.parse::<i64>() {
            Ok(_) => Some(naming::find(desk, &args.page, None).await?),
            Err(_) => desk.watches_of(&address(&args.page)?, None).await?.into_iter().next(),
        };
        let mut wish = match &watch {
            Some(watch) => desk.wish(watch),
            None => WatchWish { url: args.page.clone(), ..WatchWish::default() },
        };
        args.rules.lay(&mut wish.rules)?;
        let preview = desk.preview(&wish).await?;
        let looking =
            Looking { watch: watch.map(|watch| watch.id), rules: Some(wish.rules.clone()), noise: false };
        let number = preview.version.number;
        let compared = match number > 1 {
            true => {
                let (from, to) = (Which::Number(number - 1), Which::Number(number));
                Some(desk.difference(&address(&wish.url)?, from, to, &looking).await?)
            }
            false => None,
        };
        Ok((preview, compared))
    })?;
    if session.globals.json {
        session
            .out
            .json(&Row { preview: &preview, last_change: compared.as_ref().map(|found| &found.row) })?;
    } else {
        let left_out = match preview.left_out {
            0 => String::new(),
            count => format!(", without {} of its lines", grouped(count as u64)),
        };
        let head = format!("kept of version {}{left_out}:", preview.version.number);
        session.out.line(session.paint.strong(head))?;
        if preview.kept.trim().is_empty() {
            session.out.line("  nothing")?;
        }
        let mut lines = Lines::new(&mut session.out);
        std::io::Write::write_all(&mut lines, preview.kept.as_bytes())?;
        lines.finish()?;
        if preview.is_cut {
            session.out.line("  …")?;
        }
        if let Some(compared) = &compared {
            session.out.line("")?;
            Shown { compared, noise: false }.verdict(session)?;
            Shown { compared, noise: false }.unified(session)?;
        }
    }
    session.out.finish()?;
    if compared.is_none() {
        session.talk.note("there is one version yet, and so nothing to compare");
    }
    after.finish(session);
    Ok(Exit::Done)
}
