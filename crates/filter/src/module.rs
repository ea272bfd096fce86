//! Filters that users bring along: WebAssembly modules, run within bounds.
//!
//! `docs/filters.md` has the interface. A module sees the facts of one document at a time and nothing else: it has one import,
//! for its log, and its steps and memory are bounded. Each thread that filters gets an instance of its own.

mod instance;
mod log;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use wasmi::{Config, Engine};

use self::instance::Instance;
pub use self::log::{Level, Log};
use crate::lists::excerpt;
use crate::{Error, Limits};

/// The version of the interface between modules and us. A module says which one it was made for.
pub const INTERFACE: i32 = 1;

/// A filter module, checked and ready.
pub struct Module {
    name: String,
    module: wasmi::Module,
    settings: Option<String>,
    limits: Limits,
    log: Option<Log>,
    idle: Mutex<Vec<Instance>>,
}

impl Module {
    /// Reads a module, and starts it once with its settings, so that a broken one is found before a crawl begins.
    ///
    /// # Errors
    /// [`Error::Broken`] for what is no module of this interface, [`Error::Settings`] if it does not take its settings.
    pub fn new(name: &str, wasm: &[u8], settings: Option<&str>, limits: Limits) -> Result<Module, Error> {
        Module::make(name, wasm, settings, limits, None)
    }

    /// The same, with somebody who takes down what the module logs.
    ///
    /// # Errors
    /// As [`Module::new`].
    pub fn with_log(
        name: &str,
        wasm: &[u8],
        settings: Option<&str>,
        limits: Limits,
        log: Log,
    ) -> Result<Module, Error> {
        Module::make(name, wasm, settings, limits, Some(log))
    }

    fn make(
        name: &str,
        wasm: &[u8],
        settings: Option<&str>,
        limits: Limits,
        log: Option<Log>,
    ) -> Result<Module, Error> {
        let broken = |why: String| Error::Broken { module: name.to_owned(), why };
        let too_large = |what: &str, found: usize, most: usize| {
            (found > most).then(|| broken(format!("{what} has {found} bytes, and {most} are the most")))
        };
        let settings_bytes = settings.map_or(0, str::len);
        let oversize = too_large("the file", wasm.len(), limits.module_bytes_max)
            .or_else(|| too_large("the file of settings", settings_bytes, limits.settings_bytes_max));
        if let Some(error) = oversize {
            return Err(error);
        }
        if !wasm.starts_with(b"\0asm") {
            return Err(broken("it is no WebAssembly: the file does not begin with `\\0asm`".to_owned()));
        }
        let engine = Engine::new(&config(&limits));
        let module = wasmi::Module::new(&engine, wasm)
            .map_err(|error| broken(format!("it is no WebAssembly that can be run: {error}")))?;
        instance::check(&module).map_err(broken)?;
        let settings = settings.map(str::to_owned);
        let module = Module { name: name.to_owned(), module, settings, limits, log, idle: Mutex::default() };
        let first = module.instance()?;
        module.give_back(first);
        Ok(module)
    }

    /// The name by which it is spoken of.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Why the module does not want a document, `None` if it does.
    pub(crate) fn objection(&self, url: &str, facts: &str) -> Result<Option<String>, Error> {
        let mut instance = self.take()?;
        match instance.judge(facts) {
            Ok(objection) => {
                self.give_back(instance);
                Ok(objection)
            }
            // What failed once is in a state that nobody knows, so it is not asked again.
            Err(why) => Err(Error::Failed { module: self.name.clone(), url: excerpt(url), why }),
        }
    }

    fn take(&self) -> Result<Instance, Error> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        waiting.map_or_else(|| self.instance(), Ok)
    }

    fn give_back(&self, instance: Instance) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.limits.idle_max {
            idle.push(instance);
        }
    }

    fn instance(&self) -> Result<Instance, Error> {
        let log = self.log.clone().map(|log| (Arc::from(self.name.as_str()), log));
        let broken = |why| Error::Broken { module: self.name.clone(), why };
        let mut instance = Instance::start(&self.module, &self.limits, log).map_err(broken)?;
        match &self.settings {
            Some(settings) => match instance.configure(settings).map_err(broken)? {
                Some(why) => Err(Error::Settings { module: self.name.clone(), why }),
                None => Ok(instance),
            },
            None => Ok(instance),
        }
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("name", &self.name).finish_non_exhaustive()
    }
}

fn config(limits: &Limits) -> Config {
    let mut config = Config::default();
    config
        .consume_fuel(true)
        .ignore_custom_sections(true)
        .wasm_multi_memory(false)
        .set_max_recursion_depth(limits.recursion_max)
        .set_max_cached_stacks(2);
    config
}
