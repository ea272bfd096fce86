//! What the name servers said, in a form that goes into the archive.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};

use jiff::Timestamp;

/// The addresses of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The name that was asked for, without a dot at its end.
    pub name: String,
    /// When it was asked.
    pub at: Timestamp,
    /// What was answered, in that order; the addresses of all kinds together.
    pub addresses: Vec<Address>,
    /// The whole answer as it came, aliases included, each record once; empty for an answer that was given by a setting.
    pub records: Vec<Record>,
    /// Who was asked; `None` for an answer that was given by a setting. Of several servers the first: which of them was
    /// quickest is not told.
    pub server: Option<SocketAddr>,
}

/// One address, and how long it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// The address.
    pub address: IpAddr,
    /// Seconds, as the server said.
    pub ttl: u32,
}

/// One record of an answer, as zone files have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Whose it is, with a dot at the end.
    pub owner: String,
    /// For how many seconds it holds.
    pub ttl: u32,
    /// `A`, `AAAA`, `CNAME`, …
    pub kind: String,
    /// What it says.
    pub data: String,
}

impl Answer {
    /// The block of a `dns` record (`text/dns`), as Heritrix writes it: the time, then a line for each record.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", urlkey::time::to_14(self.at));
        for Record { owner, ttl, kind, data } in &self.records {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{owner}\t{ttl}\tIN\t{kind}\t{data}");
        }
        text
    }
}
