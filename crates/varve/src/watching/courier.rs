//! Whoever tells people and programs what is news: mail by the server of the settings, webhooks signed as notices are.

use std::path::Path;
use std::sync::Arc;

use notify::{
    Address, Allowed, Event, Letter, Limits, Login, Mail, Relay, Roots, Secret, Templates, To, Webhook,
};
use serde_json::json;
use settings::File;
use supervisor::notifying;
use watch::{Courier, Message, News, Undelivered};

use super::rows::news_row;
use super::templates;
use crate::clock::now;
use crate::hint::with_hint;

/// Sends what is news.
pub(crate) struct Post {
    /// The mail server, or why there is none.
    mail: Result<(Relay, Option<Login>, Option<Address>), String>,
    /// What webhooks are signed with, or what is wrong with it.
    secret: Result<Option<Secret>, String>,
    /// Who events are from.
    source: String,
    /// The archive, as people call it.
    archive: String,
    /// Where mail servers and webhooks may be.
    allowed: Allowed,
    /// How letters are put together.
    templates: Templates,
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
    /// Where there is more of some news.
    fn of(&self, news: &News) -> notify::Links {
        let Links { pages, replay } = self;
        let watch = format!("{pages}/watches/{}", news.watch);
        let captured = |at: jiff::Timestamp| format!("{replay}/web/{}/{}", urlkey::time::to_14(at), news.url);
        let difference = match (news.before, news.after) {
            (Some((before, _)), Some((after, _))) => format!("{watch}/difference?from={before}&to={after}"),
            _ => String::new(),
        };
        notify::Links {
            difference,
            before: news.before.map(|(_, at)| captured(at)).unwrap_or_default(),
            after: news.after.map(|(_, at)| captured(at)).unwrap_or_default(),
            page: watch,
        }
    }
}

impl Post {
    /// By the settings of the archive in a folder. That there is no mail server keeps messages waiting, and is told with each.
    ///
    /// # Errors
    /// When somebody's own templates make no sense.
    pub(crate) fn new(file: &File, archive: &Path, links: Option<Links>) -> anyhow::Result<Post> {
        let folder = file.watch.values().templates;
        let values = file.notify.values();
        Ok(Post {
            mail: notifying::relay(&values).map_err(|error| settings::in_full(&error)),
            secret: notifying::signed_with().map_err(|error| settings::in_full(&error)),
            source: notifying::source(archive),
            archive: notifying::name_of(archive),
            allowed: notifying::allowed(&values),
            templates: folder
                .map_or_else(|| Ok(Templates::default()), |folder| templates::read(&folder.0))?,
            links,
        })
    }

    /// What is news, as a letter.
    fn letter(&self, message: &Message) -> Result<Letter, Undelivered> {
        let news = message.news.iter().map(|news| {
            let time = |version: Option<(u32, jiff::Timestamp)>| {
                version.map(|(_, at)| at.to_string()).unwrap_or_default()
            };
            notify::News {
                id: news.id.to_string(),
                watch: news.watch.to_string(),
                kind: match news.kind {
                    watch::NewsKind::Gone => notify::NewsKind::Gone,
                    watch::NewsKind::Back => notify::NewsKind::Back,
                    _ => notify::NewsKind::Changed,
                },
                url: news.url.clone(),
                title: news.title.clone(),
                time: news.at.to_string(),
                before: time(news.before),
                after: time(news.after),
                summary: news.summary.clone(),
                text: news.text.clone(),
                html: news.html.clone(),
                links: self.links.as_ref().map(|links| links.of(news)).unwrap_or_default(),
            }
        });
        let (archive, owner) = (self.archive.clone(), message.owner.clone());
        let bulletin = notify::Bulletin { archive, owner, news: news.collect() };
        let at = message.news.iter().map(|news| news.at).max().unwrap_or_default();
        // Somebody may yet mend a template.
        let parts = self.templates.render(&bulletin).map_err(|error| later(&error.to_string()))?;
        Ok(parts.letter(message.id.clone(), at))
    }

    fn mail(&self, to: &Address, message: &Message) -> Result<(), Undelivered> {
        let (relay, login, from) = self.mail.as_ref().map_err(|why| later(why))?;
        let letter = self.letter(message)?;
        let mail = Mail {
            relay: relay.clone(),
            login: login.clone(),
            // Whoever says nothing gets mail from themselves.
            from: from.as_ref().unwrap_or(to).clone(),
            to: vec![to.clone()],
            allowed: self.allowed.clone(),
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
            members.insert("links".to_owned(), json!(links.of(news)));
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
            allowed: self.allowed.clone(),
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

/// What of the settings shows only when somebody is told: templates that are wrong, mail that no server takes.
pub(crate) fn check(file: &File) -> Vec<anyhow::Error> {
    let values = file.watch.values();
    let mut errors: Vec<anyhow::Error> = Vec::new();
    errors.extend(values.templates.and_then(|folder| templates::read(&folder.0).err()));
    let has_mail = values.notify.iter().any(|to| matches!(to.value, To::Mail(_)));
    // The password is that of whoever runs the program.
    if has_mail && file.notify.values().smtp.is_none() {
        let error = anyhow::anyhow!(
            "`notify` of `[watch]` tells people by mail, and nothing says which server takes it"
        );
        errors.push(with_hint(error, "write `smtp = \"smtps://HOST\"` below `[notify]`"));
    }
    errors
}

/// Somebody may yet mend the settings.
fn later(why: &str) -> Undelivered {
    Undelivered { why: why.to_owned(), is_final: false }
}
