//! The files of a page: where they are, what they are called, what is in them.

/// A file of a page.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// The host, without `.localhost`; empty for that of the page.
    pub host: &'static str,
    /// Path and query.
    pub path: &'static str,
    /// The media type, as it is sent.
    pub mime: &'static str,
    /// What is in it.
    pub body: Body,
}

/// What is in a file.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// A text, in which `{port}` is replaced.
    Text(&'static str),
    /// Bytes as they are.
    Bytes(&'static [u8]),
    /// A drawing of one colour, 100 by 60.
    Drawing(&'static str),
    /// Two seconds of silence: a medium that every browser can play.
    Silence,
    /// An answer to a POST with this body.
    Reply(&'static str, &'static str),
    /// Leads elsewhere.
    Redirect(&'static str),
}

/// The script that every page has: it writes down and paints.
const CHECK: &str = r#"
window.results = {};
function say(name, value) {
  results[name] = value;
  var line = document.createElement('p');
  line.setAttribute('class', 'line');
  line.textContent = name + ' ' + (typeof value === 'string' ? value : JSON.stringify(value));
  (document.getElementById('out') || document.body).appendChild(line);
}
function fail(error) { say('failed', String(error)); done(); }
function done() { window.finished = true; }
"#;

pub(super) const CHECK_FILE: File =
    File { host: "", path: "/check.js", mime: "text/javascript", body: Body::Text(CHECK) };

/// A page in HTML. What it paints is large enough to be seen in a picture of it.
pub(super) const fn html(path: &'static str, text: &'static str) -> File {
    File { host: "", path, mime: "text/html; charset=utf-8", body: Body::Text(text) }
}

pub(super) const fn script(path: &'static str, text: &'static str) -> File {
    File { host: "", path, mime: "text/javascript", body: Body::Text(text) }
}

pub(super) const fn css(path: &'static str, text: &'static str) -> File {
    File { host: "", path, mime: "text/css", body: Body::Text(text) }
}

pub(super) const fn json(path: &'static str, text: &'static str) -> File {
    File { host: "", path, mime: "application/json", body: Body::Text(text) }
}

pub(super) const fn drawing(path: &'static str, colour: &'static str) -> File {
    File { host: "", path, mime: "image/svg+xml", body: Body::Drawing(colour) }
}

/// The same file on another host.
pub(super) const fn on(host: &'static str, file: File) -> File {
    File { host, ..file }
}

impl File {
    /// Its address on a server at this port, for the page of this name.
    pub fn url(&self, page: &str, port: u16) -> String {
        let host = if self.host.is_empty() { page } else { self.host };
        format!("http://{host}.localhost:{port}{}", self.path)
    }

    /// What the server sends.
    pub fn bytes(&self, port: u16) -> Vec<u8> {
        match self.body {
            Body::Text(text) | Body::Reply(_, text) => text.replace("{port}", &port.to_string()).into_bytes(),
            Body::Bytes(bytes) => bytes.to_vec(),
            Body::Drawing(colour) => format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='60'><rect width='100' height='60' \
                 fill='{colour}'/></svg>"
            )
            .into_bytes(),
            Body::Silence => silence(),
            Body::Redirect(_) => Vec::new(),
        }
    }
}

/// WAVE, 8 bits, 8,000 samples a second.
fn silence() -> Vec<u8> {
    const SAMPLES: u32 = 16_000;
    let mut bytes = Vec::new();
    bytes.extend_from_slice(b"RIFF");
    bytes.extend_from_slice(&(36 + SAMPLES).to_le_bytes());
    bytes.extend_from_slice(b"WAVEfmt ");
    bytes.extend_from_slice(&[16, 0, 0, 0, 1, 0, 1, 0]);
    bytes.extend_from_slice(&8_000u32.to_le_bytes());
    bytes.extend_from_slice(&8_000u32.to_le_bytes());
    bytes.extend_from_slice(&[1, 0, 8, 0]);
    bytes.extend_from_slice(b"data");
    bytes.extend_from_slice(&SAMPLES.to_le_bytes());
    bytes.resize(bytes.len() + SAMPLES as usize, 128);
    bytes
}
