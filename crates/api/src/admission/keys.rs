//! The secrets that let a request in.

use std::io;

use crate::Secret;

/// The secrets of a server, and the name of its cookie.
#[derive(Debug, Clone)]
pub struct Keys {
    /// Lets a program do everything (`Authorization: Bearer …`), and begins the session of a browser. New at each start.
    pub token: Secret,
    /// Lets a feed reader, which cannot send header fields, read feeds and nothing else (`?key=…`). The same after a restart.
    pub feeds: Secret,
    /// Name of the cookie with the session. Browsers send cookies to all ports of a host, so the port belongs into the name.
    pub cookie: String,
}

impl Keys {
    /// New ones, for the server at this port.
    ///
    /// # Errors
    /// When the operating system has no random bytes.
    pub fn random(port: u16) -> io::Result<Keys> {
        let cookie = format!("varve-session-{port}");
        Ok(Keys { token: Secret::random()?, feeds: Secret::random()?, cookie })
    }
}
