//! Well-formed replies, as bytes.

/// The `Date` of every reply: nothing here asks the time.
pub const DATE: &str = "Mon, 16 Nov 2026 08:00:00 GMT";

/// A reply with `Content-Length`. `status` is code and phrase; the fields come in their order.
pub fn reply(status: &str, fields: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let length = body.len().to_string();
    let mut bytes = head(status, fields, &[("Content-Length", &length)]);
    bytes.extend_from_slice(body);
    bytes
}

/// A reply in chunks, one for each piece. Empty pieces are left out: an empty chunk is the last.
pub fn chunked(status: &str, fields: &[(&str, &str)], pieces: &[&[u8]]) -> Vec<u8> {
    let mut bytes = head(status, fields, &[("Transfer-Encoding", "chunked")]);
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        bytes.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        bytes.extend_from_slice(piece);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

/// Status line and header.
fn head(status: &str, fields: &[(&str, &str)], framing: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status}\r\nDate: {DATE}\r\nServer: testkit\r\n");
    for (name, value) in fields.iter().chain(framing) {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    text.into_bytes()
}
