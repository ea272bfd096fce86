//! The one way through: bytes of a document go in as they come, and come out as they play in the archive.

use crate::{Error, Kind, Limits, Place, script};

/// What a document is, where it stands, and what is put into it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
    /// The charset that its `Content-Type` names.
    pub charset: Option<String>,
    /// ASCII markup that is put in as early in the head of a page as is right. In XHTML it must be well-formed.
    pub head: Vec<u8>,
    /// ASCII markup that is put in at the end of the body of a page.
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
    inner: Inner,
    place: Place,
}

#[derive(Debug)]
enum Inner {
    Script(script::Stream),
    Passing,
    Finished,
}

impl Rewriter {
    /// A rewriter for one document.
    ///
    /// # Errors
    /// None today; a setting that cannot be right would be one.
    pub fn new(settings: Settings) -> Result<Rewriter, Error> {
        let inner = match settings.kind {
            Kind::Script => Inner::Script(script::Stream::new(&settings.limits, settings.is_module)),
            _ => Inner::Passing,
        };
        Ok(Rewriter { inner, place: settings.place })
    }

    /// Takes the next bytes and appends what is ready.
    ///
    /// # Errors
    /// [`Error::Finished`] behind the end.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        match &mut self.inner {
            Inner::Script(stream) => stream.feed(bytes, &self.place, out),
            Inner::Passing => out.extend_from_slice(bytes),
            Inner::Finished => return Err(Error::Finished),
        }
        Ok(())
    }

    /// Takes the end of the document and appends the rest.
    ///
    /// # Errors
    /// [`Error::Finished`] if it was told before.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        match &mut self.inner {
            Inner::Script(stream) => stream.finish(&self.place, out),
            Inner::Passing => {}
            Inner::Finished => return Err(Error::Finished),
        }
        self.inner = Inner::Finished;
        Ok(())
    }

    /// The charset that the output has, where it is another than the input's: UTF-8 where that was none that markup can be
    /// read in, such as UTF-16. `Content-Type` must say so then. Known once [`Rewriter::feed`] has given bytes back.
    #[must_use]
    pub fn charset(&self) -> Option<&'static str> {
        None
    }

    /// Whether a part of the document passed as it is, because it went beyond a limit.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        matches!(&self.inner, Inner::Script(stream) if stream.is_cut())
    }
}
