//! Requests to the server: tried again with growing pauses, within a limit, and what went wrong in words of ours.
//!
//! The client is told to try everything once. It would send the same request again as it was signed before; here each try is signed
//! anew, and one limit counts for all that can fail: the connection, the answer, and its body.

use std::error::Error as StdError;
use std::future::Future;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, Checksum};
use object_store::client::{HttpError, HttpErrorKind};
use object_store::path::Path;
use object_store::{ClientOptions, RetryConfig};
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;

use super::settings::{BucketLimits, BucketSettings};
use crate::error::Error;
use crate::name;

/// No pause is longer.
const PAUSE_MAX: Duration = Duration::from_secs(20);

/// The client with a runtime of its own.
#[derive(Debug)]
pub(super) struct Asking {
    pub(super) client: AmazonS3,
    pub(super) limits: BucketLimits,
    /// `s3://bucket`
    place: String,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl Asking {
    pub(super) fn new(settings: &BucketSettings) -> Result<Asking, Error> {
        let place = format!("s3://{}", settings.bucket);
        let unusable = |what: &str| Error::Bucket { place: place.clone(), what: what.to_owned() };
        if !name::is_name(&settings.bucket) {
            return Err(unusable("that is no name of a bucket"));
        }
        if settings.access_key.is_some() != settings.secret_key.is_some() {
            return Err(unusable("one half of the credentials is missing"));
        }
        let client = client(settings).map_err(|error| unusable(&innermost(&error)))?;
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("bucket").enable_all().build();
        let runtime = runtime.map_err(|error| unusable(&error.to_string()))?;
        Ok(Asking { client, limits: settings.limits, place, runtime: Some(runtime) })
    }

    /// What something is called where people read it.
    pub(super) fn place(&self, path: &Path) -> String {
        format!("{}/{path}", self.place)
    }

    /// Asks until there is an answer or the limits are reached. Not to be called on a thread of an asynchronous runtime.
    pub(super) fn ask<T, Asked>(&self, path: &Path, request: impl FnMut() -> Asked) -> Result<T, Error>
    where
        Asked: Future<Output = object_store::Result<T>>,
    {
        self.wait(self.tried(request)).map_err(|error| self.error(path, error))
    }

    /// The same, for tasks.
    pub(super) async fn tried<T, Asked>(&self, mut request: impl FnMut() -> Asked) -> object_store::Result<T>
    where
        Asked: Future<Output = object_store::Result<T>>,
    {
        let begun = Instant::now();
        let mut pause = self.limits.pause;
        let mut tries = 1;
        loop {
            match request().await {
                Err(error)
                    if tries < self.limits.tries
                        && is_passing(&error)
                        && begun.elapsed() + pause < self.limits.total =>
                {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(PAUSE_MAX);
                    tries += 1;
                }
                outcome => return outcome,
            }
        }
    }

    /// Waits for something that is done on the runtime.
    pub(super) fn wait<T>(&self, what: impl Future<Output = T>) -> T {
        self.runtime().block_on(what)
    }

    pub(super) fn runtime(&self) -> &Runtime {
        // It is taken out in `drop` alone.
        #[allow(clippy::expect_used)]
        self.runtime.as_ref().expect("the runtime is there until the end")
    }

    /// What an error of the client means.
    pub(super) fn error(&self, path: &Path, error: object_store::Error) -> Error {
        let place = self.place(path);
        let is_unreached = http_kind(&error)
            .is_some_and(|kind| matches!(kind, HttpErrorKind::Connect | HttpErrorKind::Timeout));
        match error {
            object_store::Error::NotFound { .. } => Error::Missing(place),
            object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. } => {
                Error::Denied { place, source: Box::new(error) }
            }
            _ if is_unreached => Error::Unreachable { place, source: Box::new(error) },
            _ => Error::Answer { place, source: Box::new(error) },
        }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        // A runtime that waits for its threads must not be dropped on a thread of another.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The client for a bucket. Nothing is asked yet.
fn client(settings: &BucketSettings) -> object_store::Result<AmazonS3> {
    let limits = &settings.limits;
    let is_plain = settings.endpoint.as_ref().is_some_and(|endpoint| endpoint.starts_with("http://"));
    let options = ClientOptions::new()
        .with_allow_http(is_plain)
        .with_connect_timeout(limits.connect)
        .with_timeout(limits.answer);
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&settings.bucket)
        .with_region(settings.region.as_deref().unwrap_or("us-east-1"))
        .with_client_options(options)
        .with_retry(RetryConfig { max_retries: 0, ..RetryConfig::default() })
        // The server compares it with what has arrived.
        .with_checksum_algorithm(Checksum::SHA256);
    if let Some(endpoint) = &settings.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    match (&settings.access_key, &settings.secret_key) {
        (Some(access), Some(secret)) => {
            builder = builder.with_access_key_id(access).with_secret_access_key(secret);
        }
        _ => builder = builder.with_skip_signature(true),
    }
    if let Some(token) = &settings.session_token {
        builder = builder.with_token(token);
    }
    builder.build()
}

/// Whether the same may succeed when it is asked again.
fn is_passing(error: &object_store::Error) -> bool {
    use object_store::Error as Theirs;
    match error {
        Theirs::NotFound { .. } | Theirs::PermissionDenied { .. } | Theirs::Unauthenticated { .. } => false,
        // Where a range begins behind the end it will do so next time, too.
        Theirs::Generic { .. } => !innermost(error).contains("416 Range Not Satisfiable"),
        _ => true,
    }
}

/// What the deepest cause says.
fn innermost(error: &dyn StdError) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

/// What kind of failure of the network is at the root, if it is one.
fn http_kind(error: &object_store::Error) -> Option<HttpErrorKind> {
    let mut next: Option<&(dyn StdError + 'static)> = error.source();
    while let Some(source) = next {
        if let Some(http) = source.downcast_ref::<HttpError>() {
            return Some(http.kind());
        }
        next = source.source();
    }
    None
}
