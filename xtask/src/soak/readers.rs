//! Those who use the archive: replay and CDX at a fixed rate over connections that are reused. A request that could not be sent in time
//! counts from when it should have been.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::http::Connection;
use super::measures::{Measures, Target};
use super::program::{Listener, Program};

/// Requests per second to each listener.
const RATE: u32 = 200;
/// Connections to each listener.
const CONNECTIONS: u32 = 8;
/// A request that takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// Readers, for as long as this value lives.
pub(super) struct Readers {
    _tasks: JoinSet<()>,
}

impl Readers {
    pub(super) fn start(
        program: &Program,
        captures: &[(String, String)],
        measures: &Arc<Measures>,
    ) -> Readers {
        let mut tasks = JoinSet::new();
        let replay: Arc<[String]> =
            captures.iter().map(|(time, url)| format!("GET /web/{time}/{url}")).collect();
        let cdx: Arc<[String]> =
            captures.iter().map(|(_, url)| format!("GET /cdx?url={url}&output=json&limit=10")).collect();
        for number in 0..CONNECTIONS {
            for (target, listener, lines) in
                [(Target::Replay, &program.replay, &replay), (Target::Cdx, &program.pages, &cdx)]
            {
                let reader = Reader {
                    target,
                    listener: listener.clone(),
                    lines: Arc::clone(lines),
                    number,
                    measures: Arc::clone(measures),
                };
                tasks.spawn(reader.run());
            }
        }
        Readers { _tasks: tasks }
    }
}

struct Reader {
    target: Target,
    listener: Listener,
    lines: Arc<[String]>,
    number: u32,
    measures: Arc<Measures>,
}

impl Reader {
    async fn run(self) {
        let every = Duration::from_secs(1) * CONNECTIONS / RATE;
        let mut due = Instant::now() + every * self.number / CONNECTIONS;
        let mut connection = None;
        let mut next = self.number as usize * 37;
        loop {
            tokio::time::sleep_until(due).await;
            let line = self.lines.get(next % self.lines.len().max(1)).map_or("GET /", String::as_str);
            next += 7;
            match tokio::time::timeout(PATIENCE, self.ask(&mut connection, line)).await {
                Ok(Ok(200)) => self.measures.note_latency(self.target, due.elapsed()),
                Ok(Ok(status)) => {
                    self.measures.note_error(self.target.name(), &format!("{status} for {line}"))
                }
                Ok(Err(error)) => {
                    self.measures.note_error(self.target.name(), &format!("{line}: {error:#}"));
                    connection = None;
                }
                Err(_) => {
                    self.measures.note_error(self.target.name(), &format!("{line}: no answer in time"));
                    connection = None;
                }
            }
            due += every;
        }
    }

    async fn ask(&self, connection: &mut Option<Connection>, line: &str) -> anyhow::Result<u16> {
        let connection = match connection {
            Some(connection) => connection,
            None => connection.insert(Connection::open(self.listener.address, &self.listener.host).await?),
        };
        Ok(connection.ask(line, "", "").await?.0)
    }
}
