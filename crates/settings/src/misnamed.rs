//! Tables that a settings file cannot have, and those that were probably meant.

use toml::de::{DeTable, DeValue};

use super::filters::BUILT_IN;
use super::nearest::nearest;
use super::profiles;
use super::table::Refused;

/// The tables that a file can have.
const TABLES: [&str; 9] =
    ["harvest", "profiles", "filters", "sheets", "vault", "replicas", "notify", "watch", "disk"];

/// Whether a value is a table, or a list of some.
pub(crate) fn is_table(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::Table(_) => true,
        DeValue::Array(items) => items.iter().next().is_some_and(|item| is_table(item.get_ref())),
        _ => false,
    }
}

/// There is no such table; within which one it stands, if it is not at the top.
pub(crate) fn refused(within: Option<&str>, key: &str, value: &DeValue<'_>) -> Refused {
    let inner = inner(value);
    let path = match inner {
        Some(inner) => format!("{key}.{inner}"),
        None => key.to_owned(),
    };
    let is_list = matches!(value, DeValue::Array(_));
    let message = match (within, is_list) {
        (None, false) => format!("there is no table `[{path}]`"),
        (None, true) => format!("there is no list of tables `[[{path}]]`"),
        (Some(within), _) => format!("there is no table `{path}` within `{within}`"),
    };
    Refused { message, hint: Some(meant(key, inner)) }
}

/// What was probably meant, or else what there is.
fn meant(key: &str, inner: Option<&str>) -> String {
    let name = inner.unwrap_or("NAME");
    let is_profile = profiles::BUILT_IN.iter().any(|profile| profile.name == key);
    let is_filter = BUILT_IN.iter().any(|(name, _)| *name == key);
    let head = match nearest(key, TABLES) {
        _ if is_profile => format!("[profiles.{key}]"),
        _ if is_filter => format!("[filters.{key}]"),
        Some(table @ ("harvest" | "vault" | "notify" | "watch" | "disk")) => format!("[{table}]"),
        Some(table @ ("sheets" | "replicas")) => format!("[[{table}]]"),
        Some(table) => format!("[{table}.{name}]"),
        None => {
            return "there are `[harvest]`, `[profiles.NAME]`, `[filters.NAME]`, `[[sheets]]`, `[vault]`, `[[replicas]]`, `[notify]` and `[disk]`"
                .to_owned();
        }
    };
    format!("did you mean `{head}`?")
}

/// The name of the first table in a table, as in `[profiles.slow]`.
fn inner<'v>(value: &'v DeValue<'_>) -> Option<&'v str> {
    let DeValue::Table(table) = value else { return None };
    first_table(table)
}

fn first_table<'v>(table: &'v DeTable<'_>) -> Option<&'v str> {
    let (name, _) = table.iter().find(|(_, value)| matches!(value.get_ref(), DeValue::Table(_)))?;
    Some(name.get_ref())
}

/// A filter of one's own whose name is nearly that of one that is built in.
pub(crate) fn filter(name: &str) -> Option<String> {
    let near = nearest(name, BUILT_IN.iter().map(|(name, _)| *name))?;
    Some(format!("did you mean `[filters.{near}]`?"))
}
