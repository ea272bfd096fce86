//! The command line as a person meets it: the built program is run, and exit code, standard output and standard error
//! are compared whole. `INSTA_UPDATE=always cargo nextest run -p varve` takes new answers over; read the difference.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::disallowed_methods
)]

mod access;
mod batch;
mod cdx;
mod check;
mod config;
mod crawling;
mod descriptors;
mod exporting;
mod extract;
mod fetch;
mod fetch_peers;
mod general;
mod harvest;
mod held;
mod help;
mod importing;
mod index;
mod interrupted;
mod jobs;
mod lost_index;
mod notify;
mod peers;
mod pywb;
mod pywb_index;
mod read_only;
mod reading_back;
mod rebuild;
mod robots;
mod run;
mod scope;
mod secrets;
mod torture;
mod up;
mod url;
mod vault;
mod warc;
mod watch_verbs;
mod watching;
