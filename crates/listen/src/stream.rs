//! A connection that notes what its client does, and fails when the client does not read.
//!
//! It also completes what hyper answers to a head that is too long. That is mostly made of cookies, and a browser that is not told to
//! delete them sends them again and again.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::Limits;
use crate::activity::Activity;
use crate::pace::Transfer;

/// A stream with a lowest rate for writes.
pub(crate) struct TimedStream<T> {
    inner: T,
    activity: Arc<Activity>,
    limits: Arc<Limits>,
    timer: Timer,
    /// The head was too long. The rest of it is read and thrown away before the connection closes, or the client never sees why.
    is_head_refused: bool,
    draining_since: Option<Instant>,
}

/// How hyper begins its answer to a head that is too long.
const HYPER_TOO_LONG: &[u8] = b"HTTP/1.1 431 ";

/// Our answer to it.
const TOO_LONG: &[u8] = b"HTTP/1.1 431 Request Header Fields Too Large\r\n\
    content-type: text/plain; charset=utf-8\r\n\
    clear-site-data: \"cookies\"\r\n\
    connection: close\r\n\
    content-length: 81\r\n\
    \r\n\
    The request's headers are too long. The browser deletes its cookies; try again.\r\n";

/// How long the rest of a head that is too long is read.
const DRAIN_TIME: Duration = Duration::from_secs(1);

impl<T> TimedStream<T> {
    pub(crate) fn new(inner: T, activity: Arc<Activity>, limits: Arc<Limits>) -> TimedStream<T> {
        TimedStream {
            inner,
            activity,
            limits,
            timer: Timer::default(),
            is_head_refused: false,
            draining_since: None,
        }
    }

    /// Notes how many bytes the client took. Turns a write that waits for too long into an error.
    fn check_write(
        &mut self,
        wrote: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(wrote) = wrote {
            let bytes = wrote.as_ref().map_or(0, |bytes| *bytes as u64);
            self.activity.move_bytes(bytes, Transfer::Response, &self.limits);
            return Poll::Ready(wrote);
        }
        let deadline = self.activity.wait(Transfer::Response, &self.limits);
        match self.timer.poll(deadline, context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }

    /// Turns a flush or an end that waits for too long into an error.
    fn check_flush(
        &mut self,
        flushed: Poll<io::Result<()>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_write(flushed.map_ok(|()| 0), context).map_ok(drop)
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for TimedStream<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.inner).poll_read(context, buffer);
        if buffer.filled().len() > before {
            this.activity.note_received();
        }
        read
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> TimedStream<T> {
    /// Whether hyper refuses a head by itself: no handler has been called.
    fn is_refusal(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(HYPER_TOO_LONG) && !self.activity.is_answering()
    }

    /// Sends our answer instead. It is short and the first thing that is sent, so that it is taken whole.
    fn refuse(&mut self, count: usize, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.is_head_refused = true;
        let wrote = Pin::new(&mut self.inner).poll_write(context, TOO_LONG);
        self.check_write(wrote, context).map_ok(|_| count)
    }

    /// Reads what still comes, for a while.
    fn drain(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let since = *self.draining_since.get_or_insert_with(Instant::now);
        let mut scrap = [0; 4096];
        loop {
            let mut scrap = ReadBuf::new(&mut scrap);
            match Pin::new(&mut self.inner).poll_read(context, &mut scrap) {
                Poll::Ready(Ok(())) if !scrap.filled().is_empty() && since.elapsed() < DRAIN_TIME => {}
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return self.timer.poll(since + DRAIN_TIME, context),
            }
        }
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncWrite for TimedStream<T> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.is_refusal(bytes) {
            return this.refuse(bytes.len(), context);
        }
        let wrote = Pin::new(&mut this.inner).poll_write(context, bytes);
        this.check_write(wrote, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if parts.iter().find(|part| !part.is_empty()).is_some_and(|part| this.is_refusal(part)) {
            return this.refuse(parts.iter().map(|part| part.len()).sum(), context);
        }
        let wrote = Pin::new(&mut this.inner).poll_write_vectored(context, parts);
        this.check_write(wrote, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    /// Is called when everything is written.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.inner).poll_flush(context);
        let flushed = this.check_flush(flushed, context);
        if flushed.is_ready() {
            this.activity.note_flushed();
        }
        flushed
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let closed = Pin::new(&mut this.inner).poll_shutdown(context);
        if this.is_head_refused && closed.is_ready() {
            return this.drain(context).map(Ok);
        }
        this.check_flush(closed, context)
    }
}

/// Wakes a task at a deadline. Costs nothing until it is first needed.
#[derive(Default)]
pub(crate) struct Timer(Option<Pin<Box<Sleep>>>);

impl Timer {
    pub(crate) fn poll(&mut self, deadline: Instant, context: &mut Context<'_>) -> Poll<()> {
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if sleep.deadline() != deadline {
            sleep.as_mut().reset(deadline);
        }
        sleep.as_mut().poll(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_has_the_length_that_it_names() {
        let (head, body) = str::from_utf8(TOO_LONG).unwrap().split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
    }
}
