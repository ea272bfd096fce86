//! The settings as they are written down: the `varve.toml` of a new archive, and `docs/settings.md`. Both come from the tables.

use std::fmt::Write as _;

use super::disk::DiskLayer;
use super::filters::{self, FilterLayer};
use super::harvest::HarvestLayer;
use super::notify::NotifyLayer;
use super::profiles;
use super::replica::ReplicaLayer;
use super::sheet::SheetLayer;
use super::table::{Layer as _, Row};
use super::vault::VaultLayer;
use super::watch::WatchLayer;

/// The longest line of a file.
const WIDTH: usize = 100;

/// The settings of a new archive: everything that can be set, with what holds if it is not, all of it commented out.
pub fn new_file() -> String {
    let mut text = String::from(
        "# The settings of this archive. Everything is as usual; what is to be otherwise loses its `#`.\n\
         # Times are written 500ms, 90s, 30m, 6h or 1d, sizes 4096, 10MB or 1GiB. `varve config check` finds\n\
         # mistakes, `varve config show` tells what holds and why.\n\n\
         format = 1\n\n\
         # The archive's folder, if it is not the one of this file.\n\
         # archive = \".\"\n\n\
         [harvest]\n",
    );
    let mut section = "";
    for row in HarvestLayer::ROWS {
        if row.section != section {
            section = row.section;
            let _ = write!(text, "\n# ---- {section} ----\n");
        }
        text.push('\n');
        entry(&mut text, row);
    }
    text.push('\n');
    comment(
        &mut text,
        "Below here the lines in brackets lose their `#`, too, if something below them does. Profiles are for harvests that \
         ask for them by `--profile NAME`, with any of the settings above. There are:",
    );
    for profile in &profiles::BUILT_IN {
        comment(&mut text, &format!("`{}`: {}", profile.name, profile.about));
    }
    text.push_str("# [profiles.mine]\n# profile = \"selective\"\n# delay = \"2s\"\n");
    text.push_str("\n# Filters, used if `filters` above names them.\n");
    for (name, about) in filters::BUILT_IN {
        let _ = write!(text, "\n# Looks at {about}.\n# [filters.{name}]\n");
        FilterLayer::new(name).rows().iter().for_each(|row| entry(&mut text, row));
    }
    text.push('\n');
    comment(
        &mut text,
        "Sheets hold for a part of the web, over everything but the command line. There may be many.",
    );
    text.push_str("# [[sheets]]\n");
    SheetLayer::ROWS.iter().for_each(|row| entry(&mut text, row));
    text.push('\n');
    comment(&mut text, "How the files that are kept are looked after: `varve vault --help`.");
    text.push_str("# [vault]\n");
    VaultLayer::ROWS.iter().for_each(|row| entry(&mut text, row));
    text.push('\n');
    comment(
        &mut text,
        "Further places that keep every file, besides the archive's own folder, or its checksum. There may be many; with two copies \
         and a folder of checksums, damage to any one of them is repaired by itself.",
    );
    text.push_str("# [[replicas]]\n");
    ReplicaLayer::ROWS.iter().for_each(|row| entry(&mut text, row));
    text.push_str("\n# Who is told of troubles, besides whoever looks at the screen.\n# [notify]\n");
    NotifyLayer::ROWS.iter().for_each(|row| entry(&mut text, row));
    text.push_str(
        "\n# How pages are watched, where a watch does not say otherwise: `varve watch --help`.\n# [watch]\n",
    );
    WatchLayer::ROWS.iter().for_each(|row| entry(&mut text, row));
    text.push_str("\n# How much room there must be on the disks of the archive.\n# [disk]\n");
    DiskLayer::ROWS.iter().for_each(|row| entry(&mut text, row));
    text
}

/// A setting with what it is for, commented out.
fn entry(text: &mut String, row: &Row) {
    comment(text, &format!("{}.", row.text().trim_end_matches('.')));
    let _ = writeln!(text, "# {} = {}", row.key, (row.usual)());
}

/// A paragraph of comment lines.
fn comment(text: &mut String, paragraph: &str) {
    let mut line = String::from("#");
    for word in paragraph.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{line}");
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    let _ = writeln!(text, "{line}");
}

/// The page of all settings.
#[cfg(test)]
pub(crate) fn page() -> String {
    let mut page = String::from(
        "# Settings\n\n\
         This page is made from the tables in `crates/settings/src/`; a test keeps it equal to them.\n\n\
         The settings of an archive stand in its `varve.toml`, which `varve init` writes with everything commented out. Each layer\n\
         holds over the one before:\n\n\
         1. what is built in,\n\
         2. `[harvest]` in `varve.toml`, or in the file that `--config` or `$VARVE_CONFIG` names,\n\
         3. the profile that `--profile` or the setting `profile` names,\n\
         4. a sheet, for its part of the web,\n\
         5. the command line.\n\n\
         Lists of files, prefixes, domains, patterns, networks and servers add up from layer to layer, unless `\"none\"` is the first\n\
         word of one; every other value replaces the one before. `varve config show` tells what holds and where it was said,\n\
         `varve config check` what is wrong. A file that is missing or cannot be read is no error: there is a warning, and what is built\n\
         in holds. A file that is wrong is one, with its line.\n\n\
         Times are `500ms`, `90s`, `30m` (or `30min`), `6h`, `1d`, `2w`, `1h30m` or a number of seconds; sizes `4096`, `10MB` (powers of ten) or `1GiB` (of two).\n\
         Paths start from the folder of the file they stand in. `\"none\"` is for what may be absent.\n\n\
         At the top of the file stand `format = 1` and, if the archive is not the file's own folder, `archive = \"DIR\"`.\n\
         Passwords of sites stand in none of them: `varve secrets` keeps those, encrypted by the key in `secrets.key` or in the file that\n\
         `$VARVE_SECRETS_KEY_FILE` names ([guide](guides/secrets.md)).\n\n\
         ## `[harvest]` and `[profiles.NAME]`\n",
    );
    let mut section = "";
    for row in HarvestLayer::ROWS {
        if row.section != section {
            section = row.section;
            let _ = write!(
                page,
                "\n### {section}\n\n| setting | what it is | allowed | usual | option |\n|---|---|---|---|---|\n"
            );
        }
        let option = match row.flag {
            Some((name, "")) => format!("`--{name}`"),
            Some((name, value)) => format!("`--{name} {value}`"),
            None => String::new(),
        };
        let _ = writeln!(page, "| `{}` | {} | {option} |", row.key, cells(row));
    }
    page.push_str("\nWhat has no option of its own is set on the command line by `--set NAME=VALUE`.\n\n## Built-in profiles\n\n| profile | for | sets |\n|---|---|---|\n");
    for profile in &profiles::BUILT_IN {
        let sets: Vec<String> =
            profile.sets.iter().map(|(key, value)| format!("`{key} = {value}`")).collect();
        let _ = writeln!(page, "| `{}` | {} | {} |", profile.name, profile.about, sets.join(", "));
    }
    page.push_str(
        "\n`[profiles.NAME]` adds to one of these, or is a new one; `profile = \"NAME\"` in it builds upon another.\n\n\
         ## `[filters.NAME]`\n\nA filter is used if the setting `filters` names it.\n\n\
         | filter | setting | what it is | allowed | usual |\n|---|---|---|---|---|\n",
    );
    for name in filters::BUILT_IN.map(|(name, _)| name).into_iter().chain(["a module"]) {
        for row in FilterLayer::new(name).rows() {
            let shown = if name == "a module" { name.to_owned() } else { format!("`{name}`") };
            let _ = writeln!(page, "| {shown} | `{}` | {} |", row.key, cells(row));
        }
    }
    page.push_str(
        "\n## `[[sheets]]`\n\nIn `varve.toml`, or in files of their own that `--sheet` or the setting `sheets` names; such a file has\n\
         several below `[[sheets]]`, or is a single one without it. The longest prefix that fits a URL holds, setting by setting;\n\
         of sheets for the same prefix the last.\n\n\
         | setting | what it is | allowed | usual |\n|---|---|---|---|\n",
    );
    table(&mut page, SheetLayer::ROWS);
    page.push_str(
        "\n## `[vault]`\n\nHow the files that are kept are looked after.\n\n\
         | setting | what it is | allowed | usual |\n|---|---|---|---|\n",
    );
    table(&mut page, VaultLayer::ROWS);
    page.push_str(
        "\n## `[[replicas]]`\n\nFurther places that keep every file, or its checksum, besides the archive's own folder, which is the\n\
         replica `store`: files are sealed there, and read from there by preference. Each has a `name` and is one of three things:\n\
         `folders`, a `bucket`, or a folder of `checksums`. A changed copy is repaired by itself only if most of the replicas agree with\n\
         the recorded checksum: one copy against one is no majority, so have at least three replicas; the third may be of checksums\n\
         alone.\n\n\
         | setting | what it is | allowed | usual |\n|---|---|---|---|\n",
    );
    table(&mut page, ReplicaLayer::ROWS);
    page.push_str(
        "\n## `[notify]`\n\nWho is told of troubles, besides whoever looks at the screen: [a guide](guides/notifications.md).\n\n\
         | setting | what it is | allowed | usual |\n|---|---|---|---|\n",
    );
    table(&mut page, NotifyLayer::ROWS);
    page.push_str(
        "\n## `[watch]`\n\nHow pages are watched, where a watch does not say otherwise: [a guide](guides/watching.md).\n\n\
         | setting | what it is | allowed | usual |\n|---|---|---|---|\n",
    );
    table(&mut page, WatchLayer::ROWS);
    page.push_str(
        "\n## `[disk]`\n\nHow much room there must be on the disks of the archive.\n\n\
         | setting | what it is | allowed | usual |\n|---|---|---|---|\n",
    );
    table(&mut page, DiskLayer::ROWS);
    page
}

/// The lines of a table of settings that have no options.
#[cfg(test)]
fn table(page: &mut String, rows: &[Row]) {
    for row in rows {
        let _ = writeln!(page, "| `{}` | {} |", row.key, cells(row));
    }
}

/// What a setting is for, what it allows and what is usual, as cells of a table.
#[cfg(test)]
fn cells(row: &Row) -> String {
    let plain = |text: String| text.replace('|', "\\|");
    format!("{} | {} | `{}`", plain(row.text()), plain((row.allowed)()), plain((row.usual)()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::File;
    use super::*;

    #[test]
    fn the_page_says_what_the_tables_say() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
        if std::env::var_os("VARVE_WRITE_PAGES").is_some() {
            std::fs::write(&path, page()).unwrap();
        }
        #[allow(clippy::disallowed_methods)]
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == page(),
            "docs/settings.md is old: VARVE_WRITE_PAGES=1 cargo test -p varve settings writes it"
        );
    }

    /// A3: what `init` writes can be read, and is as usual with and without its comment signs.
    #[test]
    fn a_new_file_says_what_is_usual_anyway() {
        let usual = HarvestLayer::default().shown();
        let as_written = File::parse(&new_file(), Path::new("varve.toml")).ok().unwrap();
        assert_eq!(as_written.harvest.shown(), usual);
        let text = new_file();
        let bare: Vec<&str> = text.lines().filter_map(setting).collect();
        let read = File::parse(&bare.join("\n"), Path::new("varve.toml"));
        let read = read.map_err(|problems| format!("{problems:?}")).unwrap();
        let values = |shown: Vec<super::super::Shown>| -> Vec<String> {
            shown.into_iter().map(|shown| format!("{} = {}", shown.key, shown.value)).collect()
        };
        assert_eq!(values(read.harvest.shown()), values(usual));
        assert_eq!(read.filters.len(), filters::BUILT_IN.len());
        assert_eq!((read.sheets.len(), read.replicas.len()), (1, 1));
        assert_eq!(values(read.vault.shown()), values(VaultLayer::default().shown()));
    }

    /// What a line sets, or would set without its comment sign.
    fn setting(line: &str) -> Option<&str> {
        let bare = line.trim_start_matches("# ");
        let is_name = |key: &str| key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let is_set = bare.split_once(" = ").is_some_and(|(key, _)| is_name(key));
        (is_set || bare.starts_with('[') && bare.ends_with(']')).then_some(bare)
    }

    #[test]
    fn lines_are_not_long() {
        for line in new_file().lines().filter(|line| !line.contains(" = ")) {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
}
