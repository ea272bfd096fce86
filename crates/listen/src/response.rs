//! A response body that ends its request when it is gone, and the response to a client that has no place.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::activity::RequestGuard;

/// The response to a client that has no place.
const NO_PLACE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
    content-type: application/problem+json\r\n\
    retry-after: 5\r\n\
    connection: close\r\n\
    content-length: 156\r\n\
    \r\n\
    {\"type\":\"urn:varve:problem:busy\",\"title\":\"Service Unavailable\",\"status\":503,\
    \"detail\":\"the server has too many open connections: try again in a few seconds\"}";

/// How long a client may take to read that.
const REFUSAL_TIME: Duration = Duration::from_secs(1);

/// Bytes of its request that are read and thrown away: a connection that is closed with bytes unread loses the response.
const REFUSED_BYTES_MAX: usize = 64 << 10;

/// A body, and the request that it answers.
pub(crate) struct TrackedBody {
    inner: Body,
    _request: RequestGuard,
}

impl TrackedBody {
    pub(crate) fn new(inner: Body, request: RequestGuard) -> TrackedBody {
        TrackedBody { inner, _request: request }
    }
}

impl http_body::Body for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Tells a client that there is no place for it.
pub(crate) async fn refuse<T: AsyncRead + AsyncWrite + Unpin>(mut stream: T) {
    let refusal = async {
        stream.write_all(NO_PLACE).await?;
        stream.shutdown().await?;
        let mut scrap = [0; 1024];
        let mut left = REFUSED_BYTES_MAX;
        while left > 0 {
            match stream.read(&mut scrap).await? {
                0 => break,
                count => left = left.saturating_sub(count),
            }
        }
        std::io::Result::Ok(())
    };
    let _ = tokio::time::timeout(REFUSAL_TIME, refusal).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_has_the_length_that_it_names() {
        let text = str::from_utf8(NO_PLACE).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
    }
}
