//! What each byte may mean to a script, looked up at once.

pub(crate) const DOUBLE: u8 = 1;
pub(crate) const SINGLE: u8 = 2;
pub(crate) const BACKSLASH: u8 = 4;
pub(crate) const NEWLINE: u8 = 8;
/// A slash or a point: without one there is no address.
pub(crate) const PROMISE: u8 = 16;
pub(crate) const BACKTICK: u8 = 32;
pub(crate) const BRACE: u8 = 64;
pub(crate) const SLASH: u8 = 128;
/// What may begin a string, a comment or a pattern.
pub(crate) const CODE: u8 = DOUBLE | SINGLE | BACKSLASH | BACKTICK | SLASH;

/// The classes of a byte.
#[inline]
pub(crate) fn of(byte: u8) -> u8 {
    TABLE.get(usize::from(byte)).copied().unwrap_or_default()
}

// Made when the program is built, where an index out of range would be an error of the compiler.
#[allow(clippy::indexing_slicing)]
const TABLE: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = DOUBLE;
    table[b'\'' as usize] = SINGLE;
    table[b'\\' as usize] = BACKSLASH;
    table[b'\n' as usize] = NEWLINE;
    table[b'.' as usize] = PROMISE;
    table[b'/' as usize] = PROMISE | SLASH;
    table[b'`' as usize] = BACKTICK;
    table[b'{' as usize] = BRACE;
    table[b'}' as usize] = BRACE;
    table
};
