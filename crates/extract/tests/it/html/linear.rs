//! Hostile pages cost no more than their length: a page of twice the length takes about twice the work.
//!
//! Work is measured in time, which is noisy: so eight short pages are held against one of eight times the length, which
//! are the same bytes and, if work is linear, the same time. Quadratic work would be eight times as much, four is allowed,
//! and a failure is one only if it comes back again and again.

use std::time::{Duration, Instant};

use extract::Limits;
use extract::html::{Reader, Wanted};

/// How long it takes to read a page so many times.
fn time(html: &str, piece_bytes: usize, times: usize) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        let mut reader = Reader::new(Wanted::ALL, &Limits::default());
        let mut rest = html;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.ceil_char_boundary(piece_bytes));
            reader.write(piece);
            rest = behind;
        }
        assert!(reader.finish().text.len() <= html.len() * 2 + 16);
    }
    start.elapsed()
}

#[track_caller]
fn check(name: &str, make: impl Fn(usize) -> String) {
    const ATTEMPTS: usize = 10;
    let (short, long) = (make(1_500), make(12_000));
    for piece_bytes in [usize::MAX, 64] {
        let is_quadratic = |_| {
            let (short, long) = (time(&short, piece_bytes, 8), time(&long, piece_bytes, 1));
            long > short.max(Duration::from_millis(2)) * 4
        };
        let failures = (0..ATTEMPTS).map(is_quadratic).take_while(|failed| *failed).count();
        assert!(failures < ATTEMPTS, "{name} in pieces of {piece_bytes} bytes takes more than its length");
    }
}

#[test]
fn what_is_opened_and_not_closed() {
    check("deep nesting", |count| "<div>".repeat(count));
    check("deep lists", |count| "<ul><li>".repeat(count));
    check("anchors", |count| "<a href=x>y".repeat(count));
    check("formatting", |count| "<b><i>".repeat(count) + &"</i></b>".repeat(count));
    check("stray ends", |count| "<div>".repeat(500) + &"</p></section></td>".repeat(count));
    check("unclosed items", |count| "<table>".to_owned() + &"<tr><td><p><div>".repeat(count));
    check("svg", |count| "<svg><desc>".repeat(count));
    check("hidden", |count| "<span hidden>".repeat(count) + &"</span>x".repeat(count));
}

#[test]
fn what_is_begun_and_not_ended() {
    check("tags in tags", |count| "<a".repeat(count * 4));
    check("a tag", |count| "<a ".to_owned() + &"b=c ".repeat(count * 4));
    check("a value", |count| "<a b='".to_owned() + &"x&y".repeat(count * 4));
    check("a comment", |count| "<!--".to_owned() + &"->-".repeat(count * 4));
    check("comments", |count| "<!--".repeat(count * 4));
    check("a conditional comment", |count| "<!--[if x]>".repeat(count * 2));
    check("a script", |count| "<script>".to_owned() + &"</scrip <!-- <script> ".repeat(count));
    check("a title", |count| "<title>".to_owned() + &"</titl &am".repeat(count));
    check("cdata", |count| "<svg><![CDATA[".to_owned() + &"]] >".repeat(count * 2));
    check("references", |count| "&am&#x".repeat(count * 4));
    check("numbers", |count| "&#".to_owned() + &"0".repeat(count * 4));
}

#[test]
fn tags_with_very_much_in_them() {
    check("many attributes", |count| {
        let attributes: String = (0..count).map(|number| format!(" data-src{number}=x.jpg")).collect();
        format!("<img{attributes}>")
    });
    check("the same attribute", |count| format!("<img{}>", " src=x".repeat(count * 4)));
    check("a srcset", |count| format!("<img srcset='{}'>", "a 1x,".repeat(count * 4)));
    let words = |count: usize| format!("title='{}'", "&amp; b ".repeat(count * 2));
    check("a srcset with words", |count| {
        format!("<img {} srcset='{}'>", words(count), "a 1x,".repeat(count))
    });
    check("pings with words", |count| format!("<a {} ping='{}'>", words(count), "a ".repeat(count * 2)));
    check("archives with words", |count| {
        let codebase = "c".repeat(count);
        format!("<applet {} codebase={codebase} archive='{}'>", words(count), "a ".repeat(count * 2))
    });
    check("variables with words", |count| {
        format!("<embed {} flashvars='{}'>", words(count), "a=/b.xml&".repeat(count))
    });
    check("pictures with words", |count| {
        format!("<img alt='{0}' rel='{0}' data-src='{1}'>", "x ".repeat(count * 4), "a.jpg, ".repeat(count))
    });
    check("a class", |count| format!("<div class='{}'>x</div>", "ad post ".repeat(count)));
    check("a page in a page", |count| format!("<iframe srcdoc='{}'>", "&lt;a href=x&gt;".repeat(count)));
    check("flash variables", |count| format!("<embed flashvars='{}'>", "a=%2F&".repeat(count)));
}
