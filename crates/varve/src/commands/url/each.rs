//! One line out for each URL in: from the arguments, or from standard input line by line.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};

use anyhow::Context as _;
use serde_json::{Map, Value};

use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::escape_bytes;

/// A longer line is no URL that anybody could have fetched.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Where the URLs come from.
#[derive(clap::Args)]
pub(super) struct Urls {
    /// URLs; without any, or for -, one per line of standard input
    #[arg(value_name = "URL")]
    urls: Vec<OsString>,
}

impl Urls {
    /// Prints what `form` makes of each URL, in its order; with --json as an object with this member.
    pub(super) fn each(
        self,
        session: &mut Session,
        member: &'static str,
        form: impl Fn(&[u8]) -> Result<Vec<u8>, urlkey::Error>,
    ) -> anyhow::Result<Exit> {
        let mut answers = Answers { session, member, form, has_failed: false };
        if self.urls.is_empty() {
            answers.answer_stdin()?;
        }
        for url in &self.urls {
            if url == "-" {
                answers.answer_stdin()?;
            } else {
                answers.answer(url.as_encoded_bytes(), None)?;
            }
        }
        Ok(if answers.has_failed { Exit::Failed } else { Exit::Done })
    }
}

/// Bytes as text: those that are not UTF-8 as the escapes that a browser would send.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    Cow::Owned(text)
}

struct Answers<'a, F> {
    session: &'a mut Session,
    member: &'static str,
    form: F,
    has_failed: bool,
}

impl<F: Fn(&[u8]) -> Result<Vec<u8>, urlkey::Error>> Answers<'_, F> {
    /// Answers every line. Whoever waits for an answer before sending the next line gets it; whoever sends many at once has
    /// them answered many at once.
    fn answer_stdin(&mut self) -> anyhow::Result<()> {
        let mut input = BufReader::with_capacity(64 << 10, io::stdin());
        let mut line = Vec::new();
        for number in 1_u64.. {
            if !input.buffer().contains(&b'\n') {
                self.session.out.finish()?;
            }
            line.clear();
            // One more than the limit shows that there is more.
            let taken = input.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut line);
            if taken.context("cannot read standard input")? == 0 {
                break;
            }
            if line.len() as u64 > LINE_BYTES_MAX && !line.ends_with(b"\n") {
                input.skip_until(b'\n').context("cannot read standard input")?;
                let reason = format!("longer than {LINE_BYTES_MAX} bytes");
                line.truncate(80);
                self.refuse(&line, Some(number), &reason)?;
                continue;
            }
            let url = line.strip_suffix(b"\n").unwrap_or(&line);
            self.answer(url.strip_suffix(b"\r").unwrap_or(url), Some(number))?;
        }
        Ok(())
    }

    fn answer(&mut self, url: &[u8], line: Option<u64>) -> anyhow::Result<()> {
        let mut form = match (self.form)(url) {
            Ok(form) => form,
            Err(error) => return self.refuse(url, line, &error.to_string()),
        };
        if self.session.globals.json {
            return self.print_json(url, (self.member, String::from_utf8_lossy(&form).into_owned()));
        }
        let out = &mut self.session.out;
        if out.is_terminal() {
            return out.line(escape_bytes(&form));
        }
        // An argument may hold a line break, and some rules keep it; one URL is one line all the same.
        if form.contains(&b'\n') {
            form = text(&form).replace('\n', "%0A").into_bytes();
        }
        form.push(b'\n');
        out.write_all(&form).context("cannot write to standard output")
    }

    /// Says why there is no answer, in its place.
    fn refuse(&mut self, url: &[u8], line: Option<u64>, reason: &str) -> anyhow::Result<()> {
        self.has_failed = true;
        let place = match line {
            Some(number) => format!("line {number}"),
            None => format!("`{}`", escape_bytes(url)),
        };
        self.session.talk.error(&format!("{place}: {reason}"));
        if self.session.globals.json {
            return self.print_json(url, ("error", reason.to_owned()));
        }
        self.session.out.line("")
    }

    fn print_json(&mut self, url: &[u8], (name, value): (&str, String)) -> anyhow::Result<()> {
        let url = ("url".to_owned(), Value::String(text(url).into_owned()));
        let object: Map<String, Value> = [url, (name.to_owned(), Value::String(value))].into_iter().collect();
        self.session.out.json(&object)
    }
}
