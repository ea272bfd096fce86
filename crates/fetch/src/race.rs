//! Several addresses of one host: tried one after another with a short lead, the first that answers wins (RFC 8305).

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use rustix::io::Errno;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use crate::descriptors::{is_out_of_descriptors, is_reserved};
use crate::outcome::Failure;

/// How long an address may keep the next one waiting (RFC 8305, 5).
const LEAD: Duration = Duration::from_millis(250);

/// IPv6 and IPv4 by turns, IPv6 first, otherwise in their order.
pub(crate) fn ordered(addresses: impl Iterator<Item = IpAddr>, most: usize) -> Vec<IpAddr> {
    let (six, four): (Vec<_>, Vec<_>) = addresses.partition(IpAddr::is_ipv6);
    let (mut six, mut four) = (six.into_iter(), four.into_iter());
    let mut ordered: Vec<IpAddr> = Vec::new();
    while ordered.len() < most {
        let pair = [six.next(), four.next()];
        if pair == [None, None] {
            break;
        }
        for address in pair.into_iter().flatten() {
            if ordered.len() < most && !ordered.contains(&address) {
                ordered.push(address);
            }
        }
    }
    ordered
}

/// Connects to whichever answers first.
pub(crate) async fn connect(addresses: &[IpAddr], port: u16) -> Result<TcpStream, Failure> {
    if let [only] = addresses {
        return connect_one(SocketAddr::new(*only, port)).await.map_err(|error| why(&error));
    }
    let mut waiting = addresses.iter().map(|address| SocketAddr::new(*address, port));
    let mut running = JoinSet::new();
    let mut last = Failure::NoAddress;
    loop {
        match waiting.next() {
            Some(address) => drop(running.spawn(connect_one(address))),
            None if running.is_empty() => return Err(last),
            None => {}
        }
        let turn = Instant::now() + LEAD;
        let has_more = waiting.len() > 0;
        tokio::select! {
            ended = running.join_next() => match ended {
                Some(Ok(Ok(stream))) => return Ok(stream),
                Some(Ok(Err(error))) => last = why(&error),
                Some(Err(_)) | None => {}
            },
            () = sleep_until(turn), if has_more => {}
        }
    }
}

async fn connect_one(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    if is_reserved(&stream) {
        return Err(Errno::MFILE.into());
    }
    // A request is one write; waiting for more to send would only cost time.
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Why there is no connection.
pub(crate) fn why(error: &io::Error) -> Failure {
    if is_out_of_descriptors(error) {
        return Failure::NoDescriptors;
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Failure::ConnectRefused,
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => Failure::ConnectReset,
        io::ErrorKind::TimedOut => Failure::ConnectTimeout,
        _ => Failure::Unreachable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lack_of_descriptors_is_no_fault_of_the_server() {
        for number in [23, 24] {
            assert_eq!(why(&io::Error::from_raw_os_error(number)), Failure::NoDescriptors);
        }
        assert!(matches!(why(&io::Error::from_raw_os_error(113)), Failure::Unreachable(_)));
    }

    #[test]
    fn families_take_turns() {
        let addresses = ["1.1.1.1", "2.2.2.2", "3.3.3.3", "::1", "::2", "1.1.1.1"];
        let addresses = || addresses.iter().map(|text| text.parse().unwrap());
        let shown: Vec<String> = ordered(addresses(), 8).iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["::1", "1.1.1.1", "::2", "2.2.2.2", "3.3.3.3"]);
        assert_eq!(ordered(addresses(), 2).len(), 2);
        assert_eq!(ordered(std::iter::empty(), 8), [] as [IpAddr; 0]);
    }
}
