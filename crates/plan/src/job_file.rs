//! `job.toml`: the settings a job was begun with, in the format of a settings file, with everything written out.
//!
//! It is kept in the archive with what the job has fetched (D9), so it says who set what, and nothing that is secret: a proxy is
//! of the machine, not of the job. Files that settings name are in it word for word, because they may change.

use std::fmt::Write as _;

use super::filters::Used;
use settings::kind::{Kind as _, quoted};
use settings::{FORMAT, FilterLayer, HarvestLayer, Layer as _, SheetLayer, Shown};

/// What a job does not take along: what its machine knows, and files that are written out here.
pub(crate) const LEFT_OUT: [&str; 7] =
    ["proxy", "no_proxy", "allow_private_proxy", "seeds", "traps", "trap_patterns", "sheets"];

/// What there is to write down.
pub(crate) struct JobFile<'a> {
    pub(crate) layer: &'a HarvestLayer,
    /// The years that were usual when it began.
    pub(crate) years: Option<(u16, u16)>,
    pub(crate) traps: &'a [String],
    pub(crate) filters: Vec<(String, FilterLayer)>,
    /// The modules among them.
    pub(crate) modules: &'a [Used],
    pub(crate) sheets: &'a [SheetLayer],
}

impl JobFile<'_> {
    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "# The settings of a job, as they were when it began. `varve harvest --resume` goes by them.\n\
             # Behind each stands who said so; what was said nowhere is built in.\n\n\
             format = {FORMAT}\n\n[harvest]\n"
        );
        for shown in self.layer.shown() {
            match (shown.key, self.years) {
                (key, _) if LEFT_OUT.contains(&key) => {}
                ("years", Some((first, last))) => {
                    let value = quoted(&format!("{first}-{last}"));
                    setting(&mut text, &Shown { value, ..shown });
                }
                _ => setting(&mut text, &shown),
            }
        }
        let _ = writeln!(text, "trap_patterns = {}", self.traps.to_vec().show());
        for (name, layer) in &self.filters {
            let _ = write!(text, "\n[filters.{}]\n", quoted(name));
            let used = self.modules.iter().find(|module| module.name == *name);
            for shown in layer.shown() {
                let value = match (shown.key, used) {
                    ("sha256", Some(used)) => quoted(&used.sha256),
                    ("module", Some(used)) => quoted(&used.path.to_string_lossy()),
                    _ => shown.value.clone(),
                };
                setting(&mut text, &Shown { value, ..shown });
            }
        }
        for sheet in self.sheets {
            text.push_str("\n[[sheets]]\n");
            let said = sheet.shown().into_iter().filter(|shown| !shown.origins.is_empty());
            said.for_each(|shown| setting(&mut text, &shown));
        }
        text
    }
}

/// A setting, and who said so.
fn setting(text: &mut String, shown: &Shown) {
    let from: Vec<String> = shown.origins.iter().map(ToString::to_string).collect();
    // A path may have a line break in it, and a comment may not.
    let from = from.join(", ").replace(|c: char| c.is_control(), "?");
    let from = if from.is_empty() { from } else { format!("  # {from}") };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{} = {}{from}", shown.key, shown.value);
}
