//! A request body that fails when its client sends it too slowly.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf as _, Bytes};
use http_body::{Body, Frame, SizeHint};

use crate::Limits;
use crate::activity::Activity;
use crate::pace::Transfer;
use crate::stream::Timer;

/// A body with a lowest rate.
pub(crate) struct TimedUpload<B> {
    inner: B,
    activity: Arc<Activity>,
    limits: Arc<Limits>,
    timer: Timer,
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
    pub(crate) fn new(inner: B, activity: Arc<Activity>, limits: Arc<Limits>) -> TimedUpload<B> {
        TimedUpload { inner, activity, limits, timer: Timer::default() }
    }

    fn move_bytes(&self, bytes: usize) {
        self.activity.move_bytes(bytes as u64, Transfer::Upload, &self.limits);
    }
}

impl<B> Drop for TimedUpload<B> {
    /// Nobody waits for the rest of the body.
    fn drop(&mut self) {
        self.move_bytes(0);
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
            this.move_bytes(data.map_or(0, Bytes::remaining));
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let deadline = this.activity.wait(Transfer::Upload, &this.limits);
        match this.timer.poll(deadline, context) {
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
