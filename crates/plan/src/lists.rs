//! The files that settings name: traps and sheets.

use std::io::Read as _;
use std::path::Path;

use scope::Patterns;
use settings::{Error as Explained, Explain as _, File, Harvest, Input, Problems, SheetLayer, failure};

use super::error::Result;

/// A longer list is none that a person made.
const LIST_BYTES_MAX: u64 = 64 << 20;

/// All traps: those of the settings and those of the lists they name, as they are written.
pub(crate) fn traps(harvest: &Harvest) -> Result<Vec<String>> {
    let mut traps: Vec<String> = harvest.trap_patterns.items.iter().map(|trap| trap.text.clone()).collect();
    for path in &harvest.traps.items {
        let text = text(&path.0)?;
        let name = path.0.display();
        // Checked as a list, so that a mistake has its line.
        Patterns::parse("traps", &text).map_err(|error| match error {
            scope::Error::Pattern { line, pattern, why, .. } => {
                failure!("{name}, line {line}: `{pattern}` {why}")
            }
            error => Explained::above(format!("cannot use `{name}`"), error),
        })?;
        let lines = text.strip_prefix('\u{feff}').unwrap_or(&text).lines().map(str::trim);
        traps.extend(lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned));
    }
    Ok(traps)
}

/// All sheets: those of the settings, then those of the files they name. Over what the command line says a sheet has no say.
pub(crate) fn sheets(
    file: &File,
    harvest: &Harvest,
    is_flag: impl Fn(&str) -> bool,
) -> Result<Vec<SheetLayer>> {
    let mut sheets: Vec<SheetLayer> = file.sheets.iter().map(|(sheet, _)| sheet.clone()).collect();
    for path in &harvest.sheets.items {
        let text = text(&path.0)?;
        let more = File::parse_sheets(&text, &path.0).map_err(Problems::into_error)?;
        sheets.extend(more.into_iter().map(|(sheet, _)| sheet));
    }
    for sheet in &mut sheets {
        if is_flag("delay") {
            sheet.delay = None;
        }
        if is_flag("depth") {
            sheet.depth = None;
        }
        if is_flag("robots") {
            sheet.robots = None;
        }
        if is_flag("agent") {
            sheet.agent = None;
        }
    }
    Ok(sheets)
}

fn text(path: &Path) -> Result<String> {
    let mut text = String::new();
    let input = Input::open(path)?;
    input
        .take(LIST_BYTES_MAX)
        .read_to_string(&mut text)
        .with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(text)
}
