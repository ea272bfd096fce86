//! Our keys beside those of the peers themselves: Python's `surt` and cdxj-indexer are run on URLs nobody wrote by hand.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, missing_docs)]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use testkit::peers;
use urlkey::request::{Dialect, request_query};

/// Answers one JSON line with another. Names are never looked up on the net: `surt` asks the resolver what `127.1` is.
const SCRIPT: &str = r#"
import io, json, socket, sys

def resolve(host):
    try:
        return host, [], [socket.inet_ntoa(socket.inet_aton(host.decode()))]
    except (OSError, ValueError):
        raise socket.gaierror

socket.gethostbyname_ex = resolve
import surt
from cdxj_indexer.postquery import append_method_query

sys.stderr = io.StringIO()
for line in sys.stdin:
    question = json.loads(line)
    raw = question["bytes"].encode("latin-1")
    try:
        if "type" in question:
            answer = append_method_query("POST", question["type"], str(len(raw)), io.BytesIO(raw), "x")[1][1:]
        else:
            answer = surt.surt(raw).decode("latin-1")
    except Exception:
        answer = None
    print(json.dumps(answer))
"#;

const SEEDS: [&str; 12] = [
    "http://www.example.org/",
    "https://Example.org:443/a/./b//../c/?z=1&a=2&a=1#top",
    "http://example.org/index.php?PHPSESSID=0123456789abcdefghijklemopqrstuv&action=profile;u=4221",
    "http://example.org/(S(4hqa0555fwsecu455xqckv45))/page.aspx?x",
    "http://bücher.example/caf%C3%A9?q=%20x",
    "http://3279880203/%257Ea",
    "ftp://user:pass@example.org:21/a;b",
    "http:/one.example/two",
    "urn:isbn:0451450523",
    "mailto:someone@example.org",
    "dns:www.example.org",
    "example.org/a?cfid=1&cftoken=2&b",
];

const PIECES: [&str; 30] = [
    "%",
    "%25",
    "%2e",
    "/",
    "//",
    "..",
    ".",
    "?",
    "&",
    "=",
    "#",
    ":",
    "@",
    "www.",
    "www12.",
    "\t",
    " ",
    "+",
    "%C3%A9",
    "A",
    ":80",
    ":443",
    "[::1]",
    "127.1",
    "017.",
    "http://",
    "\\",
    "sid=0123456789abcdef0123456789abcdef",
    "é",
    ";p",
];

/// A small generator of numbers: the same texts in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }

    fn url(&mut self) -> Vec<u8> {
        let mut url = SEEDS[self.below(SEEDS.len())].as_bytes().to_vec();
        for _ in 0..self.below(4) {
            let at = self.below(url.len() + 1);
            let piece = PIECES[self.below(PIECES.len())];
            url.splice(at..at, piece.bytes());
        }
        url
    }
}

/// What the peers say to each question, or `None` if they are not installed.
fn ask(questions: &[Value]) -> Option<Vec<Value>> {
    let mut child = Command::new(peers::python()?)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    Some(answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

#[test]
fn keys_equal_those_of_python_surt() {
    let mut dice = Dice(1);
    let urls: Vec<Vec<u8>> = (0..3000).map(|_| dice.url()).collect();
    let questions: Vec<Value> = urls.iter().map(|url| json!({ "bytes": latin1(url) })).collect();
    let Some(answers) = ask(&questions) else { return };
    assert_eq!(answers.len(), urls.len());
    for (url, answer) in urls.iter().zip(answers) {
        let ours: Value = urlkey::surt_bytes(url).ok().map(|key| latin1(&key)).into();
        assert_eq!(ours, answer, "{}", String::from_utf8_lossy(url));
    }
}

#[test]
fn queries_of_bodies_equal_those_of_cdxj_indexer() {
    let json = r#"{"a": "b", "c": {"a": [1, 2.5, true, null, "é &"]}, "d": {"": 1, "x y": 1e20}}"#;
    let form = "--x\r\nContent-Disposition: form-data; name=\"a b\"\r\n\r\n1\r\n2\r\n--x--\r\n";
    let lines = "{\"a\": 1}\n{\"a\": 2}";
    let long = "a=1&".repeat(2000);
    let bodies = ["", "a=1&b=%20+%C3%A9", "{", json, lines, form, &long, "\u{0}\u{1}"];
    let types = [
        "application/x-www-form-urlencoded",
        "application/json",
        "text/plain",
        "multipart/form-data; boundary=x",
        "image/png",
    ];
    let cases: Vec<(&str, &str)> = bodies.iter().flat_map(|body| types.map(|kind| (kind, *body))).collect();
    let questions: Vec<Value> =
        cases.iter().map(|(kind, body)| json!({ "type": kind, "bytes": latin1(body.as_bytes()) })).collect();
    let Some(answers) = ask(&questions) else { return };
    for ((kind, body), answer) in cases.into_iter().zip(answers) {
        // A body that does not keep to its boundary makes the peer give up altogether.
        if answer.is_null() {
            continue;
        }
        let ours = request_query("POST", Some(kind), body.as_bytes(), Dialect::CdxjIndexer);
        assert_eq!(Value::from(ours), answer, "{kind}: {body}");
    }
}
