//! The servers: pages and API at one address, replay at another.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use api::jobs::Jobs;
use api::watches::Watcher;
use archive::Archive;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Redirect, Response};
use listen::Limits;
use supervisor::{Caretaker, Harvester, notifying};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::ports::Ports;
use super::watching::Watching;
use crate::access_rules::Followed;
use crate::clock::now;
use crate::record_id;
use crate::watching::Links;

/// How long answers that are under way may take at the end.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

/// How often the rules of who may see what are looked at.
const RULES_EVERY: Duration = Duration::from_secs(2);

/// What is being served.
pub(super) struct Served {
    /// Where the pages are.
    pub(super) pages: String,
    /// Where archived pages are shown.
    pub(super) replay: String,
    jobs: Jobs,
    is_over: watch::Sender<bool>,
    servers: Vec<JoinHandle<()>>,
}

impl Served {
    /// Begins to answer.
    pub(super) fn start(
        runtime: &Runtime,
        ports: Ports,
        archive: &Archive,
        keys: api::Keys,
        (harvester, caretaker, watching): (&Arc<Harvester>, &Arc<Caretaker>, Option<&Arc<Watching>>),
    ) -> anyhow::Result<Served> {
        let Links { pages, replay } = ports.links();
        let followed = Arc::new(Followed::open(archive.folder())?);
        let rules = followed.current();
        let mut settings =
            api::Settings::new(archive.clone(), rules.clone(), Arc::new(now), Arc::new(record_id::new), keys);
        settings.origins = vec![pages.clone(), format!("http://localhost:{}", ports.pages_port)];
        settings.replay.clone_from(&replay);
        settings.source = notifying::source(archive.folder());
        settings.harvests = Some(harvester.clone());
        settings.keeper = Some(caretaker.clone());
        settings.watcher = watching.map(|watching| Arc::clone(watching) as Arc<dyn Watcher>);
        let api = api::Api::new(settings);
        let jobs = api.jobs().clone();
        let token = api::Secret::random().context("cannot make the token of forms")?;
        let own = web::Settings { api, token, names: Vec::new() };
        let shown = replay::Settings {
            access_rules: rules,
            pages: pages.clone(),
            origin: Some(replay.clone()),
            ..replay::Settings::new(archive.clone(), Arc::new(now))
        };
        let pages_router = web::router(web::Pages::new(own));
        let replay_router = replay::router(replay::Replay::new(shown))
            .layer(from_fn_with_state(Arc::<str>::from(&*replay), at_its_own_name));
        let replay_router = api::guarded(replay_router, &[]);
        runtime.spawn(follow(followed));
        let is_over = watch::Sender::new(false);
        let limits = Limits::for_descriptors(crawl::raise_file_limit(), 1 + ports.replay.len());
        let replay_listeners = ports.replay.into_iter().map(|listener| (listener, replay_router.clone()));
        let listeners = std::iter::once((ports.pages, pages_router)).chain(replay_listeners);
        let servers = listeners.map(|(listener, router)| {
            runtime.spawn(serve(listener, router, limits.clone(), is_over.subscribe()))
        });
        let servers = servers.collect();
        Ok(Served { pages: format!("{pages}/"), replay: format!("{replay}/"), jobs, is_over, servers })
    }

    /// Answers what is under way, and nobody else.
    pub(super) fn end(self, runtime: &Runtime) {
        self.jobs.close();
        self.is_over.send_replace(true);
        let all = async {
            for server in self.servers {
                let _ = server.await;
            }
        };
        // Who reads slowly is not waited for.
        let _ = runtime.block_on(async { tokio::time::timeout(PATIENCE, all).await });
    }
}

/// Leads to replay's own name whoever calls it by another, such as that of the pages: browsers keep cookies and permissions of one name
/// together, whatever the port.
async fn at_its_own_name(State(origin): State<Arc<str>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let own = origin.strip_prefix("http://").unwrap_or_default();
    if host.is_none_or(|host| host.eq_ignore_ascii_case(own)) {
        return next.run(request).await;
    }
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    Redirect::temporary(&format!("{origin}{path}")).into_response()
}

async fn serve(listener: TcpListener, router: Router, limits: Limits, mut is_over: watch::Receiver<bool>) {
    let over = async move {
        let _ = is_over.wait_for(|is_over| *is_over).await;
    };
    listen::serve(listener, router, limits, over).await;
}

/// Looks now and then whether the rules have changed, so that a take-down holds without a restart.
async fn follow(rules: Arc<Followed>) {
    loop {
        tokio::time::sleep(RULES_EVERY).await;
        let theirs = rules.clone();
        if let Ok(Err(error)) = tokio::task::spawn_blocking(move || theirs.refresh()).await {
            tracing::error!("the rules before stay: {error:#}");
        }
    }
}
