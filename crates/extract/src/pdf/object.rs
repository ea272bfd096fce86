//! The dictionaries of a PDF, as they go by, and what we want of them.

use super::inflate::inflate;
use super::text::{metadata_title, text};
use super::token::{Token, Tokens};
use crate::Limits;
use crate::stop::Watch;

/// What was found in all objects.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Addresses and the kind of action that has them.
    pub(super) addresses: Vec<(String, &'static str)>,
    pub(super) scripts: Vec<String>,
    pub(super) base: Option<String>,
    pub(super) title: Option<String>,
    pub(super) metadata_title: Option<String>,
    pub(super) encrypted: bool,
}

/// Scripts that are kept; forms with hundreds of fields have one or two for each.
const SCRIPTS_MAX: usize = 10_000;

/// Reads objects one after another.
pub(super) struct Objects<'l> {
    limits: &'l Limits,
    found: Found,
    /// Bytes that compressed streams may still unfold to.
    left: u64,
    script_bytes_left: usize,
    open: Vec<Dictionary>,
    /// Dictionaries that are too deep to be kept.
    too_deep: usize,
    watch: Watch,
}

/// A dictionary that is open, or has just been closed.
#[derive(Debug, Default)]
struct Dictionary {
    /// The key whose value comes next.
    key: Vec<u8>,
    /// Open arrays; what is in them has no key of its own.
    arrays: usize,
    /// A number or reference was the value, or part of it.
    words: bool,
    /// The key of the dictionary around it that it is the value of.
    role: Vec<u8>,
    kind: Vec<u8>,
    action: Vec<u8>,
    file_system: Vec<u8>,
    filter: Vec<u8>,
    filters: usize,
    length: Option<usize>,
    uri: Option<String>,
    file: Option<String>,
    title: Option<String>,
    /// It has what only the information dictionary has.
    about_document: bool,
    /// It has what only parts of the document have.
    part: bool,
}

impl<'l> Objects<'l> {
    pub(super) fn new(limits: &'l Limits) -> Objects<'l> {
        Objects {
            limits,
            found: Found::default(),
            left: limits.unfolded_bytes_max,
            script_bytes_left: limits.script_bytes_max,
            open: Vec::new(),
            too_deep: 0,
            watch: Watch::new(limits.stop.as_ref()),
        }
    }

    pub(super) fn into_found(self) -> Found {
        self.found
    }

    /// Reads a whole file.
    pub(super) fn read_file(&mut self, pdf: &[u8]) {
        let mut tokens = Tokens::new(pdf, self.limits.reference_bytes_max);
        let mut last: Option<Dictionary> = None;
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(b"stream") => {
                    let head = last.take().unwrap_or_default();
                    let data = tokens.stream(head.length);
                    self.stream(&head, data);
                    self.open.clear();
                }
                // Whatever was left open belongs to the object before.
                Token::Word(b"obj" | b"endobj" | b"endstream") => {
                    self.open.clear();
                    self.too_deep = 0;
                }
                token => {
                    if let Some(closed) = self.take(token) {
                        last = Some(closed);
                    }
                }
            }
            if self.is_done() {
                return;
            }
        }
    }

    fn is_done(&mut self) -> bool {
        self.watch.step() || self.found.addresses.len() > self.limits.links_max
    }

    /// A stream of objects, or the metadata; others are pages and pictures.
    fn stream(&mut self, head: &Dictionary, data: &[u8]) {
        let objects = head.kind == b"ObjStm";
        let metadata = head.kind == b"Metadata" && self.found.metadata_title.is_none();
        if !objects && !metadata {
            return;
        }
        let unfolded;
        let data = match (head.filters, head.filter.as_slice()) {
            (0, _) => data,
            (1, b"FlateDecode" | b"Fl") => {
                unfolded = inflate(data, self.left);
                self.left = self.left.saturating_sub(unfolded.len() as u64);
                &unfolded
            }
            _ => return,
        };
        if metadata {
            self.found.metadata_title = metadata_title(&text(data)).map(|title| self.phrase(title));
            return;
        }
        self.open.clear();
        for token in Tokens::new(data, self.limits.reference_bytes_max) {
            self.take(token);
            if self.is_done() {
                return;
            }
        }
    }

    /// Takes a token in; gives back the dictionary that it closes, if that was not inside of another.
    fn take(&mut self, token: Token<'_>) -> Option<Dictionary> {
        match token {
            Token::Open if self.open.len() >= self.limits.depth_max => self.too_deep += 1,
            Token::Open => {
                let outer = self.open.last_mut();
                let role = outer
                    .map(|outer| if outer.arrays > 0 { Vec::new() } else { std::mem::take(&mut outer.key) });
                self.open.push(Dictionary { role: role.unwrap_or_default(), ..Dictionary::default() });
            }
            Token::Close if self.too_deep > 0 => self.too_deep -= 1,
            Token::Close => {
                let closed = self.open.pop()?;
                return self.close(closed);
            }
            token if self.too_deep == 0 => {
                let mut top = self.open.pop()?;
                self.value(&mut top, token);
                self.open.push(top);
            }
            _ => {}
        }
        None
    }

    fn value(&mut self, top: &mut Dictionary, token: Token<'_>) {
        match token {
            Token::ArrayOpen => top.arrays += 1,
            Token::ArrayClose => {
                top.arrays = top.arrays.saturating_sub(1);
                if top.arrays == 0 {
                    top.key.clear();
                }
            }
            Token::Name(name) if top.arrays > 0 => top.name(&name),
            Token::Name(name) if top.key.is_empty() || std::mem::take(&mut top.words) => {
                self.found.encrypted |= name == b"Encrypt";
                top.part |= PARTS.contains(&name.as_slice());
                top.about_document |= ABOUT.contains(&name.as_slice());
                top.key = name;
                top.words = false;
            }
            Token::Name(name) => {
                top.name(&name);
                top.key.clear();
            }
            Token::String(bytes) if top.arrays == 0 => {
                self.string(top, &bytes);
                top.key.clear();
            }
            Token::Word(word) if top.arrays == 0 => {
                if top.key == b"Length" && !std::mem::replace(&mut top.words, true) {
                    top.length = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
                } else if top.key == b"Length" {
                    // A second word: it was a reference to a number that lies elsewhere.
                    top.length = None;
                }
                top.words = true;
            }
            _ => {}
        }
    }

    fn string(&mut self, top: &mut Dictionary, bytes: &[u8]) {
        match top.key.as_slice() {
            b"URI" => top.uri = Some(text(bytes)),
            b"UF" => top.file = Some(text(bytes)),
            b"F" => {
                top.file.get_or_insert_with(|| text(bytes));
            }
            b"Title" => top.title = Some(text(bytes)),
            b"Base" if top.role == b"URI" => self.found.base = Some(text(bytes)),
            b"JS"
                if !bytes.is_empty()
                    && bytes.len() <= self.script_bytes_left
                    && self.found.scripts.len() < SCRIPTS_MAX =>
            {
                self.script_bytes_left -= bytes.len();
                self.found.scripts.push(text(bytes));
            }
            _ => {}
        }
    }

    /// A dictionary has ended. One that is a file of the action around it gives it its address.
    fn close(&mut self, closed: Dictionary) -> Option<Dictionary> {
        let Some(outer) = self.open.last_mut() else {
            self.finish(&closed);
            return Some(closed);
        };
        if closed.role == b"F" {
            outer.file = closed.file.clone();
        }
        self.finish(&closed);
        None
    }

    fn finish(&mut self, closed: &Dictionary) {
        let mut add = |reference: &Option<String>, attribute| {
            let reference = reference.as_deref().map(str::trim).filter(|reference| !reference.is_empty());
            self.found.addresses.extend(reference.map(|reference| (reference.to_owned(), attribute)));
        };
        match closed.action.as_slice() {
            b"GoToR" => add(&closed.file, "gotor"),
            b"SubmitForm" | b"ImportData" => add(&closed.file, "form"),
            _ if closed.file_system == b"URL" && closed.role != b"F" => add(&closed.file, "file"),
            _ => add(&closed.uri, "uri"),
        }
        if let Some(title) = &closed.title
            && closed.about_document
            && !closed.part
            && !title.trim().is_empty()
        {
            self.found.title = Some(self.phrase(title.trim().to_owned()));
        }
    }

    fn phrase(&self, mut text: String) -> String {
        text.truncate(text.floor_char_boundary(self.limits.phrase_bytes_max));
        text
    }
}

impl Dictionary {
    /// A name is the value of the open key, or one of its values.
    fn name(&mut self, name: &[u8]) {
        match self.key.as_slice() {
            b"Type" => self.kind = name.to_vec(),
            b"S" => self.action = name.to_vec(),
            b"FS" => self.file_system = name.to_vec(),
            b"Filter" => {
                self.filter = name.to_vec();
                self.filters += 1;
            }
            _ => {}
        }
    }
}

/// Keys of the information dictionary.
const ABOUT: [&[u8]; 7] =
    [b"Producer", b"Creator", b"CreationDate", b"ModDate", b"Author", b"Keywords", b"Subject"];
/// Keys that entries of the outline, annotations and structure have, whose titles are not the document's.
const PARTS: [&[u8]; 6] = [b"Parent", b"Dest", b"Rect", b"Subtype", b"First", b"S"];
