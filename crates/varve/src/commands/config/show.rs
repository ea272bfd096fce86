//! `varve config show`: every setting that holds, and who said so.

use serde::Serialize;
use settings::{Layer as _, Shown};

use crate::exit::Exit;
use crate::flags::Flags;
use crate::session::Session;
use crate::terminal::{Align, Columns};

/// Show the settings that hold, each with where it was said
///
/// The settings are written as in a settings file. Behind each stands the line of the file, the profile or the option that says
/// so; what is said nowhere is built in. Every option of `varve harvest` is understood, so that one sees what a harvest with the same
/// options would go by.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Leave out what is built in
    #[arg(long)]
    changed: bool,

    // Boxed, because there are many.
    #[command(flatten)]
    flags: Box<Flags>,
}

/// A setting for programs.
#[derive(Serialize)]
struct Row<'a> {
    part: &'a str,
    name: &'a str,
    value: serde_json::Value,
    from: Vec<String>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let loaded = session.load_settings()?;
    let layer = loaded.harvest(&args.flags.layer)?;
    let mut parts = vec![("[harvest]".to_owned(), "harvest".to_owned(), layer.shown(), args.changed)];
    for (name, layer) in &loaded.file.filters {
        let part = format!("filters.{name}");
        parts.push((format!("[{part}]"), part, layer.shown(), args.changed));
    }
    for (number, (layer, _)) in loaded.file.sheets.iter().enumerate() {
        // What a sheet does not say, the settings above say.
        parts.push(("[[sheets]]".to_owned(), format!("sheets.{}", number + 1), layer.shown(), true));
    }
    parts.push(("[vault]".to_owned(), "vault".to_owned(), loaded.file.vault.shown(), args.changed));
    for (number, (layer, _)) in loaded.file.replicas.iter().enumerate() {
        parts.push(("[[replicas]]".to_owned(), format!("replicas.{}", number + 1), layer.shown(), true));
    }
    let file = &loaded.file;
    for (part, shown) in
        [("notify", file.notify.shown()), ("watch", file.watch.shown()), ("disk", file.disk.shown())]
    {
        parts.push((format!("[{part}]"), part.to_owned(), shown, args.changed));
    }
    let mut is_first = true;
    for (head, part, mut shown, is_changed_only) in parts {
        shown.retain(|shown| !is_changed_only || !shown.origins.is_empty());
        if shown.is_empty() {
            continue;
        }
        if session.globals.json {
            rows(&part, &shown, session)?;
        } else {
            if !std::mem::take(&mut is_first) {
                session.out.line("")?;
            }
            session.out.line(session.paint.strong(head))?;
            lines(&shown, session)?;
        }
    }
    Ok(Exit::Done)
}

fn lines(shown: &[Shown], session: &mut Session) -> anyhow::Result<()> {
    let width = shown.iter().map(|shown| shown.key.len()).max().unwrap_or_default();
    let columns = Columns::new([(Align::Left, width + 2 + 24)]);
    for Shown { key, value, origins } in shown {
        let from = if origins.is_empty() { "built in".to_owned() } else { from(origins).join(", ") };
        let setting = format!("{key:width$} = {value}");
        let line = columns.row([setting.as_str(), &format!("# {from}")]);
        if origins.is_empty() {
            session.out.line(session.paint.faint(line))?;
        } else {
            session.out.line(line)?;
        }
    }
    Ok(())
}

fn rows(part: &str, shown: &[Shown], session: &mut Session) -> anyhow::Result<()> {
    for Shown { key, value, origins } in shown {
        let value = toml::from_str::<toml::Table>(&format!("value = {value}")).ok();
        let value =
            value.and_then(|table| serde_json::to_value(table.get("value")?).ok()).unwrap_or_default();
        session.out.json(&Row { part, name: key, value, from: from(origins) })?;
    }
    Ok(())
}

fn from(origins: &[settings::Origin]) -> Vec<String> {
    origins.iter().map(ToString::to_string).collect()
}
