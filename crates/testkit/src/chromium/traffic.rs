//! What the browser tells of itself: targets, every request of pages, frames and workers, and what went wrong in scripts.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// One request, of a page, a frame or a worker of any kind. A redirect is a request of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What was asked for.
    pub url: String,
    /// How.
    pub method: String,
    /// What for: `Document`, `Script`, `Image`, `Fetch` …
    pub kind: String,
    /// Who asked: `page`, `iframe`, `worker`, `service_worker` …
    pub asker: String,
    /// What led to it: `parser`, `script`, `preload`, `other`.
    pub initiator: String,
    /// The status of the answer.
    pub status: Option<u64>,
    /// The media type of the answer.
    pub mime: String,
    /// A service worker gave the answer.
    pub by_worker: bool,
    /// Why there was no answer, or none that the page was given.
    pub failure: Option<String>,
    /// What forbade it, such as `csp`: then it was never sent.
    pub blocked: Option<String>,
    /// Whether it has come to its end.
    pub is_done: bool,
}

/// A command that an event calls for: session, method, parameters.
pub(super) type Command = (String, &'static str, Value);

/// Everything that was told so far.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    sessions: HashMap<String, Session>,
    contexts: HashMap<String, Context>,
    notes: Vec<String>,
}

/// A connection to one target.
#[derive(Debug, Default)]
struct Session {
    context: String,
    target: String,
    kind: String,
}

/// What belongs to one page and its workers.
#[derive(Debug, Default)]
pub(super) struct Context {
    pub(super) requests: Vec<Request>,
    pub(super) console: Vec<String>,
    /// How many pages have been loaded to the end.
    pub(super) loads: usize,
    /// By session and request.
    open: HashMap<(String, String), usize>,
    last: Option<Instant>,
}

impl Context {
    pub(super) fn forget(&mut self) {
        let open = std::mem::take(&mut self.open);
        let old = std::mem::take(&mut self.requests);
        self.console.clear();
        for (key, place) in open {
            if let Some(request) = old.get(place) {
                self.open.insert(key, self.requests.len());
                self.requests.push(request.clone());
            }
        }
    }

    /// Nothing is asked for, and nothing was for this long. Media players keep requests open for good, how it went with the
    /// site's icon is never told, and the end of a frame's document is told to somebody else if it has a process of its own.
    pub(super) fn is_quiet(&self, time: Duration) -> bool {
        let is_frame = |request: &Request| request.kind == "Document" && request.status.is_some();
        let is_awaited = |request: &Request| {
            request.kind != "Media" && !request.url.ends_with("/favicon.ico") && !is_frame(request)
        };
        let waiting = |place: &usize| self.requests.get(*place).is_some_and(is_awaited);
        !self.open.values().any(waiting) && self.last.is_none_or(|last| last.elapsed() >= time)
    }
}

impl Context {
    /// A worker runs, so its script has come: the page that asked for it is often not told.
    fn started(&mut self, url: &str) {
        self.last = Some(Instant::now());
        let requests = &mut self.requests;
        self.open.retain(|_, place| {
            let request =
                requests.get_mut(*place).filter(|request| request.url == url && request.kind == "Script");
            request.map(|request| request.is_done = true).is_none()
        });
    }
}

impl Traffic {
    pub(super) fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// What belongs to a page.
    pub(super) fn context(&mut self, id: &str) -> &mut Context {
        self.contexts.entry(id.to_owned()).or_default()
    }

    /// The session of a target, once it is attached.
    pub(super) fn session_of(&self, target: &str) -> Option<String> {
        let mut sessions = self.sessions.iter();
        sessions.find(|(_, session)| session.target == target).map(|(id, _)| id.clone())
    }

    /// Writes an event down; what it calls for is to be sent at once.
    pub(super) fn take_in(&mut self, message: &Value) -> Vec<Command> {
        let method = text(message, "/method");
        let session = text(message, "/sessionId");
        let parameters = message.get("params").cloned().unwrap_or_default();
        match method.as_str() {
            "Target.attachedToTarget" => return self.attached(&parameters),
            "Target.detachedFromTarget" => self.detached(&text(&parameters, "/sessionId")),
            "Page.loadEventFired" => {
                if let Some(context) = self.of(&session) {
                    context.loads += 1;
                    context.last = Some(Instant::now());
                }
            }
            "Page.frameNavigated" if parameters.pointer("/frame/parentId").is_none() => {
                // What the page before it had asked for, nobody tells of any more.
                let loader = text(&parameters, "/frame/loaderId");
                if let Some(context) = self.of(&session) {
                    context.open.retain(|(asker, id), _| *asker != session || *id == loader);
                }
            }
            "Page.javascriptDialogOpening" => {
                return vec![(session, "Page.handleJavaScriptDialog", json!({ "accept": true }))];
            }
            "Runtime.consoleAPICalled" if text(&parameters, "/type") == "error" => {
                let words = parameters.get("args").and_then(Value::as_array).cloned().unwrap_or_default();
                let words: Vec<String> = words.iter().map(shown).collect();
                self.complain(&session, words.join(" "));
            }
            "Runtime.exceptionThrown" => {
                let plain = text(&parameters, "/exceptionDetails/text");
                let long = text(&parameters, "/exceptionDetails/exception/description");
                self.complain(&session, format!("{plain} {long}"));
            }
            "Log.entryAdded" if text(&parameters, "/entry/level") == "error" => {
                let line =
                    format!("{} {}", text(&parameters, "/entry/text"), text(&parameters, "/entry/url"));
                self.complain(&session, line);
            }
            _ if method.starts_with("Network.") => self.network(&method, &session, &parameters),
            _ => {}
        }
        Vec::new()
    }

    fn attached(&mut self, parameters: &Value) -> Vec<Command> {
        let id = text(parameters, "/sessionId");
        let target = text(parameters, "/targetInfo/targetId");
        let kind = text(parameters, "/targetInfo/type");
        let context = text(parameters, "/targetInfo/browserContextId");
        let is_known = self.session_of(&target).is_some();
        self.context(&context).started(&text(parameters, "/targetInfo/url"));
        let mut wanted: Vec<(&'static str, Value)> = Vec::new();
        // A service worker is attached to the browser and to each of its pages; once is enough.
        if !is_known {
            self.sessions.insert(id.clone(), Session { context, target, kind: kind.clone() });
            if kind == "page" || kind == "iframe" {
                wanted.extend([("Page.enable", json!({})), ("Log.enable", json!({}))]);
            }
            wanted.extend([("Network.enable", json!({})), ("Runtime.enable", json!({}))]);
            let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
            wanted.push(("Target.setAutoAttach", attach));
        }
        wanted.push(("Runtime.runIfWaitingForDebugger", json!({})));
        wanted.into_iter().map(|(method, parameters)| (id.clone(), method, parameters)).collect()
    }

    /// What a target that is gone had asked for is not waited for.
    fn detached(&mut self, id: &str) {
        if let Some(session) = self.sessions.remove(id) {
            self.context(&session.context).open.retain(|(asker, _), _| asker != id);
        }
    }

    fn of(&mut self, session: &str) -> Option<&mut Context> {
        let context = self.sessions.get(session)?.context.clone();
        Some(self.context(&context))
    }

    fn complain(&mut self, session: &str, line: String) {
        if let Some(context) = self.of(session) {
            context.console.push(line);
        }
    }

    fn network(&mut self, method: &str, session: &str, event: &Value) {
        let asker = self.sessions.get(session).map(|session| session.kind.clone()).unwrap_or_default();
        let key = (session.to_owned(), text(event, "/requestId"));
        let Some(context) = self.of(session) else { return };
        context.last = Some(Instant::now());
        if method == "Network.requestWillBeSent" {
            // The same request goes on elsewhere.
            if let Some(answer) = event.get("redirectResponse")
                && let Some(request) =
                    context.open.get(&key).and_then(|place| context.requests.get_mut(*place))
            {
                answered(request, answer);
                request.is_done = true;
            }
            context.open.insert(key, context.requests.len());
            context.requests.push(Request {
                url: text(event, "/request/url") + &text(event, "/request/urlFragment"),
                method: text(event, "/request/method"),
                kind: text(event, "/type"),
                asker,
                initiator: text(event, "/initiator/type"),
                ..Request::default()
            });
            return;
        }
        if method == "Network.webSocketCreated" {
            let url = text(event, "/url");
            context.requests.push(Request { url, kind: "WebSocket".to_owned(), asker, ..Request::default() });
            return;
        }
        let Some(request) = context.open.get(&key).and_then(|place| context.requests.get_mut(*place)) else {
            return;
        };
        match method {
            "Network.responseReceived" => answered(request, event.get("response").unwrap_or(&Value::Null)),
            "Network.loadingFinished" => request.is_done = true,
            "Network.loadingFailed" => {
                request.is_done = true;
                request.failure = Some(text(event, "/errorText"));
                request.blocked = Some(text(event, "/blockedReason")).filter(|reason| !reason.is_empty());
            }
            _ => {}
        }
        if request.is_done {
            context.open.remove(&key);
        }
    }
}

fn answered(request: &mut Request, answer: &Value) {
    request.status = answer.get("status").and_then(Value::as_u64);
    request.mime = text(answer, "/mimeType");
    request.by_worker = answer.get("fromServiceWorker").and_then(Value::as_bool).unwrap_or(false);
}

fn text(value: &Value, path: &str) -> String {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A value that a script logged, as its console shows it.
fn shown(value: &Value) -> String {
    match value.get("value") {
        Some(Value::String(plain)) => plain.clone(),
        Some(other) => other.to_string(),
        None => text(value, "/description"),
    }
}
