//! Inflates one gzip member that lies whole in memory, makes one, and makes its checksum.
//!
//! This is the only file of this crate with `unsafe` code. The safe wrapper of libdeflate does not tell how many input bytes a member took, and
//! without that the next member cannot be found. See docs/decisions.

#![allow(unsafe_code)]

use std::ptr::NonNull;

use libdeflate_sys::{
    libdeflate_alloc_compressor, libdeflate_alloc_decompressor, libdeflate_compressor, libdeflate_crc32,
    libdeflate_decompressor, libdeflate_free_compressor, libdeflate_free_decompressor,
    libdeflate_gzip_compress, libdeflate_gzip_compress_bound, libdeflate_gzip_decompress_ex,
    libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE, libdeflate_result_LIBDEFLATE_SUCCESS,
};

/// A decompressor, reused from member to member.
#[derive(Debug)]
pub(crate) struct Inflater(NonNull<libdeflate_decompressor>);

// SAFETY: the decompressor is plain memory of its own, with no ties to the thread that made it, and every use
// goes through `&mut self`.
unsafe impl Send for Inflater {}

/// What became of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inflated {
    /// It is whole and its checksum is right: bytes taken from the input, bytes written to the output.
    Whole(usize, usize),
    /// The output is too small.
    NoSpace,
    /// It is damaged, or the input ends before it does; libdeflate cannot tell which.
    Bad,
}

impl Inflater {
    /// Sets aside the decompressor's memory (about 12 kB); none when there is no memory.
    pub(crate) fn new() -> Option<Inflater> {
        // SAFETY: takes no arguments; a null answer is turned into `None`.
        NonNull::new(unsafe { libdeflate_alloc_decompressor() }).map(Inflater)
    }

    /// Inflates the member at the start of `input`. Bytes behind the member are left alone.
    pub(crate) fn gzip(&mut self, input: &[u8], output: &mut [u8]) -> Inflated {
        let mut taken = 0usize;
        let mut written = 0usize;
        // SAFETY: both pointers come from slices and are passed with those slices' lengths; libdeflate reads
        // and writes within them only. The out-parameters live until the call returns.
        let result = unsafe {
            libdeflate_gzip_decompress_ex(
                self.0.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                output.as_mut_ptr().cast(),
                output.len(),
                &raw mut taken,
                &raw mut written,
            )
        };
        #[allow(non_upper_case_globals)]
        match result {
            libdeflate_result_LIBDEFLATE_SUCCESS => Inflated::Whole(taken, written),
            libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE => Inflated::NoSpace,
            _ => Inflated::Bad,
        }
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: allocated by `new`, freed once, here.
        unsafe { libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}

/// A compressor of one level, reused from member to member.
#[derive(Debug)]
pub(crate) struct Deflater(NonNull<libdeflate_compressor>);

// SAFETY: the compressor is plain memory of its own, with no ties to the thread that made it, and every use
// goes through `&mut self`.
unsafe impl Send for Deflater {}

impl Deflater {
    /// Sets aside the compressor's memory (up to a few hundred kB); none when there is no memory, or no such level.
    pub(crate) fn new(level: u32) -> Option<Deflater> {
        let level = i32::try_from(level.min(12)).ok()?;
        // SAFETY: takes a number; a null answer is turned into `None`.
        NonNull::new(unsafe { libdeflate_alloc_compressor(level) }).map(Deflater)
    }

    /// Most bytes that a member of so many bytes can take.
    pub(crate) fn bound(&mut self, length: usize) -> usize {
        // SAFETY: the compressor is alive; the other argument is a number.
        unsafe { libdeflate_gzip_compress_bound(self.0.as_ptr(), length) }
    }

    /// Makes one member of all of `input`: how many bytes of `output` it takes; `None` when these do not suffice.
    pub(crate) fn gzip(&mut self, input: &[u8], output: &mut [u8]) -> Option<usize> {
        // SAFETY: both pointers come from slices and are passed with those slices' lengths; libdeflate reads
        // and writes within them only.
        let written = unsafe {
            libdeflate_gzip_compress(
                self.0.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                output.as_mut_ptr().cast(),
                output.len(),
            )
        };
        (written > 0).then_some(written)
    }
}

impl Drop for Deflater {
    fn drop(&mut self) {
        // SAFETY: allocated by `new`, freed once, here.
        unsafe { libdeflate_free_compressor(self.0.as_ptr()) }
    }
}

/// The checksum of a gzip member of these bytes, behind others that had this one; none have 0.
pub(crate) fn crc32(before: u32, bytes: &[u8]) -> u32 {
    // SAFETY: the pointer comes from a slice and is passed with that slice's length; nothing beyond it is read.
    unsafe { libdeflate_crc32(before, bytes.as_ptr().cast(), bytes.len()) }
}
