//! Hostile pages cost no more than their length: a page of twice the length takes about twice the work.
//!
//! Work is measured in time, which is noisy; so sizes are a factor of eight apart, a factor of thirty is allowed where
//! quadratic work would take sixty-four, the best of several runs counts, and a failure is one only if it comes back.

use std::time::{Duration, Instant};

use extract::Limits;
use extract::html::{Reader, Wanted};

fn time(html: &str, piece_bytes: usize) -> Duration {
    let run = || {
        let start = Instant::now();
        let mut reader = Reader::new(Wanted::ALL, &Limits::default());
        let mut rest = html;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.ceil_char_boundary(piece_bytes));
            reader.write(piece);
            rest = behind;
        }
        let page = reader.finish();
        let time = start.elapsed();
        assert!(page.text.len() <= html.len() * 2 + 16);
        time
    };
    (0..3).map(|_| run()).min().unwrap()
}

#[track_caller]
fn check(name: &str, make: impl Fn(usize) -> String) {
    for piece_bytes in [usize::MAX, 64] {
        let (small, large) = (make(1_500), make(12_000));
        let measured = (0..6)
            .map(|_| (time(&small, piece_bytes).max(Duration::from_micros(300)), time(&large, piece_bytes)));
        let mut failures =
            measured.map_while(|(small, large)| (large > small * 30).then_some((small, large)));
        assert!(
            failures.by_ref().count() < 6,
            "{name} in pieces of {piece_bytes} bytes takes more than its length"
        );
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
    check("a class", |count| format!("<div class='{}'>x</div>", "ad post ".repeat(count)));
    check("a page in a page", |count| format!("<iframe srcdoc='{}'>", "&lt;a href=x&gt;".repeat(count)));
    check("flash variables", |count| format!("<embed flashvars='{}'>", "a=%2F&".repeat(count)));
}
