//! A request body that fails when its client sends it too slowly.
//!
//! Only the time that the server waits for the client counts. A large upload may take hours.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use http_body::{Body, Frame, SizeHint};
use tokio::time::Instant;

use crate::Limits;
use crate::stream::Timer;

/// A body with a lowest rate.
pub(crate) struct TimedUpload<B> {
    inner: B,
    timer: Timer,
    time_max: Duration,
    bytes_min: u64,
    /// Bytes since the count began, and how long the server waited for them.
    received: u64,
    waited: Duration,
    waiting_since: Option<Instant>,
}

/// The client sends its request body too slowly.
#[derive(Debug)]
pub(crate) struct UploadTooSlow;

impl fmt::Display for UploadTooSlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the client sends its request body too slowly")
    }
}

impl Error for UploadTooSlow {}

impl<B> TimedUpload<B> {
    pub(crate) fn new(inner: B, limits: &Limits) -> TimedUpload<B> {
        TimedUpload {
            inner,
            timer: Timer::default(),
            time_max: limits.body_time,
            bytes_min: limits.body_bytes_min,
            received: 0,
            waited: Duration::ZERO,
            waiting_since: None,
        }
    }

    fn note_received(&mut self, bytes: usize) {
        self.waited += self.waiting_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        self.received += bytes as u64;
        if self.received >= self.bytes_min {
            (self.received, self.waited) = (0, Duration::ZERO);
        }
    }
}

impl<B> Body for TimedUpload<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut this.inner).poll_frame(context) {
            let data = frame.as_ref().and_then(|frame| frame.as_ref().ok()).and_then(Frame::data_ref);
            this.note_received(data.map_or(0, Bytes::remaining));
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let since = *this.waiting_since.get_or_insert_with(Instant::now);
        match this.timer.poll(since + this.time_max.saturating_sub(this.waited), context) {
            Poll::Ready(()) => Poll::Ready(Some(Err(UploadTooSlow.into()))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
