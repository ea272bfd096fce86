//! The one thread that writes: records, and then the database, in groups.
//!
//! ```text
//! 1 the captures of a group are appended to the job and brought to the disk
//! 2 one transaction has the checks, the versions, what is due, and how far the job's files have come
//! 3 whoever waits is told
//! ```
//! After a crash before 2 the files are cut back to the last mark, and the checks are made again; behind it they are settled. None is lost,
//! none is there twice.

use std::thread;

use archive::{Archive, Capture, Committed, Placed};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};

use crate::bodies::Bodies;
use crate::check::Outcome;
use crate::db::Db;
use crate::error::Error;
use crate::judging::{Judged, address};
use crate::open_job::{OpenJob, recover};
use crate::settings::Settings;
use crate::settling::{Settled, settle};

/// Checks that wait to be written.
const WAITING_MAX: usize = 1_024;

type Written = oneshot::Sender<Result<Settled, Error>>;

/// The way to the thread. It ends when the last of these is gone, and leaves its job to whoever comes next.
#[derive(Debug, Clone)]
pub(crate) struct Ledger(mpsc::Sender<Order>);

enum Order {
    Write(Box<Judged>, Written),
    Commit(oneshot::Sender<Result<Option<Committed>, Error>>),
    End(oneshot::Sender<()>),
}

impl Ledger {
    /// Takes up what was left behind, and begins.
    pub(crate) async fn start(
        db: Db,
        archive: Archive,
        settings: Settings,
        bodies: Bodies,
    ) -> Result<Ledger, Error> {
        let (sender, orders) = mpsc::channel(WAITING_MAX);
        let (ready, is_ready) = oneshot::channel();
        let folder = archive.folder().to_owned();
        let runtime = Builder::new_current_thread().enable_all().build().map_err(Error::file(&folder))?;
        let named = thread::Builder::new().name("watch".to_owned());
        let spawned =
            named.spawn(move || match runtime.block_on(Keeper::open(db, archive, settings, bodies)) {
                Ok(keeper) => {
                    let _ = ready.send(Ok(()));
                    run(keeper, &runtime, orders);
                }
                Err(error) => drop(ready.send(Err(error))),
            });
        spawned.map_err(Error::file(&folder))?;
        is_ready.await.map_err(|_| Error::Closed)??;
        Ok(Ledger(sender))
    }

    /// Writes a check down; returns once it is on the disk.
    pub(crate) async fn write(&self, judged: Judged) -> Result<Settled, Error> {
        let (sender, receiver) = oneshot::channel();
        self.0.send(Order::Write(Box::new(judged), sender)).await.map_err(|_| Error::Closed)?;
        receiver.await.map_err(|_| Error::Closed)?
    }

    /// Brings everything that was written into the archive; `None` if there is nothing.
    pub(crate) async fn commit(&self) -> Result<Option<Committed>, Error> {
        let (sender, receiver) = oneshot::channel();
        self.0.send(Order::Commit(sender)).await.map_err(|_| Error::Closed)?;
        receiver.await.map_err(|_| Error::Closed)?
    }

    /// Ends the thread, and waits until it has let go of its job.
    pub(crate) async fn end(&self) {
        let (sender, receiver) = oneshot::channel();
        if self.0.send(Order::End(sender)).await.is_ok() {
            let _ = receiver.await;
        }
    }
}

struct Keeper {
    db: Db,
    archive: Archive,
    settings: Settings,
    bodies: Bodies,
    open: Option<OpenJob>,
    /// There were new versions since the cache was last tidied.
    has_news: bool,
}

/// Does what it is told until nobody can tell it more.
fn run(mut keeper: Keeper, runtime: &Runtime, mut orders: mpsc::Receiver<Order>) {
    let mut next = None;
    while let Some(order) = next.take().or_else(|| runtime.block_on(orders.recv())) {
        match order {
            Order::Write(judged, written) => {
                let (mut group, mut waiting) = (vec![*judged], vec![written]);
                while group.len() < keeper.settings.limits.group.max(1) && next.is_none() {
                    match orders.try_recv() {
                        Ok(Order::Write(judged, written)) => {
                            group.push(*judged);
                            waiting.push(written);
                        }
                        Ok(other) => next = Some(other),
                        Err(_) => break,
                    }
                }
                tell(waiting, runtime.block_on(keeper.write(group)));
            }
            // Whoever has gone away does not want to know.
            Order::Commit(told) => drop(told.send(runtime.block_on(keeper.commit()))),
            Order::End(told) => {
                let Keeper { db, open, .. } = keeper;
                drop(open);
                // The last to close brings everything into the one file.
                runtime.block_on(db.close());
                let _ = told.send(());
                return;
            }
        }
    }
}

fn tell(waiting: Vec<Written>, settled: Result<Vec<Settled>, Error>) {
    match settled {
        Ok(settled) => {
            waiting.into_iter().zip(settled).for_each(|(written, one)| drop(written.send(Ok(one))))
        }
        Err(error) => waiting.into_iter().for_each(|written| drop(written.send(Err(error.clone())))),
    }
}

impl Keeper {
    /// Takes up what was left behind; that may take a while.
    async fn open(db: Db, archive: Archive, settings: Settings, bodies: Bodies) -> Result<Keeper, Error> {
        // Connections belong to the runtime of the thread that they were opened on.
        let db = db.separate();
        recover(&db, &archive, &settings).await?;
        Ok(Keeper { db, archive, settings, bodies, open: None, has_news: false })
    }

    /// Writes a group. Where that fails, nothing of it is settled, and the job is taken up from its mark before anything else is written.
    async fn write(&mut self, group: Vec<Judged>) -> Result<Vec<Settled>, Error> {
        let written = self.try_write(group).await;
        if written.is_err() {
            self.open = None;
        }
        written
    }

    async fn try_write(&mut self, group: Vec<Judged>) -> Result<Vec<Settled>, Error> {
        if self.open.is_none() {
            recover(&self.db, &self.archive, &self.settings).await?;
            self.open = Some(OpenJob::begin(&self.db, &self.archive, &self.settings).await?);
        }
        let Some(open) = &mut self.open else { return Err(Error::Closed) };
        let mut placed = Vec::with_capacity(group.len());
        for judged in group {
            let last = append(open, &judged)?;
            placed.push((judged, last));
        }
        let mark = open.intake.flush()?;
        open.intake.sync()?;
        let settled = settle(&self.db, open.id, &placed, &mark, self.settings.now()).await?;
        self.has_news |= settled.iter().any(|settled| settled.check.outcome == Outcome::Changed);
        Ok(settled)
    }

    async fn commit(&mut self) -> Result<Option<Committed>, Error> {
        let Some(open) = self.open.take() else {
            // What could not be committed before may be now.
            return Ok(recover(&self.db, &self.archive, &self.settings).await?.pop());
        };
        let committed = open.commit(&self.db, &self.archive, &self.settings).await?;
        if std::mem::take(&mut self.has_news) {
            // Older versions are to be had from the archive from here on.
            self.bodies.tidy(&self.db.newest_digests().await?);
        }
        Ok(Some(committed))
    }
}

/// Appends the captures of a check; where the last of them lies, if anything came.
fn append(open: &mut OpenJob, judged: &Judged) -> Result<Option<Placed>, Error> {
    let mut last = None;
    let mut via: Option<String> = None;
    for (number, exchange) in judged.exchanges.iter().enumerate() {
        let is_last = number + 1 == judged.exchanges.len();
        let claimed = exchange.media_type().unwrap_or_default();
        let mime = if is_last { &judged.mime } else { &claimed };
        let hops = "R".repeat(number);
        let capture = Capture { exchange, mime, hops: &hops, via: via.as_deref(), outlinks: None, dns: None };
        // Only the document itself is what was known before; redirects are compared by the archive.
        let packed = match &judged.last {
            Some(before) if is_last => open.packer.pack_against(&capture, Some(before.clone()))?,
            _ => open.packer.pack(&capture)?,
        };
        let placed = open.intake.append(packed)?;
        last = Some(placed).filter(|placed| is_last && placed.outcome != archive::Outcome::Nothing);
        via = Some(address(exchange));
    }
    Ok(last)
}
