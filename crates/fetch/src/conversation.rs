//! One request and its response over one connection: bytes out, bytes in, and the time that it takes.

use std::future::poll_fn;
use std::io;
use std::path::Path;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::io::AsyncWrite as _;
use tokio::sync::oneshot;
use tokio::time::{Instant, Sleep, sleep_until};
use warc::HttpHead;

use crate::digesting::Digesting;
use crate::exchange::Digests;
use crate::http1::{Asked, Message, Oddity, Reader, Step};
use crate::kept::Kept;
use crate::limits::Limits;
use crate::outcome::{Cut, Failure, Outcome};
use crate::settings::{Settings, Timeouts};
use crate::stream::{Connection, Stream};

/// What is talked over a connection.
pub(crate) struct Conversation<'a> {
    stream: &'a mut Stream,
    /// What of the request is still to be sent.
    unsent: &'a [u8],
    kept: &'a Kept,
    reader: Reader,
    digesting: Digesting,
    timeouts: Timeouts,
    memory_max: usize,
    spill_folder: Option<&'a Path>,
    /// Whether the request is one to an HTTP proxy.
    is_for_proxy: bool,
    on_head: Option<oneshot::Sender<HttpHead>>,
    /// How many kept bytes the reader has seen.
    seen: u64,
    /// How many of these are in the digests.
    digested: u64,
    began: Instant,
    last: Instant,
    first_byte: Option<Instant>,
    send_failure: Option<String>,
    /// A document without a head must not look like a message, or whoever reads the record takes another part of it for the
    /// payload.
    is_plain: bool,
    oddities: Vec<Oddity>,
}

/// What came of it.
pub(crate) struct Spoken {
    pub(crate) outcome: Outcome,
    pub(crate) message: Message,
    pub(crate) digests: Digests,
    pub(crate) first_byte: Option<Instant>,
    /// Whether the connection may be used again.
    pub(crate) keeps_alive: bool,
    /// Whether it was the proxy that answered, and for itself.
    pub(crate) is_proxys_own: bool,
    /// Given back if no head came, for another try.
    pub(crate) on_head: Option<oneshot::Sender<HttpHead>>,
}

/// What there is to say about one exchange before it begins.
pub(crate) struct Plan<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) limits: &'a Limits,
    pub(crate) asked: Asked,
    /// Whether it is an HTTP proxy that the request is for.
    pub(crate) is_for_proxy: bool,
    pub(crate) request: &'a Bytes,
    pub(crate) kept: &'a Kept,
    pub(crate) began: Instant,
}

enum Event {
    Came,
    Closed,
    Broke(io::Error),
    TooSlow(Cut),
}

impl<'a> Conversation<'a> {
    pub(crate) fn new(
        plan: &Plan<'a>,
        connection: &'a mut Connection,
        on_head: Option<oneshot::Sender<HttpHead>>,
    ) -> Conversation<'a> {
        Conversation {
            stream: &mut connection.stream,
            unsent: plan.request,
            kept: plan.kept,
            reader: Reader::new(plan.asked, plan.limits),
            digesting: Digesting::new(&plan.settings.digests),
            timeouts: plan.settings.timeouts,
            memory_max: plan.settings.memory_per_response,
            spill_folder: plan.settings.spill_folder.as_deref(),
            is_for_proxy: plan.is_for_proxy,
            on_head,
            seen: 0,
            digested: 0,
            began: plan.began,
            last: Instant::now(),
            first_byte: None,
            send_failure: None,
            is_plain: true,
            oddities: Vec::new(),
        }
    }

    /// Sends the request and takes the response to its end, whatever that is.
    pub(crate) async fn run(mut self) -> Spoken {
        let mut timer = pin!(sleep_until(self.deadline().0));
        let outcome = loop {
            let event = poll_fn(|context| self.poll(timer.as_mut(), context)).await;
            let digesting = &mut self.digesting;
            let mut sink = |content: &[u8]| digesting.content(content);
            match event {
                Event::Came => {
                    if let Some(outcome) = self.take_in().await {
                        break outcome;
                    }
                }
                Event::Closed => break self.reader.close(&mut sink),
                Event::Broke(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    self.oddities.push(Oddity::NoCloseNotify);
                    break self.reader.close(&mut sink);
                }
                Event::Broke(_) => break self.reader.break_off(Cut::Reset, Failure::Reset, &mut sink),
                Event::TooSlow(cut) => {
                    let is_first = self.first_byte.is_none() && cut == Cut::Idle;
                    let failure = if is_first { Failure::FirstByteTimeout } else { Failure::HeadTimeout };
                    break self.reader.break_off(cut, failure, &mut sink);
                }
            }
        };
        self.finish(outcome)
    }

    /// Until when something must happen, and what it means if it does not.
    fn deadline(&self) -> (Instant, Cut) {
        let whole = self.began + self.timeouts.whole;
        let wait = if self.first_byte.is_some() { self.timeouts.idle } else { self.timeouts.first_byte };
        let quiet = self.last + wait;
        if quiet < whole { (quiet, Cut::Idle) } else { (whole, Cut::Time) }
    }

    fn poll(&mut self, mut timer: Pin<&mut Sleep>, context: &mut Context<'_>) -> Poll<Event> {
        self.poll_send(context);
        if let Poll::Ready(read) = self.kept.poll_fill(self.stream, context) {
            return Poll::Ready(match read {
                Ok(0) => Event::Closed,
                Ok(_) => Event::Came,
                Err(error) => Event::Broke(error),
            });
        }
        // One timer for the exchange: it is set anew only when it goes off too early, not with each piece that comes. But the
        // first byte may bring the deadline nearer.
        let (deadline, _) = self.deadline();
        if deadline < timer.deadline() {
            timer.as_mut().reset(deadline);
        }
        while timer.as_mut().poll(context).is_ready() {
            let (deadline, cut) = self.deadline();
            if Instant::now() >= deadline {
                return Poll::Ready(Event::TooSlow(cut));
            }
            timer.as_mut().reset(deadline);
        }
        Poll::Pending
    }

    /// Sends what the server will take. It may answer before it has everything, or instead of taking it.
    fn poll_send(&mut self, context: &mut Context<'_>) {
        while !self.unsent.is_empty() && self.send_failure.is_none() {
            match Pin::new(&mut *self.stream).poll_write(context, self.unsent) {
                Poll::Ready(Ok(count)) if count > 0 => {
                    self.unsent = self.unsent.get(count..).unwrap_or_default();
                    // Encrypted bytes may still wait in a buffer.
                    if self.unsent.is_empty() && matches!(self.stream, Stream::Tls(_)) {
                        let _ = Pin::new(&mut *self.stream).poll_flush(context);
                    }
                    self.last = Instant::now();
                }
                Poll::Ready(Ok(_)) => self.send_failure = Some("nothing was taken".to_owned()),
                Poll::Ready(Err(error)) => self.send_failure = Some(error.to_string()),
                Poll::Pending => return,
            }
        }
    }

    /// Lets the reader see what has come; the outcome, if that was the end.
    async fn take_in(&mut self) -> Option<Outcome> {
        self.last = Instant::now();
        self.first_byte.get_or_insert(self.last);
        let step = loop {
            let (reader, digesting) = (&mut self.reader, &mut self.digesting);
            let fed = self
                .kept
                .look(self.seen, |bytes| reader.feed(bytes, &mut |content| digesting.content(content)));
            self.seen += fed.taken as u64;
            match fed.step {
                Step::Drop => {
                    self.kept.drop_front(self.seen);
                    self.seen = 0;
                }
                // Nobody is to see what the proxy says for itself, and nobody needs the rest of it.
                Step::Head if self.is_proxys_own() => return Some(Outcome::Complete),
                Step::Head => self.begin_body(),
                Step::More | Step::Done => break fed.step,
            }
        };
        if step == Step::Done {
            return self.reader.outcome().cloned();
        }
        self.digest(false);
        if self.reader.head().is_some() || self.reader.is_document() {
            self.kept.show(self.seen);
        }
        let (cut, failure) = match self.kept.spill(self.memory_max, self.spill_folder).await {
            Err(error) => (Cut::Disk, Failure::Disk(error.to_string())),
            // The timer is not asked while there is always something to read.
            Ok(()) if self.last >= self.began + self.timeouts.whole => (Cut::Time, Failure::HeadTimeout),
            Ok(()) => return None,
        };
        let digesting = &mut self.digesting;
        Some(self.reader.break_off(cut, failure, &mut |content| digesting.content(content)))
    }

    /// Whether a proxy answers for itself: only proxies say 407 (RFC 9110, 15.5.8).
    fn is_proxys_own(&self) -> bool {
        self.is_for_proxy && self.reader.head().and_then(HttpHead::status) == Some(407)
    }

    fn begin_body(&mut self) {
        let Some(head) = self.reader.head() else { return };
        self.digesting.begin_body(head.is_chunked());
        // Who is told of the head finds it there.
        self.kept.show(self.seen);
        if let Some(on_head) = self.on_head.take() {
            // Nobody may be waiting any more.
            let _ = on_head.send(head.clone());
        }
        if let Some(expected) = self.reader.expected() {
            self.kept.expect(self.seen.saturating_add(expected), self.memory_max);
        }
    }

    /// Brings the digests up to what the reader has seen. Before a head is there it may all be dropped again, unless that was
    /// the last of it.
    fn digest(&mut self, is_last: bool) {
        let (from, to) = (self.digested, self.seen);
        let head_bytes = match self.reader.head() {
            Some(head) => head.raw().len() as u64,
            None if is_last || self.reader.is_document() => 0,
            None => return,
        };
        let is_beginning = from == 0 && self.reader.head().is_none();
        let of_head = usize::try_from(head_bytes.saturating_sub(from)).unwrap_or(usize::MAX);
        let (digesting, is_plain) = (&mut self.digesting, &mut self.is_plain);
        self.kept.look(from, |bytes| {
            let count = usize::try_from(to - from).unwrap_or(usize::MAX).min(bytes.len());
            let bytes = bytes.get(..count).unwrap_or_default();
            if is_beginning {
                *is_plain = HttpHead::parse(bytes).is_none();
            }
            digesting.update(bytes, of_head.min(count));
        });
        self.digested = to;
    }

    fn finish(mut self, outcome: Outcome) -> Spoken {
        let keeps_alive = self.reader.keeps_alive() && self.unsent.is_empty() && self.send_failure.is_none();
        let is_proxys_own = self.is_proxys_own();
        let surplus = self.kept.cut(self.seen);
        self.digest(true);
        let is_document = self.reader.is_document() && self.is_plain && self.seen > 0;
        let has_payload = self.reader.head().is_some() || is_document;
        let mut message = self.reader.into_message();
        message.oddities.append(&mut self.oddities);
        if surplus > 0 {
            message.oddities.push(Oddity::Surplus(surplus));
        }
        let outcome = match (outcome, self.send_failure) {
            // The server said nothing, and we know why.
            (Outcome::Failed(Failure::EmptyReply | Failure::Reset), Some(why))
                if self.first_byte.is_none() =>
            {
                Outcome::Failed(Failure::SendFailed(why))
            }
            (outcome, _) => outcome,
        };
        Spoken {
            outcome,
            message,
            digests: self.digesting.finish(has_payload),
            first_byte: self.first_byte,
            keeps_alive: keeps_alive && surplus == 0,
            is_proxys_own,
            on_head: self.on_head,
        }
    }
}
