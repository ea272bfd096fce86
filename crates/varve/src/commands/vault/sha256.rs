//! Checksums that somebody types.

/// Reads a SHA-256, in either case of letters.
pub(super) fn parse(text: &str) -> Result<String, String> {
    let is_one = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_one {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("a SHA-256 has 64 digits of 0-9 and a-f".to_owned())
    }
}
