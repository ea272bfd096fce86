//! The dialogue with a mail server (RFC 5321), as far as one letter needs it.

use data_encoding::BASE64;

use super::{Login, Mail, Security};
use crate::error::Error;
use crate::wire::Wire;

/// The most lines of one answer.
const LINES_MAX: usize = 100;

/// Hands a letter over. It is taken when this returns without an error, or with [`Error::NotToAll`].
pub(super) fn send(wire: Wire, mail: &Mail, letter: &[u8]) -> Result<(), Error> {
    let wire = match mail.relay.security {
        Security::FromTheStart => wire.secure(&mail.roots)?,
        Security::StartTls | Security::None => wire,
    };
    let mut dialogue = Dialogue { wire };
    dialogue.answer("the connection", 220)?;
    let mut offers = dialogue.greet()?;
    if mail.relay.security == Security::StartTls {
        if !has(&offers, "STARTTLS") {
            return Err(dialogue.not_offered("TLS"));
        }
        dialogue.say("STARTTLS", 220)?;
        dialogue = Dialogue { wire: dialogue.wire.secure(&mail.roots)? };
        // What was offered before the handshake counts for nothing.
        offers = dialogue.greet()?;
    }
    if let Some(login) = &mail.login {
        if mail.relay.security == Security::None && !mail.relay.is_near() {
            return Err(dialogue.not_offered("TLS, without which no password is sent"));
        }
        dialogue.log_in(login, &offers)?;
    }
    dialogue.say(&format!("MAIL FROM:<{}>", mail.from.as_str()), 250)?;
    let mut refused = Vec::new();
    for to in &mail.to {
        match dialogue.say(&format!("RCPT TO:<{}>", to.as_str()), 250) {
            Err(error @ Error::Refused { .. }) => refused.push(error),
            outcome => drop(outcome?),
        }
    }
    // Whoever can be told is told; that another has moved away must not keep them from it.
    let told: Vec<String> = refused.iter().map(Error::in_full).collect();
    if let (true, Some(first)) = (refused.len() == mail.to.len(), refused.into_iter().next()) {
        return Err(first);
    }
    dialogue.say("DATA", 354)?;
    dialogue.wire.send(&stuffed(letter))?;
    dialogue.answer("the letter", 250)?;
    // It is taken: whether the goodbye is heard does not matter.
    let _ = dialogue.wire.send(b"QUIT\r\n");
    dialogue.wire.finish();
    if told.is_empty() { Ok(()) } else { Err(Error::NotToAll { refused: told }) }
}

struct Dialogue {
    wire: Wire,
}

impl Dialogue {
    /// What the server can do.
    fn greet(&mut self) -> Result<Vec<String>, Error> {
        let name = match self.wire.own_address() {
            Some(std::net::IpAddr::V4(address)) => format!("[{address}]"),
            Some(std::net::IpAddr::V6(address)) => format!("[IPv6:{address}]"),
            None => "localhost".to_owned(),
        };
        self.say(&format!("EHLO {name}"), 250)
    }

    fn log_in(&mut self, login: &Login, offers: &[String]) -> Result<(), Error> {
        let Login { user, password } = login;
        let words = offers
            .iter()
            .find_map(|offer| offer.to_ascii_uppercase().strip_prefix("AUTH ").map(str::to_owned));
        let ways: Vec<&str> = words.as_deref().unwrap_or_default().split_ascii_whitespace().collect();
        if ways.contains(&"PLAIN") {
            let secret = BASE64.encode(format!("\0{user}\0{password}").as_bytes());
            self.ask(&format!("AUTH PLAIN {secret}"), "the login", 235)?;
        } else if ways.contains(&"LOGIN") {
            self.say("AUTH LOGIN", 334)?;
            self.ask(&BASE64.encode(user.as_bytes()), "the user's name", 334)?;
            self.ask(&BASE64.encode(password.as_bytes()), "the password", 235)?;
        } else {
            return Err(self.not_offered("a login by name and password"));
        }
        Ok(())
    }

    /// Says something that may be told again.
    fn say(&mut self, command: &str, wanted: u16) -> Result<Vec<String>, Error> {
        self.ask(command, &format!("`{command}`"), wanted)
    }

    /// Says something and hears the answer; complaints call it `step`, because it may be a secret.
    fn ask(&mut self, command: &str, step: &str, wanted: u16) -> Result<Vec<String>, Error> {
        self.wire.send(format!("{command}\r\n").as_bytes())?;
        self.answer(step, wanted)
    }

    /// The lines of an answer, without its code.
    fn answer(&mut self, step: &str, wanted: u16) -> Result<Vec<String>, Error> {
        let mut lines = Vec::new();
        loop {
            let line = self.wire.line()?;
            let strange = || Error::Strange { host: self.wire.shown().to_owned(), answer: shortened(&line) };
            let code = line.get(..3).and_then(|code| code.parse::<u16>().ok()).ok_or_else(strange)?;
            let is_last = !line.get(3..).unwrap_or_default().starts_with('-');
            if is_last && code != wanted {
                // A recipient may be taken on for another (251).
                let is_good = wanted == 250 && (250..253).contains(&code);
                if !is_good {
                    let (host, answer) = (self.wire.shown().to_owned(), shortened(&line));
                    return Err(Error::Refused {
                        host,
                        step: step.to_owned(),
                        answer,
                        is_final: code >= 500,
                    });
                }
            }
            lines.push(line.get(4..).unwrap_or_default().to_owned());
            if is_last {
                return Ok(lines);
            }
            if lines.len() >= LINES_MAX {
                return Err(Error::TooMuch { host: self.wire.shown().to_owned() });
            }
        }
    }

    fn not_offered(&self, what: &'static str) -> Error {
        Error::NotOffered { host: self.wire.shown().to_owned(), what }
    }
}

fn has(offers: &[String], what: &str) -> bool {
    offers.iter().any(|offer| offer.trim().eq_ignore_ascii_case(what))
}

/// What a server says, fit for a complaint.
fn shortened(line: &str) -> String {
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// The letter as it is sent: a dot that begins a line is doubled, and one alone ends it (RFC 5321, 4.5.2).
fn stuffed(letter: &[u8]) -> Vec<u8> {
    let mut sent = Vec::with_capacity(letter.len() + 64);
    let mut is_start = true;
    for byte in letter {
        if is_start && *byte == b'.' {
            sent.push(b'.');
        }
        sent.push(*byte);
        is_start = *byte == b'\n';
    }
    if !sent.ends_with(b"\r\n") {
        sent.extend_from_slice(b"\r\n");
    }
    sent.extend_from_slice(b".\r\n");
    sent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_letter_ends_it() {
        assert_eq!(stuffed(b"a\r\n.\r\n..b\r\n"), b"a\r\n..\r\n...b\r\n.\r\n");
        assert_eq!(stuffed(b".a"), b"..a\r\n.\r\n");
    }
}
