//! A settings file, taken apart: `varve.toml`, a sheet, or the settings a job was begun with.
//!
//! ```toml
//! format = 1
//! archive = "."
//! [harvest]                # for every harvest
//! [profiles.NAME]          # for those that ask for it; the same settings
//! [filters.NAME]           # what a filter lets through
//! [[sheets]]               # for a part of the web
//! [vault]                  # how files are looked after
//! [[replicas]]             # further places that keep them
//! [notify]                 # who is told
//! [watch]                  # how pages are watched
//! [disk]                   # how much room there must be
//! ```
//!
//! Nothing is passed over: what is not known is a problem, with its line. All problems are found, not only the first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::disk::DiskLayer;
use super::filters::FilterLayer;
use super::harvest::HarvestLayer;
use super::kind::{Given, Raw};
use super::nearest::nearest;
use super::notify::NotifyLayer;
use super::origin::Origin;
use super::problem::{Problem, Problems};
use super::replica::ReplicaLayer;
use super::sheet::SheetLayer;
use super::table::{Layer, Refused};
use super::vault::VaultLayer;
use super::watch::WatchLayer;
use super::{misnamed, syntax};

/// The version of the format.
pub const FORMAT: u64 = 1;

/// The parts that a file can have.
const PARTS: [&str; 11] = [
    "format", "archive", "harvest", "profiles", "filters", "sheets", "vault", "replicas", "notify", "watch",
    "disk",
];

/// What a file says.
#[derive(Clone, Default)]
pub struct File {
    /// The archive's folder, if it is another one than the file's own.
    pub archive: Option<PathBuf>,
    /// For every harvest.
    pub harvest: HarvestLayer,
    /// For those that ask for it.
    pub profiles: BTreeMap<String, HarvestLayer>,
    /// What filters let through, by their names.
    pub filters: BTreeMap<String, FilterLayer>,
    /// For parts of the web, each with its line.
    pub sheets: Vec<(SheetLayer, usize)>,
    /// How files are looked after.
    pub vault: VaultLayer,
    /// Further places that keep them, each with its line.
    pub replicas: Vec<(ReplicaLayer, usize)>,
    /// Who is told what happens.
    pub notify: NotifyLayer,
    /// How pages are watched.
    pub watch: WatchLayer,
    /// How much room there must be.
    pub disk: DiskLayer,
}

impl File {
    /// Takes a settings file apart. Paths in it start from its folder.
    pub fn parse(text: &str, path: &Path) -> Result<File, Problems> {
        let mut reading = Reading::new(text, path);
        let document = reading.document()?;
        let mut file = File::default();
        for (key, value) in document.get_ref() {
            file.part(key.get_ref(), value, reading.line(key), &mut reading);
        }
        reading.finish(file)
    }

    /// Takes a file of sheets apart: one sheet, or several below `[[sheets]]`.
    pub fn parse_sheets(text: &str, path: &Path) -> Result<Vec<(SheetLayer, usize)>, Problems> {
        let mut reading = Reading::new(text, path);
        let document = reading.document()?;
        let mut file = File::default();
        let is_list = document.get_ref().contains_key("sheets");
        let parts = |key: &str| matches!(key, "sheets" | "format");
        if is_list {
            for (key, value) in document.get_ref() {
                let line = reading.line(key);
                match key.get_ref().as_ref() {
                    part if parts(part) => file.part(part, value, line, &mut reading),
                    other => reading.refuse(line, Refused::unknown("part", other, ["sheets", "format"])),
                }
            }
        } else {
            let mut layer = SheetLayer::default();
            for (key, value) in document.get_ref() {
                match key.get_ref().as_ref() {
                    "format" => file.part("format", value, reading.line(key), &mut reading),
                    _ => reading.setting(&mut layer, key, value),
                }
            }
            file.sheets.push((layer, 1));
        }
        let sheets = reading.finish(file)?.sheets;
        Ok(sheets)
    }

    /// One part of a file.
    fn part(&mut self, key: &str, value: &Spanned<DeValue<'_>>, line: usize, reading: &mut Reading<'_>) {
        match key {
            "format" => reading.format(value, line),
            "archive" => match value.get_ref() {
                DeValue::String(folder) => self.archive = Some(reading.folder.join(folder.as_ref())),
                other => reading.wrong(line, "archive", other, "the path of a folder"),
            },
            "harvest" => reading.settings(&mut self.harvest, "[harvest]", value, line),
            "notify" => reading.settings(&mut self.notify, "[notify]", value, line),
            "watch" => reading.settings(&mut self.watch, "[watch]", value, line),
            "disk" => reading.settings(&mut self.disk, "[disk]", value, line),
            "profiles" => {
                for (name, value, line) in reading.tables("profiles", value, line) {
                    let head = format!("[profiles.{name}]");
                    reading.settings(self.profiles.entry(name).or_default(), &head, value, line);
                }
            }
            "filters" => {
                for (name, value, line) in reading.tables("filters", value, line) {
                    let layer = reading.filter(&name, value, line);
                    self.filters.insert(name, layer);
                }
            }
            "sheets" => self.sheets.extend(reading.several("sheets", value, line)),
            "vault" => reading.settings(&mut self.vault, "[vault]", value, line),
            "replicas" => self.replicas.extend(reading.several("replicas", value, line)),
            unknown => reading.unknown_part(unknown, value.get_ref(), line),
        }
    }
}

/// One file being read.
struct Reading<'a> {
    text: &'a str,
    path: &'a Path,
    folder: &'a Path,
    /// Where each line begins.
    starts: Vec<usize>,
    problems: Vec<Problem>,
}

impl<'a> Reading<'a> {
    fn new(text: &'a str, path: &'a Path) -> Reading<'a> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let folder = path.parent().unwrap_or(Path::new(""));
        Reading { text, path, folder, starts, problems: Vec::new() }
    }

    /// The document, or what keeps it from being one.
    fn document(&mut self) -> Result<Spanned<DeTable<'a>>, Problems> {
        let (document, errors) = DeTable::parse_recoverable(self.text);
        for error in &errors {
            let span = error.span().unwrap_or_default();
            let line = error.span().map_or(0, |span| self.line_of(span.start));
            let name = self.text.get(span).unwrap_or_default();
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            let refused = syntax::refused(self.text, line, name, &message);
            // One slip may trip the parser several times.
            if self.problems.last().is_none_or(|last| last.line != line) {
                self.refuse(line, refused);
            }
        }
        if errors.is_empty() { Ok(document) } else { Err(self.problems()) }
    }

    fn finish<T>(mut self, value: T) -> Result<T, Problems> {
        if self.problems.is_empty() { Ok(value) } else { Err(self.problems()) }
    }

    fn problems(&mut self) -> Problems {
        let mut problems = std::mem::take(&mut self.problems);
        problems.sort_by_key(|problem| problem.line);
        Problems(problems)
    }

    /// The line of something, counted from 1.
    fn line<T>(&self, spanned: &Spanned<T>) -> usize {
        self.line_of(spanned.span().start)
    }

    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    fn refuse(&mut self, line: usize, refused: Refused) {
        self.problems.push(Problem::new(self.path, line, refused));
    }

    fn wrong(&mut self, line: usize, key: &str, value: &DeValue<'_>, allowed: &str) {
        let message = format!("`{key}` is {allowed}, not {}", Raw::of(value).shown());
        self.refuse(line, Refused { message, hint: None });
    }

    fn unknown_part(&mut self, key: &str, value: &DeValue<'_>, line: usize) {
        if misnamed::is_table(value) {
            return self.refuse(line, misnamed::refused(None, key, value));
        }
        let mut refused = Refused::unknown("part", key, PARTS);
        match nearest(key, HarvestLayer::ROWS.iter().map(|row| row.key)) {
            Some(known) if known == key => {
                refused.message = format!("`{key}` does not stand at the top of the file");
                refused.hint = Some("write it below `[harvest]`".to_owned());
            }
            Some(known) if refused.hint.is_none() => {
                refused.hint = Some(format!("did you mean `{known}`? it stands below `[harvest]`"));
            }
            _ => {}
        }
        self.refuse(line, refused);
    }

    /// What is said of a filter.
    fn filter(&mut self, name: &str, value: &Spanned<DeValue<'_>>, line: usize) -> FilterLayer {
        let head = format!("[filters.{name}]");
        let before = self.problems.len();
        let mut layer = FilterLayer::new(name);
        match &mut layer {
            FilterLayer::Mime(layer) => self.settings(layer, &head, value, line),
            FilterLayer::Size(layer) => self.settings(layer, &head, value, line),
            FilterLayer::Status(layer) => self.settings(layer, &head, value, line),
            FilterLayer::Url(layer) => self.settings(layer, &head, value, line),
            FilterLayer::Language(layer) => self.settings(layer, &head, value, line),
            FilterLayer::Module(layer) => {
                self.settings(layer, &head, value, line);
                // What is no setting of a module may be one of the filter that was meant.
                for problem in self.problems.iter_mut().skip(before) {
                    problem.hint = problem.hint.take().or_else(|| misnamed::filter(name));
                }
            }
        }
        layer
    }

    fn format(&mut self, value: &Spanned<DeValue<'_>>, line: usize) {
        let raw = Raw::of(value.get_ref());
        match &raw {
            Raw::Number(number) if number.parse::<u64>().is_ok_and(|number| number <= FORMAT) => {}
            Raw::Number(number) => {
                let message =
                    format!("the file is of format {number}, and this program knows those up to {FORMAT}");
                let hint = Some("a newer varve reads it".to_owned());
                self.refuse(line, Refused { message, hint });
            }
            _ => self.wrong(line, "format", value.get_ref(), "a number"),
        }
    }

    /// The tables in a table, each with its name and line.
    fn tables<'v, 't>(
        &mut self,
        part: &str,
        value: &'v Spanned<DeValue<'t>>,
        line: usize,
    ) -> Vec<(String, &'v Spanned<DeValue<'t>>, usize)> {
        let DeValue::Table(tables) = value.get_ref() else {
            self.wrong(line, part, value.get_ref(), &format!("made of tables, each begun by [{part}.NAME]"));
            return Vec::new();
        };
        let mut found = Vec::new();
        for (name, value) in tables {
            let line = self.line(name);
            if matches!(value.get_ref(), DeValue::Table(_)) {
                found.push((name.get_ref().clone().into_owned(), value, line));
            } else {
                let message = format!("`{}` does not stand below `[{part}]`", name.get_ref());
                self.refuse(line, Refused { message, hint: Some(format!("write it below `[{part}.NAME]`")) });
            }
        }
        found
    }

    /// Tables of settings of one kind, each with its line.
    fn several<L: Layer>(
        &mut self,
        part: &str,
        value: &Spanned<DeValue<'_>>,
        line: usize,
    ) -> Vec<(L, usize)> {
        let DeValue::Array(tables) = value.get_ref() else {
            let allowed = format!("a list of tables, each begun by [[{part}]]");
            self.wrong(line, part, value.get_ref(), &allowed);
            return Vec::new();
        };
        let read = tables.iter().map(|value| {
            let line = self.line(value);
            let mut layer = L::default();
            self.settings(&mut layer, &format!("[[{part}]]"), value, line);
            (layer, line)
        });
        read.collect()
    }

    /// A table of settings, begun by this head. No setting is a table itself.
    fn settings<L: Layer>(&mut self, layer: &mut L, head: &str, value: &Spanned<DeValue<'_>>, line: usize) {
        match value.get_ref() {
            DeValue::Table(table) => {
                for (key, value) in table {
                    if misnamed::is_table(value.get_ref()) {
                        let refused = misnamed::refused(Some(head), key.get_ref(), value.get_ref());
                        self.refuse(self.line(key), refused);
                    } else {
                        self.setting(layer, key, value);
                    }
                }
            }
            other => self.wrong(line, head, other, "a table of settings"),
        }
    }

    /// One setting.
    fn setting<L: Layer>(
        &mut self,
        layer: &mut L,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
    ) {
        let line = self.line(key);
        let raw = Raw::of(value.get_ref());
        let origin = Origin::File { path: self.path.to_owned(), line };
        if let Err(refused) = layer.set(key.get_ref(), &Given { raw: &raw, folder: self.folder }, origin) {
            self.refuse(line, refused);
        }
    }
}
