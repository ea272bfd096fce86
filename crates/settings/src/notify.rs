//! The table of who is told what happens to an archive, and how often.

use std::time::Duration;

use ::notify::{Address, Hook, Relay, Severity};

use super::kind::{Number, Parsed, Readable};
use super::table::table;

table! {
    /// Who is told.
    Notify, NotifyLayer;

    section "Notices";
    /// Addresses that are told by mail
    email: Vec<Parsed<Address>> = Vec::new(), file();
    /// The server that takes the mail: smtps://host (port 465) speaks TLS from the start, smtp://host (587) by STARTTLS, smtp://localhost (25)
    /// not at all
    smtp: Option<Parsed<Relay>> = None, file();
    /// The user's name at that server; the password is $VARVE_SMTP_PASSWORD
    smtp_user: Option<String> = None, file();
    /// Who the mail is from; `none` is the first of `email`
    from: Option<Parsed<Address>> = None, file();
    /// URLs that are sent events of CloudEvents 1.0, signed with $VARVE_WEBHOOK_SECRET
    webhook: Vec<Parsed<Hook>> = Vec::new(), file();
    /// Send to mail servers and webhooks in private networks and on this machine, too
    allow_private: bool = false, file();
    /// What matters less is not told: `info`, `warning` or `alarm`
    least: Parsed<Severity> = Parsed::of(Severity::Warning), file();
    /// How long the first notice of a kind waits for others of its kind, to be told together
    group_for: Duration = Duration::from_secs(300), file();
    /// The most messages an hour by each way; what is beyond them goes with the next
    at_most: Option<Number<1, 3600>> = Some(Number(12)), file();
}

/// Why one of those was not understood.
pub(crate) fn why(error: ::notify::Error) -> Option<String> {
    match error {
        ::notify::Error::Given { why, .. } => Some(why),
        other => Some(other.to_string()),
    }
}

impl Readable for Address {
    const ALLOWED: &'static str = "a mail address such as archive@example.org";

    fn reason(error: ::notify::Error) -> Option<String> {
        why(error)
    }
}

impl Readable for Relay {
    const ALLOWED: &'static str = "a mail server such as smtps://mail.example.org or smtp://localhost";

    fn reason(error: ::notify::Error) -> Option<String> {
        why(error)
    }

    fn discreet(text: &str) -> Option<String> {
        // One that is understood holds no password.
        text.parse::<Relay>().is_err().then(|| ::notify::discreet(text))
    }
}

impl Readable for Hook {
    const ALLOWED: &'static str = "a URL such as https://hooks.example.org/varve";

    fn reason(error: ::notify::Error) -> Option<String> {
        why(error)
    }

    fn discreet(text: &str) -> Option<String> {
        Some(::notify::discreet(text))
    }
}

impl Readable for Severity {
    const ALLOWED: &'static str = "\"info\", \"warning\" or \"alarm\"";
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::kind::{Given, Kind, Raw};
    use super::super::table::Refused;
    use super::*;

    /// What is told of a value, in force or refused.
    fn told<K: Kind>(raw: Raw) -> String {
        let given = Given { raw: &raw, folder: Path::new("") };
        match K::read(&given) {
            Ok(value) => value.show(),
            Err(wrong) => format!("{:?}", Refused::wrong("key", &given, wrong, &K::allowed())),
        }
    }

    #[test]
    fn no_secret_is_told_back() {
        let text = |text: &str| Raw::Text(text.to_owned());
        for server in
            ["smtp://varve:hunter2@a.example", "smpt://varve:hunter2@a.example", "varve:hunter2@a.example"]
        {
            let told = told::<Option<Parsed<Relay>>>(text(server));
            assert!(!told.contains("hunter2") && told.contains('…'), "{told}");
        }
        assert_eq!(told::<Option<Parsed<Relay>>>(text("smtp://localhost:2525")), "\"smtp://localhost:2525\"");
        for hook in [
            "https://a.example/hunter2",
            "http://a.example/hunter2",
            "htps://a.example/hunter2",
            "a.example/hunter2",
        ] {
            for raw in [text(hook), Raw::List(vec![text("https://b.example/"), text(hook)])] {
                let told = told::<Vec<Parsed<Hook>>>(raw);
                assert!(!told.contains("hunter2") && told.contains('…'), "{told}");
            }
        }
    }
}
