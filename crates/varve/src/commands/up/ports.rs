//! The ports of this machine that are listened on. Other machines cannot reach them.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Context as _, anyhow};
use tokio::net::TcpListener;

use crate::hint::{WithHint as _, with_hint};
use crate::watching::Links;

/// So many free ports are tried that are taken at the other address.
const TRIES: usize = 16;

/// Listeners that nobody is answered by yet.
pub(super) struct Ports {
    pub(super) pages: TcpListener,
    /// `localhost` may be an address of either kind.
    pub(super) replay: Vec<TcpListener>,
    pub(super) pages_port: u16,
    pub(super) replay_port: u16,
}

impl Ports {
    pub(super) async fn bind(pages: u16, replay: u16) -> anyhow::Result<Ports> {
        if pages == replay && pages != 0 {
            let error = crate::usage::wrong(anyhow!("pages and replay cannot both be at port {pages}"));
            return Err(with_hint(error, "archived pages must not reach the others; name two ports"));
        }
        let pages = listen(pages, "--port").await?;
        let pages_port = port(&pages)?;
        let (replay, replay_port) = listen_on_both(replay, "--replay-port").await?;
        Ok(Ports { pages, replay, pages_port, replay_port })
    }

    /// Where people find what is behind them.
    pub(super) fn links(&self) -> Links {
        Links {
            pages: format!("http://127.0.0.1:{}", self.pages_port),
            replay: format!("http://localhost:{}", self.replay_port),
        }
    }
}

/// The port at both addresses that `localhost` may be, where there is IPv6. If another program had one of them, a browser would show
/// its pages as archived ones.
async fn listen_on_both(wanted: u16, option: &str) -> anyhow::Result<(Vec<TcpListener>, u16)> {
    // Held until the end, so that each try is at another port.
    let mut half_taken = Vec::new();
    while half_taken.len() < TRIES {
        let v4 = listen(wanted, option).await?;
        let port = port(&v4)?;
        match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
            Ok(v6) => return Ok((vec![v4, v6], port)),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && wanted == 0 => half_taken.push(v4),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => return taken(port, option),
            // There is no IPv6 here.
            Err(_) => return Ok((vec![v4], port)),
        }
    }
    taken(0, option)
}

fn taken<T>(port: u16, option: &str) -> anyhow::Result<T> {
    Err(anyhow!("port {port} of this machine is taken"))
        .hint(format!("`{option} PORT` takes another, `{option} 0` any that is free"))
        .hint("another `varve up` may be running: ending it makes room")
}

async fn listen(port: u16, option: &str) -> anyhow::Result<TcpListener> {
    let place = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match TcpListener::bind(place).await {
        Ok(listener) => Ok(listener),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => taken(port, option),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Err(anyhow!("port {port} of this machine may not be used"))
                .hint(format!("ports below 1024 are the system's; `{option} PORT` takes another"))
        }
        Err(error) => Err(error).with_context(|| format!("cannot listen at {place}")),
    }
}

fn port(listener: &TcpListener) -> anyhow::Result<u16> {
    Ok(listener.local_addr().context("cannot see where it listens")?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_port_that_another_has_at_either_address_is_taken() {
        let Ok(other) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).await else {
            eprintln!("varve: no IPv6 here; skipping the test of ports that are taken there");
            return;
        };
        let theirs = port(&other).unwrap();
        let error = Ports::bind(0, theirs).await.err().unwrap();
        assert_eq!(error.to_string(), format!("port {theirs} of this machine is taken"));
        let ports = Ports::bind(0, 0).await.unwrap();
        assert_eq!(ports.replay.len(), 2);
    }
}
