//! The one way through: bytes of a document go in as they come, and come out as they play in the archive.

use crate::html::Inserted;
use crate::jsonp::Start;
use crate::text::Text;
use crate::{Error, Kind, Limits, Place, css, hls, html, script, xml};

/// What a document is, where it stands, and what is put into it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
    /// The charset that its `Content-Type` names.
    pub charset: Option<String>,
    /// The URL that was asked for, where it is another than the document's: it names the function that JSON in a call is for.
    pub asked: Option<String>,
    /// ASCII markup that is put in as early in the head of a page as is right, and into drawings, which run scripts as well.
    /// Into XML it is put only if it is well-formed, but for the text of scripts, which is mended.
    pub head: Vec<u8>,
    /// ASCII markup that is put in at the end of the body of a page; the same holds in XHTML.
    pub foot: Vec<u8>,
    /// A script is a module.
    pub is_module: bool,
    /// Bounds on what is held.
    pub limits: Limits,
}

impl Settings {
    /// Settings with nothing put in, no charset named, and the usual limits.
    #[must_use]
    pub fn new(place: Place, kind: Kind) -> Settings {
        Settings {
            place,
            kind,
            charset: None,
            asked: None,
            head: Vec::new(),
            foot: Vec::new(),
            is_module: false,
            limits: Limits::default(),
        }
    }
}

/// Rewrites one document, piece by piece, in memory that does not grow with it.
#[derive(Debug)]
pub struct Rewriter {
    place: Place,
    text: Text,
    /// The start of what may be JSON in a call.
    start: Option<Start>,
    inner: Inner,
    is_finished: bool,
}

#[derive(Debug)]
enum Inner {
    Html(Box<html::Stream>),
    Xml(Box<xml::Stream>),
    Css(css::Stream),
    Script(script::Stream),
    Hls(hls::Stream),
    Passing,
}

impl Rewriter {
    /// A rewriter for one document.
    ///
    /// # Errors
    /// None today; a setting that cannot be right would be one.
    pub fn new(settings: Settings) -> Result<Rewriter, Error> {
        let Settings { place, kind, charset, asked, head, foot, is_module, limits } = settings;
        let place = place.within(&limits);
        let start = match kind {
            Kind::Script | Kind::Json => Start::new(asked.as_deref().unwrap_or(place.url())),
            _ => None,
        };
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let inserted = || Inserted { head: text(head), foot: text(foot), limits: limits.clone() };
        let mut label = charset;
        let inner = match kind {
            Kind::Html => Inner::Html(Box::new(html::Stream::new(place.clone(), inserted(), label.take()))),
            Kind::Xhtml => Inner::Xml(Box::new(xml::Stream::page(place.clone(), inserted()))),
            Kind::Xml => Inner::Xml(Box::new(xml::Stream::plain(place.clone(), inserted()))),
            Kind::Dash => Inner::Xml(Box::new(xml::Stream::dash(place.clone(), &limits))),
            Kind::Css => Inner::Css(css::Stream::new(&limits)),
            Kind::Script => Inner::Script(script::Stream::new(&limits, is_module)),
            Kind::Hls => Inner::Hls(hls::Stream::new(&limits)),
            Kind::Json | Kind::Other => Inner::Passing,
        };
        let text = match inner {
            Inner::Xml(_) => Text::xml(label),
            _ => Text::new(label),
        };
        Ok(Rewriter { place, text, start, inner, is_finished: false })
    }

    /// Takes the next bytes and appends what is ready.
    ///
    /// # Errors
    /// [`Error::Finished`] behind the end.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.take(bytes, false, out)
    }

    /// Takes the end of the document and appends the rest.
    ///
    /// # Errors
    /// [`Error::Finished`] if it was told before.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.take(b"", true, out)?;
        match &mut self.inner {
            Inner::Html(stream) => stream.finish(out),
            Inner::Xml(stream) => stream.finish(out),
            Inner::Css(stream) => stream.finish(&self.place, out),
            Inner::Script(stream) => stream.finish(&self.place, out),
            Inner::Hls(stream) => stream.finish(&self.place, out),
            Inner::Passing => {}
        }
        self.is_finished = true;
        Ok(())
    }

    /// The charset that `Content-Type` must name: UTF-8 for XML, and where the input's was none that markup can be read in, such as
    /// UTF-16. `None` where the output has the charset of the input. Known once [`Rewriter::feed`] has given bytes back.
    #[must_use]
    pub fn charset(&self) -> Option<&'static str> {
        match &self.inner {
            Inner::Html(stream) => stream.charset(),
            _ => self.text.charset(),
        }
    }

    /// Whether a part of the document passed as it is, because it went beyond a limit.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        let is_cut = match &self.inner {
            Inner::Html(stream) => stream.is_cut(),
            Inner::Script(stream) => stream.is_cut(),
            _ => false,
        };
        is_cut || self.place.is_overdrawn()
    }

    /// Whether what belongs into the head of a page was put in so far. Where it was not, scripts would run without it.
    #[must_use]
    pub fn holds_head(&self) -> bool {
        match &self.inner {
            Inner::Html(stream) => stream.holds_head(),
            Inner::Xml(stream) => stream.holds_head(),
            _ => false,
        }
    }

    fn take(&mut self, bytes: &[u8], last: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.is_finished {
            return Err(Error::Finished);
        }
        self.place.earn(bytes.len());
        let is_plain = self.start.is_none() && self.text.charset().is_none();
        match &mut self.inner {
            Inner::Passing if is_plain => out.extend_from_slice(bytes),
            Inner::Html(stream) => stream.feed(bytes, out),
            _ => self.take_text(bytes, last, out),
        }
        Ok(())
    }

    fn take_text(&mut self, bytes: &[u8], last: bool, out: &mut Vec<u8>) {
        let mut text = self.text.read(bytes, last);
        if let Some(start) = &mut self.start {
            let Some((begun, is_call)) = start.feed(&text, last) else { return };
            self.start = None;
            if is_call {
                // All behind the name is data.
                self.inner = Inner::Passing;
            }
            text = begun.into();
        }
        match &mut self.inner {
            Inner::Xml(stream) => stream.feed(&text, out),
            Inner::Css(stream) => stream.feed(&text, &self.place, out),
            Inner::Script(stream) => stream.feed(&text, &self.place, out),
            Inner::Hls(stream) => stream.feed(&text, &self.place, out),
            Inner::Html(_) | Inner::Passing => out.extend_from_slice(&text),
        }
    }
}
