//! The text of the element that is open: a script, a style, or markup that only some readers see.

use lol_html::html_content::TextChunk;

use crate::{Limits, Place, css, script};

use super::table::Code;
use super::{Inserted, Stream, import_map};

/// What the text that comes is.
#[derive(Debug)]
pub(super) enum Inside {
    /// Nothing that is changed.
    Other,
    Script(Box<script::Stream>),
    Style(Box<css::Stream>),
    /// An import map, as far as it came.
    Map(String),
    /// Markup that the parser takes for text.
    Markup(Box<Stream>),
}

impl Inside {
    pub(super) fn script(code: Code, limits: &Limits) -> Inside {
        match code {
            Code::Classic | Code::Module => {
                Inside::Script(Box::new(script::Stream::new(limits, code == Code::Module)))
            }
            Code::ImportMap => Inside::Map(String::new()),
            Code::Speculation | Code::Data => Inside::Other,
        }
    }

    pub(super) fn style(limits: &Limits) -> Inside {
        Inside::Style(Box::new(css::Stream::new(limits)))
    }

    /// `noscript`, which holds markup for those without scripts.
    pub(super) fn noscript(place: &Place, inserted: &Inserted) -> Inside {
        match inserted.inside(String::new()) {
            Some(inserted) => Inside::Markup(Box::new(Stream::decoded(place.clone(), inserted))),
            None => Inside::Other,
        }
    }

    /// Rewrites a piece of the text. Says whether something went beyond a limit.
    pub(super) fn text(&mut self, chunk: &mut TextChunk<'_>, place: &Place, limits: &Limits) -> bool {
        let last = chunk.last_in_text_node();
        let text = chunk.as_str();
        let mut out = Vec::with_capacity(text.len() + 64);
        match self {
            Inside::Other => return false,
            Inside::Map(map) => {
                map.push_str(text);
                let is_long = map.len() > limits.map_bytes_max;
                let map = std::mem::take(map);
                if is_long {
                    chunk.set_str(map);
                    *self = Inside::Other;
                } else if last {
                    chunk.set_str(import_map::rewrite(&map, place));
                } else {
                    chunk.set_str(String::new());
                    *self = Inside::Map(map);
                }
                return is_long;
            }
            Inside::Script(stream) => {
                stream.feed(text.as_bytes(), place, &mut out);
                if last {
                    stream.finish(place, &mut out);
                }
            }
            Inside::Style(stream) => {
                stream.feed(text.as_bytes(), place, &mut out);
                if last {
                    stream.finish(place, &mut out);
                }
            }
            Inside::Markup(stream) => {
                stream.feed(text.as_bytes(), &mut out);
                if last {
                    stream.finish(&mut out);
                }
            }
        }
        if out != text.as_bytes() {
            chunk.set_str(into_string(out));
        }
        self.is_cut()
    }

    fn is_cut(&self) -> bool {
        match self {
            Inside::Script(stream) => stream.is_cut(),
            Inside::Markup(stream) => stream.is_cut(),
            _ => false,
        }
    }

    /// What is held back, for when nothing more will be asked.
    pub(super) fn rest(&mut self, place: &Place) -> String {
        let mut out = Vec::new();
        match self {
            Inside::Script(stream) => stream.finish(place, &mut out),
            Inside::Style(stream) => stream.finish(place, &mut out),
            Inside::Markup(stream) => stream.finish(&mut out),
            Inside::Map(map) => return std::mem::take(map),
            Inside::Other => {}
        }
        *self = Inside::Other;
        into_string(out)
    }
}

/// Text is only ever cut between tokens, and tokens between characters.
fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
