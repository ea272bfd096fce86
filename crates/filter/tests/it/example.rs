//! The example module of `examples/filters`, built if this machine can build it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filter::{Chain, Facts, Judgement, Limits, Module};
use testkit::vectors::workspace_root;

use super::page;

const TARGET: &str = "wasm32-unknown-unknown";

/// The built module, or `None`, and a line that says why, where it cannot be built.
fn build() -> Option<PathBuf> {
    let folder = workspace_root().join("examples").join("filters");
    let rustc = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output().ok()?;
    let library = String::from_utf8_lossy(&rustc.stdout).trim().to_owned();
    if !rustc.status.success() || !Path::new(&library).is_dir() {
        eprintln!("filter: {TARGET} is not installed; skipping the test of the example module");
        return None;
    }
    let cargo = |words: &[&str]| {
        let mut command = Command::new("cargo");
        command.args(words).args(["--offline", "--locked", "--quiet"]).current_dir(&folder);
        command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("example"));
        command.status().unwrap().success()
    };
    if !cargo(&["fetch", "--target", TARGET]) {
        eprintln!("filter: what the example module is built of is not here; skipping its test");
        return None;
    }
    assert!(cargo(&["build", "--release", "--target", TARGET]), "the example module does not build");
    Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("example").join(TARGET).join("release/title_words.wasm"))
}

#[test]
fn a7_the_example_keeps_pages_with_its_words_in_their_titles() {
    let Some(path) = build() else { return };
    let wasm = fs::read(path).unwrap();
    let settings = "# one to a line\nstorm\nFlood\n";
    let module = Module::new("title-words", &wasm, Some(settings), Limits::default()).unwrap();
    let chain = Chain::new(vec![module.into()]);
    let judge = |title, mime| chain.judge(&Facts { title, mime, ..page() }).unwrap();
    assert_eq!(judge(Some("The great flood of 1872"), "text/html"), Judgement::Keep);
    assert_eq!(judge(None, "image/png"), Judgement::Keep);
    let why = "none of 2 words stands in the title `Sunny \"days\"`".to_owned();
    assert_eq!(
        judge(Some("Sunny \"days\""), "text/html"),
        Judgement::Drop { by: "title-words".to_owned(), why }
    );
    // Long documents go through one instance with little memory, so it has to give back what it takes.
    let limits = Limits { memory_bytes_max: 2 << 20, ..Limits::default() };
    let chain = Chain::new(vec![Module::new("title-words", &wasm, Some(settings), limits).unwrap().into()]);
    let long = "x".repeat(100_000);
    let facts = Facts { title: Some(&long), mime: "image/png", ..page() };
    (0..40).for_each(|_| assert_eq!(chain.judge(&facts).unwrap(), Judgement::Keep));
    let error = Module::new("title-words", &wasm, Some("# nothing\n"), Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "filter module `title-words` refuses its settings: there is no word in them"
    );
}
