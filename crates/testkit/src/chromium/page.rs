//! A page in the browser: where tests lead it, ask it, and look at it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::process::Process;
use super::traffic::Request;
use super::wire::{WAIT_MAX, Wire};

/// So long nothing may be asked for until a page counts as come to rest.
const QUIET: Duration = Duration::from_millis(500);

/// A page with a profile of its own. It is closed, and its profile thrown away, when this is dropped.
#[derive(Debug)]
pub struct Page {
    wire: Arc<Wire>,
    context: String,
    session: String,
    _process: Arc<Process>,
}

impl Page {
    #[track_caller]
    pub(super) fn open(wire: Arc<Wire>, process: Arc<Process>) -> Page {
        let call = |method: &str, parameters: Value, field: &str| {
            let answer = wire.call(None, method, parameters).unwrap_or_else(|error| panic!("{error}"));
            answer.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let context = call("Target.createBrowserContext", json!({}), "browserContextId");
        let fresh = json!({ "url": "about:blank", "browserContextId": context });
        let target = call("Target.createTarget", fresh, "targetId");
        let session = wire.wait(WAIT_MAX, |state| state.traffic.session_of(&target));
        let session = session.unwrap_or_else(|| panic!("chromium opens no page"));
        Page { wire, context, session, _process: process }
    }

    /// A command to this page, as the protocol has it.
    ///
    /// # Panics
    /// When the browser refuses it.
    #[track_caller]
    pub fn call(&self, method: &str, parameters: Value) -> Value {
        let answer = self.wire.call(Some(&self.session), method, parameters);
        answer.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Goes to an address; waits until the page is loaded and then asks for nothing more.
    ///
    /// # Panics
    /// When it cannot be loaded.
    #[track_caller]
    pub fn go(&self, url: &str) {
        let loads = self.wire.with(|traffic| traffic.context(&self.context).loads);
        let answer = self.call("Page.navigate", json!({ "url": url }));
        let error = answer.get("errorText").and_then(Value::as_str);
        assert_eq!(error, None, "{url} cannot be loaded");
        self.loaded(loads + 1);
    }

    /// Waits for the next load, that something done before has led to, counted from `loads()` before it.
    ///
    /// # Panics
    /// When nothing is loaded, or it never comes to rest.
    #[track_caller]
    pub fn loaded(&self, loads: usize) {
        let is_loaded = self.wire.wait(WAIT_MAX, |state| {
            let context = state.traffic.context(&self.context);
            (context.loads >= loads && context.is_quiet(QUIET)).then_some(())
        });
        assert!(is_loaded.is_some(), "the page does not come to rest: {:#?}", self.unfinished());
    }

    /// How many loads there were so far.
    pub fn loads(&self) -> usize {
        self.wire.with(|traffic| traffic.context(&self.context).loads)
    }

    /// The value of an expression in the page; a promise is waited for.
    ///
    /// # Panics
    /// When it throws.
    #[track_caller]
    pub fn evaluate(&self, expression: &str) -> Value {
        self.try_evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    fn try_evaluate(&self, expression: &str) -> Result<Value, String> {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let answer = self.wire.call(Some(&self.session), "Runtime.evaluate", parameters)?;
        match answer.get("exceptionDetails") {
            Some(fault) => Err(fault.to_string()),
            None => Ok(answer.pointer("/result/value").cloned().unwrap_or_default()),
        }
    }

    /// Waits until an expression holds in whatever page is there by then; says whether it ever did.
    pub fn holds(&self, expression: &str, time_max: Duration) -> bool {
        let end = Instant::now() + time_max;
        loop {
            let left = end.saturating_duration_since(Instant::now()).as_millis();
            let script = format!(
                "new Promise((done) => {{ const end = performance.now() + {left}; (function look() {{ let is = false; \
                 try {{ is = Boolean({expression}); }} catch {{}} if (is || performance.now() > end) done(is); \
                 else setTimeout(look, 20); }})(); }})"
            );
            match self.try_evaluate(&script) {
                Ok(held) => return held == true,
                // The page was left meanwhile: then the next one is asked.
                Err(_) if left > 0 => drop(self.wire.wait(Duration::from_millis(50), |_| None::<()>)),
                Err(_) => return false,
            }
        }
    }

    /// The size of what is shown.
    ///
    /// # Panics
    /// When the browser is gone.
    #[track_caller]
    pub fn viewport(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// A picture of what is shown, as PNG.
    ///
    /// # Panics
    /// When the browser gives none.
    #[track_caller]
    pub fn screenshot(&self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let data = answer.get("data").and_then(Value::as_str).unwrap_or_default();
        BASE64.decode(data.as_bytes()).unwrap_or_else(|error| panic!("no picture: {error}"))
    }

    /// Every request so far of this page, its frames and workers, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.wire.with(|traffic| traffic.context(&self.context).requests.clone())
    }

    /// Errors that scripts logged or did not catch, and what the browser complained about.
    pub fn console(&self) -> Vec<String> {
        self.wire.with(|traffic| traffic.context(&self.context).console.clone())
    }

    /// Forgets requests that have ended, and the console.
    pub fn forget(&self) {
        self.wire.with(|traffic| traffic.context(&self.context).forget());
    }

    fn unfinished(&self) -> Vec<Request> {
        self.requests().into_iter().filter(|request| !request.is_done).collect()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        drop(self.wire.call(
            None,
            "Target.disposeBrowserContext",
            json!({ "browserContextId": self.context }),
        ));
    }
}
