//! One running module: memory and steps of its own, for one file.

use wasmi::{
    AsContext as _, AsContextMut as _, Caller, Extern, ExternType, Linker, Memory, Store, StoreLimits,
    StoreLimitsBuilder, TypedFunc, ValType,
};

use super::INTERFACE;
use super::limits::Limits;
use super::log::{Level, Log};

const MEMORY: &str = "memory";
const VERSION: &str = "varve_batch_version";
const ALLOC: &str = "varve_alloc";
const FREE: &str = "varve_free";
const FILE_BEGIN: &str = "varve_file_begin";
const RECORD_BEGIN: &str = "varve_record_begin";
const RECORD_DATA: &str = "varve_record_data";
const RECORD_END: &str = "varve_record_end";
const FILE_END: &str = "varve_file_end";

/// A started module.
pub(super) struct Instance {
    store: Store<Host>,
    memory: Memory,
    alloc: TypedFunc<i32, i32>,
    free: Option<TypedFunc<(i32, i32), ()>>,
    file_begin: Option<TypedFunc<(i32, i32), ()>>,
    record_begin: TypedFunc<(i32, i32), i32>,
    record_data: Option<TypedFunc<(i32, i32), ()>>,
    record_end: Option<TypedFunc<(), ()>>,
    file_end: Option<TypedFunc<(), ()>>,
    fuel_per_call: u64,
}

/// What stands behind the imports.
struct Host {
    store_limits: StoreLimits,
    log: Option<(String, Log)>,
    lines_left: u32,
    text_bytes_max: usize,
    /// What was emitted since it was last taken.
    emitted: Vec<u8>,
    emitted_bytes_max: usize,
}

/// Whether a module has what the interface asks for, and asks for nothing that it does not have.
pub(super) fn check(module: &wasmi::Module) -> Result<(), String> {
    for import in module.imports() {
        let params: &[ValType] = match (import.module(), import.name()) {
            ("varve", "log") => &[ValType::I32; 3],
            ("varve", "emit") => &[ValType::I32; 2],
            _ => &[ValType::I64],
        };
        let has_type = matches!(import.ty(), ExternType::Func(of)
            if of.params() == params && of.results().is_empty());
        if !has_type || params == [ValType::I64] {
            return Err(format!(
                "it imports `{}.{}`, and there is nothing to import but `varve.emit` (i32, i32) and `varve.log` (i32, i32, i32)",
                import.module(),
                import.name()
            ));
        }
    }
    if !matches!(module.get_export(MEMORY), Some(ExternType::Memory(_))) {
        return Err(format!("it does not export its memory as `{MEMORY}`"));
    }
    let (none, one, two): (&[ValType], _, _) = (&[], &[ValType::I32][..], &[ValType::I32; 2][..]);
    check_function(module, VERSION, none, one, true)?;
    check_function(module, ALLOC, one, one, true)?;
    check_function(module, FREE, two, none, false)?;
    check_function(module, FILE_BEGIN, two, none, false)?;
    check_function(module, RECORD_BEGIN, two, one, true)?;
    check_function(module, RECORD_DATA, two, none, false)?;
    check_function(module, RECORD_END, none, none, false)?;
    check_function(module, FILE_END, none, none, false)
}

fn check_function(
    module: &wasmi::Module,
    name: &str,
    params: &[ValType],
    results: &[ValType],
    is_needed: bool,
) -> Result<(), String> {
    match module.get_export(name) {
        None if !is_needed => Ok(()),
        None => Err(format!("it does not export the function `{name}`")),
        Some(ExternType::Func(of)) if of.params() == params && of.results() == results => Ok(()),
        Some(_) => Err(format!("its export `{name}` is no function of the right type")),
    }
}

impl Instance {
    /// Starts a module and asks for the version of its interface.
    pub(super) fn start(
        module: &wasmi::Module,
        limits: &Limits,
        log: Option<(String, Log)>,
    ) -> Result<Instance, String> {
        let store_limits = StoreLimitsBuilder::new()
            .memory_size(limits.memory_bytes_max)
            .table_elements(100_000)
            .instances(1)
            .memories(1)
            .tables(8)
            .build();
        let host = Host {
            store_limits,
            log,
            lines_left: limits.log_lines_max,
            text_bytes_max: limits.text_bytes_max,
            emitted: Vec::new(),
            emitted_bytes_max: limits.memory_bytes_max,
        };
        let mut store = Store::new(module.engine(), host);
        store.limiter(|host| &mut host.store_limits);
        store.set_fuel(limits.fuel_per_call).map_err(|error| error.to_string())?;
        let mut linker = <Linker<Host>>::new(module.engine());
        linker.func_wrap("varve", "log", log_line).map_err(|error| error.to_string())?;
        linker.func_wrap("varve", "emit", emit).map_err(|error| error.to_string())?;
        let instance = linker
            .instantiate_and_start(&mut store, module)
            .map_err(|error| format!("it cannot be started: {}", said(&error)))?;
        let wrong = |error: wasmi::Error| error.to_string();
        let version = instance.get_typed_func::<(), i32>(&store, VERSION).map_err(wrong)?;
        let mut started = Instance {
            memory: instance.get_memory(&store, MEMORY).ok_or("it has no memory")?,
            alloc: instance.get_typed_func(&store, ALLOC).map_err(wrong)?,
            free: instance.get_typed_func(&store, FREE).ok(),
            file_begin: instance.get_typed_func(&store, FILE_BEGIN).ok(),
            record_begin: instance.get_typed_func(&store, RECORD_BEGIN).map_err(wrong)?,
            record_data: instance.get_typed_func(&store, RECORD_DATA).ok(),
            record_end: instance.get_typed_func(&store, RECORD_END).ok(),
            file_end: instance.get_typed_func(&store, FILE_END).ok(),
            fuel_per_call: limits.fuel_per_call,
            store,
        };
        let found = started.call(VERSION, version, ())?;
        if found != INTERFACE {
            return Err(format!(
                "it was made for version {found} of the interface, and this is version {INTERFACE}"
            ));
        }
        Ok(started)
    }

    /// Tells of the file.
    pub(super) fn file_begin(&mut self, facts: &str) -> Result<(), String> {
        match self.file_begin {
            Some(function) => self.hand_over(FILE_BEGIN, function, facts.as_bytes()),
            None => Ok(()),
        }
    }

    /// Tells of a record: whether its payload is wanted.
    pub(super) fn record_begin(&mut self, facts: &str) -> Result<bool, String> {
        let wants = self.hand_over(RECORD_BEGIN, self.record_begin, facts.as_bytes())?;
        Ok(wants != 0 && self.record_data.is_some())
    }

    /// Hands a piece of the payload over.
    pub(super) fn record_data(&mut self, piece: &[u8]) -> Result<(), String> {
        match self.record_data {
            Some(function) => self.hand_over(RECORD_DATA, function, piece),
            None => Ok(()),
        }
    }

    /// The record is over.
    pub(super) fn record_end(&mut self) -> Result<(), String> {
        self.record_end.map_or(Ok(()), |function| self.call(RECORD_END, function, ()))
    }

    /// The file is over.
    pub(super) fn file_end(&mut self) -> Result<(), String> {
        self.file_end.map_or(Ok(()), |function| self.call(FILE_END, function, ()))
    }

    /// What was emitted since this was last asked.
    pub(super) fn take_emitted(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.store.data_mut().emitted)
    }

    fn call<P: wasmi::WasmParams, R: wasmi::WasmResults>(
        &mut self,
        name: &str,
        function: TypedFunc<P, R>,
        params: P,
    ) -> Result<R, String> {
        self.store.set_fuel(self.fuel_per_call).map_err(|error| error.to_string())?;
        function.call(&mut self.store, params).map_err(|error| format!("`{name}` fails: {}", said(&error)))
    }

    /// Puts bytes where the module says that there is room, and calls it with their place.
    fn hand_over<R: wasmi::WasmResults>(
        &mut self,
        name: &str,
        function: TypedFunc<(i32, i32), R>,
        bytes: &[u8],
    ) -> Result<R, String> {
        let length = i32::try_from(bytes.len()).map_err(|_| "there is too much to hand over".to_owned())?;
        let at = self.call(ALLOC, self.alloc, length)?;
        if at == 0 || self.memory.write(self.store.as_context_mut(), address(at), bytes).is_err() {
            return Err(format!("`{ALLOC}` gives no place for {length} bytes"));
        }
        let answer = self.call(name, function, (at, length))?;
        if let Some(free) = self.free {
            self.call(FREE, free, (at, length))?;
        }
        Ok(answer)
    }
}

/// The import `varve.emit`: place, length.
fn emit(mut caller: Caller<'_, Host>, at: i32, length: i32) -> Result<(), wasmi::Error> {
    let Some(memory) = caller.get_export(MEMORY).and_then(Extern::into_memory) else { return Ok(()) };
    let (memory, host) = memory.data_and_store_mut(&mut caller);
    let bytes = address(at).checked_add(address(length)).and_then(|end| memory.get(address(at)..end));
    let Some(bytes) = bytes else {
        return Err(wasmi::Error::new("what it emits lies outside of its memory"));
    };
    if host.emitted.len().saturating_add(bytes.len()) > host.emitted_bytes_max {
        return Err(wasmi::Error::new("it emits more in one call than it may"));
    }
    host.emitted.extend_from_slice(bytes);
    Ok(())
}

/// The import `varve.log`: level, place, length.
fn log_line(mut caller: Caller<'_, Host>, level: i32, at: i32, length: i32) {
    let host = caller.data_mut();
    if host.lines_left == 0 || host.log.is_none() {
        return;
    }
    host.lines_left -= 1;
    let Some(memory) = caller.get_export(MEMORY).and_then(Extern::into_memory) else { return };
    let host = caller.data();
    let most = host.text_bytes_max;
    let end = address(at).checked_add(address(length));
    let text = end.and_then(|end| memory.data(caller.as_context()).get(address(at)..end));
    if let (Some((file, log)), Some(text)) = (&host.log, text) {
        log(file, Level::new(level), &plain(text, most));
    }
}

/// Numbers of a module are addresses without a sign.
fn address(number: i32) -> usize {
    usize::try_from(number.cast_unsigned()).unwrap_or(usize::MAX)
}

/// A text of the module: cut, made whole, and without anything that would break a line of a log.
fn plain(bytes: &[u8], most: usize) -> String {
    let bytes = bytes.get(..most).unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect::<String>().trim().to_owned()
}

/// What happened, for people.
fn said(error: &wasmi::Error) -> String {
    match error.as_trap_code() {
        Some(wasmi::TrapCode::OutOfFuel) => "it took more steps than it may".to_owned(),
        Some(wasmi::TrapCode::UnreachableCodeReached) => {
            "it gave up (`unreachable`), as a panic does".to_owned()
        }
        Some(wasmi::TrapCode::StackOverflow) => "its calls went too deep".to_owned(),
        Some(code) => code.to_string(),
        None => error.to_string(),
    }
}
