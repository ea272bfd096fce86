//! `varve notify`: who is told, by real servers on loopback.

use insta::assert_snapshot;
use serde_json::Value;
use testkit::post_office::{Manner, Mischief, PostOffice};
use testkit::server::{Place, Server, reply};

use crate::run::{Run, varve};

/// `varve notify test` in an archive with these settings.
fn test(words: &[&str], settings: &str) -> Run {
    let run = varve(["notify", "test"].iter().chain(words)).file("varve.toml", settings);
    run.env("VARVE_SMTP_PASSWORD", "").env("VARVE_WEBHOOK_SECRET", "")
}

fn mail(office: &PostOffice) -> String {
    let address = office.address();
    let to = "email = ['ann@library.example', 'ben@library.example']";
    format!("[notify]\nallow_private = true\n{to}\nsmtp = 'smtp://{address}'\n")
}

fn hook() -> Server {
    Server::answering(&Place::default(), |wire, _| {
        wire.send(&reply("202 Accepted", &[], b""))?;
        Ok(false)
    })
}

#[test]
fn help_of_notify() {
    assert_snapshot!("help_of_notify", varve(["notify", "--help"]).shown());
    assert_snapshot!("help_of_test", varve(["notify", "test", "--help"]).shown());
}

#[test]
fn a_test_notice_goes_to_everybody() {
    let (office, hook) = (PostOffice::open(Manner { ways: Some("PLAIN"), ..Manner::default() }), hook());
    let settings = format!(
        "{}smtp_user = 'varve'\nfrom = 'varve@library.example'\nwebhook = 'http://{}/a/secret'\n",
        mail(&office),
        hook.address()
    );
    let mut run =
        test(&[], &settings).env("VARVE_SMTP_PASSWORD", "pass").env("VARVE_WEBHOOK_SECRET", "sediment");
    let output = run.output();
    let told = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "mail to ann@library.example, ben@library.example: sent");
    assert!(lines[1].starts_with("webhook 127.0.0.1 ") && lines[1].ends_with(": sent"), "{told}");
    assert_eq!((output.status.code(), output.stderr.is_empty()), (Some(0), true));
    let letter = office.letters().remove(0);
    assert_eq!(
        (letter.from.as_str(), letter.login.as_deref()),
        ("<varve@library.example>", Some("varve:pass"))
    );
    assert!(
        letter.text.contains("Subject: [varve] this is a test: notices arrive here\r\n"),
        "{}",
        letter.text
    );
    let request = String::from_utf8(hook.last("/a/secret").request).unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let event: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&event["specversion"], &event["type"]), (&"1.0".into(), &"varve.notice.test".into()));
    assert!(event["source"].as_str().unwrap().starts_with("urn:varve:archive:"));
    assert!(head.contains("webhook-signature: v1,"), "{head}");
}

#[test]
fn who_cannot_be_told_is_named_and_the_others_are_told() {
    let mischief = Mischief::Answer("RCPT", "550 nobody of that name");
    let (office, hook) = (PostOffice::open(Manner { mischief, ..Manner::default() }), hook());
    let settings = format!("{}webhook = ['http://{}/']\n", mail(&office), hook.address());
    let output = test(&["--json"], &settings).output();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["sent"], &rows[1]["sent"]), (&false.into(), &true.into()));
    let error = rows[0]["error"].as_str().unwrap();
    assert!(
        error.ends_with("answered `550 nobody of that name` to `RCPT TO:<ann@library.example>`"),
        "{error}"
    );
    let warned = String::from_utf8(output.stderr).unwrap();
    assert_eq!(warned, "warning: what webhooks are sent is not signed: $VARVE_WEBHOOK_SECRET is not set\n");
    assert!(!String::from_utf8(hook.last("/").request).unwrap().contains("webhook-signature"));
}

#[test]
fn what_is_missing_in_the_settings_is_said() {
    assert_snapshot!("nobody", test(&[], "").shown());
    assert_snapshot!("no_server", test(&[], "[notify]\nemail = 'ann@library.example'\n").shown());
    let no_password =
        "[notify]\nemail = 'ann@library.example'\nsmtp = 'smtp://localhost'\nsmtp_user = 'varve'\n";
    assert_snapshot!("no_password", test(&[], no_password).shown());
}

#[test]
fn servers_in_private_networks_are_refused_unless_the_settings_allow_them() {
    let (office, hook) = (PostOffice::open(Manner::default()), hook());
    let settings = format!("{}webhook = 'http://{}/'\n", mail(&office), hook.address());
    let refused = test(&[], &settings.replace("allow_private = true", "")).shown();
    assert!(refused.starts_with("exit: 1"), "{refused}");
    let told = "127.0.0.1 is not allowed: it is this machine's own (loopback); `allow_private = true` below `[notify]` allows it";
    assert_eq!(refused.matches(told).count(), 2, "{refused}");
    assert!(office.letters().is_empty() && hook.seen().is_empty());
    assert!(test(&[], &settings).shown().starts_with("exit: 0"));
}

#[test]
fn mistakes_in_the_settings_are_told_at_their_line() {
    let settings = r#"
[notify]
email = ["ann@library.example", "ann"]
smtp = "mail.library.example"
from = "Ann <ann@library.example>"
webhook = "ftp://hooks.library.example/"
least = "loud"
group_for = "soon"
at_most = 0
smtp_pasword = "secret"
[disk]
warn = "200%"
stop = "much"
sop = 1
"#;
    assert_snapshot!("mistakes", varve(["config", "check"]).file("varve.toml", settings).shown());
    let unserved = "[notify]\nemail = 'ann@library.example'\n[disk]\nwarn = '10%'\nstop = 1000000\n";
    assert_snapshot!("unserved", varve(["config", "check"]).file("varve.toml", unserved).shown());
    assert_snapshot!("shown", varve(["config", "show", "--changed"]).file("varve.toml", unserved).shown());
}
