//! A server with a page for every way in which servers misbehave.
//!
//! [`table`] lists them all, so that a suite can walk it and none is forgotten. Each page lies at `/` and its name. What
//! a page sends is remembered as by every [`Server`], so a test can hold what arrived against what was sent.
//!
//! Two more paths take what they send from the request: `/to?LOCATION` redirects to whatever stands behind the question
//! mark, and `/cycle-a` and `/cycle-b` redirect to each other.

mod body;
mod bomb;
mod chunks;
mod connection;
mod flood;
mod head;
mod interim;
mod length;
mod redirect;

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;

use crate::server::{Place, Request, Seen, Server, Wire};

pub(crate) use bomb::send as bomb;
pub use bomb::{BOMB_BYTES, PIECE_BYTES};

/// One way to misbehave.
#[derive(Clone, Copy, Debug)]
pub struct Misbehaviour {
    /// Its name, and behind a slash its path.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    act: Act,
}

/// What a page does once it is asked for.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Sends this and waits for the next request, so the client has to know by itself where the reply ends.
    Replies(&'static [u8]),
    /// Sends this and closes the connection.
    Ends(&'static [u8]),
    /// Sends this and resets the connection.
    Resets(&'static [u8]),
    /// Does this; whether the connection stays open.
    Does(fn(&mut Wire, &Request) -> io::Result<bool>),
    /// Does this as soon as somebody connects, on a port of its own.
    Greets(fn(&mut Wire) -> io::Result<()>),
}

const fn row(name: &'static str, what: &'static str, act: Act) -> Misbehaviour {
    Misbehaviour { name, what, act }
}

/// Every misbehaviour there is.
pub fn table() -> impl Iterator<Item = &'static Misbehaviour> {
    let parts = [
        head::TABLE,
        flood::TABLE,
        interim::TABLE,
        length::TABLE,
        chunks::TABLE,
        body::TABLE,
        connection::TABLE,
        redirect::TABLE,
    ];
    parts.into_iter().flatten()
}

/// The server, running.
#[derive(Debug)]
pub struct Misbehave {
    server: Server,
    greeters: HashMap<&'static str, Server>,
}

impl Misbehave {
    /// Starts it on the IPv4 loopback.
    pub fn start() -> Misbehave {
        Misbehave::start_at(&Place::default())
    }

    /// Starts it elsewhere, or with TLS.
    pub fn start_at(place: &Place) -> Misbehave {
        let greeters = table().filter_map(|row| match row.act {
            Act::Greets(greet) => Some((row.name, Server::start(place, greet))),
            _ => None,
        });
        Misbehave { server: Server::answering(place, serve), greeters: greeters.collect() }
    }

    /// Where the page of this name lies, by address.
    pub fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address_of(name))
    }

    /// The address that serves the page of this name.
    pub fn address_of(&self, name: &str) -> SocketAddr {
        self.greeters.get(name).map_or(self.server.address(), Server::address)
    }

    /// The server of all pages that wait for a request.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The last request for this page with what was answered, if one was read.
    pub fn last(&self, name: &str) -> Option<Seen> {
        let target = format!("/{name}");
        let server = self.greeters.get(name).unwrap_or(&self.server);
        server.last_where(|seen| seen.target().split('?').next() == Some(&target))
    }
}

/// Does what the page that is asked for does.
fn serve(wire: &mut Wire, request: &Request) -> io::Result<bool> {
    let name = request.path().trim_start_matches('/');
    let Some(row) = table().find(|row| row.name == name) else {
        return redirect::on_demand(wire, request);
    };
    match row.act {
        Act::Replies(bytes) => wire.send(bytes).map(|()| true),
        Act::Ends(bytes) => wire.send(bytes).map(|()| false),
        Act::Resets(bytes) => wire.send(bytes).and_then(|()| wire.reset()),
        Act::Does(act) => act(wire, request),
        Act::Greets(_) => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_name_is_a_path_and_stands_once() {
        let mut names = HashSet::new();
        for row in table() {
            assert!(names.insert(row.name), "{}", row.name);
            assert!(
                row.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'),
                "{}",
                row.name
            );
            assert!(!row.what.is_empty(), "{}", row.name);
        }
    }
}
