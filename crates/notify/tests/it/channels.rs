//! Mail and webhooks against real servers on loopback.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use notify::{
    Allowed, Channel as _, Error, Group, Limits, Login, Mail, Message, Notice, Relay, Roots, Security,
    Severity, Webhook,
};
use testkit::post_office::{Letter, Manner, Mischief, PostOffice};
use testkit::server::{Place, Server, Wire, reply};
use testkit::tls::{Authority, Fault};

use crate::python::python;

pub(crate) fn now() -> Timestamp {
    "2026-11-18T03:00:00.5Z".parse().unwrap()
}

fn message(subject: &str) -> Message {
    let notice = Notice::new(now(), "audit", Severity::Alarm, subject)
        .about("replica", "cellar")
        .line(".")
        .line("a.warc.gz");
    let (severity, first) = (notice.severity, notice.at);
    let group =
        Group { kind: "audit".to_owned(), severity, count: 1205, first, last: first, notices: vec![notice] };
    Message { id: "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0".to_owned(), groups: vec![group] }
}

/// Short where a server hangs, and long enough for a machine that is busy where it does not.
pub(crate) fn limits(seconds: u64) -> Limits {
    Limits { time: Duration::from_millis(seconds * 1000), ..Limits::default() }
}

pub(crate) fn mail(office: &PostOffice, security: Security, authority: Option<&Authority>) -> Mail {
    let relay = Relay { host: "localhost".to_owned(), port: office.address().port(), security };
    Mail {
        relay,
        login: None,
        from: "varve@archive.example".parse().unwrap(),
        to: vec!["ann@library.example".parse().unwrap(), "ben@library.example".parse().unwrap()],
        allowed: Allowed::private(),
        roots: Roots::Given(authority.into_iter().map(Authority::certificate).collect()),
        limits: limits(20),
    }
}

fn with(mischief: Mischief) -> PostOffice {
    PostOffice::open(Manner { mischief, ..Manner::default() })
}

/// The only letter.
#[track_caller]
pub(crate) fn only(office: &PostOffice) -> Letter {
    let mut letters = office.letters();
    assert_eq!(letters.len(), 1);
    letters.remove(0)
}

/// The headers of a letter and its body, as Python's own reader of letters understands them.
fn read_by_python(letter: &str) -> Option<(String, String, String)> {
    let script = "import sys, email, email.policy\n\
        m = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)\n\
        assert not m.defects and len(m.get_all('subject')) == 1 and m['bcc'] is None, m.items()\n\
        sys.stdout.buffer.write('\\0'.join([m['subject'], m['to'], m.get_content()]).encode())";
    let output = python(script, letter.as_bytes())?;
    let mut parts = output.split('\0').map(|part| part.replace("\r\n", "\n"));
    Some((parts.next()?, parts.next()?, parts.next()?))
}

#[test]
fn a_letter_says_what_there_is_to_say() {
    let office = PostOffice::open(Manner::default());
    mail(&office, Security::None, None).send(&message("a file is missing")).unwrap();
    let letter = only(&office);
    assert_eq!(letter.from, "<varve@archive.example>");
    assert_eq!(letter.to, ["<ann@library.example>", "<ben@library.example>"]);
    assert!(!letter.is_secure && letter.login.is_none());
    assert!(
        letter.text.contains("Message-ID: <0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0@archive.example>\r\n"),
        "{}",
        letter.text
    );
    assert!(letter.text.contains("Date: Wed, 18 Nov 2026 03:00:00 +0000\r\n"), "{}", letter.text);
    assert!(letter.text.contains("Auto-Submitted: auto-generated\r\n"));
    assert!(letter.text.contains("Content-Type: text/plain; charset=utf-8\r\n"));
    let Some((subject, to, body)) = read_by_python(&letter.text) else { return };
    assert_eq!(subject, "[varve] alarm: a file is missing (and 1,204 more)");
    assert_eq!(to, "ann@library.example, ben@library.example");
    assert_eq!(body.trim_end(), message("a file is missing").text().trim_end());
}

#[test]
fn no_subject_makes_a_header_of_its_own() {
    let long = format!("žluťoučký kůň {}", "úpěl ďábelské ódy 😀 ".repeat(20));
    for subject in ["a\r\nBcc: eve@evil.example\r\n\r\nbody", "=?utf-8?q?x?=", "\u{0}\n.\r\n", long.as_str()]
    {
        let office = PostOffice::open(Manner::default());
        mail(&office, Security::None, None).send(&message(subject)).unwrap();
        let text = only(&office).text;
        let head = text.split("\r\n\r\n").next().unwrap();
        assert!(head.is_ascii() && head.lines().all(|line| line.len() <= 998), "{head}");
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
        assert!(!text.replace("\r\n", "").contains(['\r', '\n', '\0']));
        let Some((read, _, _)) = read_by_python(&text) else { continue };
        if subject == long {
            assert_eq!(read, format!("[varve] alarm: {subject} (and 1,204 more)").trim());
        }
    }
}

#[test]
fn tls_from_the_start_or_by_starttls_with_a_login() {
    let authority = Authority::new();
    let config = authority.server(&["localhost"], Fault::None);
    for ways in ["PLAIN LOGIN", "LOGIN"] {
        for security in [Security::FromTheStart, Security::StartTls] {
            let is_start = security == Security::StartTls;
            let office = PostOffice::open(Manner {
                tls: (!is_start).then(|| Arc::clone(&config)),
                start_tls: is_start.then(|| Arc::clone(&config)),
                ways: Some(ways),
                mischief: Mischief::None,
            });
            let login = Some(Login { user: "varve".to_owned(), password: "pa ss€".to_owned() });
            Mail { login, ..mail(&office, security, Some(&authority)) }.send(&message("s")).unwrap();
            let letter = only(&office);
            assert!(letter.is_secure);
            assert_eq!(letter.login.as_deref(), Some("varve:pa ss€"));
        }
    }
}

#[test]
fn a_server_with_a_wrong_certificate_is_told_nothing() {
    let authority = Authority::new();
    for fault in Fault::ALL {
        let config = authority.server(&["localhost"], fault);
        let office = PostOffice::open(Manner { start_tls: Some(config), ..Manner::default() });
        let outcome = mail(&office, Security::StartTls, Some(&authority)).send(&message("s"));
        match fault {
            Fault::None => outcome.unwrap(),
            _ => {
                let error = outcome.unwrap_err();
                assert!(matches!(error, Error::NotTrusted { .. }) && error.is_final(), "{fault:?}: {error}");
                assert!(office.letters().is_empty());
            }
        }
    }
}

#[test]
fn what_a_server_lacks_is_not_done_without() {
    let login = Some(Login { user: "u".to_owned(), password: "secret".to_owned() });
    // No STARTTLS: somebody between may have taken it out.
    let office = PostOffice::open(Manner::default());
    let error = mail(&office, Security::StartTls, None).send(&message("s")).unwrap_err();
    assert!(matches!(error, Error::NotOffered { what: "TLS", .. }), "{error}");
    // No way to log in.
    let error =
        Mail { login: login.clone(), ..mail(&office, Security::None, None) }.send(&message("s")).unwrap_err();
    assert!(matches!(error, Error::NotOffered { .. }), "{error}");
    // Words before the handshake are not taken for words within it.
    let authority = Authority::new();
    let config = authority.server(&["localhost"], Fault::None);
    let office =
        PostOffice::open(Manner { start_tls: Some(config), mischief: Mischief::Ahead, ..Manner::default() });
    let error = mail(&office, Security::StartTls, Some(&authority)).send(&message("s")).unwrap_err();
    assert!(matches!(error, Error::NotTrusted { .. }), "{error}");
    assert!(office.letters().is_empty());
}

#[test]
fn a_no_is_final_or_not_as_the_server_says() {
    for (word, answer, is_final) in [
        ("", "421 busy", false),
        ("EHLO", "550 no", true),
        ("MAIL", "451 later", false),
        ("RCPT", "550 nobody of that name", true),
        ("RCPT", "450 greylisted", false),
        ("DATA", "554 no", true),
        (".", "452 no room", false),
        (".", "552 too long", true),
    ] {
        let office = with(Mischief::Answer(word, answer));
        let error = mail(&office, Security::None, None).send(&message("s")).unwrap_err();
        assert!(matches!(&error, Error::Refused { answer: said, .. } if said == answer), "{error}");
        assert_eq!(error.is_final(), is_final, "{answer}");
        assert!(office.letters().is_empty());
    }
    // The secret is not in the complaint.
    let office = PostOffice::open(Manner {
        ways: Some("PLAIN"),
        mischief: Mischief::Answer("AUTH", "535 no"),
        ..Manner::default()
    });
    let login = Some(Login { user: "u".to_owned(), password: "secret".to_owned() });
    let error = Mail { login, ..mail(&office, Security::None, None) }.send(&message("s")).unwrap_err();
    assert!(error.to_string().ends_with("answered `535 no` to the login"), "{error}");
}

#[test]
fn one_who_has_moved_away_does_not_keep_the_others_from_it() {
    let office = with(Mischief::Answer("RCPT TO:<ann", "550 unknown"));
    let error = mail(&office, Security::None, None).send(&message("s")).unwrap_err();
    assert!(error.is_sent() && error.is_final(), "{error}");
    assert!(
        error.to_string().ends_with("answered `550 unknown` to `RCPT TO:<ann@library.example>`"),
        "{error}"
    );
    assert_eq!(only(&office).to, ["<ben@library.example>"]);
}

#[test]
fn a_mail_server_that_hangs_floods_or_breaks_off_is_left_in_time() {
    for word in ["", "EHLO", "DATA", "."] {
        let office = with(Mischief::Hang(word));
        let mail = Mail { limits: limits(1), ..mail(&office, Security::None, None) };
        assert!(matches!(mail.send(&message("s")), Err(Error::TooSlow { .. })), "{word}");
        let office = with(Mischief::Cut(word));
        let mail = Mail {
            relay: Relay { port: office.address().port(), ..mail.relay.clone() },
            limits: limits(20),
            ..mail
        };
        let error = mail.send(&message("s")).unwrap_err();
        assert!(matches!(error, Error::BrokeOff { .. }) && !error.is_final(), "{word}: {error}");
    }
    for mischief in [Mischief::Endless, Mischief::EndlessLine] {
        let error = mail(&with(mischief), Security::None, None).send(&message("s")).unwrap_err();
        assert!(matches!(error, Error::TooMuch { .. }), "{error}");
    }
    let gone = with(Mischief::None).address().port();
    let relay = Relay { host: "127.0.0.1".to_owned(), port: gone, security: Security::None };
    let error =
        Mail { relay, ..mail(&with(Mischief::None), Security::None, None) }.send(&message("s")).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }) && !error.is_final(), "{error}");
}

pub(crate) fn answering(status: &'static str) -> Server {
    Server::answering(&Place::default(), move |wire, _| {
        wire.send(&reply(status, &[], b"thanks"))?;
        Ok(false)
    })
}

pub(crate) fn webhook(url: &str) -> Webhook {
    Webhook {
        hook: url.parse().unwrap(),
        secret: Some("sediment".parse().unwrap()),
        source: "urn:varve:archive:a".to_owned(),
        allowed: Allowed::private(),
        roots: Roots::Given(Vec::new()),
        limits: limits(20),
        clock: Arc::new(now),
    }
}

/// A request's field and body.
pub(crate) fn taken_apart(request: &[u8]) -> (String, Vec<u8>) {
    let end = request.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8(request[..end].to_vec()).unwrap(), request[end + 4..].to_vec())
}

pub(crate) fn field<'a>(head: &'a str, name: &str) -> &'a str {
    head.lines()
        .find_map(|line| line.strip_prefix(&format!("{name}: ")))
        .unwrap_or_else(|| panic!("no {name}: {head}"))
}

#[test]
fn a_webhook_is_a_cloud_event_that_others_can_check() {
    let server = answering("204 No Content");
    webhook(&server.url("/hook?key=1")).send(&message("a \"file\" is\r\nmissing")).unwrap();
    let (head, body) = taken_apart(&server.last("/hook?key=1").request);
    assert!(head.starts_with("POST /hook?key=1 HTTP/1.1\r\n"));
    assert_eq!(field(&head, "content-type"), "application/cloudevents+json; charset=utf-8");
    // CloudEvents 1.0.2, 3: what an event must have.
    let event = String::from_utf8(body.clone()).unwrap();
    for part in [
        r#""specversion":"1.0""#,
        r#""id":"0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0""#,
        r#""source":"urn:varve:archive:a""#,
        r#""type":"varve.notice.audit""#,
        r#""time":"2026-11-18T03:00:00.5Z""#,
        r#""datacontenttype":"application/json""#,
        r#""count":1205"#,
        r#""about":[["replica","cellar"]]"#,
    ] {
        assert!(event.contains(part), "{part}: {event}");
    }
    assert_eq!(field(&head, "webhook-id"), "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0");
    assert_eq!(field(&head, "webhook-timestamp"), "1794970800");
    // The signature by somebody else's HMAC, and the body by somebody else's JSON.
    let script = "import sys, hmac, hashlib, base64, json\n\
        body = sys.stdin.buffer.read()\n\
        json.loads(body)\n\
        signed = b'0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0.1794970800.' + body\n\
        print(base64.b64encode(hmac.new(b'sediment', signed, hashlib.sha256).digest()).decode(), end='')";
    let Some(signature) = python(script, &body) else { return };
    assert_eq!(field(&head, "webhook-signature"), format!("v1,{signature}"));
}

#[test]
fn without_a_secret_nothing_is_signed() {
    let server = answering("200 OK");
    Webhook { secret: None, ..webhook(&server.url("/")) }.send(&message("s")).unwrap();
    let (head, _) = taken_apart(&server.last("/").request);
    assert!(!head.contains("webhook-signature"), "{head}");
}

#[test]
fn only_a_good_status_is_good() {
    for (status, is_final) in [
        ("301 Moved Permanently", true),
        ("400 Bad Request", true),
        ("404 Not Found", true),
        ("408 Request Timeout", false),
        ("429 Too Many Requests", false),
        ("500 Internal Server Error", false),
        ("503 Service Unavailable", false),
    ] {
        let server = answering(status);
        let error = webhook(&server.url("/")).send(&message("s")).unwrap_err();
        assert!(matches!(error, Error::Refused { .. }), "{error}");
        assert_eq!(error.is_final(), is_final, "{status}");
        assert_eq!(server.connections(), 1);
    }
}

#[test]
fn interim_answers_are_passed_over_and_strange_ones_are_told() {
    for (bytes, is_good) in [
        (&b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"[..], true),
        (b"HTTP/1.0 202 Accepted\n\n", true),
        (b"220 mail.example ESMTP\r\n", false),
        (b"\xff\xfe\x00\r\n", false),
        (b"HTTP/1.1 2\r\n", false),
    ] {
        let server = Server::answering(&Place::default(), move |wire, _| {
            wire.send(bytes)?;
            Ok(false)
        });
        let outcome = webhook(&server.url("/")).send(&message("s"));
        assert_eq!(outcome.is_ok(), is_good, "{outcome:?}");
        assert!(is_good || matches!(outcome, Err(Error::Strange { .. })));
    }
}

#[test]
fn a_web_server_that_hangs_drips_or_floods_is_left_in_time() {
    let short = |server: &Server| Webhook { limits: limits(1), ..webhook(&server.url("/")) };
    let server = Server::start(&Place::default(), Wire::hang);
    assert!(matches!(short(&server).send(&message("s")), Err(Error::TooSlow { .. })));
    let server = Server::answering(&Place::default(), |wire, _| {
        wire.drip(&[b'x'; 1000], Duration::from_millis(100))?;
        Ok(false)
    });
    assert!(matches!(short(&server).send(&message("s")), Err(Error::TooSlow { .. })));
    let server = Server::answering(&Place::forgetful(), |wire, _| {
        loop {
            wire.send(&[b'x'; 4096])?;
        }
    });
    assert!(matches!(webhook(&server.url("/")).send(&message("s")), Err(Error::TooMuch { .. })));
}

#[test]
fn a_webhook_goes_to_whom_the_certificate_names() {
    let authority = Authority::new();
    for fault in Fault::ALL {
        let place = Place::tls(authority.server(&["localhost"], fault));
        let server = Server::answering(&place, |wire, _| {
            wire.send(&reply("200 OK", &[], b""))?;
            Ok(false)
        });
        let url = format!("https://localhost:{}/", server.address().port());
        let roots = Roots::Given(vec![authority.certificate()]);
        let outcome = Webhook { roots, ..webhook(&url) }.send(&message("s"));
        match fault {
            Fault::None => outcome.unwrap(),
            _ => {
                assert!(matches!(outcome, Err(Error::NotTrusted { .. })), "{fault:?}");
                assert!(server.seen().is_empty());
            }
        }
    }
}

#[test]
fn a_huge_message_is_cut() {
    let mut huge = message("s");
    let notice = huge.groups[0].notices[0].clone();
    huge.groups[0].notices = vec![Notice { lines: vec!["€".repeat(100_000); 10], ..notice }; 10];
    let office = PostOffice::open(Manner::default());
    mail(&office, Security::None, None).send(&huge).unwrap();
    let length = only(&office).text.len();
    assert!((100_000..500_000).contains(&length), "{length}");
}

/// Answers that dice have made, in the words of such servers and not.
#[test]
fn no_answer_of_a_server_is_more_than_an_error() {
    let words: [&[u8]; 12] = [
        b"220 ",
        b"250-",
        b"250 ",
        b"354 ",
        b"\r\n",
        b"\n",
        b"HTTP/1.1 ",
        b"200",
        b"\xff\xfe",
        b"\0",
        b" ",
        "2\u{20ac}0-".as_bytes(),
    ];
    for number in 0..200_u64 {
        let mut dice = testkit::corpus::Dice::new(&[number]);
        let answer: Vec<u8> = (0..dice.below(40))
            .flat_map(|_| words[usize::try_from(dice.below(12)).unwrap()].to_vec())
            .collect();
        let server = Server::start(&Place::default(), move |wire| {
            wire.send(&answer)?;
            wire.finish()?;
            wire.hang()
        });
        // That it is no panic and comes to an end is what there is to see.
        let _ = webhook(&server.url("/")).send(&message("s"));
        let relay =
            Relay { host: "127.0.0.1".to_owned(), port: server.address().port(), security: Security::None };
        let office = Mail { relay, ..mail(&PostOffice::open(Manner::default()), Security::None, None) };
        let _ = office.send(&message("s"));
    }
}

#[test]
fn who_refuses_before_all_is_sent_is_understood() {
    let server = Server::start(&Place::default(), |wire| {
        wire.send(&reply("413 Content Too Large", &[], b""))?;
        wire.finish()?;
        wire.hang()
    });
    let mut huge = message("s");
    let notice = huge.groups[0].notices[0].clone();
    huge.groups[0].notices = vec![Notice { lines: vec!["x".repeat(100_000); 20], ..notice }; 5];
    let error = webhook(&server.url("/")).send(&huge).unwrap_err();
    assert!(matches!(&error, Error::Refused { is_final: true, .. }), "{error}");
}

/// As when pages are fetched: the name is looked up, each address is judged, and a judged one is connected to.
#[test]
fn a_server_in_a_private_network_is_refused_after_its_name_was_looked_up() {
    let office = with(Mischief::None);
    let server = Server::answering(&Place::default(), |wire, _| {
        wire.send(&reply("202 Accepted", &[], b""))?;
        Ok(false)
    });
    let near = format!("http://localhost:{}/", server.address().port());
    for url in [server.url("/"), near] {
        let error = Webhook { allowed: Allowed::default(), ..webhook(&url) }.send(&message("s")).unwrap_err();
        assert!(matches!(error, Error::AddressRefused { .. }) && !error.is_final(), "{url}: {error:?}");
        assert!(error.to_string().contains("`allow_private = true` below `[notify]`"), "{error}");
    }
    let mail = mail(&office, Security::None, None);
    let error = Mail { allowed: Allowed::default(), ..mail.clone() }.send(&message("s")).unwrap_err();
    assert!(matches!(error, Error::AddressRefused { .. }), "{error:?}");
    assert!(server.seen().is_empty() && office.letters().is_empty());
    // A cloud's metadata service is refused even where private networks are allowed.
    let relay = Relay { host: "169.254.169.254".to_owned(), port: 25, security: Security::None };
    let error = Mail { relay, ..mail }.send(&message("s")).unwrap_err();
    assert!(matches!(error, Error::AddressRefused { .. }), "{error:?}");
}
