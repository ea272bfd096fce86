//! Tells people by mail.

mod dialogue;
mod letter;
mod relay;

use std::fmt;

pub use letter::Address;
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
    /// Whose certificates are trusted.
    pub roots: Roots,
    /// How much the server may take.
    pub limits: Limits,
}

impl Channel for Mail {
    fn name(&self) -> String {
        let to: Vec<&str> = self.to.iter().map(Address::as_str).collect();
        format!("mail to {}", to.join(", "))
    }

    fn send(&self, message: &Message) -> Result<(), Error> {
        let letter = letter::write(&self.from, &self.to, message)?;
        let wire = Wire::connect(&self.relay.host, self.relay.port, &self.limits)?;
        dialogue::send(wire, self, &letter)
    }
}
