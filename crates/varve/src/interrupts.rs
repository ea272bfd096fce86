//! Ctrl-C and SIGTERM, for every verb that works for longer than a moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;

use crate::exit::Exit;

/// The interval at which waiting work looks for a signal.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Counts Ctrl-C and SIGTERM. The first ends work cleanly; the second ends the process at once, which loses nothing either.
#[derive(Clone, Default)]
pub(crate) struct Interrupts(Arc<AtomicU32>);

impl Interrupts {
    /// Listens for both signals on a thread of its own.
    pub(crate) fn listen() -> anyhow::Result<Interrupts> {
        let interrupts = Interrupts::default();
        let count = interrupts.0.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot listen for Ctrl-C")?;
        thread::spawn(move || {
            runtime.block_on(async {
                let Ok(mut ended) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
                else {
                    return;
                };
                loop {
                    tokio::select! {
                        interrupted = tokio::signal::ctrl_c() => if interrupted.is_err() { return },
                        _ = ended.recv() => {}
                    }
                    if count.fetch_add(1, Ordering::SeqCst) > 0 {
                        // The journal of the work is on the disk; whatever it lacks is fetched again.
                        std::process::exit(i32::from(Exit::Failed.code()));
                    }
                }
            });
        });
        Ok(interrupts)
    }

    /// Whether a signal has arrived.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }

    /// Waits for a signal.
    pub(crate) async fn wanted(&self) {
        while !self.is_wanted() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}
