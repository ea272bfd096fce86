//! Any bytes as a filter module, and as what a sound module is given.
//!
//! Whatever they are, there is a judgement or an error that names the module, within the bounds of steps and memory; a module
//! that could be started judges one document twice alike if it keeps nothing in mind. A module that answers with what it was
//! given gives it back whole.

use filter::{Chain, Error, Facts, Filter, Judgement, Limits, Module};

/// Small, so that no try takes long.
const LIMITS: Limits = Limits {
    module_bytes_max: 1 << 16,
    settings_bytes_max: 1 << 12,
    memory_bytes_max: 1 << 20,
    fuel_per_document: 100_000,
    fuel_at_start: 100_000,
    recursion_max: 100,
    facts_bytes_max: 1 << 16,
    text_bytes_max: 1 << 16,
    log_lines_max: 4,
    idle_max: 2,
};

/// A module that answers with the facts that it is given, in WebAssembly.
const ECHO: &[u8] =
    b"\x00asm\x01\x00\x00\x00\x01\x10\x03`\x00\x01\x7f`\x01\x7f\x01\x7f`\x02\x7f\x7f\x01~\x03\x04\x03\
    \x00\x01\x02\x05\x03\x01\x00\x01\x079\x04\x06memory\x02\x00\x0fvarve_interface\x00\x00\x0bvarve\
    _alloc\x00\x01\x0cvarve_filter\x00\x02\x0a\x19\x03\x04\x00A\x01\x0b\x05\x00A\x80\x08\x0b\x0c\
    \x00 \x00\xadB \x86 \x01\xad\x84\x0b";

/// Tries the bytes as both.
pub(crate) fn attack(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let settings = text.get(..text.len().min(100)).filter(|text| !text.is_empty());
    for settings in [None, settings] {
        match Module::new("hostile", bytes, settings, LIMITS) {
            Ok(module) => judge(module),
            Err(Error::Broken { module, why } | Error::Settings { module, why }) => {
                assert_eq!(module, "hostile");
                assert!(!why.is_empty());
            }
            Err(other) => panic!("{other}"),
        }
    }
    echo(&text);
    patterns(&text);
}

fn judge(module: Module) {
    let chain = Chain::new(vec![module.into()]);
    for url in ["http://example.org/", "", "x"] {
        match chain.judge(&Facts { url, mime: "text/html", ..Facts::default() }) {
            Ok(Judgement::Keep) => {}
            Ok(Judgement::Drop { by, why }) => {
                assert_eq!(by, "hostile");
                assert!(!why.contains(char::is_control), "{why:?}");
            }
            Err(Error::Failed { module, why, .. }) => assert!(module == "hostile" && !why.is_empty()),
            // A fresh instance of a module that failed may fail to start.
            Err(Error::Broken { .. } | Error::Settings { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
}

fn echo(text: &str) {
    let title = text.get(..text.len().min(1000));
    let facts = Facts { url: "http://example.org/", title, ..Facts::default() };
    let chain = Chain::new(vec![Module::new("echo", ECHO, None, LIMITS).unwrap().into()]);
    let Judgement::Drop { why, .. } = chain.judge(&facts).unwrap() else { panic!("kept") };
    // JSON escapes most control characters; those that it leaves are blanks in a reason.
    let expect: String =
        facts.to_json().chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    assert_eq!(why, expect);
}

fn patterns(text: &str) {
    let words: Vec<String> = text.split_whitespace().take(4).map(str::to_owned).collect();
    let filters = [Filter::mime(&words, &[]), Filter::status(&[], &words), Filter::url(&words, &words)];
    let chain = Chain::new(filters.into_iter().filter_map(Result::ok).collect());
    assert!(chain.judge(&Facts { url: text, mime: text, status: Some(200), ..Facts::default() }).is_ok());
}
