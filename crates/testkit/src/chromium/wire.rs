//! The connection: one thread sends commands and writes down answers and events; any number may call and wait.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::traffic::Traffic;

/// So long an answer or an event is waited for.
pub(super) const WAIT_MAX: Duration = Duration::from_secs(120);
/// A screenshot is one message.
const MESSAGE_BYTES_MAX: usize = 256 << 20;

/// A connection to a browser.
#[derive(Debug)]
pub(super) struct Wire {
    outgoing: UnboundedSender<String>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Rung whenever anything has arrived.
    bell: Condvar,
}

/// What has arrived so far.
#[derive(Debug, Default)]
pub(super) struct State {
    next: u64,
    replies: HashMap<u64, Result<Value, String>>,
    is_closed: bool,
    pub(super) traffic: Traffic,
}

impl Wire {
    pub(super) fn connect(address: &str) -> io::Result<Wire> {
        let (outgoing, incoming) = unbounded_channel();
        let shared = Arc::new(Shared::default());
        let (theirs, sender, address) = (Arc::clone(&shared), outgoing.clone(), address.to_owned());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::spawn(move || {
            if let Err(error) = runtime.block_on(talk(&address, incoming, &sender, &theirs)) {
                theirs.state().traffic.note(format!("the connection broke: {error}"));
            }
            theirs.state().is_closed = true;
            theirs.bell.notify_all();
        });
        Ok(Wire { outgoing, shared, thread: Some(thread) })
    }

    /// One command and its answer.
    pub(super) fn call(
        &self,
        session: Option<&str>,
        method: &str,
        parameters: Value,
    ) -> Result<Value, String> {
        let id = self.shared.state().number();
        let message = command(id, session, method, parameters);
        self.outgoing.send(message).map_err(|_| format!("{method}: the browser is gone"))?;
        self.wait(WAIT_MAX, |state| state.replies.remove(&id))
            .unwrap_or_else(|| Err("no answer".to_owned()))
            .map_err(|error| format!("{method}: {error}"))
    }

    /// Waits until `look` finds something in what has arrived. `None` when that takes too long or the browser is gone.
    pub(super) fn wait<T>(
        &self,
        time_max: Duration,
        mut look: impl FnMut(&mut State) -> Option<T>,
    ) -> Option<T> {
        let end = Instant::now() + time_max;
        let mut state = self.shared.state();
        loop {
            if let Some(found) = look(&mut state) {
                return Some(found);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || state.is_closed {
                return None;
            }
            // Some things are found by nothing having arrived for a while.
            let nap = left.min(Duration::from_millis(100));
            state = self.shared.bell.wait_timeout(state, nap).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A look at what has arrived.
    pub(super) fn with<T>(&self, look: impl FnOnce(&mut Traffic) -> T) -> T {
        look(&mut self.shared.state().traffic)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        let id = self.shared.state().number();
        drop(self.outgoing.send(command(id, None, "Browser.close", json!({}))));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked leaves nothing half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

fn command(id: u64, session: Option<&str>, method: &str, parameters: Value) -> String {
    let mut message = json!({ "id": id, "method": method, "params": parameters });
    if let (Some(session), Some(fields)) = (session, message.as_object_mut()) {
        fields.insert("sessionId".to_owned(), session.into());
    }
    message.to_string()
}

/// Sends what is to be sent and takes in what comes, until the browser closes the connection.
async fn talk(
    address: &str,
    mut outgoing: UnboundedReceiver<String>,
    sender: &UnboundedSender<String>,
    shared: &Shared,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let host = address.strip_prefix("ws://").and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let tcp = TcpStream::connect(host).await?;
    tcp.set_nodelay(true)?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MESSAGE_BYTES_MAX))
        .max_frame_size(Some(MESSAGE_BYTES_MAX));
    let (mut socket, _) = tokio_tungstenite::client_async_with_config(address, tcp, Some(config)).await?;
    loop {
        tokio::select! {
            message = outgoing.recv() => match message {
                Some(message) => socket.send(Message::text(message)).await?,
                None => return Ok(()),
            },
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => take_in(text.as_str(), sender, shared)?,
                Some(Ok(Message::Close(_))) | None => return Ok(()),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.into()),
            },
        }
    }
}

/// Writes one message down. Some events want commands at once, before the target goes on.
fn take_in(text: &str, sender: &UnboundedSender<String>, shared: &Shared) -> Result<(), serde_json::Error> {
    let mut message: Value = serde_json::from_str(text)?;
    let mut state = shared.state();
    if let Some(id) = message.get("id").and_then(Value::as_u64) {
        let reply = match message.get("error") {
            Some(error) => Err(error.to_string()),
            None => Ok(message.get_mut("result").map(Value::take).unwrap_or_default()),
        };
        state.replies.insert(id, reply);
    } else {
        for (session, method, parameters) in state.traffic.take_in(&message) {
            let id = state.number();
            drop(sender.send(command(id, Some(&session), method, parameters)));
        }
    }
    drop(state);
    shared.bell.notify_all();
    Ok(())
}
