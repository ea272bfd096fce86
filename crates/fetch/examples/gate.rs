//! Fills the gate with hosts, many of them sharing addresses, lets a million requests in, and says what that took.
//!
//! `cargo run --release -p fetch --example gate [HOSTS [DECISIONS]]`. The clock is made up: it jumps to the time that the
//! gate says to wait for. A decision is everything that one request costs the gate: whose turn it is, and how it went.
//! The last two words are the bytes that the gate takes at most, and the nanoseconds of a decision.

// An example is run by a person, who wants to see something.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use fetch::gate::{Gate, Next, Permit, Settings, Went};

/// Requests under way at a time.
const AT_ONCE: usize = 500;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse().ok());
    let hosts = numbers.next().unwrap_or(100_000);
    let decisions = numbers.next().unwrap_or(1_000_000);

    let before = resident_bytes();
    let gate = Gate::new(Settings::default());
    let start = Instant::now();
    for number in 0..hosts {
        // Some hosts want very much and most want little; a third of them share one address in a hundred.
        let count = if number % 1000 == 0 { 100_000 } else { 20 };
        gate.want(&name(number), Some(address(number, hosts)), count, Duration::ZERO);
    }
    let filling = start.elapsed();
    let (filled, counts) = (resident_bytes(), gate.counts());

    let start = Instant::now();
    let (made, passed) = run(&gate, decisions);
    let running = start.elapsed();
    let after = resident_bytes();

    println!("hosts\t{}\taddresses\t{}", counts.hosts, counts.addresses);
    println!("fill\t{} ns/host", filling.as_nanos() / u128::from(hosts.max(1)));
    println!("memory\t{:.1} MB filled\t{:.1} MB after", mb(filled - before), mb(after - before));
    println!("decisions\t{made}\t{} ns each", running.as_nanos() / u128::from(made.max(1)));
    println!(
        "clock\t{:.0} s passed\t{:.0} requests/s",
        passed.as_secs_f64(),
        made as f64 / passed.as_secs_f64()
    );
    println!("{} {}", filled.max(after) - before, running.as_nanos() / u128::from(made.max(1)));
}

/// Lets requests in and out, as many as there are or so many; says how many, and how long it would have taken.
fn run(gate: &Gate, decisions: u64) -> (u64, Duration) {
    let mut now = Duration::ZERO;
    let mut made = 0;
    let mut under_way: VecDeque<(Duration, Permit)> = VecDeque::new();
    while made < decisions {
        let wait_until = if under_way.len() < AT_ONCE {
            match gate.next(now) {
                Next::Go(permit) => {
                    made += 1;
                    // Requests take from 10 to 100 ms, in no order.
                    let took = Duration::from_millis(10 + made * 7919 % 91);
                    under_way.push_back((now + took, permit));
                    continue;
                }
                Next::WaitUntil(time) => Some(time),
                Next::Busy => None,
                Next::Idle if under_way.is_empty() => break,
                Next::Idle => None,
            }
        } else {
            None
        };
        let ends = under_way.front().map(|(ends, _)| *ends);
        now = now.max([wait_until, ends].into_iter().flatten().min().unwrap_or(now));
        if ends.is_some_and(|ends| ends <= now)
            && let Some((_, permit)) = under_way.pop_front()
        {
            let status = if made % 100 == 0 { 503 } else { 200 };
            permit.done(Went::Answered { status, retry_after: None }, now);
        }
    }
    (made, now)
}

fn name(number: u64) -> String {
    format!("www.host-number-{number}.example")
}

fn address(number: u64, hosts: u64) -> IpAddr {
    let shared = if number.is_multiple_of(3) { number % (hosts / 300).max(1) } else { number };
    let [.., a, b, c] = shared.to_be_bytes();
    Ipv4Addr::new(10, a, b, c).into()
}

fn mb(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// What this process has in memory, as the system counts it; nothing where it does not say.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) * 1024
}
