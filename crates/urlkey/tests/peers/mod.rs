//! Each peer's operations answered by our functions.

mod java;
mod scrapy;
mod urlcanon;
mod web;
mod webrecorder;

use serde_json::{Value, json};

/// A file of vectors and who answers it.
pub(crate) struct File {
    pub(crate) name: &'static str,
    /// Operation, input, whole case → what we say; `None` if nobody knows the operation.
    pub(crate) answer: fn(&str, &Value, &Value) -> Option<Value>,
}

pub(crate) const FILES: &[File] = &[
    File { name: "surt-python.jsonl", answer: webrecorder::surt },
    File { name: "pywb-canonicalize.jsonl", answer: webrecorder::pywb },
    File { name: "pywb-post-to-get-query.jsonl", answer: webrecorder::post },
    File { name: "jwarc-request-encode.jsonl", answer: java::jwarc_request },
    File { name: "jwarc-surt.jsonl", answer: java::jwarc },
    File { name: "heritrix-surt.jsonl", answer: java::heritrix },
    File { name: "public-suffix-surt.jsonl", answer: java::suffixes },
    File { name: "webarchive-commons.jsonl", answer: java::commons },
    File { name: "openwayback.jsonl", answer: java::openwayback },
    File { name: "outbackcdx.jsonl", answer: java::outbackcdx },
    File { name: "urlcanon.jsonl", answer: urlcanon::answer },
    File { name: "w3lib-url.jsonl", answer: scrapy::answer },
    File { name: "whatwg-urltestdata.jsonl", answer: web::parse },
    File { name: "whatwg-toascii.jsonl", answer: web::to_ascii },
    File { name: "whatwg-percent-encoding.jsonl", answer: web::encode },
];

/// A text, or the error that stands for a failure.
pub(crate) fn shown<T: Into<Value>>(result: Result<T, urlkey::Error>) -> Value {
    match result {
        Ok(value) => value.into(),
        Err(error) => json!({ "$error": error.to_string() }),
    }
}

/// `$latin1:` marks bytes that are not UTF-8, one to a character.
pub(crate) fn bytes(text: &str) -> Vec<u8> {
    match text.strip_prefix("$latin1:") {
        Some(latin1) => latin1.chars().map(|char| u8::try_from(u32::from(char)).unwrap()).collect(),
        None => text.as_bytes().to_vec(),
    }
}

/// Bytes as text, in Latin-1 where they are not UTF-8.
pub(crate) fn text(bytes: Vec<u8>) -> Value {
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => {
            let latin1: String = error.as_bytes().iter().map(|byte| char::from(*byte)).collect();
            format!("$latin1:{latin1}").into()
        }
    }
}

/// Equal, but for `$latin1:` on bytes that happen to be UTF-8 after all.
pub(crate) fn same(ours: &Value, expect: &Value) -> bool {
    match (ours, expect) {
        (Value::String(ours), Value::String(expect)) => bytes(ours) == bytes(expect),
        _ => ours == expect,
    }
}
