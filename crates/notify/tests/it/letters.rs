//! Letters with text and HTML, handed to a mail server and read by somebody else.

use notify::{Error, Letter, Mail, Security};
use testkit::post_office::{Manner, Mischief, PostOffice};

use crate::channels::{mail, now, only};
use crate::python::python;

fn letter() -> Letter {
    Letter {
        id: "watch-17-3".to_owned(),
        subject: "Fährzeiten changed (3 words)".to_owned(),
        text: "Fährzeiten\n- 08:40\n+ 08:45\n".to_owned(),
        html: Some("<!doctype html><p>F\u{e4}hrzeiten <del>08:40</del> <ins>08:45</ins>\n".to_owned()),
        at: now(),
    }
}

/// The subject, the type, and each part's type and text, as Python's own reader of letters understands them.
fn read(letter: &str) -> Option<Vec<String>> {
    let script = "import sys, email, email.policy\n\
        m = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)\n\
        assert not m.defects and all(not p.defects for p in m.walk()), m.items()\n\
        parts = list(m.iter_parts()) or [m]\n\
        told = [m['subject'], m.get_content_type()]\n\
        for p in parts: told += [p['content-type'], p.get_content()]\n\
        assert m.get_body(('html', 'plain')) is parts[-1]\n\
        sys.stdout.buffer.write('\\0'.join(told).encode())";
    let output = python(script, letter.as_bytes())?;
    Some(output.split('\0').map(|part| part.replace("\r\n", "\n").trim_end().to_owned()).collect())
}

#[test]
fn a_letter_has_text_and_html_to_choose_from() {
    let office = PostOffice::open(Manner::default());
    mail(&office, Security::None, None).send_letter(&letter()).unwrap();
    let text = only(&office).text;
    for line in [
        "Message-ID: <watch-17-3@archive.example>",
        "Date: Wed, 18 Nov 2026 03:00:00 +0000",
        "Auto-Submitted: auto-generated",
        "X-Varve-Kind: watch",
        "MIME-Version: 1.0",
    ] {
        assert!(text.contains(&format!("\r\n{line}\r\n")), "{line}: {text}");
    }
    let Some(read) = read(&text) else { return };
    let Letter { subject, text, html, .. } = letter();
    let html = html.unwrap();
    let (plain, rich) = ("text/plain; charset=\"utf-8\"", "text/html; charset=\"utf-8\"");
    assert_eq!(
        read,
        [&subject, "multipart/alternative", plain, text.trim_end(), rich, html.trim_end()],
        "{read:#?}"
    );
}

#[test]
fn without_html_it_is_text_alone() {
    let office = PostOffice::open(Manner::default());
    let letter = Letter { html: None, ..letter() };
    mail(&office, Security::None, None).send_letter(&letter).unwrap();
    let text = only(&office).text;
    assert!(!text.contains("multipart"), "{text}");
    let Some(read) = read(&text) else { return };
    assert_eq!(read[1..], ["text/plain", "text/plain; charset=\"utf-8\"", letter.text.trim_end()]);
}

#[test]
fn texts_from_outside_stay_where_they_are() {
    let hostile =
        "a\r\nBcc: eve@evil.example\r\n\r\n.\r\n--varve_\r\nContent-Type: text/html\r\n\r\n\u{0}<b>";
    let office = PostOffice::open(Manner::default());
    let letter = Letter {
        id: hostile.to_owned(),
        subject: hostile.to_owned(),
        text: hostile.replace('\0', ""),
        html: Some(hostile.replace('\0', "")),
        at: "-000001-01-01T00:00:00Z".parse().unwrap(),
    };
    mail(&office, Security::None, None).send_letter(&letter).unwrap();
    let text = only(&office).text;
    let head = text.split("\r\n\r\n").next().unwrap();
    assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
    assert!(head.contains("Date: Thu, 01 Jan 1970"), "{head}");
    let Some(read) = read(&text) else { return };
    assert_eq!(read.len(), 6, "{read:#?}");
    assert_eq!(read[3], letter.text.replace("\r\n", "\n"));
    assert_eq!(read[5], letter.text.replace("\r\n", "\n"));
}

#[test]
fn one_who_is_not_known_there_is_a_final_no() {
    let office = PostOffice::open(Manner {
        mischief: Mischief::Answer("RCPT", "550 nobody of that name"),
        ..Manner::default()
    });
    let mail = mail(&office, Security::None, None);
    let mail = Mail { to: mail.to[..1].to_vec(), ..mail };
    let error = mail.send_letter(&letter()).unwrap_err();
    assert!(matches!(error, Error::Refused { is_final: true, .. }) && !error.is_sent(), "{error}");
    assert!(office.letters().is_empty());
}
