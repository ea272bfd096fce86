//! Our tokens against those of html5gum, which follows the standard's states one by one.

use extract::Limits;
use extract::html::token::{Mode, NAMED, Sink, Tag, Tokenizer};
use extract::html::{decode_attribute, decode_text};

/// A token in a form in which both can be written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Start(String, Vec<(String, String)>, bool),
    End(String),
    Text(String),
    Comment(String),
}

/// Compares the tokens of a text, read in pieces of so many bytes.
pub(crate) fn compare(html: &str, piece_bytes: usize) {
    let (ours, theirs) = (ours(html, piece_bytes), theirs(html));
    if ours != theirs {
        let at = ours.iter().zip(&theirs).take_while(|(ours, theirs)| ours == theirs).count();
        panic!("token {at} is {:?} and not {:?}", ours.get(at), theirs.get(at));
    }
}

fn ours(html: &str, piece_bytes: usize) -> Vec<Token> {
    let mut limits = Limits::default();
    (limits.attributes_max, limits.tag_bytes_max) = (usize::MAX, usize::MAX);
    let mut tokenizer = Tokenizer::new(&limits);
    let mut collector = Collector::default();
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.ceil_char_boundary(piece_bytes.max(1)));
        tokenizer.write(piece, &mut collector);
        rest = behind;
    }
    tokenizer.finish(&mut collector);
    collector.flush();
    collector.tokens
}

fn theirs(html: &str) -> Vec<Token> {
    let mut emitter = html5gum::DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let text =
        |string: &html5gum::HtmlString| String::from_utf8(string.to_vec()).unwrap().replace('\0', "\u{fffd}");
    let mut tokens = Vec::new();
    for token in html5gum::Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            html5gum::Token::StartTag(tag) => {
                let attributes =
                    tag.attributes.iter().map(|(name, value)| (text(name), text(&value.value))).collect();
                tokens.push(Token::Start(text(&tag.name), attributes, tag.self_closing));
            }
            html5gum::Token::EndTag(tag) => tokens.push(Token::End(text(&tag.name))),
            html5gum::Token::String(string) => match tokens.last_mut() {
                Some(Token::Text(before)) => before.push_str(&text(&string.value)),
                _ => tokens.push(Token::Text(text(&string.value))),
            },
            html5gum::Token::Comment(comment) => tokens.push(Token::Comment(text(&comment.value))),
            html5gum::Token::Doctype(_) | html5gum::Token::Error(_) => {}
        }
    }
    tokens.retain(|token| *token != Token::Text(String::new()));
    join(tokens)
}

/// A doctype or an empty end tag between two texts is no token here.
fn join(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::new();
    for token in tokens {
        match (joined.last_mut(), token) {
            (Some(Token::Text(before)), Token::Text(text)) => before.push_str(&text),
            (_, token) => joined.push(token),
        }
    }
    joined
}

#[derive(Default)]
struct Collector {
    tokens: Vec<Token>,
    /// Text that may go on, as written, and whether it is raw.
    text: String,
    raw: bool,
    comment: String,
}

/// As the standard's input is before it is read.
fn normal(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}")
}

impl Collector {
    fn flush(&mut self) {
        let text = normal(&std::mem::take(&mut self.text));
        let text = if self.raw { text } else { decode_text(&text).into_owned() };
        match self.tokens.last_mut() {
            _ if text.is_empty() => {}
            Some(Token::Text(before)) => before.push_str(&text),
            _ => self.tokens.push(Token::Text(text)),
        }
    }
}

impl Sink for Collector {
    fn attribute(&self, _: &str) -> u8 {
        NAMED
    }

    fn start_tag(&mut self, tag: &Tag<'_>) -> Mode {
        self.flush();
        let lower = |name: &str| normal(name).to_ascii_lowercase();
        let attributes = tag.attributes().map(|(_, name, value)| (name, normal(value)));
        let attributes = attributes.map(|(name, value)| (lower(name), decode_attribute(&value).into_owned()));
        let mut attributes: Vec<_> = attributes.collect();
        // Names that differ only in what is no character are the same to the standard, and the first of them counts.
        attributes.sort_by(|a, b| a.0.cmp(&b.0));
        attributes.dedup_by(|a, b| a.0 == b.0);
        let name = lower(tag.name());
        self.tokens.push(Token::Start(name.clone(), attributes, tag.is_self_closing()));
        // Its list of raw elements, not ours.
        match name.as_str() {
            "title" => Mode::Rcdata("title"),
            "textarea" => Mode::Rcdata("textarea"),
            "style" => Mode::Rawtext("style"),
            "iframe" => Mode::Rawtext("iframe"),
            "xmp" => Mode::Rawtext("xmp"),
            "noembed" => Mode::Rawtext("noembed"),
            "noframe" => Mode::Rawtext("noframe"),
            "noscript" => Mode::Rawtext("noscript"),
            "script" => Mode::Script,
            "plaintext" => Mode::Plaintext,
            _ => Mode::Data,
        }
    }

    fn end_tag(&mut self, name: &str) {
        self.flush();
        self.tokens.push(Token::End(normal(name).to_ascii_lowercase()));
    }

    fn text(&mut self, text: &str, raw: bool) {
        if raw != self.raw {
            self.flush();
            self.raw = raw;
        }
        self.text.push_str(text);
    }

    fn comment(&mut self, piece: &str, end: bool) {
        self.flush();
        self.comment.push_str(piece);
        if end {
            self.tokens.push(Token::Comment(normal(&std::mem::take(&mut self.comment))));
        }
    }

    fn is_in_foreign_content(&self) -> bool {
        false
    }

    fn tag_was_cut(&mut self) {}
}
