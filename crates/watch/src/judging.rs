//! What an answer means: which document it brings, if any, and what is wrong with it. The database decides whether that is a change.

use std::io::{self, Read};
use std::time::Duration;

use archive::Last;
use extract::identify::{Claims, identify};
use fetch::http1::Oddity;
use fetch::{Cut, Exchange, Failure, Outcome, TrailEnd};
use jiff::Timestamp;
use warc::{Algorithm, Hasher, HttpHead};

use crate::asking::{Answer, announced};
use crate::bodies::Bodies;
use crate::check::Fault;
use crate::claims;
use crate::error::Error;
use crate::known::Known;
use crate::limits::Limits;
use crate::moment;
use crate::settings::How;
use crate::sha256::Sha256;

/// Bytes of a document by which it is told what it is.
const START_BYTES: usize = 32 << 10;

/// A check that is ready to be written down.
#[derive(Debug)]
pub(crate) struct Judged {
    /// What was checked.
    pub(crate) url: String,
    pub(crate) at: Timestamp,
    pub(crate) took: Duration,
    pub(crate) status: Option<u16>,
    pub(crate) final_url: Option<String>,
    pub(crate) redirects: u32,
    pub(crate) meaning: Meaning,
    pub(crate) why: Option<String>,
    pub(crate) faults: Vec<Fault>,
    /// Where the archive gets no record of it.
    pub(crate) head: Option<Vec<u8>>,
    /// What goes into the archive.
    pub(crate) exchanges: Vec<Exchange>,
    /// Media type of the last of them, as found out.
    pub(crate) mime: String,
    /// Its charset, if it is text.
    pub(crate) charset: String,
    /// What "as before" means.
    pub(crate) last: Option<Last>,
}

/// What an answer brings.
#[derive(Debug)]
pub(crate) enum Meaning {
    Document(Document),
    /// The one that is known.
    AsBefore {
        etag: Option<String>,
        last_modified: Option<String>,
    },
    Unavailable,
    Unreachable,
    /// What its headers say, to be compared.
    TooLarge {
        head: String,
    },
    /// It broke off; the digest is of what came.
    Cut(Sha256),
}

/// A document that came.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) digest: Sha256,
    pub(crate) length: u64,
    /// Whose it is: where redirects led.
    pub(crate) url: String,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) sent_length: Option<u64>,
    pub(crate) sent_digest: Option<String>,
    /// What its headers say, should it be too large next time.
    pub(crate) told: String,
}

/// Judges an answer, and puts a document that is not known aside. Reads all of it: not for a thread that others wait for.
pub(crate) fn judge(
    url: &str,
    answer: Answer,
    known: Option<&Known>,
    how: How,
    limits: &Limits,
    bodies: &Bodies,
) -> Result<Judged, Error> {
    let Answer { mut exchanges, end, is_head, took } = answer;
    let Some(exchange) = exchanges.last() else { return Err(Error::Closed) };
    // Where a redirect leads to such an address, that is the server's doing.
    if let (
        [_],
        Outcome::Failed(why @ (Failure::AddressRefused(_) | Failure::BadUrl | Failure::BadRequest)),
    ) = (exchanges.as_slice(), &exchange.outcome)
    {
        return Err(Error::NotAsked { url: url.to_owned(), why: why.clone() });
    }
    let most = if how.force { limits.forced_bytes } else { limits.document_bytes };
    let mime = exchange.media_type().unwrap_or_default();
    let mut sight = Sight { known, most, faults: Vec::new(), why: None, mime, charset: String::new() };
    let meaning = sight.meaning(exchange, end, is_head)?;
    let Sight { faults, why, mime, charset, .. } = sight;
    if let Meaning::Document(document) = &meaning
        && known.and_then(|known| known.digest) != Some(document.digest)
    {
        let is_broken = faults.contains(&Fault::BrokenCoding);
        bodies.keep(&document.digest, || {
            if is_broken { Ok(exchange.entity()) } else { exchange.document(most) }
        });
    }
    let is_unkept = is_head || matches!(meaning, Meaning::TooLarge { .. });
    let head = exchange.head.as_ref().filter(|_| is_unkept).map(HttpHead::raw);
    let judged = Judged {
        url: url.to_owned(),
        at: moment::rounded(exchange.times.start),
        took,
        status: exchange.status(),
        final_url: (exchanges.len() > 1).then(|| address(exchange)),
        redirects: u32::try_from(exchanges.len().saturating_sub(1)).unwrap_or(u32::MAX),
        meaning,
        why,
        faults,
        head: head.map(|head| head.get(..limits.head_bytes).unwrap_or(head).to_vec()),
        exchanges: Vec::new(),
        mime,
        charset,
        last: known.and_then(Known::last),
    };
    if is_unkept {
        exchanges.clear();
    }
    Ok(Judged { exchanges, ..judged })
}

/// Where an exchange was made, as others may see it.
pub(crate) fn address(exchange: &Exchange) -> String {
    let mut url = fetch::without_password(&exchange.url);
    url.set_fragment(None);
    url.into()
}

/// What is found out of one answer.
struct Sight<'a> {
    known: Option<&'a Known>,
    most: u64,
    faults: Vec<Fault>,
    why: Option<String>,
    mime: String,
    charset: String,
}

impl Sight<'_> {
    fn meaning(&mut self, exchange: &Exchange, end: TrailEnd, is_head: bool) -> Result<Meaning, Error> {
        match (&exchange.outcome, exchange.status()) {
            (Outcome::Failed(Failure::Disk(why)), _) => return Err(own_fault(why)),
            (Outcome::Failed(Failure::NoDescriptors), _) => {
                return Err(own_fault("this process has no file descriptor left"));
            }
            (Outcome::Truncated(Cut::Disk), _) => return Err(own_fault("the answer could not be put aside")),
            (Outcome::Failed(failure), _) => return Ok(self.unreachable(failure.to_string())),
            _ => {}
        }
        let nowhere = match end {
            TrailEnd::Arrived => None,
            TrailEnd::Loop => Some("the redirects go round in a circle"),
            TrailEnd::TooMany => Some("there are more redirects than are followed"),
            TrailEnd::OtherScheme => Some("it redirects to what is not on the web"),
            _ => Some("the redirects lead nowhere"),
        };
        if let Some(why) = nowhere {
            return Ok(self.unreachable(why.to_owned()));
        }
        match (exchange.status(), &exchange.outcome) {
            (Some(status), _) if status >= 400 => {
                self.why = exchange.head.as_ref().map(|head| head.first_line().chars().take(200).collect());
                Ok(Meaning::Unavailable)
            }
            _ if is_head => Ok(self.by_head(exchange)),
            (Some(304), _) => Ok(self.not_modified(exchange)),
            (_, Outcome::Truncated(Cut::Length)) => Ok(self.too_large(exchange)),
            (_, outcome) => {
                let is_cut = matches!(outcome, Outcome::Truncated(_));
                self.document(exchange, is_cut)
            }
        }
    }

    fn unreachable(&mut self, why: String) -> Meaning {
        self.why = Some(why);
        Meaning::Unreachable
    }

    fn by_head(&mut self, exchange: &Exchange) -> Meaning {
        let length = exchange.head.as_ref().and_then(announced);
        if length.is_some_and(|length| length > self.most) {
            return self.too_large(exchange);
        }
        self.why = Some("told by HEAD: length and digest are as before".to_owned());
        // What it says of itself may be another URL's, and goes with the answer that brought the document.
        Meaning::AsBefore { etag: None, last_modified: None }
    }

    fn not_modified(&mut self, exchange: &Exchange) -> Meaning {
        let was_asked =
            self.known.is_some_and(|known| known.etag.is_some()) && is_conditional(&exchange.request);
        if !was_asked {
            self.faults.push(Fault::UnaskedNotModified);
        }
        let [etag, last_modified] = validators(exchange);
        let etag = etag.filter(|_| was_asked);
        Meaning::AsBefore { etag, last_modified: last_modified.filter(|_| was_asked) }
    }

    /// Only headers are compared. That a server names another age is no change.
    fn too_large(&mut self, exchange: &Exchange) -> Meaning {
        self.why = Some(format!("larger than {} bytes: only headers were compared", self.most));
        Meaning::TooLarge { head: told(exchange) }
    }

    fn document(&mut self, exchange: &Exchange, is_cut: bool) -> Result<Meaning, Error> {
        let read = match read(exchange, self.most) {
            Ok(Some(read)) => read,
            Ok(None) => return Ok(self.too_large(exchange)),
            Err(error) if is_cut => return Ok(self.unreachable(format!("the answer broke off: {error}"))),
            Err(error) => return Err(own_fault(&error.to_string())),
        };
        if read.is_broken && !is_cut {
            self.faults.push(Fault::BrokenCoding);
        }
        let sent_length = exchange.head.as_ref().and_then(announced);
        let is_odd = |oddity: &Oddity| {
            matches!(oddity, Oddity::Surplus(_) | Oddity::ConflictingLengths | Oddity::BadLength)
        };
        if exchange.oddities.iter().any(is_odd) || (is_cut && sent_length.is_some()) {
            self.faults.push(Fault::WrongLength);
        }
        // What is cut off at the same place twice is all there is.
        if is_cut && self.known.and_then(|known| known.cut_digest) != Some(read.digest) {
            self.why = Some(exchange.outcome.to_string());
            return Ok(Meaning::Cut(read.digest));
        }
        let claims = exchange.head.as_ref().map(claims::of).unwrap_or_default();
        let are_right =
            claims::are_right(&claims, exchange).map_err(|error| own_fault(&error.to_string()))?;
        if !are_right {
            self.faults.push(Fault::WrongDigest);
        }
        self.identify(exchange, &read);
        let [etag, last_modified] = validators(exchange);
        Ok(Meaning::Document(Document {
            digest: read.digest,
            length: read.length,
            url: address(exchange),
            etag,
            last_modified,
            sent_length: sent_length.filter(|_| !is_cut),
            told: told(exchange),
            sent_digest: claims::text(&claims).filter(|_| are_right && !is_cut),
        }))
    }

    /// What it is; a document that is known was looked at when it came.
    fn identify(&mut self, exchange: &Exchange, read: &Taken) {
        let claimed = exchange.head.as_ref().and_then(|head| head.text("content-type")).unwrap_or_default();
        let options =
            exchange.head.as_ref().and_then(|head| head.text("x-content-type-options")).unwrap_or_default();
        let types: &[&str] = if claimed.is_empty() { &[] } else { &[&claimed] };
        let options: &[&str] = if options.is_empty() { &[] } else { &[&options] };
        let claims =
            Claims { content_types: types, content_type_options: options, url: exchange.url.as_str() };
        let identity = identify(&read.start, &claims);
        let claims_text = identity.claimed.as_ref().is_some_and(|mime| mime.essence().starts_with("text/"));
        // What is still packed is not what was claimed.
        if claims_text && identity.charset.is_none() && !read.start.is_empty() && !read.is_broken {
            self.faults.push(Fault::WrongType);
        }
        identity.mime.essence().clone_into(&mut self.mime);
        self.charset = identity.charset.map(|charset| charset.encoding.name().to_owned()).unwrap_or_default();
    }
}

/// A document that was read to its end.
struct Taken {
    digest: Sha256,
    length: u64,
    start: Vec<u8>,
    /// Its coding could not be taken off, so that it was read as it was sent.
    is_broken: bool,
}

/// Reads a document; `None` where it is longer than the limit. One whose coding is broken is taken as it was sent.
fn read(exchange: &Exchange, most: u64) -> io::Result<Option<Taken>> {
    if let Some(bytes) = exchange.plain_document() {
        let known = exchange.digests.entity.iter().find(|digest| digest.algorithm() == Algorithm::Sha256);
        let digest = known.cloned().unwrap_or_else(|| warc::Digest::of(Algorithm::Sha256, &bytes));
        let digest = Sha256::of(&digest).ok_or_else(|| io::Error::other("no such digest"))?;
        let start = bytes.get(..START_BYTES).unwrap_or(&bytes).to_vec();
        return Ok(Some(Taken { digest, length: bytes.len() as u64, start, is_broken: false }));
    }
    // One byte more than the limit tells that it is passed, whatever else may be wrong.
    let decoded = exchange.document(most.saturating_add(1 << 20)).and_then(|document| drain(document, most));
    match decoded {
        Ok(read) => Ok(read),
        Err(_) => Ok(drain(exchange.entity(), most)?.map(|read| Taken { is_broken: true, ..read })),
    }
}

fn drain(mut source: impl Read, most: u64) -> io::Result<Option<Taken>> {
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let (mut length, mut start) = (0_u64, Vec::new());
    let mut piece = vec![0; 64 << 10];
    loop {
        let count = match source.read(&mut piece) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let bytes = piece.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            let digest = Sha256::of(&hasher.finish()).ok_or_else(|| io::Error::other("no such digest"))?;
            return Ok(Some(Taken { digest, length, start, is_broken: false }));
        }
        length += count as u64;
        if length > most {
            return Ok(None);
        }
        hasher.update(bytes);
        let room = START_BYTES.saturating_sub(start.len());
        start.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
    }
}

/// What the headers of an answer say of the document, in one text: length, tag, digest. Not its age.
fn told(exchange: &Exchange) -> String {
    let [etag, _] = validators(exchange);
    let head = exchange.head.as_ref();
    let length = head.and_then(announced).map(|length| length.to_string());
    let digest = head.and_then(|head| claims::text(&claims::of(head)));
    [length, etag, digest].map(|word| word.unwrap_or_else(|| "-".to_owned())).join(" ")
}

/// `ETag` and `Last-Modified` of an answer, if they can be sent again as they are.
fn validators(exchange: &Exchange) -> [Option<String>; 2] {
    let head = exchange.head.as_ref().filter(|_| exchange.is_head_whole);
    ["etag", "last-modified"].map(|name| {
        let value = std::str::from_utf8(head?.get(name)?).ok()?;
        let is_sound = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
        (!value.is_empty() && value.len() <= 1024 && value.bytes().all(is_sound)).then(|| value.to_owned())
    })
}

/// Whether a request asked for the document only if it has changed.
fn is_conditional(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_ascii_lowercase();
    text.lines().take_while(|line| !line.is_empty()).any(|line| line.starts_with("if-none-match:"))
}

/// Our disk, not the server's doing: no check at all.
fn own_fault(why: &str) -> Error {
    let source = std::sync::Arc::new(io::Error::other(why.to_owned()));
    Error::File { path: std::path::PathBuf::from("watch/arriving"), source }
}
