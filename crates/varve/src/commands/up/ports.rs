//! The ports of this machine that are listened on. Other machines cannot reach them.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Context as _, anyhow};
use tokio::net::TcpListener;

use crate::hint::{WithHint as _, with_hint};

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
        let v4 = listen(replay, "--replay-port").await?;
        let pages_port = port(&pages)?;
        let replay_port = port(&v4)?;
        let mut replay = vec![v4];
        // Where there is no IPv6, or another has the port there, browsers take the other address.
        replay.extend(TcpListener::bind((Ipv6Addr::LOCALHOST, replay_port)).await);
        Ok(Ports { pages, replay, pages_port, replay_port })
    }
}

async fn listen(port: u16, option: &str) -> anyhow::Result<TcpListener> {
    let place = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match TcpListener::bind(place).await {
        Ok(listener) => Ok(listener),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            Err(anyhow!("port {port} of this machine is taken"))
                .hint(format!("`{option} PORT` takes another, `{option} 0` any that is free"))
                .hint("another `varve up` may be running: ending it makes room")
        }
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
