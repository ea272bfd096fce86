//! A payload on its way to a client, rewritten as it is read.
//!
//! Files are read where that may block: each piece on a thread that is free for it, and no piece before the client has taken the one
//! before. So a slow client holds a few pieces of memory and no thread, and one that goes away ends the reading.

use std::future::Future;
use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll};

use archive::Payload;
use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use rewrite::Rewriter;
use tokio::task::JoinHandle;

/// Bytes that are read in one go.
pub(crate) const PIECE: usize = 64 << 10;

/// A payload that is being read, and what happens to it.
pub(crate) struct Feed {
    payload: Payload,
    rewriter: Option<Rewriter>,
    /// Bytes that were read, and rewritten, already, and come first.
    start: Vec<u8>,
    /// Bytes at the start of what is sent that are left out.
    skip: u64,
    /// Bytes that are sent at most.
    left: u64,
    is_over: bool,
}

impl Feed {
    /// Begins with what was read, and rewritten, already.
    pub(crate) fn new(start: Vec<u8>, payload: Payload, rewriter: Option<Rewriter>) -> Feed {
        Feed { payload, rewriter, start, skip: 0, left: u64::MAX, is_over: false }
    }

    /// Only these bytes of it.
    pub(crate) fn part(self, skip: u64, length: u64) -> Feed {
        Feed { skip, left: length, ..self }
    }

    /// The next piece; `None` behind the last. Waits for the disk.
    pub(crate) fn next_piece(&mut self) -> io::Result<Option<Bytes>> {
        while !self.is_over && self.left > 0 {
            let mut piece = self.read_piece()?;
            let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(piece.len());
            piece = piece.slice(skipped..);
            self.skip -= skipped as u64;
            piece.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
            self.left -= piece.len() as u64;
            if !piece.is_empty() {
                return Ok(Some(piece));
            }
        }
        Ok(None)
    }

    fn read_piece(&mut self) -> io::Result<Bytes> {
        let start = std::mem::take(&mut self.start);
        if !start.is_empty() {
            return Ok(Bytes::from(start));
        }
        let mut read = vec![0; PIECE];
        let length = self.payload.read(&mut read)?;
        read.truncate(length);
        // A short piece that waits for a slow client holds no more memory than its bytes.
        read.shrink_to_fit();
        self.is_over = length == 0;
        let Some(rewriter) = &mut self.rewriter else { return Ok(Bytes::from(read)) };
        let mut written = Vec::with_capacity(read.len() + read.len() / 4);
        let done =
            if self.is_over { rewriter.finish(&mut written) } else { rewriter.feed(&read, &mut written) };
        done.map_err(io::Error::other)?;
        Ok(Bytes::from(written))
    }

    /// As the body of an answer, whose length may be known.
    pub(crate) fn into_body(self, length: Option<u64>) -> Body {
        Body::new(Stream { state: State::Idle(Box::new(self)), length })
    }
}

/// Hands out a feed's pieces.
struct Stream {
    state: State,
    length: Option<u64>,
}

enum State {
    Idle(Box<Feed>),
    Reading(JoinHandle<(Box<Feed>, io::Result<Option<Bytes>>)>),
    Over,
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        loop {
            match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return Poll::Ready(None),
                State::Idle(mut feed) => {
                    self.state = State::Reading(tokio::task::spawn_blocking(move || {
                        let piece = feed.next_piece();
                        (feed, piece)
                    }));
                }
                State::Reading(mut reading) => {
                    let Poll::Ready(read) = Pin::new(&mut reading).poll(context) else {
                        self.state = State::Reading(reading);
                        return Poll::Pending;
                    };
                    let (feed, piece) = read.map_err(io::Error::other)?;
                    let Some(piece) = piece? else { return Poll::Ready(None) };
                    self.length = self.length.map(|length| length.saturating_sub(piece.len() as u64));
                    self.state = State::Idle(feed);
                    return Poll::Ready(Some(Ok(Frame::data(piece))));
                }
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        self.length.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
