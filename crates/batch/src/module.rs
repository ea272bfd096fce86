//! Somebody's own WebAssembly module: it is given the records of a file one after another, within bounds.
//!
//! `docs/batch.md` has the interface. A module sees one file and nothing else; it has two imports, for its log and its result, and its
//! steps and memory are bounded. Each file gets an instance of its own, so that no file can do anything to another.

mod facts;
mod instance;
mod limits;
mod log;

use std::fmt;
use std::io::{Read as _, Write};

use wasmi::{Config, Engine};

use self::instance::Instance;
pub use self::limits::Limits;
pub use self::log::{Level, Log};
use crate::error::Error;
use crate::reading::Reading;
use crate::records::{each, payload};
use crate::task::{Done, Failure, Task};

/// The version of the interface between modules and us. A module says which one it was made for.
pub const INTERFACE: i32 = 1;

/// A module, checked and ready.
pub struct Module {
    module: wasmi::Module,
    limits: Limits,
    log: Option<Log>,
}

impl Module {
    /// Reads a module, and starts it once, so that a broken one is found before anything is read.
    ///
    /// # Errors
    /// [`Error::Module`] for what is no module of this interface.
    pub fn new(name: &str, wasm: &[u8], limits: Limits, log: Option<Log>) -> Result<Module, Error> {
        let broken = |why: String| Error::Module { module: name.to_owned(), why };
        let most = limits.module_bytes_max;
        if wasm.len() > most {
            return Err(broken(format!("the file has {} bytes, and {most} are the most", wasm.len())));
        }
        if !wasm.starts_with(b"\0asm") {
            return Err(broken("it is no WebAssembly: the file does not begin with `\\0asm`".to_owned()));
        }
        let engine = Engine::new(&config(&limits));
        let module = wasmi::Module::new(&engine, wasm)
            .map_err(|error| broken(format!("it is no WebAssembly that can be run: {error}")))?;
        instance::check(&module).map_err(broken)?;
        Instance::start(&module, &limits, None).map_err(broken)?;
        Ok(Module { module, limits, log })
    }
}

impl Task for Module {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let sealed = file.file().clone();
        let log = self.log.clone().map(|log| (sealed.name.clone(), log));
        let mut instance = Instance::start(&self.module, &self.limits, log).map_err(Failure)?;
        let watch = file.watch().clone();
        // A module that takes its time without reading anything is asked here, between any two calls.
        let mut hand_on = |instance: &mut Instance| -> Result<(), Failure> {
            result.write_all(&instance.take_emitted())?;
            watch.over().map_or(Ok(()), |_| Err(Failure("its time is up".to_owned())))
        };
        instance.file_begin(&facts::of_file(&sealed, file.job())).map_err(Failure)?;
        hand_on(&mut instance)?;
        let mut buffer = vec![0; self.limits.piece_bytes_max.max(1)];
        let done = each(file, |mut record| {
            let at = record.offset();
            let failed = |why: String| Failure(format!("at the record at byte {at}: {why}"));
            let facts = facts::of_record(&mut record, self.limits.head_bytes_max)?;
            let wants = instance.record_begin(&facts).map_err(failed)?;
            hand_on(&mut instance)?;
            if wants && let Some(mut payload) = payload(&mut record) {
                // What cannot be unfolded to its end is handed over as far as it goes.
                while let Ok(count) = payload.read(&mut buffer)
                    && count > 0
                {
                    instance.record_data(buffer.get(..count).unwrap_or_default()).map_err(failed)?;
                    hand_on(&mut instance)?;
                }
            }
            instance.record_end().map_err(failed)?;
            hand_on(&mut instance)
        })?;
        instance.file_end().map_err(Failure)?;
        hand_on(&mut instance)?;
        Ok(done)
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").finish_non_exhaustive()
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
