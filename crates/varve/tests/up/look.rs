//! Looking at pages: pictures that are kept, what must hold of every archived page, and how much two pictures differ.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use testkit::chromium::Page;

use crate::program::Up;

/// How long something that scripts do may take on a loaded machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Keeps a picture of what is shown.
pub(crate) fn keep(page: &Page, name: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let folder = target.join("screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.png"));
    std::fs::write(&file, page.screenshot()).unwrap();
    println!("kept {}", file.display());
    file
}

/// Waits for something to hold in the page.
#[track_caller]
pub(crate) fn expect(page: &Page, expression: &str) {
    let held = page.holds(expression, PATIENCE);
    assert!(held, "{expression} at {}; console: {:#?}", page.evaluate("location.href"), page.console());
}

/// Scrolls through the page, so that everything late is loaded, and back to its top.
pub(crate) fn scroll(page: &Page) {
    page.evaluate(
        "(async () => { for (let y = 0; y < document.documentElement.scrollHeight; y += 500) { scrollTo(0, y); \
         await new Promise((done) => setTimeout(done, 30)); } scrollTo(0, 0); })()",
    );
    expect(page, "[...document.images].every((image) => image.complete)");
}

/// Clicks on an element with the mouse, as a person does.
#[track_caller]
pub(crate) fn click(page: &Page, selector: &str) {
    let selector = Value::from(selector);
    let place = page.evaluate(&format!(
        "(() => {{ const found = document.querySelector({selector}); found.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
         const box = found.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    ));
    for kind in ["mousePressed", "mouseReleased"] {
        let event = serde_json::json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
        page.call("Input.dispatchMouseEvent", event);
    }
}

/// Clicks on what leads to another page and waits for that.
#[track_caller]
pub(crate) fn follow(page: &Page, selector: &str) {
    let loads = page.loads();
    click(page, selector);
    page.loaded(loads + 1);
}

/// Every picture of the page has been loaded and can be seen.
#[track_caller]
pub(crate) fn pictures_are_there(page: &Page) {
    scroll(page);
    let broken = page.evaluate(
        "[...document.images].filter((image) => !(image.naturalWidth > 0)).map((image) => image.outerHTML)",
    );
    assert_eq!(broken, serde_json::json!([]));
    assert!(page.evaluate("document.images.length").as_u64() > Some(0));
}

/// Nothing that was asked for so far was asked of anybody but us, and all of it was answered.
#[track_caller]
pub(crate) fn nothing_left(page: &Page, up: &Up) {
    let requests = page.requests();
    assert!(!requests.is_empty());
    let outside: Vec<&str> =
        requests.iter().map(|request| request.url.as_str()).filter(|url| !up.is_ours(url)).collect();
    assert!(outside.is_empty(), "asked outside for {outside:#?}");
    let is_bad = |status: Option<u64>| status.is_some_and(|status| status >= 400);
    let bad: Vec<_> = requests.iter().filter(|request| is_bad(request.status)).collect();
    assert!(bad.is_empty(), "not answered: {bad:#?}");
}

/// The part of two pictures in which they differ, from 0 to 1. The browser decodes and compares them.
pub(crate) fn difference(page: &Page, one: &[u8], other: &[u8]) -> f64 {
    let [one, other] = [one, other].map(|bytes| format!("data:image/png;base64,{}", base64(bytes)));
    let script = format!(
        "(async () => {{ const pixels = async (url) => {{ const image = new Image(); image.src = url; await image.decode(); \
         const canvas = document.createElement('canvas'); canvas.width = image.width; canvas.height = image.height; \
         const brush = canvas.getContext('2d'); brush.drawImage(image, 0, 0); \
         return brush.getImageData(0, 0, image.width, image.height); }}; \
         const [a, b] = [await pixels('{one}'), await pixels('{other}')]; \
         if (a.width !== b.width || a.height !== b.height) return 1; let count = 0; \
         for (let at = 0; at < a.data.length; at += 4) {{ \
         if ([0, 1, 2].some((part) => Math.abs(a.data[at + part] - b.data[at + part]) > 8)) count += 1; }} \
         return count / (a.width * a.height); }})()"
    );
    page.evaluate(&script).as_f64().unwrap()
}

fn base64(bytes: &[u8]) -> String {
    data_encoding::BASE64.encode(bytes)
}
