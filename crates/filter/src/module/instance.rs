//! One running module: memory and steps of its own, asked about one document after another.

use std::sync::Arc;

use wasmi::{
    AsContext as _, AsContextMut as _, Caller, Extern, ExternType, Linker, Memory, Store, StoreLimits,
    StoreLimitsBuilder, TypedFunc, ValType,
};

use super::INTERFACE;
use super::log::{Level, Log};
use crate::Limits;

const MEMORY: &str = "memory";
const VERSION: &str = "varve_interface";
const ALLOC: &str = "varve_alloc";
const FREE: &str = "varve_free";
const CONFIGURE: &str = "varve_configure";
const FILTER: &str = "varve_filter";

/// A started module.
pub(super) struct Instance {
    store: Store<Host>,
    memory: Memory,
    alloc: TypedFunc<i32, i32>,
    free: Option<TypedFunc<(i32, i32), ()>>,
    configure: Option<TypedFunc<(i32, i32), i64>>,
    filter: Answer,
    limits: Limits,
}

/// A module answers with a number, or with a place where its reason lies.
enum Answer {
    Short(TypedFunc<(i32, i32), i32>),
    Long(TypedFunc<(i32, i32), i64>),
}

/// What stands behind the one import.
struct Host {
    store_limits: StoreLimits,
    log: Option<(Arc<str>, Log)>,
    lines_left: u32,
    text_bytes_max: usize,
}

/// Whether a module has what the interface asks for, and asks for nothing that it does not have.
pub(super) fn check(module: &wasmi::Module) -> Result<(), String> {
    for import in module.imports() {
        let is_log = (import.module(), import.name()) == ("varve", "log");
        let has_type = matches!(import.ty(), ExternType::Func(of)
            if of.params() == [ValType::I32; 3] && of.results().is_empty());
        if !is_log || !has_type {
            return Err(format!(
                "it imports `{}.{}`, and there is nothing to import but `varve.log` (i32, i32, i32)",
                import.module(),
                import.name()
            ));
        }
    }
    if !matches!(module.get_export(MEMORY), Some(ExternType::Memory(_))) {
        return Err(format!("it does not export its memory as `{MEMORY}`"));
    }
    let two = [ValType::I32; 2];
    check_function(module, VERSION, &[], &[&[ValType::I32]], true)?;
    check_function(module, ALLOC, &[ValType::I32], &[&[ValType::I32]], true)?;
    check_function(module, FREE, &two, &[&[]], false)?;
    check_function(module, CONFIGURE, &two, &[&[ValType::I64]], false)?;
    check_function(module, FILTER, &two, &[&[ValType::I64], &[ValType::I32]], true)
}

fn check_function(
    module: &wasmi::Module,
    name: &str,
    params: &[ValType],
    results: &[&[ValType]],
    is_needed: bool,
) -> Result<(), String> {
    match module.get_export(name) {
        None if !is_needed => Ok(()),
        None => Err(format!("it does not export the function `{name}`")),
        Some(ExternType::Func(of)) if of.params() == params && results.contains(&of.results()) => Ok(()),
        Some(_) => Err(format!("its export `{name}` is no function of the right type")),
    }
}

impl Instance {
    /// Starts a module and asks for the version of its interface.
    pub(super) fn start(
        module: &wasmi::Module,
        limits: &Limits,
        log: Option<(Arc<str>, Log)>,
    ) -> Result<Instance, String> {
        let store_limits = StoreLimitsBuilder::new()
            .memory_size(limits.memory_bytes_max)
            .table_elements(100_000)
            .instances(1)
            .memories(1)
            .tables(8)
            .build();
        let text_bytes_max = limits.text_bytes_max;
        let host = Host { store_limits, log, lines_left: limits.log_lines_max, text_bytes_max };
        let mut store = Store::new(module.engine(), host);
        store.limiter(|host| &mut host.store_limits);
        store.set_fuel(limits.fuel_at_start).map_err(|error| error.to_string())?;
        let mut linker = <Linker<Host>>::new(module.engine());
        linker.func_wrap("varve", "log", log_line).map_err(|error| error.to_string())?;
        let instance = linker
            .instantiate_and_start(&mut store, module)
            .map_err(|error| format!("it cannot be started: {}", said(&error)))?;
        let memory = instance.get_memory(&store, MEMORY).ok_or("it has no memory")?;
        let version =
            instance.get_typed_func::<(), i32>(&store, VERSION).map_err(|error| error.to_string())?;
        let alloc = instance.get_typed_func(&store, ALLOC).map_err(|error| error.to_string())?;
        let free = instance.get_typed_func(&store, FREE).ok();
        let configure = instance.get_typed_func(&store, CONFIGURE).ok();
        let filter = match instance.get_typed_func(&store, FILTER) {
            Ok(long) => Answer::Long(long),
            Err(_) => {
                Answer::Short(instance.get_typed_func(&store, FILTER).map_err(|error| error.to_string())?)
            }
        };
        let found =
            version.call(&mut store, ()).map_err(|error| format!("`{VERSION}` fails: {}", said(&error)))?;
        if found != INTERFACE {
            return Err(format!(
                "it was made for version {found} of the interface, and this is version {INTERFACE}"
            ));
        }
        Ok(Instance { store, memory, alloc, free, configure, filter, limits: *limits })
    }

    /// Hands the settings over. What the module objects to comes back as text.
    pub(super) fn configure(&mut self, settings: &str) -> Result<Option<String>, String> {
        let Some(configure) = self.configure else {
            return Err(format!("there are settings for it, and it does not export `{CONFIGURE}`"));
        };
        self.refill(self.limits.fuel_at_start)?;
        let (at, length) = self.hand_over(settings)?;
        let answer = configure
            .call(&mut self.store, (at, length))
            .map_err(|error| format!("`{CONFIGURE}` fails: {}", said(&error)))?;
        let objection = self.objection(answer, "it does not say why")?;
        self.take_back(at, length)?;
        Ok(objection)
    }

    /// Asks about a document, whose facts are JSON. What the module objects to comes back as text.
    pub(super) fn judge(&mut self, facts: &str) -> Result<Option<String>, String> {
        self.refill(self.limits.fuel_per_document)?;
        let (at, length) = self.hand_over(facts)?;
        let answer = match &self.filter {
            Answer::Short(filter) => {
                filter.call(&mut self.store, (at, length)).map(|answer| i64::from(answer != 0))
            }
            Answer::Long(filter) => filter.call(&mut self.store, (at, length)),
        };
        let answer = answer.map_err(|error| said(&error))?;
        let objection = self.objection(answer, "the module gives no reason")?;
        self.take_back(at, length)?;
        Ok(objection)
    }

    fn refill(&mut self, fuel: u64) -> Result<(), String> {
        self.store.data_mut().lines_left = self.limits.log_lines_max;
        self.store.set_fuel(fuel).map_err(|error| error.to_string())
    }

    /// Puts a text where the module says that there is room.
    fn hand_over(&mut self, text: &str) -> Result<(i32, i32), String> {
        let length = i32::try_from(text.len()).map_err(|_| "there is too much to hand over".to_owned())?;
        let at = self
            .alloc
            .call(&mut self.store, length)
            .map_err(|error| format!("`{ALLOC}` fails: {}", said(&error)))?;
        let place = address(at);
        if at == 0 || self.memory.write(self.store.as_context_mut(), place, text.as_bytes()).is_err() {
            return Err(format!("`{ALLOC}` gives no place for {length} bytes"));
        }
        Ok((at, length))
    }

    fn take_back(&mut self, at: i32, length: i32) -> Result<(), String> {
        let Some(free) = self.free else { return Ok(()) };
        free.call(&mut self.store, (at, length)).map_err(|error| format!("`{FREE}` fails: {}", said(&error)))
    }

    /// 0 is no objection, 1 one without a reason, anything else the place (above) and length (below) of the reason.
    fn objection(&self, answer: i64, without_reason: &str) -> Result<Option<String>, String> {
        match answer {
            0 => return Ok(None),
            1 => return Ok(Some(without_reason.to_owned())),
            _ => {}
        }
        let bytes = answer.cast_unsigned();
        let at = usize::try_from(bytes >> 32).unwrap_or(usize::MAX);
        let length = usize::try_from(bytes & u64::from(u32::MAX)).unwrap_or(usize::MAX);
        let memory = self.memory.data(self.store.as_context());
        let text = at.checked_add(length).and_then(|end| memory.get(at..end));
        let text = text.ok_or("the place of its reason lies outside of its memory")?;
        Ok(Some(plain(text, self.limits.text_bytes_max)))
    }
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
    if let (Some((name, log)), Some(text)) = (&host.log, text) {
        log(name, Level::new(level), &plain(text, most));
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
