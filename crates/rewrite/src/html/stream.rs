//! A page that arrives in pieces, on its way through the parser.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use encoding_rs::{Decoder, Encoding, UTF_8};
use lol_html::html_content::{BailOut, ContentType, DocumentEnd, EndTag, TextChunk};
use lol_html::send::{DocumentContentHandlers, Element, ElementContentHandlers, HtmlRewriter, Settings};
use lol_html::{AsciiCompatibleEncoding, MemorySettings, OutputSink, Selector};
use memchr::memchr;

use crate::Place;

use super::Inserted;
use super::page::Page;
use super::start::{First, START_BYTES, declared, first, guess};

/// A page that arrives in pieces.
pub(crate) struct Stream {
    /// Its first bytes, until there are enough of them.
    start: Option<Vec<u8>>,
    label: Option<String>,
    /// Its encoding, if that is known already.
    encoding: Option<&'static Encoding>,
    /// Where its encoding is none that the parser reads.
    decoder: Option<Decoder>,
    /// As which encoding the parser reads it.
    read_as: AsciiCompatibleEncoding,
    /// Nothing tells its encoding, and no escape character has come so far.
    is_guessed: bool,
    /// A browser may read what stands before the head otherwise than we do.
    is_uncertain: bool,
    parser: Option<HtmlRewriter<'static, Sink>>,
    page: Arc<Mutex<Page>>,
}

/// The parser is handed so many bytes at once: what it has not read when it gives up is handed to the next one.
const PIECE_BYTES: usize = 64 << 10;

/// Begins the characters of two bytes in ISO-2022-JP. A browser that guesses this encoding sees other characters behind it than we do, until
/// another escape: a comment may end elsewhere, and hide the head that we put in.
const ESCAPE: u8 = 0x1b;

/// Where the parser writes: into what [`writing`] lent to this thread.
struct Sink;

thread_local! {
    static OUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl OutputSink for Sink {
    fn handle_chunk(&mut self, chunk: &[u8]) {
        OUT.with_borrow_mut(|out| out.extend_from_slice(chunk));
    }
}

/// Lets the parser write into `out`. The parser owns its sink, hands over many small pieces, and must be able to change
/// threads between two calls: a lock for each piece would cost more than the writing. Pages inside of pages lend and give
/// back in order.
fn writing<T>(out: &mut Vec<u8>, write: impl FnOnce() -> T) -> T {
    OUT.with_borrow_mut(|lent| std::mem::swap(lent, out));
    let result = write();
    OUT.with_borrow_mut(|lent| std::mem::swap(lent, out));
    result
}

/// All handlers run on the thread that feeds; nothing is broken by a panic in one, because none panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One selector for all elements: looking into a table is cheaper than matching many.
static SELECTORS: LazyLock<Option<(Selector, [Selector; 3])>> = LazyLock::new(|| {
    let parse = |text: &str| text.parse().ok();
    Some((parse("*")?, [parse("script")?, parse("style")?, parse("noscript")?]))
});

impl Stream {
    /// A page of bytes, with the charset that its header names.
    pub(crate) fn new(place: Place, inserted: Inserted, label: Option<String>) -> Stream {
        Stream {
            start: Some(Vec::new()),
            label,
            encoding: None,
            decoder: None,
            read_as: AsciiCompatibleEncoding::utf_8(),
            is_guessed: false,
            is_uncertain: false,
            parser: None,
            page: Arc::new(Mutex::new(Page::new(place, inserted))),
        }
    }

    /// A page inside of another, in characters.
    pub(super) fn decoded(place: Place, inserted: Inserted) -> Stream {
        Stream { encoding: Some(UTF_8), ..Stream::new(place, inserted, None) }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let Some(start) = &mut self.start else { return self.decode(bytes, false, out) };
        let (first, rest) =
            bytes.split_at_checked(START_BYTES.saturating_sub(start.len())).unwrap_or((bytes, b""));
        start.extend_from_slice(first);
        if start.len() >= START_BYTES {
            self.begin(out);
            self.decode(rest, false, out);
        }
    }

    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        if self.start.is_some() {
            self.begin(out);
        }
        self.decode(b"", true, out);
        while let Some(parser) = self.parser.take() {
            if writing(out, || parser.end()).is_ok() {
                return;
            }
            let rest = self.begin_anew(out);
            self.parse(&rest, out);
        }
    }

    /// The encoding of the output, if it is another than that of the input.
    pub(crate) fn charset(&self) -> Option<&'static str> {
        self.decoder.is_some().then(|| UTF_8.name())
    }

    pub(crate) fn is_cut(&self) -> bool {
        lock(&self.page).is_cut
    }

    pub(crate) fn holds_head(&self) -> bool {
        lock(&self.page).holds_head && !self.is_uncertain
    }

    /// Enough is there to know how to read it.
    fn begin(&mut self, out: &mut Vec<u8>) {
        let Some(start) = self.start.take() else { return };
        let told = self.encoding.or_else(|| declared(&start, self.label.as_deref()));
        self.is_guessed = told.is_none();
        let found = told.unwrap_or_else(|| guess(&start));
        let known = AsciiCompatibleEncoding::new(found);
        if known.is_none() {
            self.decoder = Some(found.new_decoder_with_bom_removal());
        }
        self.read_as = known.unwrap_or_else(AsciiCompatibleEncoding::utf_8);
        self.parser = parser(&self.page, self.read_as);
        let text = self.decoded_bytes(&start, false);
        match first(&text) {
            First::Text(at) => {
                let (before, behind) = text.split_at_checked(at).unwrap_or((&text, b""));
                self.is_uncertain |= self.is_guessed && memchr(ESCAPE, before).is_some();
                let head = {
                    let mut page = lock(&self.page);
                    page.begin();
                    page.take_head()
                };
                self.parse(before, out);
                out.extend_from_slice(head.unwrap_or_default().as_bytes());
                self.parse(behind, out);
            }
            First::Data => {
                lock(&self.page).leave();
                self.parse(&text, out);
            }
            First::Tag => self.parse(&text, out),
        }
    }

    fn decode(&mut self, bytes: &[u8], last: bool, out: &mut Vec<u8>) {
        let text = self.decoded_bytes(bytes, last);
        self.parse(&text, out);
    }

    /// The bytes as the parser reads them.
    fn decoded_bytes<'a>(&mut self, bytes: &'a [u8], last: bool) -> Cow<'a, [u8]> {
        let Some(decoder) = &mut self.decoder else { return bytes.into() };
        let mut text = String::with_capacity(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(0));
        let _ = decoder.decode_to_string(bytes, &mut text, last);
        text.into_bytes().into()
    }

    fn parse(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let escape = if self.is_guessed { memchr(ESCAPE, bytes) } else { None };
        let Some((before, behind)) = escape.and_then(|at| bytes.split_at_checked(at)) else {
            return self.parse_pieces(bytes, out);
        };
        self.is_guessed = false;
        self.parse_pieces(before, out);
        self.is_uncertain |= !lock(&self.page).holds_head;
        self.parse_pieces(behind, out);
    }

    fn parse_pieces(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for piece in bytes.chunks(PIECE_BYTES) {
            let mut rest = Cow::Borrowed(piece);
            while !rest.is_empty() {
                let Some(parser) = &mut self.parser else {
                    out.extend_from_slice(&rest);
                    break;
                };
                if writing(out, || parser.write(&rest)).is_ok() {
                    break;
                }
                rest = Cow::Owned(self.begin_anew(out));
            }
        }
    }

    /// The parser has given up, and written what it held as it was. If a fresh one can go on, that is taken back and given;
    /// otherwise so is all that comes.
    fn begin_anew(&mut self, out: &mut Vec<u8>) -> Vec<u8> {
        let written = lock(&self.page).open.begin_anew();
        let Some(written) = written else {
            self.parser = None;
            lock(&self.page).is_cut = true;
            return Vec::new();
        };
        self.parser = parser(&self.page, self.read_as);
        out.split_off(written.min(out.len()))
    }
}

fn parser(page: &Arc<Mutex<Page>>, encoding: AsciiCompatibleEncoding) -> Option<HtmlRewriter<'static, Sink>> {
    let (all, texts) = SELECTORS.as_ref()?;
    let memory = MemorySettings::new()
        .with_max_allowed_memory_usage(lock(page).limits().html_bytes_max.max(16 << 10))
        .with_graceful_bail_out_on_memory_limit_exceeded(true);
    let of = Arc::clone(page);
    let element = move |element: &mut Element<'_, '_>| {
        let wants_end = lock(&of).element(element)?;
        if wants_end {
            let of = Arc::clone(&of);
            element.on_end_tag(Box::new(move |end: &mut EndTag<'_>| {
                lock(&of).body_ends(end);
                Ok(())
            }))?;
        }
        Ok(())
    };
    let mut settings = Settings::new_send()
        .with_encoding(encoding)
        .with_memory_settings(memory)
        .with_strict(false)
        .with_graceful_bail_out_on_content_handler_error(true)
        .append_element_content_handler((
            Cow::Borrowed(all),
            ElementContentHandlers::default().element(element),
        ));
    for selector in texts {
        let of = Arc::clone(page);
        let text = move |chunk: &mut TextChunk<'_>| lock(&of).text(chunk);
        let handlers = ElementContentHandlers::default().text(text);
        settings = settings.append_element_content_handler((Cow::Borrowed(selector), handlers));
    }
    let of = Arc::clone(page);
    let ends = move |end: &mut DocumentEnd<'_>| {
        lock(&of).ends(end);
        Ok(())
    };
    let of = Arc::clone(page);
    let bail_out = move |_: &lol_html::errors::RewritingError, rest: &mut BailOut<'_>| {
        let mut page = lock(&of);
        if !page.open.gives_up(OUT.with_borrow(Vec::len)) {
            // No tag will be seen any more before which the head could be put.
            rest.append(&page.take_head().unwrap_or_default(), ContentType::Html);
            rest.append(&page.rest(), ContentType::Html);
        }
    };
    let settings = settings
        .append_document_content_handler(DocumentContentHandlers::default().end(ends))
        .append_bail_out_handler(bail_out);
    Some(HtmlRewriter::new(settings, Sink))
}

impl fmt::Debug for Stream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Stream").field("page", &self.page).finish_non_exhaustive()
    }
}
