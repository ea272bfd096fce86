//! A mail server on loopback that keeps every letter, and misbehaves where a test tells it to.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use rustls::ServerConfig;

use crate::server::{Place, Server, Wire};

/// A letter that was handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// What `MAIL FROM` said, in angle brackets.
    pub from: String,
    /// What each `RCPT TO` said.
    pub to: Vec<String>,
    /// Headers and body, without what the transport adds.
    pub text: String,
    /// Whether it came by TLS.
    pub is_secure: bool,
    /// Who logged in, as `user:password`.
    pub login: Option<String>,
}

/// What goes wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mischief {
    /// Nothing.
    #[default]
    None,
    /// To a command that begins like this it answers that.
    Answer(&'static str, &'static str),
    /// At a command that begins like this it falls silent.
    Hang(&'static str),
    /// At a command that begins like this it cuts the connection.
    Cut(&'static str),
    /// It greets for ever.
    Endless,
    /// It greets with one line that never ends.
    EndlessLine,
    /// It says something after `STARTTLS` that was never asked for, before TLS begins.
    Ahead,
}

/// How it works.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// With this, TLS is from the start.
    pub tls: Option<Arc<ServerConfig>>,
    /// With this, `STARTTLS` is offered.
    pub start_tls: Option<Arc<ServerConfig>>,
    /// Ways to log in that are offered, such as `PLAIN LOGIN`.
    pub ways: Option<&'static str>,
    /// What goes wrong.
    pub mischief: Mischief,
}

/// A mail server that runs as long as this value lives.
#[derive(Debug)]
pub struct PostOffice {
    server: Server,
    letters: Arc<Mutex<Vec<Letter>>>,
    manner: Arc<Mutex<Manner>>,
}

impl PostOffice {
    /// Opens one.
    ///
    /// # Panics
    /// When no port can be had.
    #[track_caller]
    pub fn open(manner: Manner) -> PostOffice {
        let letters = Arc::new(Mutex::new(Vec::new()));
        let place = Place { tls: manner.tls.clone(), ..Place::default() };
        let manner = Arc::new(Mutex::new(manner));
        let (kept, shared) = (Arc::clone(&letters), Arc::clone(&manner));
        let server = Server::start(&place, move |wire| {
            let manner = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
            Counter { wire, manner, letters: &kept, is_secure: false, login: None }.serve()
        });
        PostOffice { server, letters, manner }
    }

    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Every letter so far.
    pub fn letters(&self) -> Vec<Letter> {
        self.letters.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often somebody came.
    pub fn connections(&self) -> usize {
        self.server.connections()
    }

    /// From the next connection on, this goes wrong.
    pub fn set_mischief(&self, mischief: Mischief) {
        self.manner.lock().unwrap_or_else(PoisonError::into_inner).mischief = mischief;
    }
}

/// One connection.
struct Counter<'a> {
    wire: &'a mut Wire,
    manner: Manner,
    letters: &'a Mutex<Vec<Letter>>,
    is_secure: bool,
    login: Option<String>,
}

impl Counter<'_> {
    fn serve(mut self) -> io::Result<()> {
        self.is_secure = self.manner.tls.is_some();
        match self.manner.mischief {
            Mischief::Endless => loop {
                self.say("220-and another line")?;
            },
            Mischief::EndlessLine => loop {
                self.wire.send(&[b'2'; 4096])?;
            },
            _ => {}
        }
        if self.interferes("")? {
            return Ok(());
        }
        self.say("220 post.varve.test ESMTP")?;
        let (mut from, mut to) = (String::new(), Vec::new());
        while let Some(line) = self.wire.line()? {
            let line = String::from_utf8_lossy(&line).into_owned();
            if self.interferes(&line)? {
                continue;
            }
            let word = line.split(' ').next().unwrap_or_default().to_ascii_uppercase();
            match word.as_str() {
                "EHLO" => self.greet()?,
                "STARTTLS" => self.start_tls()?,
                "AUTH" => self.log_in(&line)?,
                "MAIL" => {
                    (from, to) = (argument(&line), Vec::new());
                    self.say("250 go on")?;
                }
                "RCPT" => {
                    to.push(argument(&line));
                    self.say("250 go on")?;
                }
                "DATA" => {
                    self.say("354 go on, and end with a dot")?;
                    let Some(text) = self.text()? else { return Ok(()) };
                    if self.interferes(".")? {
                        continue;
                    }
                    let letter = Letter {
                        from: std::mem::take(&mut from),
                        to: std::mem::take(&mut to),
                        text,
                        is_secure: self.is_secure,
                        login: self.login.clone(),
                    };
                    self.letters.lock().unwrap_or_else(PoisonError::into_inner).push(letter);
                    self.say("250 kept")?;
                }
                "QUIT" => {
                    self.say("221 goodbye")?;
                    return self.wire.finish();
                }
                _ => self.say("500 what?")?,
            }
        }
        Ok(())
    }

    /// Whether the mischief is here, and done.
    fn interferes(&mut self, line: &str) -> io::Result<bool> {
        let at = |word: &str| if word.is_empty() { line.is_empty() } else { line.starts_with(word) };
        match self.manner.mischief.clone() {
            Mischief::Answer(word, answer) if at(word) => self.say(answer).map(|()| true),
            Mischief::Hang(word) if at(word) => self.wire.hang().map(|()| true),
            Mischief::Cut(word) if at(word) => self.wire.reset(),
            _ => Ok(false),
        }
    }

    fn greet(&mut self) -> io::Result<()> {
        self.say("250-post.varve.test")?;
        if self.manner.start_tls.is_some() && !self.is_secure {
            self.say("250-STARTTLS")?;
        }
        if let Some(ways) = self.manner.ways {
            self.say(&format!("250-AUTH {ways}"))?;
        }
        self.say("250 8BITMIME")
    }

    fn start_tls(&mut self) -> io::Result<()> {
        let Some(config) = self.manner.start_tls.clone() else { return self.say("502 not here") };
        match self.manner.mischief {
            Mischief::Ahead => self.wire.send(b"220 go on\r\n250 and this was never asked for\r\n")?,
            _ => self.say("220 go on")?,
        }
        self.wire.secure(config)?;
        self.is_secure = true;
        Ok(())
    }

    /// Everybody is let in; who it was is kept.
    fn log_in(&mut self, line: &str) -> io::Result<()> {
        let words: Vec<&str> = line.split(' ').collect();
        self.login = match words.as_slice() {
            [_, "PLAIN", secret] => Some(decoded(secret).trim_start_matches('\0').replace('\0', ":")),
            [_, "LOGIN"] => {
                self.say("334 VXNlcm5hbWU6")?;
                let user = self.wire.line()?.unwrap_or_default();
                self.say("334 UGFzc3dvcmQ6")?;
                let password = self.wire.line()?.unwrap_or_default();
                let text = |bytes: &[u8]| decoded(&String::from_utf8_lossy(bytes));
                Some(format!("{}:{}", text(&user), text(&password)))
            }
            _ => return self.say("504 not that way"),
        };
        self.say("235 welcome")
    }

    /// A letter up to its dot, with doubled dots made single.
    fn text(&mut self) -> io::Result<Option<String>> {
        let mut text = String::new();
        while let Some(line) = self.wire.line()? {
            let line = String::from_utf8_lossy(&line).into_owned();
            if line == "." {
                return Ok(Some(text));
            }
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
            text.push_str("\r\n");
        }
        Ok(None)
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        self.wire.send(format!("{line}\r\n").as_bytes())
    }
}

/// What stands behind the colon.
fn argument(line: &str) -> String {
    line.split_once(':').map_or("", |(_, argument)| argument).trim().to_owned()
}

/// Text in base64 (RFC 4648), read leniently.
fn decoded(text: &str) -> String {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in text.chars().filter_map(|c| DIGITS.find(c)) {
        bits = bits << 6 | u32::try_from(digit).unwrap_or_default();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap_or_default());
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    #[test]
    fn a_letter_is_kept_as_it_was_handed_over() {
        let office = PostOffice::open(Manner { ways: Some("PLAIN"), ..Manner::default() });
        let mut stream = TcpStream::connect(office.address()).unwrap();
        let words = "EHLO me\r\nAUTH PLAIN AHVzZXIAcGFzcw==\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\nS: x\r\n\r\n..y\r\n.\r\nQUIT\r\n";
        stream.write_all(words.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.ends_with("250 kept\r\n221 goodbye\r\n"), "{answer}");
        let letter = office.letters().remove(0);
        assert_eq!(
            (letter.from.as_str(), letter.to.as_slice()),
            ("<a@b.c>", ["<d@e.f>".to_owned()].as_slice())
        );
        assert_eq!(letter.text, "S: x\r\n\r\n.y\r\n");
        assert_eq!((letter.is_secure, letter.login.as_deref()), (false, Some("user:pass")));
    }
}
