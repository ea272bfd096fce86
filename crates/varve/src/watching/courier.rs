//! Whoever tells people and programs what is news: mail by the server of the settings, webhooks signed as notices are.

use std::path::Path;
use std::sync::Arc;

use notify::{Address, Event, Limits, Login, Mail, Relay, Roots, Secret, To, Webhook};
use serde_json::json;
use watch::{Courier, Message, News, Undelivered};

use super::letter;
use super::rows::news_row;
use crate::clock::now;
use crate::notifying;
use crate::settings::Notify;

/// Sends what is news.
pub(crate) struct Post {
    /// The mail server, or why there is none.
    mail: Result<(Relay, Option<Login>, Option<Address>), String>,
    /// What webhooks are signed with, or what is wrong with it.
    secret: Result<Option<Secret>, String>,
    /// Who events are from.
    source: String,
    /// Where the pages are, if they are served.
    links: Option<Links>,
}

/// Where people look at what they are told.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// The pages of `varve up`, without a slash at the end.
    pub(crate) pages: String,
    /// Its replay.
    pub(crate) replay: String,
}

impl Links {
    /// The page of the watch.
    pub(super) fn watch(&self, news: &News) -> String {
        match (news.before, news.after) {
            (Some((before, _)), Some((after, _))) => {
                format!("{}/watches/{}?from={before}&to={after}", self.pages, news.watch)
            }
            _ => format!("{}/watches/{}", self.pages, news.watch),
        }
    }

    /// The newer version as it was.
    pub(super) fn replayed(&self, news: &News) -> Option<String> {
        let (_, at) = news.after?;
        Some(format!("{}/web/{}/{}", self.replay, urlkey::time::to_14(at), news.url))
    }
}

impl Post {
    /// By the settings of the archive in a folder. What is wrong with them keeps messages waiting, and is told with each.
    pub(crate) fn new(values: &Notify, archive: &Path, links: Option<Links>) -> Post {
        Post {
            mail: notifying::relay(values).map_err(|error| format!("{error:#}")),
            secret: notifying::signed_with().map_err(|error| format!("{error:#}")),
            source: notifying::source(archive),
            links,
        }
    }

    /// What keeps such addresses from being told, if anything does: for whoever begins the rounds, so that nobody waits in vain.
    pub(crate) fn trouble(&self, to: &To) -> Option<&str> {
        match to {
            To::Mail(_) => self.mail.as_ref().err().map(String::as_str),
            To::Hook(_) => self.secret.as_ref().err().map(String::as_str),
        }
    }

    fn mail(&self, to: &Address, message: &Message) -> Result<(), Undelivered> {
        let (relay, login, from) = self.mail.as_ref().map_err(|why| later(why))?;
        let letter = letter::of(message, self.links.as_ref());
        let mail = Mail {
            relay: relay.clone(),
            login: login.clone(),
            // Whoever says nothing gets mail from themselves.
            from: from.as_ref().unwrap_or(to).clone(),
            to: vec![to.clone()],
            roots: Roots::System,
            limits: Limits::default(),
        };
        mail.send_letter(&letter).or_else(undelivered)
    }

    fn event(&self, hook: &notify::Hook, message: &Message) -> Result<(), Undelivered> {
        let secret = self.secret.as_ref().map_err(|why| later(why))?;
        // To a program each is told by itself.
        let Some(news) = message.news.first() else { return Ok(()) };
        let mut data = json!(news_row(news));
        if let (Some(links), Some(members)) = (&self.links, data.as_object_mut()) {
            members.insert("page".to_owned(), links.watch(news).into());
            members.insert("replay".to_owned(), json!(links.replayed(news)));
        }
        let event = Event {
            id: message.id.clone(),
            kind: format!("watch.{}", news.kind.code()),
            subject: Some(news.url.clone()),
            at: news.at,
            data,
        };
        let webhook = Webhook {
            hook: hook.clone(),
            secret: secret.clone(),
            source: self.source.clone(),
            roots: Roots::System,
            limits: Limits::default(),
            clock: Arc::new(now),
        };
        webhook.send_event(&event).or_else(undelivered)
    }
}

impl Courier for Post {
    fn deliver(&self, message: &Message) -> Result<(), Undelivered> {
        match message.to.parse::<To>() {
            Ok(To::Mail(address)) => self.mail(&address, message),
            Ok(To::Hook(hook)) => self.event(&hook, message),
            Err(error) => Err(Undelivered { why: error.to_string(), is_final: true }),
        }
    }
}

fn undelivered(error: notify::Error) -> Result<(), Undelivered> {
    match error.is_sent() {
        true => Ok(()),
        false => Err(Undelivered { why: error.in_full(), is_final: error.is_final() }),
    }
}

/// Somebody may yet mend the settings.
fn later(why: &str) -> Undelivered {
    Undelivered { why: why.to_owned(), is_final: false }
}
