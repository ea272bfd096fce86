//! The options of the command line that are settings, made from the table so that name, help and usual value stand in one place.

use std::path::Path;

use clap::builder::{StringValueParser, TypedValueParser as _};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use settings::kind::{Given, NONE, Raw};
use settings::{HarvestLayer, Layer as _, Refused, Row};

/// What the command line says of the settings.
#[derive(Clone, Default)]
pub(crate) struct Flags {
    /// The settings.
    pub(crate) layer: HarvestLayer,
}

const SET: &str = "set";

impl clap::Args for Flags {
    fn augment_args(command: Command) -> Command {
        let rows = HarvestLayer::ROWS.iter().filter(|row| row.flag.is_some());
        let command = rows.fold(command, |command, row| command.arg(arg(row)));
        command.arg(
            Arg::new(SET)
                .long(SET)
                .value_name("NAME=VALUE")
                .action(ArgAction::Append)
                .help(
                    "Set any other setting of varve.toml, such as path_depth=30; may be given several times",
                )
                .help_heading("Other settings"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Flags, clap::Error> {
        let mut flags = Flags::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for row in HarvestLayer::ROWS {
            let Some((name, _)) = row.flag else { continue };
            let Some(words) = matches.get_many::<String>(row.key) else { continue };
            let words: Vec<Raw> = words.map(|word| Raw::Text(word.clone())).collect();
            let raw = match (row.is_list, words) {
                (false, mut words) => words.pop(),
                (true, words) => Some(Raw::List(words)),
            };
            if let Some(raw) = raw {
                self.set(row.key, &raw, format!("--{name}"))?;
            }
        }
        for word in matches.get_many::<String>(SET).into_iter().flatten() {
            let Some((key, value)) = word.split_once('=') else {
                return Err(usage(format!("`--set {word}`: write it NAME=VALUE\n")));
            };
            // A value is written as in a file, but for the quotes, which a shell would take away.
            let key = key.trim();
            // Settings of a harvest stand under this head in the file.
            let key = key.strip_prefix("harvest.").unwrap_or(key);
            let document = format!("value = {value}");
            let parsed = toml::de::DeTable::parse(&document).ok();
            let parsed = parsed.as_ref().and_then(|document| document.get_ref().get("value"));
            let raw =
                parsed.map_or_else(|| Raw::Text(value.trim().to_owned()), |value| Raw::of(value.get_ref()));
            self.set(key, &raw, "--set".to_owned())?;
        }
        Ok(())
    }
}

impl Flags {
    fn set(&mut self, key: &str, raw: &Raw, name: String) -> Result<(), clap::Error> {
        self.layer.say_as(key, raw, name.clone()).map_err(|refused| {
            let Refused { message, hint } = refused;
            let hint = hint.map(|hint| format!("\n\nhint: {hint}")).unwrap_or_default();
            usage(format!("`{name}`: {message}{hint}\n"))
        })
    }
}

fn usage(message: String) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, message)
}

/// The option of one setting.
fn arg(row: &'static Row) -> Arg {
    let (name, value_name) = row.flag.unwrap_or_default();
    let arg = Arg::new(row.key).long(name).help(help(row)).help_heading(row.section);
    let parser = StringValueParser::new().try_map(move |word: String| check(row, &word).map(|()| word));
    let arg = arg.value_parser(parser);
    if row.is_switch {
        let arg = arg.value_name("BOOL").num_args(0..=1).require_equals(true);
        return arg.default_missing_value("true").action(ArgAction::Set);
    }
    let action = if row.is_list { ArgAction::Append } else { ArgAction::Set };
    arg.value_name(value_name).action(action)
}

/// What is wrong with a word, if something is.
fn check(row: &Row, word: &str) -> Result<(), String> {
    let raw = Raw::Text(word.to_owned());
    (row.check)(&Given { raw: &raw, folder: Path::new("") }).map_err(|wrong| {
        let allowed = (row.allowed)().replace('"', "");
        let allowed = allowed.strip_prefix("a list, each of it ").unwrap_or(&allowed);
        match wrong.reason {
            Some(reason) => format!("{reason}; write {allowed}"),
            None => format!("write {allowed}"),
        }
    })
}

/// What it is for, whether it may be repeated, and what holds otherwise.
fn help(row: &Row) -> String {
    let mut help = row.text();
    if row.is_list {
        help.push_str("; may be given several times");
    }
    let usual = (row.usual)();
    match usual.trim_matches('"') {
        "[]" | NONE => {}
        "true" => {
            help.push_str(&format!(" [default: true; --{}=false for not]", row.flag.unwrap_or_default().0))
        }
        "false" => {}
        usual => help.push_str(&format!(" [default: {usual}]")),
    }
    help
}
