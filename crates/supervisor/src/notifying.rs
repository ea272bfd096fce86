//! Who is told what happens to an archive: the settings' channels, made ready.

use std::path::Path;
use std::sync::Arc;

use fetch::Clock;
use notify::{
    Address, Allowed, Channel, Hook, Limits, Login, Mail, Notifier, Pace, Relay, Roots, Route, Screen,
    Secret, Settings, Severity, Webhook,
};

use settings::environment::{SMTP_PASSWORD, WEBHOOK_SECRET, variable};
use settings::kind::Parsed;
use settings::{Error, Explain as _, File, Notify, Voice, failure};

/// On a screen notices of a kind are told together if they come in one breath.
const SCREEN: Pace = Pace { group_for: std::time::Duration::from_secs(2), at_most_per_hour: None };

/// How long a verb waits at its end until people are told; what is not told by then is told by whoever comes next.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// The folder of an archive that keeps what somebody is still to be told.
const FOLDER: &str = "notices";

/// Makes a notifier for the archive in a folder, as its settings have it. `is_on_screen` tells whoever looks at standard error, too: for
/// programs that run for long, not for verbs whose results say the same. That somebody cannot be told keeps nobody from their work: it is said,
/// and the others are told.
#[must_use]
pub fn notifier(
    voice: &Voice,
    clock: &Clock,
    settings: &File,
    archive: &Path,
    is_on_screen: bool,
) -> Notifier {
    let values = settings.notify.values();
    let pace = Pace {
        group_for: values.group_for,
        at_most_per_hour: values.at_most.map(|number| u32::try_from(number.0).unwrap_or(u32::MAX)),
    };
    let least = values.least.value;
    let mail = mail(&values).unwrap_or_else(|error| {
        voice.warning(&format!("nobody is told by mail: {error}"));
        None
    });
    let webhooks = webhooks(&values, archive, clock).unwrap_or_else(|error| {
        voice.warning(&format!("nobody is told by webhooks: {error}"));
        Vec::new()
    });
    let channels = mail.into_iter().chain(webhooks);
    let mut routes: Vec<Route> = channels.map(|channel| Route { channel, least, pace }).collect();
    if is_on_screen {
        let theirs = voice.clone();
        let screen = Screen::new(move |message| {
            let subject = match message.kind() {
                Some(kind) => format!("{kind}: {}", message.subject()),
                None => message.subject(),
            };
            match message.severity() {
                Severity::Info => theirs.note(&subject),
                Severity::Warning => theirs.warning(&subject),
                Severity::Alarm => theirs.error(&subject),
            }
            Ok(())
        });
        routes.push(Route { channel: Arc::new(screen), least: least.min(Severity::Warning), pace: SCREEN });
    }
    if routes.is_empty() {
        return Notifier::silent();
    }
    let theirs = voice.clone();
    Notifier::new(Settings {
        routes,
        folder: Some(archive.join(FOLDER)),
        clock: now_of(clock),
        voice: Arc::new(move |trouble: &str| theirs.warning(trouble)),
    })
}

/// The ways by which people and programs are told.
///
/// # Errors
/// When the settings do not suffice for one of them.
pub fn channels(values: &Notify, archive: &Path, clock: &Clock) -> Result<Vec<Arc<dyn Channel>>, Error> {
    Ok(mail(values)?.into_iter().chain(webhooks(values, archive, clock)?).collect())
}

fn webhooks(values: &Notify, archive: &Path, clock: &Clock) -> Result<Vec<Arc<dyn Channel>>, Error> {
    if values.webhook.is_empty() {
        return Ok(Vec::new());
    }
    let signed_with = signed_with()?;
    let webhook = |hook: &Parsed<Hook>| -> Arc<dyn Channel> {
        Arc::new(Webhook {
            hook: hook.value.clone(),
            secret: signed_with.clone(),
            source: source(archive),
            allowed: allowed(values),
            roots: Roots::System,
            limits: Limits::default(),
            clock: now_of(clock),
        })
    };
    Ok(values.webhook.iter().map(webhook).collect())
}

/// Whether all is said that mail needs. Secrets are not asked for: they are those of whoever runs the program.
///
/// # Errors
/// What is missing.
pub fn check(values: &Notify) -> Result<(), Error> {
    if values.email.is_empty() || values.smtp.is_some() {
        return Ok(());
    }
    Err(failure!("`email` says who is told by mail, and nothing says which server takes it"))
        .hint("write `smtp = \"smtps://HOST\"` below `[notify]`")
}

/// Whether what webhooks are sent is signed.
#[must_use]
pub fn is_signed() -> bool {
    variable(WEBHOOK_SECRET).is_some()
}

fn mail(values: &Notify) -> Result<Option<Arc<dyn Channel>>, Error> {
    check(values)?;
    let (Some(first), Some(_)) = (values.email.first(), &values.smtp) else { return Ok(None) };
    let (relay, login, from) = relay(values)?;
    Ok(Some(Arc::new(Mail {
        relay,
        login,
        from: from.unwrap_or_else(|| first.value.clone()),
        to: values.email.iter().map(|address| address.value.clone()).collect(),
        allowed: allowed(values),
        roots: Roots::System,
        limits: Limits::default(),
    })))
}

/// Where mail servers and webhooks may be.
#[must_use]
pub fn allowed(values: &Notify) -> Allowed {
    Allowed { private: values.allow_private, networks: Vec::new() }
}

/// The server that takes mail, how to log in there, and who the mail is from if that is said.
///
/// # Errors
/// When nothing says which server, or the password is missing.
pub fn relay(values: &Notify) -> Result<(Relay, Option<Login>, Option<Address>), Error> {
    let Some(relay) = &values.smtp else {
        return Err(failure!("nothing says which server takes mail"))
            .hint("write `smtp = \"smtps://HOST\"` below `[notify]`");
    };
    let login = match (&values.smtp_user, variable(SMTP_PASSWORD)) {
        (None, _) => None,
        (Some(user), Some(password)) => Some(Login { user: user.clone(), password }),
        (Some(user), None) => {
            return Err(failure!("there is no password for `{user}` at the mail server"))
                .hint(format!("set ${SMTP_PASSWORD}, or take `smtp_user` out of the settings"));
        }
    };
    let from = values.from.as_ref().or(values.email.first());
    Ok((relay.value.clone(), login, from.map(|from| from.value.clone())))
}

/// What webhooks are signed with.
///
/// # Errors
/// When the secret is none.
pub fn signed_with() -> Result<Option<Secret>, Error> {
    variable(WEBHOOK_SECRET)
        .map(|text| text.parse::<Secret>())
        .transpose()
        .map_err(|error| failure!("${WEBHOOK_SECRET} is wrong: {error}"))
        .hint("it is `whsec_` and a key in base64, or any other text")
}

/// Who events are from: a URN that ends in the archive's name.
#[must_use]
pub fn source(archive: &Path) -> String {
    let name = name_of(archive);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let name: String = name
        .bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("urn:varve:archive:{name}")
}

/// What people call an archive: its folder's name.
#[must_use]
pub fn name_of(archive: &Path) -> String {
    let folder = archive.canonicalize().unwrap_or_else(|_| archive.to_owned());
    folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The time, as `notify` asks for it.
pub(crate) fn now_of(clock: &Clock) -> Arc<dyn Fn() -> jiff::Timestamp + Send + Sync> {
    let clock = clock.clone();
    Arc::new(move || clock.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_a_urn_whatever_the_folder_is_called() {
        assert_eq!(source(Path::new("no-such-folder/city.2026")), "urn:varve:archive:city.2026");
        assert_eq!(source(Path::new("no-such-folder/a b€")), "urn:varve:archive:a%20b%E2%82%AC");
    }
}
