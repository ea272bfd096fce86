//! The fetcher: one request in, one exchange out, whatever happens on the way.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use url::Url;
use warc::HttpHead;

use crate::connect::Connector;
use crate::conversation::{Conversation, Plan, Spoken};
use crate::cookies::Jar;
use crate::dns::{Answer, Resolver};
use crate::error::Error;
use crate::exchange::{Digests, Exchange, Times};
use crate::http1::{Asked, Oddity};
use crate::kept::{Completes, Kept};
use crate::outcome::{Failure, Outcome};
use crate::pool::Connections;
use crate::proxy::ProxyKind;
use crate::request::{Request, without_password};
use crate::settings::Settings;
use crate::tls::Tls;
use crate::wire::Written;
use crate::{redirect, wire};

/// Makes exchanges. Clones share connections, cookies and what is known of names; they belong to one tokio runtime.
#[derive(Clone)]
pub struct Fetcher(Arc<Inner>);

struct Inner {
    settings: Settings,
    connector: Connector,
    pool: Connections,
}

/// An exchange that is under way. Dropping it ends it.
#[derive(Debug)]
pub struct Arriving {
    response: Kept,
    head: Option<oneshot::Receiver<HttpHead>>,
    task: JoinHandle<Exchange>,
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Fetcher {
    /// A fetcher of these settings.
    ///
    /// # Errors
    /// If a header of the settings cannot be sent, or a certificate to be trusted cannot be read.
    pub fn new(settings: Settings) -> Result<Fetcher, Error> {
        let headers = [
            ("User-Agent", settings.user_agent.as_str()),
            ("From", settings.from.as_deref().unwrap_or_default()),
            ("Accept", &settings.accept),
            ("Accept-Language", &settings.accept_language),
            ("Accept-Encoding", &settings.accept_encoding),
        ];
        for (name, value) in headers {
            if !wire::is_value(value) {
                return Err(Error::Header { name: name.to_owned() });
            }
        }
        let connector = Connector {
            resolver: Resolver::new(settings.dns.clone(), settings.clock.clone(), settings.limits.names),
            tls: Tls::new(settings.tls.clone(), settings.clock.clone())?,
            proxies: settings.proxies.clone(),
            allowed: settings.allowed.clone(),
            proxy_allowed: settings.proxy_allowed.clone(),
            limits: settings.limits.clone(),
        };
        let pool = Connections::new(settings.pool);
        Ok(Fetcher(Arc::new(Inner { settings, connector, pool })))
    }

    /// The settings it was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Makes one exchange. There is no error: a failure is an outcome.
    pub async fn fetch(&self, request: Request) -> Exchange {
        let jar = self.0.settings.cookies.clone();
        self.0.exchange(&request, jar.as_ref(), Kept::default(), None).await
    }

    /// Closes the connections that wait for another request, so that their file descriptors are free.
    pub fn close_idle(&self) {
        self.0.pool.close_all();
    }

    /// Where the host of a URL is: what the next exchange with it goes by, for those who must know beforehand, as the gate
    /// does. Only addresses that may be asked are told, and none where a proxy looks names up.
    ///
    /// # Errors
    /// If there is no such address; it is the failure that an exchange would end with.
    pub async fn lookup(&self, url: &Url) -> Result<Arc<Answer>, Failure> {
        self.0.connector.lookup(url, Instant::now() + self.0.settings.timeouts.connect).await
    }

    /// Begins an exchange whose response is to be read while it arrives.
    #[must_use]
    pub fn start(&self, request: Request) -> Arriving {
        let response = Kept::default();
        let (sender, receiver) = oneshot::channel();
        let (inner, kept) = (self.0.clone(), response.clone());
        // Made out here, because a task that is dropped early never begins.
        let completes = Completes(response.clone());
        let task = tokio::spawn(async move {
            let _completes = completes;
            let jar = inner.settings.cookies.clone();
            inner.exchange(&request, jar.as_ref(), kept, Some(sender)).await
        });
        Arriving { response, head: Some(receiver), task }
    }

    /// As [`Fetcher::fetch`], with these cookies instead of those of the settings.
    pub(crate) async fn fetch_with(&self, request: &Request, jar: Option<&Jar>) -> Exchange {
        self.0.exchange(request, jar, Kept::default(), None).await
    }
}

impl fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetcher").field("user_agent", &self.0.settings.user_agent).finish_non_exhaustive()
    }
}

impl Arriving {
    /// Waits for the head. `None` if none comes, or it was asked for before.
    pub async fn head(&mut self) -> Option<HttpHead> {
        self.head.take()?.await.ok()
    }

    /// The response as far as it has come; it may be read while it grows.
    #[must_use]
    pub fn response(&self) -> &Kept {
        &self.response
    }

    /// Waits for the end.
    pub async fn finish(mut self) -> Exchange {
        match (&mut self.task).await {
            Ok(exchange) => exchange,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            // The runtime is being shut down, and whoever waits here with it.
            Err(_) => std::future::pending().await,
        }
    }
}

impl Inner {
    async fn exchange(
        &self,
        request: &Request,
        jar: Option<&Jar>,
        kept: Kept,
        on_head: Option<oneshot::Sender<HttpHead>>,
    ) -> Exchange {
        let began = Instant::now();
        let mut exchange = blank(request, kept, &self.settings);
        match self.prepare(request, jar) {
            Ok(written) => self.run(request, written, on_head, began, &mut exchange).await,
            Err(failure) => exchange.outcome = Outcome::Failed(failure),
        }
        exchange.response.complete();
        if let Some(head) = exchange.head.as_ref().filter(|_| exchange.is_head_whole) {
            exchange.redirect = redirect::target(&exchange.url, head);
            if let Some(jar) = jar {
                jar.take(&exchange.url, head);
            }
        }
        exchange.times.total = began.elapsed();
        exchange
    }

    /// The request as it will be sent.
    fn prepare(&self, request: &Request, jar: Option<&Jar>) -> Result<Written, Failure> {
        if !matches!(request.url.scheme(), "http" | "https") || !request.url.has_host() {
            return Err(Failure::BadUrl);
        }
        let cookie = jar.and_then(|jar| jar.header(&request.url));
        wire::write(&self.settings, request, self.settings.proxies.for_url(&request.url), cookie.as_deref())
    }

    async fn run(
        &self,
        request: &Request,
        written: Written,
        mut on_head: Option<oneshot::Sender<HttpHead>>,
        began: Instant,
        exchange: &mut Exchange,
    ) {
        let mut limits = self.settings.limits.clone();
        limits.body_bytes = limits.body_bytes.min(request.body_bytes_max.unwrap_or(u64::MAX));
        let asked = if request.method == "HEAD" { Asked::Head } else { Asked::Other };
        let kept = exchange.response.clone();
        let mut waiting = self.pool.take(&request.url);
        loop {
            let is_reused = waiting.is_some();
            let mut connection = match waiting.take() {
                Some(connection) => connection,
                // Boxed, because it is rare and large, and every exchange would carry room for it.
                None => match Box::pin(self.connector.open(&request.url, self.connect_deadline(began))).await
                {
                    Ok(connection) => connection,
                    // Those that nobody uses make place for one that somebody needs.
                    Err(Failure::NoDescriptors) if self.pool.close_all() => continue,
                    Err(failure) => {
                        exchange.outcome = Outcome::Failed(failure);
                        return;
                    }
                },
            };
            exchange.times.connected = Some(began.elapsed());
            exchange.request = written.kept.clone();
            exchange.is_reused = is_reused;
            exchange.peer = connection.peer;
            exchange.by_proxy = connection.by_proxy;
            exchange.dns.clone_from(&connection.dns);
            exchange.tls.clone_from(&connection.tls);
            let settings = &self.settings;
            let is_for_proxy = self.is_for_proxy(&request.url);
            let plan = Plan {
                settings,
                limits: &limits,
                asked,
                is_for_proxy,
                request: &written.sent,
                kept: &kept,
                began,
            };
            let spoken = Conversation::new(&plan, &mut connection, on_head.take()).run().await;
            if is_reused && request.is_idempotent() && was_stale(&spoken) {
                // The server closed the connection while the request was on its way.
                on_head = spoken.on_head;
                exchange.oddities.push(Oddity::Retried);
                kept.clear();
                continue;
            }
            if spoken.keeps_alive {
                self.pool.give(&request.url, connection);
            }
            if spoken.is_proxys_own {
                // Not a word of it is the server's.
                kept.clear();
                exchange.outcome =
                    Outcome::Failed(Failure::Proxy("it asks for another user or password".to_owned()));
                return;
            }
            fill(exchange, spoken, began);
            return;
        }
    }

    /// Whether a request for this URL is read by an HTTP proxy, and not only passed on.
    fn is_for_proxy(&self, url: &Url) -> bool {
        let proxy = self.settings.proxies.for_url(url).filter(|_| url.scheme() == "http");
        proxy.is_some_and(|proxy| proxy.kind == ProxyKind::Http)
    }

    fn connect_deadline(&self, began: Instant) -> Instant {
        let timeouts = &self.settings.timeouts;
        (Instant::now() + timeouts.connect).min(began + timeouts.whole)
    }
}

fn was_stale(spoken: &Spoken) -> bool {
    let is_silent = matches!(
        spoken.outcome,
        Outcome::Failed(Failure::EmptyReply | Failure::Reset | Failure::SendFailed(_))
    );
    is_silent && spoken.first_byte.is_none()
}

fn blank(request: &Request, response: Kept, settings: &Settings) -> Exchange {
    Exchange {
        url: without_password(&request.url),
        method: request.method.clone(),
        request: Bytes::new(),
        response,
        head_bytes: 0,
        head: None,
        is_head_whole: false,
        interims: Vec::new(),
        oddities: Vec::new(),
        peer: None,
        by_proxy: false,
        is_reused: false,
        dns: None,
        times: Times {
            start: settings.clock.now(),
            connected: None,
            first_byte: None,
            total: std::time::Duration::ZERO,
        },
        version: None,
        tls: None,
        redirect: None::<Url>,
        outcome: Outcome::Complete,
        digests: Digests::default(),
    }
}

fn fill(exchange: &mut Exchange, spoken: Spoken, began: Instant) {
    let mut message = spoken.message;
    exchange.outcome = spoken.outcome;
    exchange.head = message.head;
    exchange.is_head_whole = message.is_head_whole;
    exchange.head_bytes = message.head_bytes;
    exchange.version = message.version;
    exchange.interims = message.interims;
    exchange.oddities.append(&mut message.oddities);
    exchange.digests = spoken.digests;
    exchange.times.first_byte = spoken.first_byte.map(|at| at.duration_since(began));
}
