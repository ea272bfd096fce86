//! Which bucket, by whose leave, and how much patience is had with it.

use std::fmt;
use std::time::Duration;

/// Where a bucket is and how it is asked. Whoever makes one knows where the secrets come from; nothing is read from the environment.
#[derive(Clone)]
pub struct BucketSettings {
    /// The bucket's name. It must be there already.
    pub bucket: String,
    /// What all our names begin with, such as `archive` or `archive/first`; empty for the whole bucket.
    pub prefix: String,
    /// Where the server is, such as `http://127.0.0.1:9000`; without it, Amazon's. Only one that begins with `http://` is asked
    /// without TLS.
    pub endpoint: Option<String>,
    /// The region, which is part of every signature; without it `us-east-1`.
    pub region: Option<String>,
    /// Public half of the credentials. Without it, requests are not signed.
    pub access_key: Option<String>,
    /// Secret half of the credentials.
    pub secret_key: Option<String>,
    /// Goes with credentials that were lent for a while.
    pub session_token: Option<String>,
    /// How much at once, and how long.
    pub limits: BucketLimits,
}

/// How much is held in memory, and how long is waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketLimits {
    /// Files longer than this are brought in parts of it. Amazon takes none below 5 MiB. A few of them are in memory at once.
    pub part_bytes: usize,
    /// Until there is a connection.
    pub connect: Duration,
    /// Until a request is answered to the last byte; none asks for or brings more than a part.
    pub answer: Duration,
    /// How often something is tried in all.
    pub tries: u32,
    /// After so long it is not tried again.
    pub total: Duration,
    /// The first pause between two tries. Each is twice as long as the one before.
    pub pause: Duration,
}

impl BucketSettings {
    /// A bucket at Amazon's, as far as nothing else is said.
    #[must_use]
    pub fn new(bucket: &str) -> BucketSettings {
        BucketSettings {
            bucket: bucket.to_owned(),
            prefix: String::new(),
            endpoint: None,
            region: None,
            access_key: None,
            secret_key: None,
            session_token: None,
            limits: BucketLimits::default(),
        }
    }
}

impl Default for BucketLimits {
    fn default() -> Self {
        BucketLimits {
            part_bytes: 8 << 20,
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(60),
            tries: 6,
            total: Duration::from_secs(180),
            pause: Duration::from_millis(200),
        }
    }
}

/// Never shows a secret.
impl fmt::Debug for BucketSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BucketSettings")
            .field("bucket", &self.bucket)
            .field("prefix", &self.prefix)
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
