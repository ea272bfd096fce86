//! Tells from its first bytes whether an answer is HTTP, a document as before HTTP/1.0, or something else altogether.

/// So many bytes decide whether a head begins: `warc::HttpHead` believes a first word of at most 16.
pub(super) const SNIFF_BYTES: usize = 17;

/// So many bytes decide whether what has no head is a document.
const DOCUMENT_BYTES: usize = 8;

/// How servers of other protocols greet.
const GREETINGS: [&[u8]; 8] = [b"SSH-", b"220 ", b"220-", b"+OK", b"* OK", b"RFB 00", b"@RSYNCD", b"AMQP"];

/// What the first bytes of an answer look like.
pub(super) enum Sniffed {
    /// It takes more of them to say.
    Undecided,
    /// The beginning of a head.
    Head,
    /// A document without a head.
    Document,
    /// Another protocol.
    Foreign,
}

impl Sniffed {
    /// Of the first bytes, behind which nothing more comes if they are `whole`.
    pub(super) fn of(start: &[u8], whole: bool) -> Sniffed {
        match begins_head(start) {
            Some(true) => return Sniffed::Head,
            // More of `HTTP/` would have followed.
            None if whole && start.len() > 4 => return Sniffed::Head,
            None if !whole => return Sniffed::Undecided,
            _ if start.len() < DOCUMENT_BYTES && !whole => return Sniffed::Undecided,
            _ => {}
        }
        let start = start.get(..DOCUMENT_BYTES).unwrap_or(start);
        let is_binary =
            start.iter().any(|byte| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\r' | b'\n'));
        if is_binary || GREETINGS.iter().any(|greeting| start.starts_with(greeting)) {
            Sniffed::Foreign
        } else {
            Sniffed::Document
        }
    }
}

/// Whether a head begins with these bytes; `None` if that cannot be said yet.
fn begins_head(start: &[u8]) -> Option<bool> {
    if start.starts_with(b"ICY ") {
        return Some(true);
    }
    let is_http = start.iter().zip(b"HTTP").all(|(found, wanted)| found.eq_ignore_ascii_case(wanted));
    if !is_http {
        let may_be_icy = start.len() < 4 && b"ICY ".starts_with(start);
        return if may_be_icy { None } else { Some(false) };
    }
    match start.iter().position(|byte| matches!(byte, b' ' | b'\r' | b'\n')) {
        Some(end) => Some(start.get(..end).is_some_and(|word| end >= 4 && word.contains(&b'/'))),
        None if start.len() >= SNIFF_BYTES => Some(false),
        None => None,
    }
}
