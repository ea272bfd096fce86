//! The accept loop, and one task for each connection.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt as _;

use crate::Limits;
use crate::registry::{Entry, Registry};
use crate::response::{TrackedBody, refuse};
use crate::stream::TimedStream;
use crate::upload::TimedUpload;

/// Clients that are told at once that there is no place; others are hung up on.
const REFUSALS_AT_ONCE: usize = 32;

/// Bytes of a request, and of a response, that a connection holds in memory before the next part of a body is made.
const BUFFER_BYTES_MAX: usize = 64 << 10;

/// How long the loop waits after it could accept nothing, at first and at most.
const BACKOFF_MIN: Duration = Duration::from_millis(20);
const BACKOFF_MAX: Duration = Duration::from_secs(1);

/// Serves the router on the listener until `over` is ready. Then it accepts nobody else, and returns when the requests in progress are
/// answered.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, over: impl Future<Output = ()>) {
    let server = Server::new(router, limits);
    let mut over = pin!(over);
    let mut backoff = Backoff::default();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut over => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                backoff = Backoff::default();
                // A response is written at once; waiting for more to send would only cost time.
                let _ = stream.set_nodelay(true);
                server.take(stream, peer);
            }
            Err(error) if is_of_client(&error) => {}
            Err(error) => {
                server.lock().evict_one(&server.limits);
                tokio::select! {
                    () = backoff.wait(&error) => {}
                    () = &mut over => break,
                }
            }
        }
    }
    drop(listener);
    server.end().await;
}

/// What all connections of a listener share.
struct Server {
    router: Router,
    limits: Arc<Limits>,
    registry: Arc<Mutex<Registry>>,
    refusals: Arc<Semaphore>,
    is_over: watch::Sender<bool>,
}

impl Server {
    fn new(router: Router, limits: Limits) -> Server {
        Server {
            router,
            limits: Arc::new(limits),
            registry: Arc::default(),
            refusals: Arc::new(Semaphore::new(REFUSALS_AT_ONCE)),
            is_over: watch::Sender::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a task for a connection, or refuses it.
    fn take<T: AsyncRead + AsyncWrite + Unpin + Send + 'static>(&self, stream: T, peer: SocketAddr) {
        let admitted = self.lock().admit(peer.ip(), &self.limits);
        match admitted {
            Some(entry) => {
                let place = Place { registry: Arc::clone(&self.registry), entry };
                let connection = Connection {
                    router: self.router.clone(),
                    limits: Arc::clone(&self.limits),
                    place,
                    peer,
                    is_over: self.is_over.subscribe(),
                };
                tokio::spawn(connection.run(stream));
            }
            None => {
                if let Ok(permit) = Arc::clone(&self.refusals).try_acquire_owned() {
                    tokio::spawn(async move {
                        refuse(stream).await;
                        drop(permit);
                    });
                }
            }
        }
    }

    /// Waits for the requests in progress.
    async fn end(self) {
        self.is_over.send_replace(true);
        self.is_over.closed().await;
    }
}

/// A place in the registry, given back at the end.
struct Place {
    registry: Arc<Mutex<Registry>>,
    entry: Entry,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.entry);
    }
}

struct Connection {
    router: Router,
    limits: Arc<Limits>,
    place: Place,
    peer: SocketAddr,
    is_over: watch::Receiver<bool>,
}

impl Connection {
    async fn run<T: AsyncRead + AsyncWrite + Unpin + Send + 'static>(self, stream: T) {
        let Connection { router, limits, place, peer, mut is_over } = self;
        let activity = Arc::clone(&place.entry.activity);
        let stream = TimedStream::new(stream, Arc::clone(&activity), Arc::clone(&limits));
        let service = service_fn(|request: hyper::Request<Incoming>| {
            let guard = activity.start_request();
            let response = guard.map(|guard| {
                let upload = |body| TimedUpload::new(body, Arc::clone(&activity), Arc::clone(&limits));
                let mut request: Request = request.map(|body| Body::new(upload(body)));
                request.extensions_mut().insert(ConnectInfo(peer));
                (router.clone().oneshot(request), guard)
            });
            async move {
                let (response, guard) = response.ok_or(Evicted)?;
                let response = response.await.unwrap_or_else(|never: Infallible| match never {});
                Ok::<_, Evicted>(response.map(|body| TrackedBody::new(body, guard)))
            }
        });
        let mut settings = http1::Builder::new();
        settings.header_read_timeout(None).max_header_size(limits.head_bytes);
        settings.max_buf_size(BUFFER_BYTES_MAX.max(limits.head_bytes));
        let mut connection = pin!(settings.serve_connection(TokioIo::new(stream), service));
        let mut is_ending = false;
        loop {
            tokio::select! {
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!("a connection of {peer} ended early: {error}");
                    }
                    break;
                }
                () = activity.evicted() => break,
                () = activity.expired(&limits) => break,
                _ = is_over.wait_for(|is_over| *is_over), if !is_ending => {
                    is_ending = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

/// The connection is being closed for a newcomer.
#[derive(Debug)]
struct Evicted;

impl std::fmt::Display for Evicted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the connection is closed for a newcomer")
    }
}

impl std::error::Error for Evicted {}

/// Whether it is the client that failed, and the next one may be accepted at once.
fn is_of_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Waits longer each time, and tells the log once.
#[derive(Default)]
struct Backoff {
    last: Option<Duration>,
}

impl Backoff {
    async fn wait(&mut self, error: &io::Error) {
        if self.last.is_none() {
            tracing::error!("the server cannot accept connections just now, and tries again: {error}");
        }
        let next = self.last.map_or(BACKOFF_MIN, |last| (last * 2).min(BACKOFF_MAX));
        self.last = Some(next);
        tokio::time::sleep(next).await;
    }
}

#[cfg(test)]
mod tests;
