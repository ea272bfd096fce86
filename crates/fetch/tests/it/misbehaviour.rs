//! Every row of `testkit::misbehave`: its outcome, and that what arrived is kept.

use std::time::{Duration, Instant};

use fetch::{Exchange, Fetcher, Request, Settings};
use testkit::misbehave::{Misbehave, table};
use testkit::server::KEPT_BYTES_MAX;

use crate::expected::{EXPECTED, Expected, Keeps};
use crate::fetcher::{bytes, fetch, hasty, request, settings, wait};

/// When whatever drips is given up, and a pace at which it drips for longer: the slow head has 68 bytes. Its status is
/// there after a quarter of them, which leaves a busy machine well over a second to be late by.
pub(crate) const DRIPS_MAX: Duration = Duration::from_millis(2400);
pub(crate) const DRIP_MS: u64 = 40;

/// No row takes longer, whatever its server does.
const TIME_MAX: Duration = Duration::from_secs(10);

/// Settings that bring each row to its end soon: where only time ends it, that one time is short, and the others are such
/// that no busy machine runs into them.
pub(crate) fn settings_of(row: &Expected) -> Settings {
    let (name, code, ..) = row;
    let mut settings = settings();
    let short = Duration::from_millis(200);
    match *code {
        "first-byte-timeout" => settings.timeouts.first_byte = short,
        "truncated-idle" => settings.timeouts.idle = short,
        "truncated-time" => settings.timeouts.whole = DRIPS_MAX,
        _ => {}
    }
    settings.limits.head_bytes = 64 << 10;
    // The bomb is whole only with all of its ten megabytes.
    settings.limits.body_bytes = if *name == "gzip-bomb" { 32 << 20 } else { 1 << 20 };
    settings
}

/// What to ask for. Slow servers are asked for a pace that is slow only to a test.
pub(crate) fn request_of(name: &str, url: &str) -> Request {
    let query = if name.starts_with("slow-") { format!("?ms={DRIP_MS}") } else { String::new() };
    request(&format!("{url}{query}"))
}

/// What is not as expected of an outcome, if anything.
pub(crate) fn wrong_outcome(row: &Expected, exchange: &Exchange) -> Option<String> {
    let (name, codes, status, _) = row;
    let (code, found) = (exchange.outcome.code(), exchange.status());
    let is_right = codes.split('|').any(|wanted| wanted == code) && found == *status;
    let is_told = exchange.outcome.truncated().is_none() == (code == "complete");
    (!is_right || !is_told).then(|| format!("{name}: {code}, status {found:?}"))
}

/// What is not as expected of what was kept, if anything.
fn wrong_kept(server: &Misbehave, row: &Expected, exchange: &Exchange) -> Option<String> {
    let (name, _, _, keeps) = row;
    let kept = bytes(exchange);
    let sent = server.last(name).map(|seen| seen.reply).unwrap_or_default();
    let is_right = match keeps {
        // The server remembers no more than this of what it sent.
        Keeps::All if sent.len() == KEPT_BYTES_MAX => kept.starts_with(&sent),
        Keeps::All => kept == sent,
        Keeps::Only(part) => kept == *part,
        Keeps::Nothing => kept.is_empty(),
        Keeps::Start => !kept.is_empty() && sent.starts_with(&kept),
    };
    let start = kept.get(..200).unwrap_or(&kept);
    (!is_right).then(|| format!("{name}: kept {} bytes of {}: {}", kept.len(), sent.len(), shown(start)))
}

/// Bytes as a failing test can show them.
fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

#[test]
fn every_misbehaviour_has_an_expectation() {
    let listed: Vec<&str> = EXPECTED.iter().map(|row| row.0).collect();
    let offered: Vec<&str> = table().map(|row| row.name).collect();
    assert_eq!(listed, offered);
}

/// Issue 3, acceptance 3.
#[test]
fn each_gives_its_outcome_and_what_arrived_is_kept() {
    let server = Misbehave::start();
    let mut wrong = Vec::new();
    for row in EXPECTED {
        let start = Instant::now();
        let exchange = fetch(settings_of(row), request_of(row.0, &server.url(row.0)));
        wrong.extend(wrong_outcome(row, &exchange));
        wrong.extend(wrong_kept(&server, row, &exchange));
        if start.elapsed() > TIME_MAX {
            wrong.push(format!("{} took {:?}", row.0, start.elapsed()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_fetcher_meets_them_all_and_is_not_confused() {
    let server = Misbehave::start();
    let mut common = hasty();
    common.limits.head_bytes = 64 << 10;
    common.limits.body_bytes = 1 << 20;
    // Only silence may come to its end by time here: what takes work must not, on a busy machine.
    common.timeouts.whole = Duration::from_secs(20);
    let is_quick = |row: &&Expected| !row.0.starts_with("slow-") && row.0 != "gzip-bomb";
    let mut wrong = Vec::new();
    wait(async {
        let fetcher = Fetcher::new(common).unwrap();
        for row in EXPECTED.iter().filter(is_quick) {
            wrong.extend(wrong_outcome(row, &fetcher.fetch(request_of(row.0, &server.url(row.0))).await));
            // The next answer on whatever connection is left is the next question's own.
            let plain = fetcher.fetch(request(&server.url("no-reason-phrase"))).await;
            let kept = bytes(&plain);
            if kept != b"HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello" {
                wrong.push(format!("after {}: {}: {}", row.0, plain.outcome, shown(&kept)));
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_answer_to_head_has_no_body_whatever_it_says() {
    let server = Misbehave::start();
    let url = server.url("head-with-body").parse().unwrap();
    let exchange = fetch(settings(), Request::new("HEAD", url));
    assert!(exchange.outcome.is_complete());
    assert_eq!(shown(&bytes(&exchange)), "HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\n");
}

#[test]
fn a_bomb_is_kept_packed_and_unfolds_only_so_far() {
    let server = Misbehave::start();
    let exchange = fetch(settings(), request(&server.url("gzip-bomb")));
    assert!(exchange.outcome.is_complete(), "{}", exchange.outcome);
    assert!((8 << 20..16 << 20).contains(&exchange.response.len()), "{}", exchange.response.len());
    assert!(exchange.response.is_spilled());
    let mut document = exchange.document(100 << 20).unwrap();
    let unfolded = std::io::copy(&mut document, &mut std::io::sink());
    assert!(unfolded.is_err(), "{unfolded:?}");
}
