//! What any filter module has to export, version 1 of the interface; `docs/filters.md` says it in words.
//!
//! Texts come in at a place that we give, and go out as place and length in one number. Copy this file as it is.

use std::cell::RefCell;

/// For whoever writes the module.
pub const DEBUG: i32 = 0;

thread_local! {
    /// The last reason that was given. It stays where it is until the next one.
    static REASON: RefCell<String> = const { RefCell::new(String::new()) };
}

#[link(wasm_import_module = "varve")]
unsafe extern "C" {
    #[link_name = "log"]
    fn host_log(level: i32, at: *const u8, length: usize);
}

/// Writes a line into the log of the crawl.
pub fn log(level: i32, line: &str) {
    // SAFETY: the host reads so many bytes from there, before it returns.
    unsafe { host_log(level, line.as_ptr(), line.len()) };
}

#[unsafe(no_mangle)]
extern "C" fn varve_interface() -> i32 {
    1
}

/// Gives room for a text.
#[unsafe(no_mangle)]
extern "C" fn varve_alloc(length: usize) -> *mut u8 {
    Box::leak(vec![0; length.max(1)].into_boxed_slice()).as_mut_ptr()
}

/// Takes the room back.
#[unsafe(no_mangle)]
unsafe extern "C" fn varve_free(at: *mut u8, length: usize) {
    // SAFETY: the host gives back what `varve_alloc` gave, with the same length, once.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, length.max(1))) });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn varve_configure(at: *const u8, length: usize) -> u64 {
    // SAFETY: the host has put so many bytes there.
    let bytes = unsafe { std::slice::from_raw_parts(at, length) };
    answer(super::configure(&String::from_utf8_lossy(bytes)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn varve_filter(at: *const u8, length: usize) -> u64 {
    // SAFETY: the host has put so many bytes there.
    let bytes = unsafe { std::slice::from_raw_parts(at, length) };
    match serde_json::from_slice(bytes) {
        Ok(facts) => answer(super::filter(&facts)),
        Err(error) => answer(Err(format!("the facts are not understood: {error}"))),
    }
}

/// 0 is yes, 1 a no without a reason, anything else the place (above) and the length (below) of the reason.
fn answer(result: Result<(), String>) -> u64 {
    match result {
        Ok(()) => 0,
        Err(reason) if reason.is_empty() => 1,
        Err(reason) => {
            REASON.set(reason);
            REASON.with_borrow(|reason| (reason.as_ptr() as u64) << 32 | reason.len() as u64)
        }
    }
}
