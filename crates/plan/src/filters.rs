//! The chain of filters (A7): those that are built in, as the settings have them, and modules from the archive's folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use filter::{Chain, Filter, Languages, Level, Limits, Log, Module};
use warc::{Algorithm, Digest};

use settings::kind::{FilePath, Number, Parsed, Size};
use settings::{BUILT_IN_FILTERS, Error as Explained, Explain as _, FilterLayer, did_you_mean, failure};

use super::error::Result;

/// A chain, and the modules in it.
pub(crate) struct Loaded {
    pub(crate) chain: Chain,
    pub(crate) modules: Vec<Used>,
    /// Modules that are not what they were when the job was begun.
    pub(crate) changed: Vec<String>,
}

/// A module that was taken.
pub(crate) struct Used {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) sha256: String,
}

/// Makes the filters of these names, in this order. A module that is missing or broken is an error, before anything is fetched.
pub(crate) fn load(
    names: &[String],
    said: &BTreeMap<String, FilterLayer>,
    folder: Option<&Path>,
) -> Result<Loaded> {
    let mut filters = Vec::new();
    let (mut modules, mut changed) = (Vec::new(), Vec::new());
    for name in names {
        let layer = said.get(name).cloned().unwrap_or_else(|| FilterLayer::new(name));
        filters.push(match layer {
            FilterLayer::Mime(layer) => {
                let mime = layer.values();
                Filter::mime(&texts(&mime.include), &texts(&mime.exclude))?
            }
            FilterLayer::Size(layer) => {
                let size = layer.values();
                let bytes = |size: Option<Size>| size.map(|Size(bytes)| bytes);
                Filter::size(bytes(size.min), bytes(size.max))
            }
            FilterLayer::Status(layer) => {
                let status = layer.values();
                Filter::status(&texts(&status.include), &texts(&status.exclude))?
            }
            FilterLayer::Url(layer) => {
                let url = layer.values();
                Filter::url(&texts(&url.include), &texts(&url.exclude))?
            }
            FilterLayer::Language(layer) => {
                let language = layer.values();
                Filter::language(&Languages {
                    include: texts(&language.include),
                    exclude: texts(&language.exclude),
                    drop_unknown: language.drop_unknown,
                })?
            }
            FilterLayer::Module(layer) => {
                let said = layer.values();
                let (Number(fuel), Size(memory)) = (said.fuel, said.memory);
                let limits = Limits {
                    fuel_per_document: fuel,
                    memory_bytes_max: usize::try_from(memory).unwrap_or(usize::MAX),
                    ..Limits::default()
                };
                let path = match said.module {
                    Some(FilePath(path)) => path,
                    None => in_folder(name, folder)?,
                };
                let (module, sha256) = module(name, &path, limits)?;
                if said.sha256.is_some_and(|before| before != sha256) {
                    changed.push(name.clone());
                }
                let path = std::path::absolute(&path).unwrap_or(path);
                modules.push(Used { name: name.clone(), path, sha256 });
                module.into()
            }
        });
    }
    Ok(Loaded { chain: Chain::new(filters), modules, changed })
}

fn texts<T>(list: &[Parsed<T>]) -> Vec<String> {
    list.iter().map(|parsed| parsed.text.clone()).collect()
}

/// Where the module of this name is, if it is where they usually are.
fn in_folder(name: &str, folder: Option<&Path>) -> Result<PathBuf> {
    let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
    let path = folder.filter(|_| is_name).map(|folder| folder.join(format!("{name}.wasm")));
    Ok(path.filter(|path| path.exists()).ok_or_else(|| missing(name, folder))?)
}

/// A module with its settings beside it, and its digest.
fn module(name: &str, path: &Path, limits: Limits) -> Result<(Module, String)> {
    let most = limits.module_bytes_max as u64 + 1;
    let wasm = bytes(path, most)?;
    let beside = path.with_extension("toml");
    let settings = match beside.exists() {
        true => {
            let text = bytes(&beside, limits.settings_bytes_max as u64 + 1)?;
            Some(String::from_utf8(text).with_context(|| format!("`{}` is not UTF-8", beside.display()))?)
        }
        false => None,
    };
    let log: Log = Arc::new(|module, level, line| match level {
        Level::Debug => tracing::debug!("filter {module}: {line}"),
        Level::Info => tracing::info!("filter {module}: {line}"),
        Level::Warn => tracing::warn!("filter {module}: {line}"),
        Level::Error => tracing::error!("filter {module}: {line}"),
    });
    let module = Module::with_log(name, &wasm, settings.as_deref(), limits, log)
        .hint(format!("it is in `{}`", path.display()))?;
    Ok((module, Digest::of(Algorithm::Sha256, &wasm).to_string()))
}

/// There is no such filter.
fn missing(name: &str, folder: Option<&Path>) -> Explained {
    let modules = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let modules: Vec<String> = modules
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".wasm").map(str::to_owned))
        .collect();
    let built_in = BUILT_IN_FILTERS.iter().map(|(name, _)| *name);
    let known: Vec<&str> = built_in.chain(modules.iter().map(String::as_str)).collect();
    let error = failure!("there is no filter `{name}`");
    match (did_you_mean(name, known.iter().copied()), folder) {
        (Some(hint), _) => error.with_hint(hint),
        (None, Some(folder)) => {
            let place = folder.join(format!("{name}.wasm"));
            error.with_hint(format!("a module of this name would be in `{}`", place.display()))
        }
        (None, None) => error.with_hint(format!("there are {}", known.join(", "))),
    }
}

fn bytes(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).with_context(|| format!("cannot open `{}`", path.display()))?;
    file.take(most).read_to_end(&mut bytes).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(bytes)
}
