//! Looking at pages: pictures that are kept, and what must hold of every page.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::chromium::Page;

/// How long something that scripts do may take on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits for something to hold in the page.
#[track_caller]
pub(crate) fn expect(page: &Page, expression: &str) {
    let held = page.holds(expression, PATIENCE);
    assert!(held, "{expression} at {}; console: {:#?}", page.evaluate("location.href"), page.console());
}

/// Keeps pictures of a page on a laptop and on a telephone, by day and by night, and looks for what is wrong with it in any of them.
#[track_caller]
pub(crate) fn pictures(page: &Page, name: &str) {
    for (width, scheme) in [(390, "light"), (390, "dark"), (1280, "dark"), (1280, "light")] {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        page.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        page.viewport(width, 900);
        let height = page.evaluate("document.documentElement.scrollHeight").as_u64().unwrap();
        page.viewport(width, u32::try_from(height).unwrap().clamp(600, 5000));
        keep(page, &format!("watch-{name}-{width}-{scheme}"));
        expect(page, "document.documentElement.scrollWidth <= document.documentElement.clientWidth");
        assert_eq!(page.evaluate(FAINT), json!([]), "{name} {width} {scheme}");
    }
    page.viewport(1280, 900);
    let nameless = page.evaluate(
        "[...document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea')].filter((one) => \
         !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length)).map((one) => one.outerHTML)",
    );
    assert_eq!(nameless, json!([]), "{name}");
    let unnamed = "[...document.querySelectorAll('svg[role=img]')].filter((one) => !one.getAttribute('aria-label')).length";
    assert_eq!(page.evaluate(unnamed), 0, "{name}");
    assert_eq!(page.evaluate("document.querySelectorAll('h1').length"), 1, "{name}");
    let ids = "[...document.querySelectorAll('[id]')].map((one) => one.id)";
    assert_eq!(page.evaluate(&format!("{ids}.length === new Set({ids}).size")), true, "{name}");
    assert_eq!(page.console(), Vec::<String>::new(), "{name}: nothing is refused or fails");
}

fn keep(page: &Page, name: &str) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let folder = target.join("screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.png"));
    std::fs::write(&file, page.screenshot()).unwrap();
    println!("kept {}", file.display());
}

/// Types into a field, as a person does.
pub(crate) fn fill(page: &Page, selector: &str, text: &str) {
    let (selector, text) = (Value::from(selector), Value::from(text));
    page.evaluate(&format!(
        "(() => {{ const field = document.querySelector({selector}); field.value = {text}; \
         for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {{ bubbles: true }})); }})()"
    ));
}

/// Presses what leads to another page and waits for that.
#[track_caller]
pub(crate) fn follow(page: &Page, selector: &str) {
    let loads = page.loads();
    page.evaluate(&format!("document.querySelector({}).click()", Value::from(selector)));
    page.loaded(loads + 1);
}

/// Texts that stand out too little from what they are written on (WCAG 2.2, 1.4.3).
const FAINT: &str = "(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const paint = (...colours) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = (dot) => dot.slice(0, 3).map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const grounds = (element) => {
        const all = [];
        for (let at = element; at; at = at.parentElement) all.unshift(getComputedStyle(at).backgroundColor);
        return all;
    };
    const faint = [];
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join('');
        if (!own || !element.checkVisibility() || element.closest('.unseen,.skip,svg,[aria-disabled]')) continue;
        const under = grounds(element);
        const [one, other] = [light(paint(...under)), light(paint(...under, getComputedStyle(element).color))];
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (ratio < 4.5) faint.push(own.slice(0, 30) + ' ' + ratio.toFixed(1));
    }
    return faint;
})()";
