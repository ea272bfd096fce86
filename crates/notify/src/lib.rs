#![doc = include_str!("../README.md")]

mod bounded;
mod discreet;
mod error;
mod limits;
mod lookup;
// What is told.
mod json;
mod message;
mod news;
mod notice;
mod templates;
// The ways to tell it.
mod channel;
mod feed;
mod mail;
mod screen;
mod to;
mod webhook;
mod wire;
// When it is told, and what becomes of it meanwhile.
mod courier;
mod lane;
mod notifier;
mod spool;

pub use channel::Channel;
pub use destination::Allowed;
pub use discreet::discreet;
pub use error::Error;
pub use feed::{Feed, FeedLimits, Item};
pub use lane::Pace;
pub use limits::Limits;
pub use mail::{Address, Letter, Login, Mail, Relay, Security};
pub use message::{Group, Message, grouped};
pub use news::{Bulletin, Links, News, NewsKind};
pub use notice::{Notice, Severity};
pub use notifier::{Clock, Flushed, Notifier, Route, Settings, Voice};
pub use screen::Screen;
pub use templates::{Parts, Templates};
pub use to::To;
pub use webhook::{Event, Hook, Secret, Webhook, signature};
pub use wire::Roots;
