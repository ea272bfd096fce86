//! What each trap answers.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use super::{HOST, LINKS, SLOW_HOSTS, TRAPS};
use crate::corpus::Dice;
use crate::misbehave;
use crate::server::{Request, Wire, reply};

const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");

/// Which trap a request has stepped into. Whatever is nowhere is soft.
pub(super) fn of(request: &Request) -> &'static str {
    let label = request.host().strip_suffix(HOST).and_then(|rest| rest.split('-').next());
    let first = request.path().split('/').nth(1).unwrap_or_default();
    if first == "robots.txt" {
        return "robots.txt";
    }
    let own_host = TRAPS.iter().find(|trap| trap.is_host && Some(trap.name) == label);
    let found = own_host.or_else(|| TRAPS.iter().find(|trap| !trap.is_host && trap.name == first));
    found.map_or(if first.is_empty() { "front" } else { "soft" }, |trap| trap.name)
}

/// Does what it does; whether the connection stays open.
pub(super) fn spring(trap: &str, wire: &mut Wire, request: &Request) -> io::Result<bool> {
    let port = request.field("host").and_then(|host| host.rsplit_once(':')).map_or("80", |(_, port)| port);
    let page = match trap {
        "robots.txt" => {
            wire.send(&reply("200 OK", &[("Content-Type", "text/plain")], b"User-agent: *\nAllow: /\n"))?;
            return Ok(stays(request));
        }
        "front" => front(port),
        "calendar" => calendar(request),
        "crowded" => crowded(request),
        "longer" => longer(request),
        "session" => session(request),
        "more" => more(request, port),
        "maze" => return redirect(wire, request, &format!("/maze/{:x}", dice(request).next())),
        "loop" => return redirect(wire, request, &format!("/loop/{}", number(request) % 3 + 1)),
        "bomb" => return misbehave::bomb(wire, request),
        "endless" => return endless(wire),
        "slow" => {
            wire.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")?;
            wire.drip(&[b' '; 100_000], Duration::from_secs(1))?;
            return Ok(false);
        }
        "silent" => return wire.hang().map(|()| false),
        _ => soft(request),
    };
    wire.send(&reply("200 OK", &[HTML], html(trap, &page).as_bytes()))?;
    Ok(stays(request))
}

/// Links into every trap.
fn front(port: &str) -> Vec<String> {
    let mut links = Vec::new();
    for trap in TRAPS {
        let many = match trap.name {
            "slow" | "silent" => SLOW_HOSTS,
            _ => 3,
        };
        for number in 1..=many {
            links.push(match (trap.is_host, trap.name) {
                (true, name) => format!("http://{name}-{number}.{HOST}:{port}/"),
                (false, "calendar") => format!("/calendar/2026/{number}"),
                (false, "session") => format!("/session/{number}?sid={number}"),
                (false, name) => format!("/{name}/{number}"),
            });
        }
    }
    links
}

/// A month leads to its days and to its neighbours, a day to the next.
fn calendar(request: &Request) -> Vec<String> {
    let mut parts = request.path().split('/').skip(2).map(|part| part.parse::<u64>().unwrap_or(1));
    let (year, month, day) = (parts.next().unwrap_or(2026), parts.next().unwrap_or(1), parts.next());
    let next = if month >= 12 { (year + 1, 1) } else { (year, month + 1) };
    let last = if month <= 1 { (year.saturating_sub(1), 12) } else { (year, month - 1) };
    let mut links: Vec<String> =
        [next, last].iter().map(|(year, month)| format!("/calendar/{year}/{month}")).collect();
    match day {
        Some(day) => links.push(format!("/calendar/{year}/{month}/{}", day % 28 + 1)),
        None => links.extend((1..=28).map(|day| format!("/calendar/{year}/{month}/{day}"))),
    }
    links
}

fn crowded(request: &Request) -> Vec<String> {
    let first = number(request).wrapping_mul(LINKS);
    (0..LINKS).map(|link| format!("/crowded/{}", first.wrapping_add(link))).collect()
}

fn longer(request: &Request) -> Vec<String> {
    let path = request.path();
    vec![format!("{path}/and-more"), format!("{path}/and-still-more?from=here")]
}

/// Five pages, and wherever one goes the session is another.
fn session(request: &Request) -> Vec<String> {
    let mut dice = dice(request);
    (1..=5)
        .flat_map(|page| {
            let sid = dice.next();
            [format!("/session/{page}?sid={sid:016x}"), format!("/session/{page};jsessionid={sid:032X}")]
        })
        .collect()
}

fn soft(request: &Request) -> Vec<String> {
    let mut dice = dice(request);
    (0..10).map(|_| format!("/soft/{:x}/{:x}", dice.below(1000), dice.next())).collect()
}

fn more(request: &Request, port: &str) -> Vec<String> {
    let number: u64 =
        request.host().split(['-', '.']).nth(1).and_then(|number| number.parse().ok()).unwrap_or_default();
    let next = number.wrapping_mul(3);
    (1..=3).map(|host| format!("http://more-{}.{HOST}:{port}/", next.wrapping_add(host))).collect()
}

/// As fast as a good line carries it: at the speed of loopback it would be the machine that is measured, not the crawler.
fn endless(wire: &mut Wire) -> io::Result<bool> {
    const PIECE: &[u8] = &[b'.'; 64 << 10];
    wire.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")?;
    loop {
        wire.send(PIECE)?;
        wire.pause(Duration::from_millis(5))?;
    }
}

fn redirect(wire: &mut Wire, request: &Request, location: &str) -> io::Result<bool> {
    wire.send(&reply("302 Found", &[("Location", location)], b""))?;
    Ok(stays(request))
}

fn html(title: &str, links: &[String]) -> String {
    let mut html = format!("<!DOCTYPE html>\n<html><head><title>{title}</title></head><body>\n");
    for link in links {
        let _ = writeln!(html, "<a href=\"{link}\">on</a>");
    }
    html.push_str("</body></html>\n");
    html
}

/// The number behind the second slash.
fn number(request: &Request) -> u64 {
    request.path().split('/').nth(2).and_then(|part| part.parse().ok()).unwrap_or(1)
}

/// Numbers that depend on what was asked for.
fn dice(request: &Request) -> Dice {
    Dice::new(&[request.target.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31) ^ u64::from(byte))])
}

fn stays(request: &Request) -> bool {
    !request.field("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
}
