//! Tells people by mail.

mod address;
mod dialogue;
mod letter;
mod relay;

use std::fmt;

use destination::Allowed;

pub use address::Address;
pub use letter::Letter;
pub use relay::{Relay, Security};

use crate::channel::Channel;
use crate::error::Error;
use crate::limits::Limits;
use crate::message::Message;
use crate::wire::{Roots, Wire};

/// Who we are to the mail server.
#[derive(Clone)]
pub struct Login {
    /// The user's name.
    pub user: String,
    /// The password.
    pub password: String,
}

impl fmt::Debug for Login {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

/// Sends letters.
#[derive(Clone, Debug)]
pub struct Mail {
    /// The server that takes them.
    pub relay: Relay,
    /// Who we are to it; not given to a server that is neither on this machine nor speaks TLS.
    pub login: Option<Login>,
    /// Who they are from.
    pub from: Address,
    /// Who they are for.
    pub to: Vec<Address>,
    /// Where the server may be.
    pub allowed: Allowed,
    /// Whose certificates are trusted.
    pub roots: Roots,
    /// How much the server may take.
    pub limits: Limits,
}

impl Mail {
    /// Hands a letter over, now. Returns when the server has it or cannot take it, within bounded time.
    ///
    /// ```no_run
    /// # use notify::{Allowed, Letter, Limits, Mail, Roots};
    /// let mail = Mail {
    ///     relay: "smtps://mail.example.org".parse()?,
    ///     login: None,
    ///     from: "varve@example.org".parse()?,
    ///     to: vec!["ann@example.org".parse()?],
    ///     allowed: Allowed::default(),
    ///     roots: Roots::System,
    ///     limits: Limits::default(),
    /// };
    /// mail.send_letter(&Letter {
    ///     id: "watch-17-3".to_owned(),
    ///     subject: "Harbour timetable changed (3 words)".to_owned(),
    ///     text: "- 08:40\n+ 08:45\n".to_owned(),
    ///     html: Some("<p><del>08:40</del> <ins>08:45</ins>".to_owned()),
    ///     at: "2026-11-18T03:00:00Z".parse()?,
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Channel::send`].
    pub fn send_letter(&self, letter: &Letter) -> Result<(), Error> {
        self.hand_over(letter, "watch")
    }

    /// Hands it over as a letter of this kind.
    fn hand_over(&self, letter: &Letter, kind: &str) -> Result<(), Error> {
        let bytes = letter.write(&self.from, &self.to, kind)?;
        let wire = Wire::connect(&self.relay.host, self.relay.port, &self.allowed, &self.limits)?;
        dialogue::send(wire, self, &bytes)
    }
}

impl Channel for Mail {
    fn name(&self) -> String {
        let to: Vec<&str> = self.to.iter().map(Address::as_str).collect();
        format!("mail to {}", to.join(", "))
    }

    fn send(&self, message: &Message) -> Result<(), Error> {
        self.hand_over(&Letter::of(message), message.kind().unwrap_or("several"))
    }
}
