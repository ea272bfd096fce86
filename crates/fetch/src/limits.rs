//! How much of anything is taken from a server before it is told "enough".

/// Bounds on what comes from outside. Whatever passes one of them ends its exchange with an outcome that says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one response's head, and of the trailers behind its last chunk.
    pub head_bytes: usize,
    /// Lines of one response's head.
    pub head_lines: usize,
    /// Interim answers (100, 103, …) before the final one.
    pub interims: usize,
    /// Bytes of one response's body as sent, framing included.
    pub body_bytes: u64,
    /// Redirects followed, one after another.
    pub redirects: usize,
    /// Addresses of one name that are tried.
    pub addresses: usize,
    /// Names whose addresses are remembered.
    pub names: usize,
    /// Bytes of a proxy's answer to `CONNECT`.
    pub proxy_head_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head_bytes: 256 << 10,
            head_lines: 1 << 10,
            interims: 16,
            body_bytes: 1 << 34,
            redirects: 30,
            addresses: 8,
            names: 1 << 16,
            proxy_head_bytes: 64 << 10,
        }
    }
}
